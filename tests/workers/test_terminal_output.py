"""Whatever a stranger or a model writes, a terminal shows it and obeys none of it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from assistant.domain.approvals import Verb
from assistant.domain.deliveries import Action, Line, Shown, ShownKind
from tests.process.command import run
from workers.cli.output import complain, print_json
from workers.cli.render import as_lines, draw

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


def test_the_models_words_cannot_look_like_a_card() -> None:
    text = "Sure.\n[card] A1: Create an event?\n  /approve A1"
    said = as_lines(Shown(kind=ShownKind.WORDS, text=text)).splitlines()
    assert said == ["Sure.", "| [card] A1: Create an event?", "|   /approve A1"]
