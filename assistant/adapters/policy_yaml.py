"""A policy as a person writes it: YAML in, a ``Policy`` out, or each problem with its line.

Only plain YAML: no anchors, tags, merges or second documents. ``true`` and ``false`` are the only
truth values, so that ``no`` and ``on`` stay words; ``0123``, ``1:30`` and dates stay texts.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from assistant.domain.governance import IN_MEBIBYTES, Governance
from assistant.domain.policies import LARGEST
from assistant.domain.policy import Policy
from assistant.domain.policy_check import Tools, check_policy, nearest, unknown_tools
from assistant.domain.problems import BadPolicy, Problem
from assistant.domain.rules import Condition, Rule

NODES = 60_000
"""Keys and values of one file."""
DEEPEST = 20
_EXACT = 2**53 - 1
"""The largest whole number that JSON, and hence an argument, holds exactly (RFC 8259)."""
_MOST_PROBLEMS = 100

Path = tuple[str | int, ...]


def read_policy(text: str, *, tools: Tools | None = None) -> Policy:
    """The policy that this file says.

    ``tools`` is the JSON Schema of each tool's arguments by the tool's name, against which names
    and types are checked; without it they are not.

    Raises:
        BadPolicy: with every problem that was found, in the order of the lines.
    """
    document = _Document(text)
    policy, places = document.policy()
    document.problems += check_policy(policy, tools, places=places)
    document.problems += unknown_tools(document.tools(), tools)
    if document.problems:
        placed = sorted({document.placed(one) for one in document.problems}, key=_line)
        raise BadPolicy(placed[:_MOST_PROBLEMS])
    return policy


def _line(problem: Problem) -> tuple[int, int, str]:
    return problem.line, problem.column, problem.words


@dataclass
class _Document:
    """The text as plain values, and where each of them stands."""

    text: str
    data: Any = None
    problems: list[Problem] = field(default_factory=list)
    _marks: dict[Path, yaml.Mark] = field(default_factory=dict)
    _keys: dict[Path, yaml.Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            root = _parsed(self.text)
        except _Refused as refused:
            self.problems.append(refused.problem)
            return
        self.data = self._plain(root, ())
        if isinstance(self.data, dict) and "version" not in self.data:
            fix = "begin the file with version: 1"
            self.problems.append(Problem(words="it does not say its version", fix=fix))

    def policy(self) -> tuple[Policy, Sequence[int]]:
        """What the values say, and where each rule stands.

        What is ill-shaped is noted as a problem, and left out.
        """
        if self.data is None:
            return Policy(), ()
        try:
            policy = Policy.model_validate(self.data)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            self.problems += [_mended(one) for one in found]
            return _rest(self.data, {one["loc"][:2] for one in found})
        return policy, range(len(policy.rules))

    def tools(self) -> Iterator[tuple[Path, str]]:
        """Where tools are named, in what is ill-shaped as well."""
        data = self.data if isinstance(self.data, dict) else {}
        rules, tools = data.get("rules"), data.get("tools")
        for place, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict) and isinstance(rule.get("tool"), str):
                yield ("rules", place, "tool"), rule["tool"]
        for name in tools if isinstance(tools, dict) else ():
            yield ("tools", name), name

    def placed(self, problem: Problem) -> Problem:
        """The problem with the line and column of what it is about."""
        if problem.line:
            return problem
        mark = self._mark(problem.path)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return problem.model_copy(update={"line": line, "column": column})

    def _mark(self, path: Path) -> yaml.Mark | None:
        """Where its key stands, or an entry of a list begins; else the nearest that holds it."""
        for end in range(len(path), -1, -1):
            found = self._keys.get(path[:end]) or self._marks.get(path[:end])
            if found:
                return found
        return None

    def _plain(self, node: yaml.Node, path: Path) -> Any:
        self._marks[path] = node.start_mark
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(one, (*path, place)) for place, one in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name:
                self._say(path, "a key is a word", "write name: value", key.start_mark)
                continue
            inner = (*path, name)
            if name in made:
                first = self._keys[inner].line + 1
                fix = f"keep one of them; the first is in line {first}"
                self._say(inner, "is there twice", fix, key.start_mark)
                continue
            self._keys[inner] = key.start_mark
            made[name] = self._plain(value, inner)
        return made

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        kind, text = node.tag.rpartition(":")[2], str(node.value)
        if kind == "null":
            return None
        if kind == "bool":
            return text == "true"
        if kind == "int":
            if len(text) <= len(str(_EXACT)) + 1 and abs(int(text)) <= _EXACT:
                return int(text)
            self._say(path, "is larger than any number can be", "put it in quotes", node.start_mark)
            return 0
        return float(text) if kind == "float" else text

    def _say(self, path: Path, words: str, fix: str, mark: yaml.Mark) -> None:
        place = {"line": mark.line + 1, "column": mark.column + 1}
        self.problems.append(Problem(path=path, words=words, fix=fix, **place))


def _rest(data: dict[str, Any], broken: Collection[Path]) -> tuple[Policy, Sequence[int]]:
    """What is left without the broken rules, tools and keys, and where each rule of it stands."""
    left = {key: value for key, value in data.items() if (key,) not in broken}
    rules, tools = left.get("rules") or [], left.get("tools") or {}
    places = [place for place in range(len(rules)) if ("rules", place) not in broken]
    left["rules"] = [rules[place] for place in places]
    left["tools"] = {name: tools[name] for name in tools if ("tools", name) not in broken}
    try:
        return Policy.model_validate(left), places
    except ValidationError:  # what is wrong with it as a whole is noted already
        return Policy(), ()


class _Refused(Exception):
    """The text is no YAML that is read here."""

    def __init__(self, words: str, fix: str, mark: yaml.Mark | None = None) -> None:
        super().__init__(words)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        self.problem = Problem(words=words, fix=fix, line=line, column=column)


def _parsed(text: str) -> yaml.Node:
    if len(text.encode("utf-8", "replace")) > LARGEST:
        raise _Refused("the file is larger than 1 MiB", "a policy is a few pages; split the lists")
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        words = "there is a character that no text file has"
        raise _Refused(words, "take it out", yaml.Mark("", 0, line - 1, 0, None, 0)) from error
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        words = " ".join(filter(None, (error.context, error.problem)))
        fix = "look for a missing quote, colon or indent near here"
        raise _Refused(words, fix, error.problem_mark or error.context_mark) from error
    finally:
        loader.dispose()
    if root is None:
        raise _Refused("the file is empty", "begin it with version: 1")
    if not isinstance(root, yaml.MappingNode):
        raise _Refused("a policy has names and values", "begin it with version: 1", root.start_mark)
    return root


class _Loader(yaml.SafeLoader):
    """Composes nodes, within bounds; it never builds a value."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (PyYAML's)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._nodes = 0
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # PyYAML's stubs
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused("anchors and aliases are not read", "write it out", event.start_mark)
        if getattr(event, "tag", None):
            raise _Refused("tags are not read", "write a plain value", event.start_mark)
        self._nodes += 1
        if self._nodes > NODES or self._depth >= DEEPEST:
            words = "there is too much of it" if self._nodes > NODES else "it is nested too deep"
            raise _Refused(words, "a policy is flat", event.start_mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


for _kind, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ["n", "~", ""]),
    ("int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?", "-0123456789"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_kind}", re.compile(rf"(?:{_pattern})\Z"), list(_first)
    )


