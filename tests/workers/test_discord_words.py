"""What a command says, as one message on Discord."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.commands.answer import (
    Answer,
    Button,
    Card,
    CommandOutcome,
    Content,
    Fields,
    Table,
    Words,
    fields,
    say,
)
from assistant.domain.approvals.approval import ApprovalAnswer as Pressed
from assistant.domain.approvals.approval import ApprovedCall, Verb
from assistant.domain.conversation.deliveries import Action, Line, Shown, ShownKind
from tests.discord_world import buttons, said
from workers.discord.commands.words import LATE, Pressable, buttons_of, told
from workers.discord.interaction import EPHEMERAL, Reply

AT = datetime(2031, 3, 4, 10, tzinfo=UTC)
STAMP = "<t:1930384800:F>"
EVIL = "@everyone [x](https://evil.example) **bold**"


def colours(reply: Reply) -> list[int]:
    assert reply.message is not None
    return [embed["color"] for embed in reply.message.embeds]


def a_card(handle: str) -> Card:
    shown = Shown(
        kind=ShownKind.CARD,
        title=f"{handle}: Create an event?",
        actions=(Action(verb=Verb.APPROVE, label="Approve", subject=handle),),
    )
    return Card(call=handle, handle=handle, shown=shown)


def test_words_are_plain_and_harmless_and_for_one_person_alone() -> None:
    reply = told(say("Hello.", EVIL))
    assert reply.message is not None
    assert said(reply) == f"Hello.\n{EVIL}"
    assert EVIL not in reply.message.content
    assert reply.message.embeds == ()
    assert reply.payload()["data"]["flags"] & EPHEMERAL


def test_what_is_said_aside_stands_below() -> None:
    assert said(told(say("Done.", notes=("One was left.",)))) == "Done.\nOne was left."


def test_words_name_their_moment_in_the_readers_zone() -> None:
    until = AT + timedelta(hours=1)
    reply = told(Answer(blocks=(Words(text="Free.", at=AT, until=until),)))
    assert said(reply) == f"Free.\n{STAMP} to <t:1930388400:t> (<t:1930384800:R>)"


@pytest.mark.parametrize("empty", [True, False])
def test_a_table_is_its_rows_as_lines(empty: bool) -> None:  # noqa: FBT001 (pytest's)
    rows = () if empty else (("A1", "parked", "Pay the rent"),)
    reply = told(Answer(blocks=(Table(columns=("id", "state", "what"), rows=rows, empty="None."),)))
    assert said(reply) == ("None." if empty else "\n\n\nA1: parked, Pay the rent")


def test_a_table_has_lines_of_its_own_for_want_of_columns() -> None:
    lines = (Line(label="A1", value="Pay the rent", at=AT),)
    table = Table(columns=("id",), rows=(("A1",),), lines=lines, title="What waits", empty="")
    reply = told(Answer(blocks=(table,)))
    assert "What waits" in said(reply)
    assert f"A1: Pay the rent\n{STAMP}" in said(reply)


def test_words_fields_and_cards_are_told_together_in_one_message() -> None:
    blocks = (Words(text="Look at this."), fields({"Mode": "normal"}), a_card("A1"), a_card("A2"))
    reply = told(Answer(blocks=blocks))
    assert reply.message is not None
    assert reply.message.content == "Look at this\\."
    assert len(reply.message.embeds) == 3
    for words in ("Mode: normal", "A1: Create", "A2: Create"):
        assert words in said(reply)


def test_what_is_too_much_for_a_message_comes_whole_in_a_file() -> None:
    long = tuple(Line(label=str(n), value="x" * 900) for n in range(40))
    many = tuple(a_card(f"A{n}") for n in range(30))
    for blocks in ((Fields(lines=long),), many, (Words(text="y" * 9_000),)):
        reply = told(Answer(blocks=blocks))
        assert reply.message is not None
        [(name, content)] = reply.message.files
        assert name == "details.txt"
        assert reply.message.content.startswith("Too long to show here")
    assert content.decode().count("y") >= 9_000


def test_lines_that_are_too_many_for_an_embed_go_on_in_the_next() -> None:
    reply = told(Answer(blocks=(Fields(title="A1", lines=tuple(map(a_line, range(27)))),)))
    assert reply.message is not None
    assert [len(one["fields"]) for one in reply.message.embeds] == [25, 2]
    assert [one.get("title") for one in reply.message.embeds] == ["A1", None]
    assert reply.message.files == ()
    named = [line["name"] for one in reply.message.embeds for line in one["fields"]]
    assert named == [f"Line {n}" for n in range(27)]


def a_line(number: int) -> Line:
    return Line(label=f"Line {number}", value="x")


def test_words_that_are_too_long_for_a_line_are_told_in_one_message() -> None:
    reply = told(say(*("word " * 20 for _ in range(25))))
    assert reply.message is not None
    assert (reply.message.content, reply.message.files) == ("", ())
    assert said(reply).count("word") == 500


@pytest.mark.parametrize(
    ("outcome", "colour"),
    [
        (CommandOutcome.DONE, 0xE91E63),
        (CommandOutcome.WAITING, 0xF1C40F),
        (CommandOutcome.FAILED, 0xE74C3C),
        (CommandOutcome.DENIED, 0xE74C3C),
        (CommandOutcome.STALE, 0x95A5A6),
        (CommandOutcome.UNREACHABLE, 0xE67E22),
    ],
)
def test_how_it_ended_is_seen_by_its_colour(outcome: CommandOutcome, colour: int) -> None:
    answer = Answer(blocks=(fields({"Mode": "normal"}), a_card("A1")), outcome=outcome)
    assert colours(told(answer)) == [colour, 0xF1C40F]


def test_what_can_be_done_next_is_below_it() -> None:
    why = Button(label="Why?", command="why", verb=Verb.WHY, subject="c")
    yes = Button(label="ApprovedCall", command="plan", verb=Verb.PLAN, subject="c")
    assert buttons_of(Answer(buttons=(why,), next=yes)) == (why,)
    assert buttons_of(Answer(next=yes)) == (yes,)
    assert buttons_of(Answer()) == ()
    action = Action(verb=Verb.WHY, label="Why?", subject="c")
    reply = told(say("More."), pressable=[Pressable(action=action, token="t")])
    assert buttons(reply) == {"Why?": "t"}


def test_a_card_alone_is_shown_as_its_channel_shows_it() -> None:
    card = a_card("A1")
    [action] = card.shown.actions
    reply = told(Answer(blocks=(card,)), pressable=[Pressable(action=action, token="t")])
    assert (said(reply).strip(), buttons(reply)) == ("A1: Create an event?", {"Approve": "t"})
    words = Shown(kind=ShownKind.WORDS, text="**It** waits.")
    alone = told(Answer(blocks=(Card(call="", handle="", shown=words),)))
    assert said(alone) == "**It** waits."


def test_while_no_worker_moves_nothing_is_said_to_run_now() -> None:
    pressed = Pressed.yes([ApprovedCall(handle="A1")])
    answer = Answer(blocks=(Words(text=pressed.text),), said=pressed)
    assert said(told(answer)) == "A1 is approved and runs now."
    late = said(told(answer, late=True))
    assert late == f"A1 is approved and runs as soon as a worker does.\n{LATE}"


def test_a_file_is_told_as_its_words() -> None:
    assert (
        said(told(Answer(blocks=(Content(chunks=(b"a", b"\xff")),))))
        == "a\N{REPLACEMENT CHARACTER}"
    )
