"""What Discord's client makes of a text: a small model of it, stricter where it is not known.

It knows nothing of how the assistant writes: it follows the rules that Discord's own client has,
which are those of simple-markdown with Discord's additions.
"""

import re

from hypothesis import strategies as st

Node = tuple[str, str]
"""A kind and the text within."""

_LINE = (
    ("heading", re.compile(r" *#{1,3}\s+([^\n]+)")),
    ("subtext", re.compile(r" *-#\s*([^\n]+)")),
    ("quote", re.compile(r" *>>> ([\s\S]*)")),
    ("quote", re.compile(r" *> ?([^\n]*)")),
    ("list", re.compile(r" *(?:[*+-]|\d+[.)])\s+([^\n]*)")),
)
_LITERAL = (
    ("code", re.compile(r"```(?:[A-Za-z0-9_+\-.#]+?\n)?\n*([^\n][\s\S]*?)\n*```")),
    ("text", re.compile(r"\\([^0-9A-Za-z\s])")),
    ("autolink", re.compile(r"<([^: >]+:/[^ >]+)>")),
    ("autolink", re.compile(r"<([^@\s>]+@[^\s>]+\.[^\s>]+|\+\d+)>")),
    ("url", re.compile(r"((?:https?|steam)://[^\s<]+[^<.,:;\"'\]\s])")),
    ("www", re.compile(r"(www\.\w+)")),
    ("invite", re.compile(r"(discord(?:\.gg|(?:app)?\.com/invite)/\w+)")),
    ("mention", re.compile(r"<(@[!&]?\d+|#\d+)>")),
    ("mention", re.compile(r"<(/[^:>\n]+:\d+|id:\w+|sound:\d+:\d+)>")),
    ("mention", re.compile(r"(@everyone|@here)")),
    ("timestamp", re.compile(r"<(t:-?\d+(?::[tTdDfFR])?)>")),
    ("custom emoji", re.compile(r"<(a?:\w+:\d+)>")),
    ("emoji", re.compile(r":([^\s:]+?):")),
    ("inline code", re.compile(r"(?:(`+)([\s\S]*?[^`])\1(?!`))")),
)
_LINK = re.compile(
    r"\[((?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*)\]"
    r"\(\s*<?((?:[^\s\\]|\\.)*?)>?(?:\s+['\"][\s\S]*?['\"])?\s*\)"
)
_SPAN = (
    ("strong", re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)")),
    ("underline", re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)")),
    ("emphasis", re.compile(r"\*(?=\S)((?:\*\*|\\[\s\S]|[^*\\])+?)\*(?!\*)")),
    ("emphasis", re.compile(r"_((?:__|\\[\s\S]|[^\\_])+?)_")),
    ("strike", re.compile(r"~~([\s\S]+?)~~(?!_)")),
    ("spoiler", re.compile(r"\|\|([\s\S]+?)\|\|")),
)


def parse(text: str) -> list[Node]:
    """What is shown, in order; text that stands together is one node.

    What markup holds follows it as nodes of their own.
    """
    nodes: list[Node] = []
    at = 0
    while at < len(text):
        kind, said, inner, at = _next(text, at)
        if kind == "text" and nodes and nodes[-1][0] == "text":
            nodes[-1] = ("text", nodes[-1][1] + said)
        else:
            nodes.append((kind, said))
        if inner:
            nodes += [("", ""), *parse(said)]
    return nodes


def kinds(text: str) -> set[str]:
    return {kind for kind, _ in parse(text) if kind}


def visible(text: str) -> str:
    """The text of a message in which nothing is markup."""
    nodes = parse(text)
    assert [kind for kind, _ in nodes] in ([], ["text"]), nodes
    return "".join(said for _, said in nodes)


def _next(text: str, at: int) -> tuple[str, str, bool, int]:
    if at == 0 or text[at - 1] == "\n":
        for kind, rule in _LINE:
            if found := rule.match(text, at):
                return kind, found[1], True, found.end()
    for kind, rule in _LITERAL:
        if found := rule.match(text, at):
            return kind, found[found.lastindex or 0], False, found.end()
    if found := _LINK.match(text, at):
        target = re.sub(r"\\([^0-9A-Za-z\s])", r"\1", found[2])
        if re.match(r"[A-Za-z][\w+.-]*:", target):
            return "link", found[1], True, found.end()
    for kind, rule in _SPAN:
        if found := rule.match(text, at):
            return kind, found[1], True, found.end()
    return "text", text[at], False, at + 1


LIVE = {"mention", "timestamp", "custom emoji", "link", "subtext"}
"""What a model's words never have, for all their markdown."""
SNIPPETS = (
    *"\\`*_~|<>#@:/.[]()+-! \n\t1aé\u0301\U0001f600\u200b\u202e",
    "```",
    "```py\n",
    "||",
    "**",
    "__",
    "~~",
    "> ",
    ">>> ",
    "# ",
    "-# ",
    "- ",
    "1. ",
    "record:",
    "[a](https://b.c)",
    "[a](<https://b.c>)",
    "](https://b.c)",
    "](https\\://b.c)",
    "](",
    "https://x.y",
    "<https://x.y>",
    "www.x.y",
    "discord.gg/x",
    "@everyone",
    "@here",
    "<@1>",
    "<@!1>",
    "<@&1>",
    "<#1>",
    "</cmd:1>",
    "<t:1:R>",
    "<:a:1>",
    "<a:b:1>",
    "<id:customize>",
    "<sound:1:1>",
    "<a@b.c>",
    ":smile:",
    "¯\\_(ツ)_/¯",
)
nasty = st.lists(st.sampled_from(SNIPPETS), max_size=14).map("".join) | st.text(max_size=40)
