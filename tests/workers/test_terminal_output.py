"""Whatever a stranger or a model writes, a terminal shows it and obeys none of it."""

import json
import unicodedata
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from assistant.commands.answer import Answer, Content, Fields, Table, Words
from assistant.commands.channel import CommandChannel
from assistant.commands.index import given_in
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Line, Row, Shown, ShownKind, Tone
from tests.process.command import run
from workers.cli.output import complain, print_json
from workers.cli.terminal.answers import in_words
from workers.cli.terminal.render import as_lines, draw, fitted

if TYPE_CHECKING:
    from assistant.commands.context import CommandContext

ORDERS = "a\x1b[2J\x1b]8;;http://evil\x07b\x9b31m\u202ec"


def test_no_control_character_of_a_text_reaches_a_terminal() -> None:
    for kind in ShownKind:
        fields = (Line(label="From", value=ORDERS),)
        said = as_lines(Shown(kind=kind, title=ORDERS, text=ORDERS, fields=fields))
        assert all(char.isprintable() or char == "\n" for char in said)


def test_no_control_character_of_an_error_reaches_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    complain(f"{ORDERS}\nassistant: another line")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.rstrip("\n").isprintable()


def test_json_is_printable_and_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": f"{ORDERS}\nÄ 🎉 \U000e0041"}
    print_json(value)
    said = capsys.readouterr().out
    assert said.rstrip("\n").isprintable()
    assert "Ä 🎉" in said
    assert json.loads(said) == value


def test_a_mail_cannot_look_like_a_card() -> None:
    text = "Hello\n[card] A1: Create an event?\n  Title: Lunch\n  /approve A1"
    said = as_lines(Shown(kind=ShownKind.MAIL, title="Hi", text=text)).splitlines()
    assert said[0] == "[mail] Hi: Hello"
    assert all(line.startswith("  | ") for line in said[1:])


def test_what_can_be_done_with_a_mail_is_said_as_commands_that_there_are() -> None:
    actions = tuple(
        Action(verb=verb, label=verb.title(), subject="3f2a11aa22bb33cc", handle="3f2a11aa")
        for verb in (Verb.SHOW, Verb.ASK, Verb.FORGET)
    )
    said = as_lines(Shown(kind=ShownKind.MAIL, title="Hi", actions=actions)).splitlines()
    assert said[1:] == ["  /read 3f2a11aa", "  /forget 3f2a11aa"]


def test_a_title_that_is_too_long_for_its_frame_says_so() -> None:
    console = Console(width=60, file=StringIO())
    draw(console, Shown(kind=ShownKind.MAIL, title="Rent " * 60, text="Pay."))
    assert isinstance(console.file, StringIO)
    head = console.file.getvalue().splitlines()[0]
    assert "…" in head
    assert len(head) == 60


def test_a_list_of_mails_is_not_as_wide_as_the_longest_subject(tmp_path: Path) -> None:
    subject = "Rent for December and all that " * 10
    mail = f"From: Ada <ada@example.org>\nSubject: {subject}\n\nPay.\n"
    run("mail", "add", "-", data=tmp_path, input=mail.encode())
    lines = run("mail", "list", data=tmp_path).out.splitlines()
    assert max(map(len, lines)) < 260
    assert "..." in lines[1]
    [listed] = run("mail", "list", "--json", data=tmp_path).value
    assert listed["subject"] == subject.strip()


def test_every_line_of_the_models_words_has_a_bar() -> None:
    text = "Sure.\n\n[card] A1: Create an event?\n  /approve A1"
    said = as_lines(Shown(kind=ShownKind.WORDS, text=text, ledger="Done: A1.")).splitlines()
    assert said == [
        "| Sure.",
        "|",
        "| [card] A1: Create an event?",
        "|   /approve A1",
        "[record] Done: A1.",
    ]


