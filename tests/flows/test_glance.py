"""A card and its receipt are read at a glance: a few lines, the writer first, all of it counted."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from assistant.adapters.discord.render import render
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Quoted, Turn, Want
from assistant.domain.conversation.deliveries import Shown, Tone
from assistant.domain.text.rows import rows_of
from assistant.flows.approvals.answers import open_details
from tests.discord_world import Discord, said
from tests.world import World
from workers.cli.terminal.render import draw

START = datetime(2026, 12, 3, 8, 0, tzinfo=UTC)
LONG = "Meet the committee for the heating of the whole house " * 8
RULES = """
version: 1
rules:
  - {tool: "*", action: ask, message: look first}
"""
MAIL = Quoted(source="mail 1a2b3c4d from juerg.with.a.long.name@heating.example.org", text=LONG)


def put(world: World, title: str = "Dentist") -> None:
    when = When(start=START, end=START + timedelta(minutes=30))
    world.calendar.put(Event(uid="dentist", title=title, when=when))


def create(title: str = "Team lunch") -> Want:
    times = {"start": "2026-11-27T12:00:00+01:00", "end": "2026-11-27T13:00:00+01:00"}
    return Want(tool="create_event", args={"title": title, **times})


def move(event: str = "Dentist", **changes: Any) -> Want:
    start = {"start": "2026-12-04T09:00:00+01:00"}
    return Want(tool="update_event", args={"event": event, **(changes or start)})


def write(path: str = "private:/notes/a.txt", content: str = "one\ntwo\n", **more: Any) -> Want:
    return Want(tool="write_file", args={"path": path, "content": content, **more})


def asks(world: World, *wants: Want, tainted: bool = False, says: str = "do it") -> list[Shown]:
    """The cards that come of it; in a tainted conversation a stranger's mail was quoted."""
    world.writes_policy(RULES)
    world.model.will(Turn(wants=wants), Turn(text="So be it."))
    world.says(says, quoted=[MAIL] if tainted else [])
    return world.cards()


def delete(world: World, title: str = "Dentist") -> Want:
    put(world, title)
    return Want(tool="delete_event", args={"event": title})


WEEK = {"start": "2026-11-30T00:00:00+01:00", "end": "2026-12-07T00:00:00+01:00"}


def changed(world: World, event: str, **changes: Any) -> Want:
    put(world, event)
    return move(event, **changes)


def over(world: World, want: Want) -> Want:
    """A file is there already that the call changes."""
    world.calls("write_file", path="private:/notes/a.txt", content=LONG)
    return want


def read(world: World) -> Want:
    put(world, LONG[:400])
    return Want(tool="get_events_details", args=WEEK)


CALLS: dict[str, Callable[[World], Want]] = {
    "create": lambda _: create(),
    "create with a long title": lambda _: create(LONG[:490]),
    "create for two days": lambda _: Want(
        tool="create_event",
        args={
            "title": LONG[:490],
            "start": "2027-11-27T12:00:00+01:00",
            "end": "2027-11-29T13:00:00+01:00",
        },
    ),
    "move": lambda world: changed(world, "Dentist"),
    "change all of it": lambda world: changed(
        world,
        LONG[:450].strip(),
        title=LONG[5:470],
        start="2027-12-04T09:00:00+01:00",
        end="2027-12-06T11:30:00+01:00",
    ),
    "rename": lambda world: changed(world, "Dentist", title="Doctor"),
    "delete": delete,
    "delete with a long title": lambda world: delete(world, LONG[:450].strip()),
    "read titles": read,
    "write": lambda _: write(),
    "write a long text": lambda _: write("shared:/a/long/path/to/a/file/of/mine.txt", LONG * 9),
    "overwrite": lambda world: over(world, write(content=LONG, overwrite=True)),
    "delete a file": lambda world: over(
        world, Want(tool="delete_file", args={"path": "private:/notes/a.txt"})
    ),
    "read a file": lambda world: over(
        world, Want(tool="read_file", args={"path": "private:/notes/a.txt"})
    ),
    "list files": lambda _: Want(tool="list_files"),
    "busy": lambda _: Want(tool="get_events_availability", args=WEEK),
    "search mails": lambda _: Want(tool="search_emails", args={"query": LONG[:200]}),
}


def on_a_phone(shown: Shown) -> list[str]:
    """The texts of the embed, from the top to the bottom; its buttons stand below it."""
    [message] = render(shown, tokens=[f"t{n}" for n, _ in enumerate(shown.actions)])
    [embed] = message.embeds
    assert "fields" not in embed
    texts = [
        embed.get("author", {}).get("name", ""),
        embed["title"].replace("\\", ""),
        *embed.get("description", "").replace("\\", "").replace("~~", "").split("\n"),
        embed.get("footer", {}).get("text", ""),
    ]
    return [text for text in texts if text]


