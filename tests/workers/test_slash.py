"""Commands of a chat over a real screen: no model sees them, and what is shown is what counts."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.commands.calls.changes import edit_names
from assistant.commands.channel import CommandChannel
from assistant.commands.typed import edits
from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Want
from assistant.domain.conversation.deliveries import Action, Shown, ShownKind
from assistant.domain.errors import BadArguments, NotFound
from assistant.tools.calendar.args import CreateEvent
from tests.proposing import proposed
from workers.cli.session import Session, context_of
from workers.cli.terminal.card_prompt import PromptedCard
from workers.cli.terminal.chat import Talk, _say
from workers.cli.terminal.render import as_lines
from workers.cli.terminal.slash import CountedForNothing, WordMissing, command, on_screen
from workers.settings import only

NOW = datetime(2031, 11, 28, 8, 0, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Friday."""


class Desk:
    """A terminal: what is typed is carried out, and what comes of it is on the screen."""

    def __init__(self, opened: Session) -> None:
        self.opened = opened
        self.shown: dict[str, str] = {}

    def says(self, text: str) -> str:
        """Of a command what it says; anything else goes to the assistant."""
        cause = self.opened.assistant.cause()
        if text.startswith("/"):
            self.shown |= on_screen(self.opened)
            said = command(self.opened, text, cause=cause, shown=self.shown)
        else:
            _, said = _say(self.opened, text, cause)
        assert self.opened.settle("")
        return said

    def call(self, handle: str) -> Call:
        with self.opened.assistant.store.read(self.opened.assistant.cause()) as tx:
            return tx.call_named(handle)

    def states(self, *handles: str) -> list[str]:
        return [self.call(handle).state.value for handle in handles]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield Desk(made)
    made.assistant.close()


