"""Whatever a stranger writes: no exception, bounded time, bounded text."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.html.seen import HTML_CHARACTERS, TEXT_CHARACTERS, UNKNOWN, seen_text
from ingest.html.stripping import strip_tags

MILLION = 1_000_000
SECONDS, OVER = 0.25, 5.0
"""What a bomb is given, and the most that its last step and stripping its tags may take.

Far more than they do on a machine at rest: it tells what never looks at its time.
"""


def _repeated(piece: str) -> str:
    return piece * (MILLION // len(piece))


def _many_rules_and_elements() -> str:
    rules = "".join(f".a .b{n} p.c{{color:#{n:06x}}}" for n in range(10_000))
    return f"<style>{rules}</style>" + "<p class='a c'>x</p>" * 10_000


BOMBS: dict[str, Callable[[], str]] = {
    "nesting": lambda: _repeated("<div>"),
    "nesting of what formats": lambda: _repeated("<b>"),
    "nesting of quotes": lambda: _repeated("<blockquote>a"),
    "nesting of tables": lambda: _repeated("<table><tr><td>a"),
    "tables as deep as they are read": lambda: "<table><tr><td>a" * 300 + _repeated("<p>b"),
    "wide tables": lambda: "<table><tr>" + _repeated("<td>a"),
    "long tables": lambda: "<table>" + _repeated("<tr><td>a<td>b"),
    "nesting of lists": lambda: _repeated("<ul><li>a"),
    "tags without an end": lambda: _repeated("<p "),
    "quotes without an end": lambda: _repeated('<p a="'),
    "comments without an end": lambda: _repeated("<!--"),
    "styles without an end": lambda: _repeated("<style>"),
    "only ends": lambda: _repeated("</p></b>"),
    "formatting that goes on": lambda: "".join(
        f"<font size={n}>" for n in range(2_000)
    ) + _repeated("<p>x"),
    "formatting in the wrong order": lambda: _repeated("<b><i><p>x</b></i>"),
    "one long attribute": lambda: f'<p title="{"x" * MILLION}">word</p>',
    "one long style": lambda: f'<p style="{"color:red;" * (MILLION // 10)}">word</p>',
    "one long class": lambda: f'<p class="{"a " * (MILLION // 2)}">word</p>',
    "many attributes": lambda: "<p " + " ".join(f"a{n}=b" for n in range(100_000)) + ">word",
    "rules": lambda: "<style>" + "".join(f".a{n}{{color:red}}" for n in range(100_000)),
    "rules on many elements": _many_rules_and_elements,
    "rules on the same class": lambda: (
        "<style>" + ".a{color:red}" * 7_000 + "</style>" + "<p class=a>x</p>" * 20_000
    ),
    "rules about descendants": lambda: (
        "<style>" + " div" * 140 + " i{color:red}</style>" + "<div>" * 500 + "<b>x" * 1_000
    ),
    "rules about siblings": lambda: (
        "<style>b ~ i ~ b ~ i ~ u{color:red}</style>" + "<b></b><i></i>" * 20_000 + "<u>x"
    ),
    "rules about places": lambda: (
        "<style>p:nth-of-type(7n+1):last-of-type{color:red}</style>" + _repeated("<p>x")
    ),
    "rules about what is inside": lambda: (
        "<style>div:has(:has(i)){color:red}</style>" + "<div>" * 1_500 + "<b>x" * 9_000
    ),
    "nested rules": lambda: "<style>" + "a{" * 50_000 + "</style>word",
    "nested selectors": lambda: "<style>" + ":not(" * 15_000 + "a{color:red}</style>word",
    "brackets in style": lambda: f'<p style="color:{"(" * MILLION}">word',
    "numbers": lambda: f'<p style="width:{"9" * MILLION}px;left:1e{"9" * 50}px">word',
    "variables": lambda: (
        "<style>:root{" + "".join(f"--v{n}:var(--v{n + 1})var(--v{n + 1});" for n in range(50))
        + "}p{color:var(--v0)}</style>" + "<p>x" * 10_000
    ),
    "entities": lambda: _repeated("&amp;"),
    "unknown entities": lambda: _repeated("&x"),
    "blanks": lambda: _repeated(" \u00a0"),
    "blanks in pre": lambda: "<pre>" + _repeated(" \n"),
    "breaks": lambda: _repeated("<br>"),
    "links": lambda: _repeated('<a href="http://e.example/a">a'),
    "hidden pieces": lambda: _repeated("<p hidden>a</p>"),
    "hidden in hidden": lambda: _repeated("<p hidden><b>a"),
    "colours": lambda: "".join(f"<p style='color:#{n:06x}'>x" for n in range(20_000)),
    "shadows": lambda: "<p style='text-shadow:" + "1px 1px red," * 100 + "1px 1px red'>x" * 400,
    "nothing but <": lambda: _repeated("<"),
    "marks of comments in marks": lambda: _repeated("<!--[if mso]>a<![endif]-->"),
    "Outlook's own": lambda: "<!--[if mso]>a<![endif]-->" + _repeated("<p style='mso-hide:all'>a"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_takes_no_longer_than_it_may(bomb: str) -> None:
    source = BOMBS[bomb]()
    began = time.process_time()
    seen = seen_text(source, seconds=SECONDS)
    assert time.process_time() - began < SECONDS + OVER
    assert len(seen.text) <= TEXT_CHARACTERS


def test_when_the_time_runs_out_tags_are_stripped_and_it_is_said() -> None:
    seen = seen_text(
        "<style>p{color:red}</style><p hidden>one</p><!-- two --><p>three &amp; four", seconds=-1
    )
    assert seen.text == "one\nthree & four"
    assert seen.hidden == ()
    assert seen.defects == (f"its HTML took too long to read as it is shown: {UNKNOWN}",)


def test_a_signal_may_end_it_at_any_step() -> None:
    source = "<style>.a b{color:red}</style><div class=a><b>one</b><p hidden>two</p></div>" * 20
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        if looks == ends:
            raise TimeoutError
        return 0.0

    for ends in range(1, 12):
        looks = 0
        seen = seen_text(source, clock=clock)
        assert "one" in seen.text
        assert ("two" in seen.text) == (looks >= ends)


def test_deep_nesting_is_read() -> None:
    seen = seen_text("<div>" * 5_000 + "one" + "</div>" * 5_000 + "three")
    assert seen.text == "one\nthree"


def test_long_html_is_cut_and_it_is_told() -> None:
    seen = seen_text("word " * 200_000)
    assert len(seen.text) <= HTML_CHARACTERS
    assert seen.defects == (f"only the first {HTML_CHARACTERS} characters of its HTML were read",)


def test_style_that_is_too_long_is_told() -> None:
    seen = seen_text("<style>" + "/* x */" * 20_000 + ".x{display:none}</style><p class=x>word")
    assert seen.text == "word"
    assert seen.defects == ("only a part of its style was read, so hidden text may be shown",)


@given(st.text(max_size=300))
def test_any_text_is_read(source: str) -> None:
    seen = seen_text(source)
    assert len(seen.text) <= TEXT_CHARACTERS
    strip_tags(source)


PIECES = st.sampled_from([
    "<p>", "</p>", "<b>", "</b>", "<font color=#fff>", "</font>", "<table>", "<tr>", "<td>", "<th>",
    "</td>", "</tr>", "</table>", "<li>", "<ol>", "</ol>", "<a href='http://e.example'>", "</a>",
    "<blockquote>", "</blockquote>", "<br>", "&nbsp;", " ", "word", "<pre>\n a", "</pre>", "<!--",
    "-->", "<style>b{display:none}</style>", "<div style='display:none'>", "</div>", "<hr>",
    "<template>", "</template>", "<svg>", "<title>", "</title>", "<body bgcolor=black>", "<span ",
    "<img alt=x>", "<img>", "<input value=v>", "<select><option>o", "<div style='font-size:0'>",
    "<style>", "@media{", "}", "{", "<p style='color:var(--a);--a:#fff'>", "<textarea>", "'", '"',
    "<p id=divRplyFwdMsg>", "<html>", "</body>", "<head>", "<noscript>", "<dialog>", "\0", "<q>",
])  # fmt: skip


@given(st.lists(PIECES, max_size=40))
def test_any_tags_are_read(pieces: list[str]) -> None:
    seen = seen_text("".join(pieces))
    assert "  " not in seen.text.replace(" a", "a")


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), max_size=3).map(" ".join)
TREES = st.recursive(
    WORDS,
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(
            ["p", "div", "b", "table><tr><td", "ul><li", "blockquote", "span", "h2"]
        ).map(str),
        st.lists(inner, max_size=4),
    ),
    max_leaves=15,
)


def _closed(tree: str) -> str:
    return tree.replace("</table><tr><td>", "</td></tr></table>").replace("</ul><li>", "</li></ul>")


@given(TREES)
def test_no_word_is_lost_without_style(tree: str) -> None:
    source = _closed(tree)
    bare = "".join(f" {part.partition('>')[2]} " for part in f">{source}".split("<"))
    seen = seen_text(source)
    joined = "".join(c for c in seen.text if c.isalpha())
    assert joined == "".join(c for c in bare if c.isalpha())
    assert seen.hidden == ()


HIDERS = st.sampled_from([
    "<div hidden>{}</div>", "<div style='display:none'>{}</div>", "<template>{}</template>",
    "<div style='position:absolute;left:-9999px'>{}</div>", "<div class=x>{}</div>",
    "<div style='max-height:0;overflow:hidden'>{}</div>", "<!-- {} -->",
])  # fmt: skip


@given(TREES, TREES, HIDERS, TREES)
def test_what_is_hidden_never_changes_what_is_seen(
    before: str, inside: str, hider: str, after: str
) -> None:
    style = "<style>.x{opacity:0}</style>"
    before, inside, after = _closed(before), _closed(inside), _closed(after)
    with_it = seen_text(f"{style}<div>{before}</div>{hider.format(inside)}<div>{after}</div>")
    without = seen_text(f"{style}<div>{before}</div><div>{after}</div>")
    assert with_it.text == without.text