def in_a_terminal(shown: Shown, width: int = 40) -> list[str]:
    console = Console(width=width, file=StringIO(), color_system=None)
    draw(console, shown.model_copy(update={"actions": ()}))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


def fits(shown: Shown) -> None:
    assert shown.tone is not None
    assert len(in_a_terminal(shown)) <= 7, in_a_terminal(shown)
    phone = on_a_phone(shown)
    assert sum(rows_of(text, 40) for text in phone) <= 7, phone


@pytest.mark.parametrize("tainted", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_every_card_has_seven_lines_at_most(world: World, name: str, *, tainted: bool) -> None:
    want = CALLS[name](world)
    if tainted and "event" in want.args:  # else others could not name it
        world.model.will(Turn(text="Yes."))
        world.says(str(want.args["event"]))
    shown = asks(world, want, tainted=tainted)
    assert shown, world.call(f"A{len(world.waiting()) or 1}").result
    fits(shown[-1])
    call = world.waiting()[-1]
    assert bool(shown[-1].warning) is tainted
    world.presses(Verb.DENY, call.handle, reason=LONG)
    fits(world.card(call.handle))


# Whose words led there


def styles(shown: Shown) -> list[tuple[str, int]]:
    [message] = render(shown, tokens=[f"t{n}" for n, _ in enumerate(shown.actions)])
    [row] = message.components
    return [(one["label"], one["style"]) for one in row["components"]]


GREY, GREEN, RED = 2, 3, 4


def test_a_card_of_the_owners_own_wish_is_three_lines_and_its_yes_is_green(world: World) -> None:
    [card] = asks(world, create())
    assert in_a_terminal(card, 80) == [
        "▌ Create “Team lunch”",
        "▌ Fri 27 Nov, 12:00–13:00",
        "▌ A1 · can be undone · answer by Thu 09:00",
    ]
    assert on_a_phone(card) == [
        "Create “Team lunch”",
        "Fri 27 Nov, 12:00–13:00",
        "A1 · can be undone · answer by Thu 09:00",
    ]
    assert card.tone is Tone.WAITS
    assert styles(card) == [("Approve", GREEN), ("Edit", GREY), ("Deny", RED), ("More", GREY)]


def test_a_strangers_words_are_named_first_in_red_and_the_no_comes_first(world: World) -> None:
    [card] = asks(world, create(), tainted=True)
    assert in_a_terminal(card, 90)[0] == (
        "▌ From a mail by juerg.with.a.long.nam… 21 more, not verified: title, start, end"
    )
    assert on_a_phone(card)[0].startswith("❗ From a mail by juerg")
    assert card.tone is Tone.DANGER
    assert styles(card) == [("Deny", RED), ("Edit", GREY), ("Approve", GREY), ("More", GREY)]


def test_what_the_owner_typed_afterwards_shrinks_the_writer_into_the_small_line(
    world: World,
) -> None:
    world.model.will(Turn(text="A mail."))
    world.says("what does it say?", quoted=[MAIL])
    [card] = asks(world, create(), says="create Team lunch on Friday at 12:00")
    assert card.warning == ""
    assert card.small.endswith("typed by you, after a mail by juerg.with.a.long.nam… 21 more")
    assert card.tone is Tone.WAITS
    call = world.call()
    assert call.tainted
    assert call.typed == ("title", "start", "end")


@pytest.mark.parametrize(
    ("says", "named"),
    [
        ("create Team lunch on Friday at 14:00", "start, end"),
        ("create Team lunch on Thursday at 12:00", "start, end"),
        ("create a lunch of the Team on Friday at 12:00", "title"),
        ("do what it says", "title, start, end"),
    ],
)
def test_a_value_that_the_owner_did_not_type_keeps_the_writer_in_red(
    world: World, says: str, named: str
) -> None:
    world.model.will(Turn(text="A mail."))
    world.says("what does it say?", quoted=[MAIL])
    [card] = asks(world, create(), says=says)
    assert card.warning.endswith(f"not verified: {named}")


def test_what_the_owner_typed_before_the_text_came_into_view_does_not_count(world: World) -> None:
    world.model.will(Turn(text="Fine."))
    world.says("create Team lunch on Friday at 12:00")
    [card] = asks(world, create(), tainted=True, says="go on")
    assert card.warning.endswith("not verified: title, start, end")


def test_what_is_copied_from_a_mail_is_red_although_an_event_was_named(world: World) -> None:
    put(world)
    world.model.will(Turn(text="A mail."))
    world.says("Dentist", quoted=[MAIL])
    renamed = move("Dentist", title="Meet the committee for the heating")
    [card] = asks(world, renamed, says="rename the Dentist as it says")
    assert card.warning.endswith("not verified: title")


def test_an_event_is_typed_by_its_title_whatever_id_the_model_gave(world: World) -> None:
    put(world)
    world.model.will(Turn(text="A mail."))
    world.says("look", quoted=[MAIL])
    world.model.will(Turn(text="Yes."))
    world.says("dentist is the event dentist")
    [card] = asks(world, move("dentist"), says="move the dentist to 4 Dec at 9:00")
    assert card.warning == ""
    assert "typed by you, after" in card.small


# What only the details show


def hidden(world: World, *, tainted: bool) -> Shown:
    [card] = asks(world, write(content=LONG), tainted=tainted)
    assert "more under Details" in card.small
    return card


def test_in_a_tainted_call_a_yes_counts_only_after_its_details_were_opened(world: World) -> None:
    card = hidden(world, tainted=True)
    assert Verb.DETAILS in {action.verb for action in card.actions}
    answer = world.presses(Verb.APPROVE)
    assert (answer.accepted, answer.look) == (False, world.call().id)
    assert "under Details, which you have not opened" in answer.text
    assert world.call().state is CallState.PARKED
    open_details("A1", cause=world.cause, ctx=world.ctx)
    assert world.presses(Verb.APPROVE).accepted
    assert world.call().state is CallState.DONE


def test_in_a_clean_one_it_counts_at_once(world: World) -> None:
    hidden(world, tainted=False)
    assert world.presses(Verb.APPROVE).accepted


def test_nobody_who_said_no_need_look(world: World) -> None:
    hidden(world, tainted=True)
    assert world.presses(Verb.DENY).accepted


def test_a_plan_with_such_a_call_is_not_approved_and_nothing_counts_as_opened(
    world: World,
) -> None:
    asks(world, write(content=LONG), create(), tainted=True)
    for _ in range(2):
        answer = world.plan("A1")
        assert not answer.accepted
        assert "None of the plan was approved." in answer.text
        assert answer.look == world.call("A1").id
    open_details("A1", cause=world.cause, ctx=world.ctx)
    assert world.plan("A1").accepted


def test_a_press_of_approve_on_discord_shows_the_details_and_the_next_one_counts(
    world: World,
) -> None:
    discord = Discord(world)
    discord.works()
    world.writes_policy(RULES)
    world.model.will(Turn(wants=(write(content=LONG),)), Turn(text="So be it."))
    world.says("do it", far="9", quoted=[MAIL])
    call = world.call()
    told = said(discord.presses(Verb.APPROVE, call.id))
    assert "1 more under Details" in told or "more under Details" in told
    assert "a yes counts from now on" in told
    assert LONG.strip() in told
    assert world.call().state is CallState.PARKED
    assert "is approved" in said(discord.presses(Verb.APPROVE, call.id))


# Something would be gone


def test_what_destroys_is_red_and_its_yes_says_what_it_does(world: World) -> None:
    [card] = asks(world, delete(world))
    assert card.title == "Delete “Dentist”"
    assert card.tone is Tone.DANGER
    assert card.small == "A1 · comes back with Undo · answer by Tue 09:00"
    assert styles(card) == [("Deny", RED), ("Edit", GREY), ("Delete", GREY), ("More", GREY)]


# Afterwards


def receipt(world: World, handle: str = "A1") -> Shown:
    """Where its card was, if anybody was asked."""
    call = world.call(handle).id
    shown = world.wall.shown
    return shown.get(f"owner:card-{call}") or shown[f"owner:receipt-{call}"]


def test_a_receipt_says_what_was_and_what_is_now(world: World) -> None:
    put(world)
    asks(world, move())
    world.clock.passes(hours=5, minutes=2)
    world.presses(Verb.APPROVE)
    assert in_a_terminal(receipt(world), 80) == [
        "▌ Moved “Dentist”",
        "▌ was Thu 3 Dec 09:00, now Fri 4 Dec 09:00",
        "▌ A1 · you, 14:02",
    ]
    assert receipt(world).tone is Tone.DONE
    assert [action.verb for action in receipt(world).actions] == [Verb.UNDO, Verb.MORE]


def test_an_undo_says_which_event_it_puts_back(world: World) -> None:
    put(world)
    asks(world, move())
    world.presses(Verb.APPROVE)
    world.undoes("A1")
    assert receipt(world, "A2").title == "Put back “Dentist”"
    assert receipt(world, "A2").rows[0].text == "was Fri 4 Dec 09:00, now Thu 3 Dec 09:00"
    assert receipt(world, "A2").small.startswith("A2 · you, ")


def test_an_undo_of_a_new_file_says_that_it_deletes_it_again(world: World) -> None:
    asks(world, write())
    world.presses(Verb.APPROVE)
    world.undoes("A1")
    assert receipt(world, "A1").title.startswith("Undone: wrote file “private:/notes/a.txt”")
    assert receipt(world, "A2").title == "Deleted file “private:/notes/a.txt” again"