def test_a_call_is_edited_approved_explained_and_undone(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    assert "A1 is replaced by A2" in desk.says('/edit A1 {"title": "Rent for December"}')
    with pytest.raises(CountedForNothing, match=r"A1 was edited; .* A2 is in its place"):
        desk.says("/approve A1")
    assert "runs now" in desk.says("/approve A2")
    assert desk.states("A1", "A2") == ["superseded", "done"]
    why = desk.says("/why A2").splitlines()
    assert why[0] == "A2 create_event: done"
    assert "It asks because it changes your calendar. (base)" in why[1]
    assert desk.says("/undo A2") == "Delete the event “Rent for December” that it created: A3"
    assert desk.states("A2", "A3") == ["undone", "done"]
    with pytest.raises(CountedForNothing, match="nothing to undo"):
        desk.says("/undo A2")


@pytest.mark.parametrize("typed", ["/deny A1 --why not at 12", "/deny A1 not at 12"])
def test_a_no_says_why(desk: Desk, typed: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    assert desk.says(typed) == "A1 is denied; nothing was done. Reason: “not at 12”."
    assert desk.call("A1").result == "denied: not at 12"


def test_a_grant_is_shown_before_it_is_given_and_can_be_ended(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    shown = desk.says("/similar A1 yes")
    assert "start is anything" in shown, "it was never shown here, so this yes is none"
    assert shown.endswith("Type: /similar A1 yes")
    assert desk.says("/grants") == "Nothing is granted: what asks, asks each time."
    assert "G1 covers calls like it" in desk.says("/similar A1 yes")
    assert desk.says("/grants").startswith("G1: create_event runs without asking")
    desk.says('create "Rent" 2031-12-30 10:00')
    assert desk.states("A1", "A2") == ["done", "done"]
    assert desk.says("/revoke G1") == "G1 is revoked; such calls ask again."
    with pytest.raises(CountedForNothing, match="revoked already"):
        desk.says("/revoke G1")
    with pytest.raises(NotFound):
        desk.says("/revoke G7")


def test_a_plan_is_shown_before_it_is_approved(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(desk.opened)
    desk.says('create "Rent" 2031-11-30 10:00 and create "Tax" 2031-11-30 12:00')
    conversation._draw_new()
    assert "/plan A1" in capsys.readouterr().out
    conversation._handle("/plan A1")
    assert "Type: /plan A1 yes" in capsys.readouterr().out
    conversation._handle("/plan A1 yes")
    assert "A1 is approved" in capsys.readouterr().out
    assert desk.opened.settle("")
    assert desk.states("A1", "A2") == ["done", "done"]
    with pytest.raises(CountedForNothing, match="Nothing waits together"):
        desk.says("/plan A1")


def test_a_plan_is_one_message_whose_steps_can_be_looked_at(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(desk.opened)
    desk.says('create "Rent" 2031-11-30 10:00; create "Tax" 2031-11-30 12:00')
    conversation._draw_new()
    drawn = capsys.readouterr().out
    assert "Create 2, in this order" in drawn
    assert "1 “Rent”, " in drawn
    for typed in ("/plan A1", "/deny all A1", "/look A1 (or A2)"):
        assert typed in drawn
    conversation._handle("/look A2")
    looked = capsys.readouterr().out
    assert "Create “Tax”" in looked
    assert "/approve A2" in looked
    conversation._handle("/approve A2")
    assert desk.opened.settle("")
    capsys.readouterr()
    conversation._draw_new()
    again = capsys.readouterr().out
    assert "Create 1 of 2" in again
    assert "/approve A1" in again, "one step waits: it is not the plan that is answered"
    assert "/deny A1" in again
    assert "/plan" not in again
    conversation._handle("/deny all A1")
    assert desk.opened.settle("")
    assert desk.states("A1")[0] == "denied"


def test_a_no_to_all_takes_a_reason_and_counts_for_what_was_shown(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00; create "Tax" 2031-11-30 12:00')
    assert "A1, A2 are denied" in desk.says("/deny all A2 not this month")
    assert desk.states("A1", "A2") == ["denied", "denied"]
    assert desk.call("A2").result == "denied: not this month"


def test_a_plan_that_destroys_many_things_takes_a_typed_word(desk: Desk) -> None:
    handles = [f"A{n}" for n in range(1, 7)]
    for n, handle in enumerate(handles):
        desk.says(f'create "Rent" 2031-11-{n + 10} 10:00')
        desk.says(f"/approve {handle}")
    desk.says("/mode recovery")
    desk.says(f"/undo {' '.join(handles)}")
    shown = desk.says("/plan A7")
    assert "All of it takes a second step: type CONFIRM with your yes, as this destroys 6" in shown
    assert shown.endswith("Type: /plan A7 yes CONFIRM")
    with pytest.raises(
        CountedForNothing, match=r"6 things at once(.|\n)*Type: /plan A7 yes CONFIRM"
    ):
        desk.says("/plan A7 yes")
    for word in ("nope", "confirm"):
        with pytest.raises(WordMissing, match="not the word; capitals count"):
            desk.says(f"/plan A7 yes {word}")
    assert set(desk.states(*handles)) == {"done"}
    desk.says("/plan A7 yes CONFIRM")
    assert set(desk.states(*handles)) == {"undone"}


def test_what_a_card_cuts_is_read_whole_in_the_details(desk: Desk) -> None:
    lines = [f"{n} milk" for n in range(50)]
    with pytest.raises(BadArguments, match="which one"):
        desk.says("/details")
    args = {"path": "public:/list", "content": "\n".join(lines)}
    proposed(desk.opened, Want(tool="write_file", args=args))
    assert "1 more under Details" in desk.says("/pending")
    told = desk.says("/details A1").splitlines()
    assert told[0] == "A1: waiting"
    begin = told.index("  Argument content: (50 lines, 389 characters)") + 1
    assert told[begin : begin + 50] == [f"  | {line}" for line in lines]
    assert told[-1] == "/details A1 all adds its ids, versions and hashes."
    assert not [line for line in told if line.startswith(("  Trace", "  Risk", "  A yes is bound"))]
    assert "How it stands" not in told[1], "what would happen comes first"
    whole = desk.says("/details A1 all").splitlines()
    assert f"  Trace: {desk.call('A1').trace} (assistant audit show A1)" in whole


def test_in_recovery_what_was_done_is_kept_or_undone(desk: Desk) -> None:
    assert "enter recovery first: /mode recovery. Then /review" in desk.says("/review")
    for title in ("Rent", "Tax"):
        desk.says(f'create "{title}" 2031-11-30 10:00')
    desk.says("/approve A1")
    desk.says("/approve A2")
    desk.says("/mode recovery")
    shown = desk.says("/review").splitlines()
    assert shown[1:] == [
        "A1: calendar.create: Created “Rent”",
        "A2: calendar.create: Created “Tax”",
        "For each: /keep ID, or /undo ID.",
    ]
    assert desk.says("/keep A1") == "A1 is kept."
    with pytest.raises(CountedForNothing, match="not one of the calls that recovery reviews"):
        desk.says("/keep A1")
    with pytest.raises(NotFound):
        desk.says("/keep A9")
    desk.says("/undo A2")
    desk.says("/approve A3")
    assert desk.says("/review") == "Nothing is left to be looked at.\nThen: /mode normal"


def test_a_second_step_is_said_and_taken(desk: Desk) -> None:
    desk.says("/mode alert odd mails")
    desk.says('create "Rent" 2031-11-30 10:00')
    with pytest.raises(CountedForNothing, match="Type: /approve A1 CONFIRM"):
        desk.says("/approve A1")
    with pytest.raises(WordMissing, match=r"not the word; capitals count\. A1 takes a second"):
        desk.says("/approve A1 confirm")
    assert "runs now" in desk.says("/approve A1 CONFIRM")


def test_what_became_void_is_asked_about_again(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    desk.says("/lockdown")
    with pytest.raises(WordMissing) as told:
        desk.says("/mode normal")
    desk.says(str(told.value).splitlines()[-1].removeprefix("Type: "))
    assert "a new card comes" in desk.says("/again A1")
    assert desk.states("A1", "A2") == ["void", "parked"]


def test_alone_snooze_and_undo_say_what_can_be_typed(desk: Desk) -> None:
    assert desk.says("/undo") == "There is nothing to undo."
    desk.says('create "Rent" 2031-11-30 10:00')
    asks, *offers = desk.says("/snooze A1").splitlines()
    assert asks == "When shall I remind you of A1?"
    assert offers[0].startswith("/snooze A1 in an hour  (")
    assert offers[-1].startswith("/snooze A1 tomorrow 9:00  (")
    assert desk.says("/snooze A1 tomorrow").startswith("I will remind you of A1 at")
    assert desk.says("/snooze A1 tomorrow 9:00").startswith("I will remind you of A1 at")
    with pytest.raises(BadArguments, match="in an hour, this evening, tomorrow 9:00"):
        desk.says("/snooze A1 whenever")
    desk.says("/approve A1")
    asks, offer = desk.says("/undo").splitlines()
    assert asks == "What shall I undo?"
    assert offer.startswith("/undo A1  Created “Rent”, ")


def test_a_command_has_the_name_that_it_has_below_another_on_discord_too(desk: Desk) -> None:
    assert desk.says("/grants list") == desk.says("/grants")
    assert desk.says("/mode show") == desk.says("/mode")
    assert "one step more" in desk.says("/mode set alert odd mails")
    assert desk.says("/mode set normal") == "Back to normal."
    with pytest.raises(NotFound):
        desk.says("/grants revoke G7")


@pytest.mark.parametrize(
    "text",
    ["/undo all", "/revoke", "/why", "/keep", "/details", "/edit A1 {", "/edit A1 []", "/rm"],
)
def test_what_is_typed_wrongly_is_said(desk: Desk, text: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    with pytest.raises(BadArguments):
        desk.says(text)
    assert desk.states("A1") == ["parked"]


@pytest.mark.parametrize("typed", ["/edit A1", "/edit A1 title", '/edit A1 ["title"]'])
def test_an_edit_without_fields_is_told_how_to_name_them(desk: Desk, typed: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    with pytest.raises(BadArguments) as told:
        desk.says(typed)
    assert "Type: /edit A1 title=... (it has title, start, end, length)" in str(told.value)


def test_a_time_in_an_edit_is_the_owners_own_without_an_offset(tmp_path: Path) -> None:
    opened = Session(only(data_dir=tmp_path, timezone="America/New_York"))
    opened.open()
    try:
        desk = Desk(opened)
        desk.says('create "Rent" 2031-11-30 10:00')
        desk.says('/edit A1 {"start": "2031-07-01 09:00", "end": "2031-07-01 09:30"}')
        assert desk.call("A2").asked["start"] == "2031-07-01T09:00:00-04:00"
        assert "Tue 1 Jul 2031, 09:00–09:30" in desk.says("/pending")
    finally:
        opened.assistant.close()


@pytest.mark.parametrize("typed", ["/edit A2", "/edit A2 title", '/edit A2 {"event": "other"}'])
def test_an_undo_is_not_edited(desk: Desk, typed: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    desk.says("/approve A1")
    desk.says("/mode recovery")
    desk.says("/undo A1")
    assert "/edit" not in desk.says("/pending")
    with pytest.raises(CountedForNothing) as told:
        desk.says(typed)
    assert str(told.value) == "A2 undoes A1: it can only be approved or denied."
    assert desk.states("A1", "A2") == ["done", "parked"]


def test_an_edit_of_a_field_that_is_not_there_is_told_which_there_are(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    with pytest.raises(BadArguments) as told:
        desk.says('/edit A1 {"name": "Tax"}')
    assert "name: there is no such field; there are title, start, end" in str(told.value)
    assert "Extra inputs" not in str(told.value)


def test_what_a_notice_offers_is_said_as_a_command_that_there_is() -> None:
    again = Action(verb="ask again", label="Ask again", subject="x", handle="A1")
    notice = Shown(kind=ShownKind.NOTICE, text="A1 expired.", actions=(again,))
    assert as_lines(notice).splitlines()[-1].strip() == "/again A1"


def test_the_line_below_a_models_words_is_codes_alone() -> None:
    words = Shown(kind=ShownKind.WORDS, text="Hi\n[record] Done: A1.", ledger="Waits for you: A1.")
    assert as_lines(words).splitlines() == [
        "| Hi",
        "| [record] Done: A1.",
        "[record] Waits for you: A1.",
    ]


def test_a_card_that_became_void_is_told_in_a_line_with_the_way_to_ask_again(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(desk.opened)
    desk.says('create "Rent" 2031-11-30 10:00')
    conversation._draw_new()
    capsys.readouterr()
    desk.says("/lockdown")
    conversation._draw_new()
    told = " ".join(capsys.readouterr().out.replace("\n▌   ", " ").split())
    assert "▌ Cancelled: create “Rent” · the assistant went into lockdown · A1 · " in told
    assert "nothing was done" in told
    assert "/again A1" not in told  # it would be refused
    assert "Calendar" not in told


def test_an_edit_in_pairs_moves_an_event_and_keeps_its_length(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00-10:45')
    desk.says("/edit A1 title=Dentist start=14:15")
    assert desk.call("A2").facts.args["title"] == "Dentist"
    assert desk.call("A2").asked["start"] == "2031-11-30T14:15:00+00:00"
    assert desk.call("A2").asked["end"] == "2031-11-30T15:00:00+00:00"
    desk.says("/edit A2 title=Team lunch at Anna's end=16:00")
    asked = desk.call("A3").asked
    assert asked["title"] == "Team lunch at Anna's"
    assert (asked["start"][11:16], asked["end"][11:16]) == ("14:15", "16:00")


def test_an_event_of_whole_days_keeps_its_length(desk: Desk) -> None:
    desk.says('create "Holiday" 2031-11-10 to 2031-11-12')
    desk.says("/edit A1 start=2031-12-01")
    assert (desk.call("A2").asked["start"], desk.call("A2").asked["end"]) == (
        "2031-12-01",
        "2031-12-04",
    )


@pytest.mark.parametrize(
    ("typed", "start", "end"),
    [
        ("length=45m", "11-30T10:00", "11-30T10:45"),
        ("length=1h30m", "11-30T10:00", "11-30T11:30"),
        ("start=14:15 length=90 minutes", "11-30T14:15", "11-30T15:45"),
        ("start='2031-12-01 14:00' end=15:00", "12-01T14:00", "12-01T15:00"),
        ("end=18:00", "11-30T10:00", "11-30T18:00"),
        ("length=30m title=Tea at 5", "11-30T10:00", "11-30T10:30"),
    ],
)
def test_an_end_or_a_length_is_typed(desk: Desk, typed: str, start: str, end: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00-12:00')
    desk.says(f"/edit A1 {typed}")
    asked = desk.call("A2").asked
    assert (asked["start"][5:16], asked["end"][5:16]) == (start, end)
    assert "length" not in asked


def test_the_new_time_of_an_event_that_is_moved_takes_a_length() -> None:
    moved = {"event": "Rent", "start": "2031-12-01T14:00:00+00:00"}
    parameters = {"properties": {name: {"type": "string"} for name in ("event", "start", "end")}}
    longer = {"end": "2031-12-01T14:20:00+00:00"}
    assert edits("length=20m", parameters, was=moved, zone="UTC", now=NOW) == longer
    until = {"end": "2031-12-01 15:00"}
    assert edits("end=15:00", parameters, was=moved, zone="UTC", now=NOW) == until


@pytest.mark.parametrize(
    ("typed", "start", "end"),
    [
        ("start=tomorrow", "2031-11-29 10:00:00", "2031-11-29T10:30:00+01:00"),
        ("start=friday in two weeks", None, None),
        ("start=monday 15:00", "2031-12-01T15:00:00+01:00", "2031-12-01T15:30:00+01:00"),
        ("start=half past five", "2031-11-28T17:30:00+01:00", "2031-11-28T18:00:00+01:00"),
        ("start=morgen um 15 Uhr", "2031-11-29T15:00:00+01:00", "2031-11-29T15:30:00+01:00"),
    ],
)
def test_a_new_start_may_be_said_in_words(typed: str, start: str | None, end: str | None) -> None:
    was = {"start": "2031-11-30T10:00:00+01:00", "end": "2031-11-30T10:30:00+01:00"}
    parameters = CreateEvent.model_json_schema()
    if start is None:
        with pytest.raises(BadArguments, match="start takes"):
            edits(typed, parameters, was=was, zone="Europe/Berlin", now=NOW)
    else:
        found = edits(typed, parameters, was=was, zone="Europe/Berlin", now=NOW)
        assert found == {"start": start, "end": end}


def test_a_day_alone_moves_whole_days() -> None:
    was = {"start": "2031-11-30", "end": "2031-12-02"}
    found = edits(
        "start=tomorrow", CreateEvent.model_json_schema(), was=was, zone="Europe/Berlin", now=NOW
    )
    assert found == {"start": "2031-11-29", "end": "2031-12-01"}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("length=long", "a length is written as 45m"),
        ("length=0m", "a length is written as 45m"),
        ("end=11:00 length=1h", "one of them is enough"),
        ("start=someday", "start takes a time such as 14:15 or 2026-11-30 14:15, not 'someday'"),
        ("start=tomorrow evening", "start takes one time, such as 14:15"),
        ("start=tomorrow at 3", "3 could be night or afternoon"),
        ('{"start": "14:15"}', "start takes a time such as 2026-11-30 14:15, not '14:15'"),
        (
            "start='2026-11-278:15' length=90m",
            "start takes a time such as .*, not '2026-11-278:15'",
        ),
        ("start=1815 length=90m", "start takes a time such as"),
        ("title=Tea title=Cake", r"title is given twice; once is enough\. Type"),
        ("start=2031-12-01 length=1h", "only what begins at a time of day has a length"),
    ],
)
def test_a_length_that_is_none_is_refused(desk: Desk, typed: str, why: str) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    with pytest.raises(BadArguments, match=why) as refused:
        desk.says(f"/edit A1 {typed}")
    assert "(it has title, start, end, length)" in str(refused.value)


def test_the_names_of_an_edit_are_told_in_a_line(desk: Desk) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    cause = desk.opened.assistant.cause()
    ctx = context_of(desk.opened, CommandChannel.TERMINAL, cause=cause, shown={})
    told = edit_names(ctx, "A1")
    assert "\n" not in told
    for one in ("title, start, end", "start=14:15", "end=15:00", "length=45m"):
        assert one in told


def test_lockdown_says_what_it_cancelled_once(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(desk.opened)
    desk.says('create "Rent" 2031-11-30 10:00')
    conversation._draw_new()
    capsys.readouterr()
    said = desk.says("/lockdown")
    conversation._draw_new()
    told = f"{said}\n{capsys.readouterr().out}"
    assert told.count("Cancelled, and not done: A1.") == 1
    assert told.count("To leave:") == 1


def test_recovery_names_the_commands_that_look_keep_and_undo(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(desk.opened)
    desk.says("/mode recovery")
    conversation._draw_new()
    told = " ".join(capsys.readouterr().out.split())
    for one in ("/review.", "/keep A17", "/undo A17", "/mode normal."):
        assert one in told
    assert "To leave: /mode normal" in desk.says("/mode show")


def test_values_of_an_edit_are_kept_where_they_do_not_fit_or_name_no_call(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.says('create "Rent" 2031-11-30 10:00')
    conversation = Talk(desk.opened)
    conversation._draw_new()
    asked = PromptedCard(call=desk.call("A1").id, handle="A1", digest="0" * 64)
    conversation._answer("/edit A1 start=1815", asked)
    assert conversation._next == "/edit A1 start=1815"
    assert "start takes a time such as" in capsys.readouterr().out
    conversation._next = ""
    conversation._entered("/edit title=Tea")
    assert conversation._next == "/edit title=Tea"