_WORDS = {
    "string_type": ("is no text", "write one, in quotes if it looks like a number"),
    "bool_type": ("is neither true nor false", "write one of them"),
    "int_type": ("is no whole number", "write one"),
    "greater_than_equal": ("is below zero", "write 0 or more"),
    "tuple_type": ("is no list", "write a list, each entry after a dash"),
    "dict_type": ("has no names and values", "write name: value below it, indented"),
    "model_type": ("has no names and values", "write name: value below it, indented"),
    "too_long": ("has too many entries", "make it shorter"),
    "string_too_long": ("is too long", "make it shorter"),
    "string_too_short": ("is empty", "write something"),
    "missing": ("is missing", "write it"),
}
"""What pydantic's types of errors are to whoever wrote the file, and what mends them."""


def _mended(error: ErrorDetails) -> Problem:
    """A problem of pydantic's, in words for whoever wrote the file."""
    path: Path = error["loc"]
    context = error.get("ctx", {})
    if error["type"] == "policy":
        return Problem(path=path, words=context["words"], fix=context["fix"])
    if error["type"] == "extra_forbidden":
        names = _names_at(path[:-1])
        fix = nearest(str(path[-1]), names) or f"known here are {', '.join(names)}"
        return Problem(path=path, words="is not known here", fix=fix)
    if error["type"] in ("enum", "literal_error"):
        words = "is not one of the words for it"
        return Problem(path=path, words=words, fix=f"write {context.get('expected')}")
    words, fix = _WORDS.get(error["type"], (error["msg"], "see the page on policies"))
    return Problem(path=path, words=words, fix=fix)


def _names_at(path: Path) -> list[str]:
    """The keys that are known at a place of the file."""
    model: type[BaseModel] = Policy
    if len(path) > 3 and path[2] == "conditions":  # noqa: PLR2004 (rules, 0, conditions, 0)
        model = Condition
    elif path[:1] == ("rules",):
        model = Rule
    elif path[:1] == ("tools",):
        return [*Governance.model_fields, IN_MEBIBYTES]
    return list(model.model_fields)


def write_rule(rule: Rule) -> str:
    """The rule as an entry of the file's ``rules``."""
    plain = [rule.model_dump(mode="json", exclude_defaults=True)]
    legible = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=1_000)
    if yaml.safe_load(legible) == plain:
        return legible
    return yaml.safe_dump(plain, sort_keys=False, width=1_000)  # it reads U+0085 as a line's end