_LINES = st.sampled_from(
    [
        "[card] A1: Create?",
        "[record] Done: A1.",
        "  /approve A1",
        "  Title: x",
        "assistant",
        "\u256d\u2500 A1",
    ]
)
_ENDS = st.sampled_from(
    ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[1G", "\t"]
)
_PADDING = st.integers(0, 90).flatmap(
    lambda n: st.sampled_from([" ", "x", "\u2764\ufe0f", "\u6f22"]).map(lambda c: c * n)
)
_WRITTEN = st.lists(_LINES | _ENDS | _PADDING | st.text(max_size=10), max_size=12).map("".join)
_MARKS = st.sampled_from(
    [
        "# ",
        "- ",
        "1. ",
        "> ",
        "```\n",
        "**",
        "_",
        "`",
        "---\n",
        "|a|b|\n|-|-|\n|x|y|\n",
        "    ",
        "\\\n",
    ]
)
_MARKDOWN = st.lists(_MARKS | _LINES | _ENDS | _PADDING | st.text(max_size=10), max_size=16).map(
    "".join
)


def _cells_of(row: str) -> int:
    """What a terminal gives to a row that draws symbols wide."""
    return sum(2 if unicodedata.category(char) == "So" else cell_len(char) for char in row)


@given(text=_WRITTEN, width=st.integers(12, 100))
def test_no_line_of_a_models_words_begins_as_one_of_codes_does(text: str, width: int) -> None:
    words = Shown(kind=ShownKind.WORDS, text=text, ledger="Nothing was changed.")
    *said, record = as_lines(words).splitlines()
    assert record == "[record] Nothing was changed."
    assert all(row == "|" or row.startswith("| ") for row in said)
    rows = fitted(as_lines(words.model_copy(update={"ledger": ""})), width).splitlines()
    assert all(row == "|" or row.startswith("| ") for row in rows)
    assert all(_cells_of(row) <= width for row in rows)
    console = Console(width=width, file=StringIO(), force_terminal=True, color_system=None)
    draw(console, words)
    assert isinstance(console.file, StringIO)
    first, *drawn = console.file.getvalue().splitlines()
    codes = fitted(record, width).splitlines()
    assert first == "assistant"
    assert drawn[-len(codes) :] == codes
    assert all(row == "|" or row.startswith("| ") for row in drawn[: -len(codes)])
    assert all(_cells_of(row) <= width for row in drawn[: -len(codes)])


@given(text=_MARKDOWN, width=st.integers(12, 100))
def test_no_row_of_markdown_begins_as_one_of_codes_does(text: str, width: int) -> None:
    said, *rest = drawn_words(text, width)
    assert said == "assistant"
    assert rest
    assert all(row == "|" or row.startswith("| ") for row in rest)
    assert all(_cells_of(row) <= width for row in rest)


def drawn_words(text: str, width: int) -> list[str]:
    console = Console(width=width, file=StringIO(), force_terminal=True, color_system=None)
    draw(console, Shown(kind=ShownKind.WORDS, text=text))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


def test_a_models_markdown_is_laid_out() -> None:
    text = "## Plan\n\n- **first** `x`\n- second\n\n[here](http://evil.example)"
    said = "\n".join(drawn_words(text, 60))
    assert "**" not in said
    assert "##" not in said
    assert "http://evil.example" in said, "where a link leads is seen"


def test_each_line_of_a_models_words_is_a_line() -> None:
    text = 'I understood: create "Lunch".\nI understood: create "Dentist".'
    assert drawn_words(text, 80)[1:] == [f"| {line}" for line in text.splitlines()]


@pytest.mark.parametrize(
    "text",
    ["a <b>bold</b> <!-- hidden --> word", "![seen](http://x)", "[x]: http://hidden\n\nwords"],
)
def test_nothing_of_a_models_words_is_left_out(text: str) -> None:
    said = drawn_words(text, 100)[1:]
    assert [row.removeprefix("|").removeprefix(" ") for row in said] == text.split("\n")


@given(
    kind=st.sampled_from([one for one in ShownKind if one is not ShownKind.WORDS]), text=_WRITTEN
)
def test_no_line_of_a_strangers_text_begins_as_one_of_codes_does(
    kind: ShownKind, text: str
) -> None:
    shown = Shown(
        kind=kind, title="A mail", text=text, fields=(Line(label=f"a{text}", value=text),)
    )
    rows = fitted(as_lines(shown), 40).splitlines()
    begun = [row for row in rows if not row.startswith("  | ") and row != "  |"]
    assert begun[0].startswith(f"[{kind}] A mail")
    assert len(begun) == 2
    assert begun[1].startswith("  a")
    console = Console(width=40, file=StringIO(), force_terminal=True, color_system=None)
    draw(console, shown.model_copy(update={"fields": ()}), again=True)
    assert isinstance(console.file, StringIO)
    first, *rest = console.file.getvalue().splitlines()
    alone = kind is ShownKind.RECEIPT and not text
    assert first.startswith("A mail" if alone else "A mail:")
    assert all(row.startswith("  |") for row in rest)


@given(text=_WRITTEN, width=st.integers(16, 100))
def test_no_line_of_a_card_begins_as_a_strangers_text_says(text: str, width: int) -> None:
    shown = Shown(
        kind=ShownKind.CARD,
        warning=f"From {text}",
        title=f"Create “{text}”",
        text=f"at {text}",
        rows=(Row(name="Title:", was=text, text=f"to {text}"),),
        small=f"A4 · {text}",
        tone=Tone.DANGER,
        actions=(Action(verb=Verb.APPROVE, label="Approve", subject="c", handle="A4"),),
    )
    rows = fitted(as_lines(shown), 40).splitlines()
    begun = [row for row in rows if not row.startswith(("▌   ", "  | ")) and row != "▌"]
    assert [row.split()[:2] for row in begun] == [
        ["▌", "From"],
        ["▌", "Create"],
        ["▌", "at"],
        ["▌", "Title:"],
        ["▌", "A4"],
        ["/approve", "A4"],
    ]
    console = Console(width=width, file=StringIO(), force_terminal=True, color_system=None)
    draw(console, shown)
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().splitlines() == fitted(as_lines(shown), width).splitlines()
    *drawn, command = console.file.getvalue().splitlines()
    assert command.split() == ["/approve", "A4"]
    assert all(row.startswith("▌") for row in drawn)


def test_a_text_of_others_in_an_answer_is_set_off() -> None:
    orders = "[card] A1: Create an event?\n  /approve A1"
    blocks = (
        Words(text=orders, outside=True),
        Content(chunks=(orders.encode(),)),
        Table(columns=("a",), rows=(("a file", f"x\n{orders}"),), empty=""),
        Fields(lines=(Line(label="Text\n/approve A1", value=f"x\n{orders}"),)),
    )
    ctx = cast("CommandContext", None)
    said = in_words(ctx, Answer(blocks=blocks)).splitlines()
    assert [row for row in said if not row.startswith(("| ", "  | "))] == [
        "a file  x",
        "Text /approve A1: x",
    ]


def test_a_row_ends_at_a_blank_where_there_is_one() -> None:
    assert fitted("| one two three", 10).splitlines() == ["| one two", "| three"]
    assert fitted("[mail] Rent: pay it", 13).splitlines() == ["[mail] Rent:", "  | pay it"]
    assert fitted("| abcdefghij", 6).splitlines() == ["| abcd", "| efgh", "| ij"]


@pytest.mark.parametrize("verbs", [(Verb.APPROVE, Verb.MORE), (Verb.UNDO, Verb.DETAILS, Verb.MORE)])
def test_every_command_below_a_card_exists(verbs: tuple[Verb, ...]) -> None:
    actions = tuple(Action(verb=verb, label="x", subject="c1", handle="A4") for verb in verbs)
    shown = Shown(kind=ShownKind.CARD, title="Create", tone=Tone.WAITS, actions=actions)
    [line] = [line for line in as_lines(shown).splitlines() if line[:3] == "  /"]
    told = [typed.split()[0][1:] for typed in line.strip().split("   ")]
    assert len(told) == len(set(told)) == 2
    assert set(told) <= set(given_in(CommandChannel.TERMINAL))
