"""The message of a plan: a row for each step, one yes to all, and a look at one."""

from datetime import datetime, timedelta

import pytest

from assistant.adapters.discord.render import render
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Reach
from assistant.domain.calls.states import STATES, CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Shown, ShownKind, Tone
from assistant.domain.errors import Permanent
from assistant.domain.governance.modes import Mode
from assistant.flows.approvals.answers import open_details
from assistant.flows.approvals.plans import approve_plan, deny_plan
from assistant.flows.calls.undo import undo_these
from assistant.flows.render.fitting import rows_in
from assistant.flows.render.plan_card import MOST, Step, plan_card
from tests.discord_world import Discord, said
from tests.flows.test_batches import DAY, booking, note
from tests.flows.test_overwrites import puts, reads_a_mail, write
from tests.flows.test_plans import deletions
from tests.operations import enters, leaves
from tests.world import ME, OWNER, ZONE, World
from workers.cli.terminal.render import as_lines

_S = CallState
LONG = "Tax for the flat in the old town by the river, second floor"
NEXT_DAY = {"start": "2026-12-01T00:00:00+01:00", "end": "2026-12-02T00:00:00+01:00"}


def plans(world: World) -> list[Shown]:
    return [shown for key, shown in world.wall.shown.items() if ":plan-" in key]


def plan(world: World) -> Shown:
    [found] = plans(world)
    return found


def rows(world: World) -> list[str]:
    return said_in(plan(world))


def said_in(shown: Shown) -> list[str]:
    return [
        " ".join(filter(None, (row.name, " → ".join(filter(None, (row.was, row.text))))))
        for row in shown.rows
    ]


def height(shown: Shown) -> int:
    """How many rows of a phone it takes before its buttons."""
    return sum(map(rows_in, (shown.warning, shown.title, *said_in(shown), shown.small)))


def labels(shown: Shown) -> list[str]:
    return [action.label for action in shown.actions]


def terms(world: World, verb: Verb = Verb.PLAN) -> dict[str, str]:
    [action] = [one for one in plan(world).actions if one.verb == verb]
    return dict(action.terms)


def approves(world: World, cards: dict[str, str], *, word: str = "", handle: str = "A1") -> str:
    """Press Approve all of the message that showed these cards."""
    said = approve_plan(
        handle,
        by=ME,
        cards=cards,
        word=word,
        only_shown=True,
        cause=world.cause,
        ctx=world.ctx,
    )
    world.settle()
    return said.text


def denies(world: World, cards: dict[str, str], *, handle: str = "A1") -> str:
    said = deny_plan(handle, by=ME, cards=cards, cause=world.cause, ctx=world.ctx)
    world.settle()
    return said.text


def reads(world: World, writer: str) -> None:
    """Let the assistant read a mail that this writer sent."""
    raw = f"From: Eve <{writer}>\r\nSubject: Hi\r\n\r\nx\r\n"
    id = world.forwards(raw.encode()).id
    world.model.will(Turn(wants=(Want(tool="read_email", args={"id": id}),)), Turn(text="ok"))
    world.says("what does it say?")


def three(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), booking("Rates", 14))


def test_calls_that_wait_together_are_one_message_with_a_row_each(world: World) -> None:
    three(world)
    shown = plan(world)
    assert world.cards() == [shown]
    assert shown.title == "Create 3, in this order"
    assert rows(world) == [
        "1 “Rent”, Mon 30 Nov, 10:00–10:30",
        "2 “Tax”, Mon 30 Nov, 12:00–12:30",
        "3 “Rates”, Mon 30 Nov, 14:00–14:30",
    ]
    assert shown.small.startswith("A1–A3 · can be undone · answer by ")
    assert (shown.tone, shown.warning) == (Tone.WAITS, "")
    assert labels(shown) == [
        "Approve all",
        "Deny all",
        "1 Create “Rent”",
        "2 Create “Tax”",
        "3 Create “Rates”",
    ]


def test_a_call_that_waits_alone_is_a_card(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    assert plans(world) == []
    assert [card.title for card in world.cards()] == ["Create “Rent”"]


def test_a_yes_to_all_does_the_steps_in_order_and_the_message_says_so(world: World) -> None:
    three(world)
    assert "A1 is approved and runs now." in approves(world, terms(world))
    assert world.states("A1", "A2", "A3") == [_S.DONE] * 3
    assert plan(world).title == "Created 3"
    assert rows(world)[0] == "1 “Rent”, Mon 30 Nov, 10:00–10:30"
    assert (plan(world).tone, labels(plan(world))) == (Tone.DONE, ["Undo all"])
    assert "/undo A3 A2 A1" in as_lines(plan(world))
    assert world.titles(ShownKind.RECEIPT) == []


def test_undo_all_of_a_plan_undoes_its_rows(world: World) -> None:
    discord = Discord(world)
    discord.works()
    world.model.will(Turn(wants=(note("a"), booking("Rent"), booking("Tax", 12))), Turn())
    discord.says("do it")
    discord.presses(Verb.PLAN, world.call("A2").id)
    assert world.states("A1", "A2", "A3") == [_S.DONE] * 3
    told = said(discord.presses(Verb.UNDO_ALL, world.call("A3").id))
    assert "A1" not in told
    assert world.states("A1", "A2", "A3") == [_S.DONE, _S.UNDONE, _S.UNDONE]


def test_undo_all_that_was_undone_in_part_says_so(world: World) -> None:
    three(world)
    approves(world, terms(world))
    shown = terms(world, Verb.UNDO_ALL)
    world.undoes("A2")
    them = {"by": ME, "channel": "terminal", "place": OWNER}
    found = undo_these(list(shown), **them, cause=world.cause, ctx=world.ctx)
    world.settle()
    assert [one.handle for one in found if not one.accepted] == ["A2"]
    assert world.states("A1", "A2", "A3") == [_S.UNDONE] * 3


def test_a_no_to_all_denies_the_steps(world: World) -> None:
    three(world)
    assert "A1, A2, A3 are denied" in denies(world, terms(world, Verb.DENY_ALL))
    assert world.states("A1", "A2", "A3") == [_S.DENIED] * 3
    assert plan(world).title == "0 of 3 changes done"
    assert rows(world)[1] == "2 Denied: create “Tax”"
    assert (plan(world).tone, labels(plan(world))) == (Tone.DENIED, [])


def test_each_step_can_be_answered_by_itself_and_the_message_follows(world: World) -> None:
    three(world)
    world.presses(Verb.DENY, "A2")
    assert plan(world).title == "Create 2 of 3, in this order"
    assert rows(world)[1] == "2 Denied: create “Tax”"
    assert terms(world).keys() == {world.call(one).id for one in ("A1", "A3")}
    world.presses(Verb.APPROVE, "A1")
    assert rows(world)[0].startswith("1 Created “Rent”")
    assert plan(world).title == "Create 1 of 3"
    assert labels(plan(world)) == ["Approve A3", "Deny A3", "3 Create “Rates”", "Undo"]
    approves(world, terms(world), handle="A3")
    assert world.states("A1", "A2", "A3") == [_S.DONE, _S.DENIED, _S.DONE]
    assert labels(plan(world)) == ["Undo all"]


def test_an_edited_step_takes_the_place_of_the_old_one(world: World) -> None:
    three(world)
    world.edits("A2", title="Tax for 2026")
    assert len(plans(world)) == 1
    assert rows(world)[1].startswith("2 “Tax for 2026”")
    assert len(rows(world)) == 3
    assert terms(world).keys() == {world.call(one).id for one in ("A1", "A3", "A4")}
    approves(world, terms(world))
    assert world.states("A1", "A4", "A3") == [_S.DONE] * 3


def test_a_step_edited_between_show_and_press_is_left_out_and_said(world: World) -> None:
    three(world)
    shown = terms(world)
    world.edits("A2", title="Tax for 2026")
    said = approves(world, shown)
    assert "A2: answered or changed since it was shown." in said
    assert "A4: not shown there, so it waits on." in said
    assert world.states("A1", "A2", "A4") == [_S.DONE, _S.SUPERSEDED, _S.PARKED]
    assert world.call("A3").state is not _S.DONE  # it comes after the one that waits


def test_a_yes_to_other_cards_is_no_yes(world: World) -> None:
    three(world)
    wrong = dict.fromkeys(terms(world), "0" * 64)
    assert "Nothing was approved." in approves(world, wrong)
    assert "Nothing was approved." in approves(world, {})
    assert world.states("A1", "A2", "A3") == [_S.PARKED] * 3


def test_a_second_press_does_nothing(world: World) -> None:
    three(world)
    shown = terms(world)
    approves(world, shown)
    writes = world.calendar.writes
    assert "Nothing was approved." in approves(world, shown)
    assert "Nothing was denied." in denies(world, shown)
    assert world.calendar.writes == writes


def test_a_yes_that_comes_too_late_does_nothing(world: World) -> None:
    three(world)
    shown = terms(world)
    world.clock.passes(hours=73)
    world.settle()
    assert "Nothing was approved." in approves(world, shown)
    assert rows(world)[0] == "1 Expired: create “Rent”"
    assert labels(plan(world)) == []
    assert world.calendar.writes == 0


def test_steps_void_by_lockdown_can_be_asked_again_from_the_message(world: World) -> None:
    three(world)
    enters(world, Mode.LOCKDOWN)
    world.settle()
    assert labels(plan(world)) == []
    leaves(world, Mode.NORMAL)
    world.settle()
    assert labels(world.card("A1")) == ["Ask again"]
    actions = plan(world).actions
    assert {(one.verb, one.choice) for one in actions} == {(Verb.ASK_AGAIN, "Ask again…")}
    assert [one.handle for one in actions] == ["A1", "A2", "A3"]
    assert "/again A2" in as_lines(plan(world))
    world.asks_again("A2")
    assert rows(world)[1] == "2 Asked again in A4: create “Tax”"
    assert [one.handle for one in plan(world).actions] == ["A1", "A3"]
    assert world.call("A4").state is _S.PARKED
    world.asks_again("A1")
    assert labels(plan(world)) == ["Ask again A3"]
    assert world.presses(Verb.APPROVE, "A5").accepted
    assert world.presses(Verb.APPROVE, "A4").accepted
    assert world.states("A1", "A2", "A5", "A4") == [_S.VOID, _S.VOID, _S.DONE, _S.DONE]


def test_a_press_on_the_message_asks_again_about_that_step(world: World) -> None:
    discord = Discord(world)
    discord.works()
    world.model.will(Turn(wants=(booking("Rent"), booking("Tax", 12))), Turn())
    discord.says("do it")
    enters(world, Mode.LOCKDOWN)
    leaves(world, Mode.NORMAL)
    world.settle()
    told = said(discord.presses(Verb.ASK_AGAIN, world.call("A2").id))
    assert "A2 is looked at again; a new card comes." in told
    assert world.states("A1", "A2", "A3") == [_S.VOID, _S.VOID, _S.PARKED]
    assert world.call("A3").supersedes == world.call("A2").id


@pytest.mark.parametrize("waiting", [1, 30, 60])
def test_what_can_be_asked_again_leaves_room_for_the_lists(world: World, waiting: int) -> None:
    three(world)
    first, card = world.call("A1"), world.card("A1")
    enters(world, Mode.LOCKDOWN)
    leaves(world, Mode.NORMAL)
    world.settle()
    ended, shown = world.call("A1"), world.card("A1")
    tool = world.toolbox.get(first.tool)
    steps = [
        Step(
            (first if n <= waiting else ended).model_copy(
                update={"id": f"{n:032}", "number": n, "ordinal": n}
            ),
            card if n <= waiting else shown,
            tool,
            expires=world.clock.now(),
        )
        for n in range(1, 91)
    ]
    both = plan_card(steps, zone=ZONE)
    [message] = render(both, tokens=[f"t{n}" for n in range(len(both.actions))])
    assert len(message.components) <= 5
    looks = [one for one in both.actions if one.verb == Verb.REVEAL]
    assert len(looks) == waiting


def test_the_steps_of_a_plan_have_one_reminder(world: World) -> None:
    three(world)
    world.clock.passes(hours=37)
    world.settle()
    reminders = [shown.text for key, shown in world.wall.shown.items() if ":reminder-" in key]
    assert reminders == ["A1, A2, A3 still wait for your yes or no."]


def test_a_lockdown_is_on_the_message(world: World) -> None:
    three(world)
    enters(world, Mode.LOCKDOWN)
    world.settle()
    assert {world.call(one).state for one in ("A1", "A2", "A3")} == {_S.VOID}
    assert labels(plan(world)) == []
    said = f"1 {STATES[_S.VOID].headline}: create “Rent”"
    assert rows(world)[0].startswith(said)


def test_a_plan_that_destroys_many_things_takes_a_word(world: World) -> None:
    world.asks(*deletions(world, 6))
    shown = plan(world)
    assert shown.tone is Tone.DANGER
    assert labels(shown)[:2] == ["Deny all", "Approve all…"]
    assert "all takes CONFIRM" in shown.small
    cards = terms(world)
    assert "takes a second step" in approves(world, cards)
    assert "takes a second step" in approves(world, cards, word="confirm")
    assert {call.state for call in world.waiting()} == {_S.PARKED}
    approves(world, cards, word="CONFIRM")
    assert world.waiting() == []


def test_a_plan_that_a_stranger_led_to_says_so_first_and_recommends_no_yes(world: World) -> None:
    reads_a_mail(world)
    world.asks(booking("Rent"), booking("Tax", 12))
    shown = plan(world)
    assert shown.warning.startswith("From ")
    assert shown.tone is Tone.DANGER
    assert labels(shown)[:2] == ["Deny all", "Approve all"]


def test_a_yes_covers_of_what_a_stranger_led_to_only_what_stands_in_a_row(world: World) -> None:
    reads_a_mail(world)
    world.asks(*(booking(f"Rent for the flat {n}", 10 + n) for n in range(8)))
    pages = []
    while waiting := world.waiting():
        said, cards = rows(world), terms(world)
        assert height(plan(world)) <= MOST
        for call in (world.call_of(id) for id in cards):
            assert any(f"“{call.facts.args['title']}”, Mon 30 Nov" in row for row in said)
        assert len(terms(world, Verb.DENY_ALL)) == len(waiting)
        approves(world, cards, handle=waiting[0].handle)
        assert {call.id for call in waiting} - {call.id for call in world.waiting()} == set(cards)
        pages.append(len(cards))
    assert sum(pages) == 8
    assert len(pages) > 1
    assert world.calendar.writes == 8


def test_a_yes_to_some_says_how_many_it_covers(world: World) -> None:
    reads_a_mail(world)
    world.asks(*(booking(f"R{n}", 10 + n) for n in range(8)))
    covered = len(terms(world))
    assert 1 < covered < 8
    assert labels(plan(world))[:2] == ["Deny all", f"Approve {covered} of 8"]
    said = approves(world, terms(world), handle=world.waiting()[0].handle)
    assert "not shown there, so they wait on." in said


def test_a_step_that_a_stranger_led_to_and_whose_row_is_cut_is_looked_at(world: World) -> None:
    reads_a_mail(world)
    title = LONG
    world.asks(booking("Rent"), booking(title, 12))
    [first, second] = world.waiting()
    assert "…" in rows(world)[1], "its title is shortened"
    assert rows(world)[1].endswith(", Mon 30 Nov, 12:00–12:30")
    assert terms(world).keys() == {first.id}
    assert labels(plan(world))[:2] == ["Deny all", f"Approve {first.handle}"]
    typed = as_lines(plan(world))
    assert f"/approve {first.handle}" in typed, "it answers that step alone, as the button does"
    assert f"/deny all {first.handle}" in typed
    assert "/plan" not in typed
    assert title in world.card(second.handle).title
    assert world.presses(Verb.APPROVE, second.handle).accepted, "its own card says it whole"


def test_a_row_keeps_its_time_and_counts_truly(world: World) -> None:
    when = When.model_validate(
        {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00"}
    )
    world.calendar.put(Event(uid="e2", title="B" * 300, when=when))
    world.asks(Want(tool="delete_event", args={"event": "e2"}), booking(LONG, 12))
    assert "more" not in "".join(rows(world))
    assert rows(world)[0].endswith("BBBB”, Mon 30 Nov, 10:00–11:00")
    assert rows(world)[1].endswith("floor”, Mon 30 Nov, 12:00–12:30")
    assert rows(world)[1].startswith("2 Create “Tax for the flat")
    assert len(terms(world)) == 2, "a name that is shortened is enough where all is the owner's"


def test_a_yes_to_all_covers_no_step_whose_row_lacks_what_would_be(world: World) -> None:
    when = When.model_validate(
        {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00"}
    )
    world.calendar.put(Event(uid="e2", title="Dentist", when=when))
    world.asks(
        Want(
            tool="update_event",
            args={
                "event": "e2",
                "title": LONG,
                "start": "2026-11-30T12:00:00+01:00",
                "end": "2026-11-30T13:00:00+01:00",
            },
        ),
        booking("Rent", 14),
    )
    assert rows(world)[0].startswith("1 Change: Mon 30 Nov 10:00 → Mon 30 Nov 12:00; “Dentist” → ")
    assert rows(world)[0].endswith("…")
    assert terms(world).keys() == {world.call("A2").id}
    assert height(plan(world)) <= MOST


def changes(world: World, uid: str, called: str, **args: str) -> Want:
    """Put an event of this title into the calendar, and want it changed."""
    when = When.model_validate(
        {"start": "2026-11-30T10:00:00+01:00", "end": "2026-12-01T11:00:00+01:00"}
    )
    world.calendar.put(Event(uid=uid, title=called, when=when))
    return Want(tool="update_event", args={"event": uid, **args})


def test_a_new_title_takes_the_room_of_the_old_one(world: World) -> None:
    old, new = "Dentist for Anna, 2nd time", "Dentist for Anna, 3rd time"
    world.asks(*(changes(world, f"e{n}", old, title=new) for n in range(2)))
    assert plan(world).title == "Rename 2, in this order"
    assert rows(world)[0] == f"1: “{old}” → “{new}”"
    assert len(terms(world)) == 2


def test_a_yes_to_all_covers_no_step_whose_own_card_cuts_its_time(world: World) -> None:
    late = {"start": "2026-11-30T12:00:00+01:00", "end": "2026-12-02T13:00:00+01:00"}
    apart = {"start": "2026-12-07T10:00:00+01:00", "end": "2026-12-07T10:30:00+01:00"}
    rent = Want(tool="create_event", args={"title": "Rent", **apart})
    world.asks(changes(world, "e1", "Fair", **late), rent)
    assert "… " in world.card("A1").rows[0].was
    assert terms(world).keys() == {world.call("A2").id}


def test_a_long_path_keeps_its_ends_beside_what_would_be(world: World) -> None:
    reads_a_mail(world)
    path = f"{'old/' * 20}accounts.txt"
    puts(world, path)
    world.asks(write(path, "new"), booking("Rent"))
    assert rows(world)[0].startswith("1 Overwrite file “private:/")
    assert rows(world)[0].endswith(".txt”: 12 bytes written by you → “new”")
    assert terms(world).keys() == {world.waiting()[1].id}


def test_a_step_that_a_stranger_led_to_and_that_hides_something_is_opened_first(
    world: World,
) -> None:
    reads_a_mail(world)
    world.asks(booking("Rent"), booking("Tax " * 40, 12))
    [first, second] = world.waiting()
    assert terms(world).keys() == {first.id}
    answer = world.presses(Verb.APPROVE, second.handle)
    assert "more under Details, which you have not opened" in answer.text
    forged = {**terms(world), second.id: world.card_of(second.handle)}
    assert "which you have not opened" in approves(world, forged, handle=first.handle)
    assert world.waiting() == [first, second]
    open_details(second.handle, cause=world.cause, ctx=world.ctx)
    assert world.presses(Verb.APPROVE, second.handle).accepted


def test_where_no_row_says_a_step_whole_there_is_no_yes_to_all(world: World) -> None:
    reads_a_mail(world)
    title = LONG
    world.asks(booking(title), booking(title, 12))
    assert labels(plan(world))[:1] == ["Deny all"]
    assert not [one for one in plan(world).actions if one.verb == Verb.PLAN]


def test_the_warning_says_which_steps_a_stranger_led_to(world: World) -> None:
    reads_a_mail(world)
    world.model.will(Turn(wants=(booking("Rent"), booking("Tax", 12))), Turn())
    world.says('book "Rent" from 2026-11-30T10:00:00+01:00 to 2026-11-30T10:30:00+01:00')
    shown = plan(world)
    assert shown.warning.endswith(", not verified: step 2")
    assert shown.warning.startswith("From a mail by eve@example.org")
    assert labels(shown)[0] == "Deny all"


def test_a_writers_name_cannot_end_the_warning(world: World) -> None:
    reads(world, '"me@my.de, not verified"@e.io')
    world.model.will(Turn(wants=(booking("Rent"), booking("Tax", 12))), Turn())
    world.says('book "Rent" from 2026-11-30T10:00:00+01:00 to 2026-11-30T10:30:00+01:00')
    assert plan(world).warning.endswith('"@e.io, not verified: step 2')


def test_a_writers_name_cannot_end_its_part_of_the_small_line(world: World) -> None:
    reads(world, '"a@b.org · A7 ok"@e.io')
    wants = tuple(
        Want(
            tool="create_event",
            args={
                "title": title,
                "start": f"2026-11-30T{hour}:00:00+01:00",
                "end": f"2026-11-30T{hour + 1}:00:00+01:00",
            },
        )
        for title, hour in (("Rent", 10), ("Tax", 12))
    )
    world.model.will(Turn(wants=wants), Turn())
    world.says("book Rent on 2026-11-30 at 10:00 and Tax on 2026-11-30 at 12:00")
    assert plan(world).small.endswith(' · typed by you, after a mail by "a@b.org · A7 ok"@e.io')


def test_of_a_long_writers_name_the_ends_are_seen(world: World) -> None:
    reads(world, f"{'bank-' * 10}@evil.example.org")
    world.model.will(Turn(wants=(booking("Rent"), booking("Tax", 12))), Turn())
    world.says('book "Rent" from 2026-11-30T10:00:00+01:00 to 2026-11-30T10:30:00+01:00')
    assert plan(world).warning.startswith("From a mail by bank")
    assert plan(world).warning.endswith("vil.example.org, not verified: step 2")
    assert " more" not in plan(world).warning


def test_a_title_cannot_end_its_quotes(world: World) -> None:
    world.asks(booking("Rent”, Mon 30 Nov, 10:00–10:30", 14), booking("Tax", 12))
    assert rows(world)[0].count("”") == 1
    assert rows(world)[0].endswith("10:30”, Mon 30 Nov, 14:00–14:30")
    assert world.card("A1").title.count("”") == 1


def test_three_steps_that_a_stranger_led_to_stand_whole(world: World) -> None:
    reads_a_mail(world)
    world.asks(*(booking(f"Rent for the flat {n}", 10 + n) for n in range(3)))
    assert len(rows(world)) == len(terms(world)) == 3
    assert labels(plan(world))[:2] == ["Deny all", "Approve all"]


def test_a_long_plan_shows_the_first_steps_and_counts_the_rest(world: World) -> None:
    world.asks(*(booking(f"Rent for the flat {n}", 10 + n) for n in range(8)))
    said = rows(world)
    assert height(plan(world)) <= MOST
    assert said[0].startswith("1 “Rent for the flat 0”")
    assert said[-1] == f"and {8 - len(said) + 1} more: look at one"
    assert len([one for one in plan(world).actions if one.verb == Verb.REVEAL]) == 8
    shown = len(said) - 1
    assert list(terms(world)) == [world.call(f"A{n}").id for n in range(1, shown + 1)]
    assert labels(plan(world))[:2] == [f"Approve {shown} of 8", "Deny all"]
    approves(world, terms(world))
    assert rows(world)[0].startswith(f"{shown + 1} “Rent for the flat {shown}”")
    assert {call.state for call in world.waiting()} == {_S.PARKED}
    assert len(world.waiting()) == 8 - shown


def test_a_plan_of_more_steps_than_a_list_takes_has_several_lists(world: World) -> None:
    three(world)
    first = world.call("A1")
    card, tool = world.card("A1"), world.toolbox.get(first.tool)
    steps = [
        Step(
            first.model_copy(update={"id": f"{n:032}", "number": n, "ordinal": n}),
            card,
            tool,
            expires=world.clock.now(),
        )
        for n in range(1, 81)
    ]
    shown = plan_card(steps, zone=ZONE)
    [message] = render(shown, tokens=[f"t{n}" for n in range(len(shown.actions))])
    buttons, *lists = message.components
    assert [one["label"] for one in buttons["components"]] == [
        f"Approve {len(shown.rows) - 1} of 80",
        "Deny all",
    ]
    assert [len(one["components"][0]["options"]) for one in lists] == [25, 25, 25]
    assert lists[2]["components"][0]["options"][-1]["label"] == "75 Create “Rent”"
    assert shown.rows[-1].text.startswith("and 7")
    assert height(shown) <= MOST


def test_what_waits_has_the_room_of_what_has_ended(world: World) -> None:
    world.asks(*(booking(f"Rent for the flat {n}", 10 + n) for n in range(6)))
    for handle in ("A1", "A2"):
        world.presses(Verb.DENY, handle)
    assert rows(world)[0].startswith("3 “Rent for the flat 2”, Mon 30 Nov")
    assert height(plan(world)) <= MOST


def test_reads_that_wait_are_steps_too(world: World) -> None:
    look = Want(tool="get_events_details", args=DAY)
    for uid, day in (("mine", DAY), ("too", NEXT_DAY)):
        start = datetime.fromisoformat(day["start"]) + timedelta(hours=18)
        when = When(start=start, end=start + timedelta(hours=1))
        world.calendar.put(Event(uid=uid, title="Dentist", when=when))
    world.asks(look, booking("Rent"), look.model_copy(update={"args": NEXT_DAY}))
    shown = plan(world)
    assert shown.title == "3 steps, in this order"
    assert [call.reach is Reach.READS for call in world.waiting()] == [True, False, True]
    assert rows(world)[1].startswith("2 Create “Rent”")
    approves(world, terms(world))
    assert world.states("A1", "A2", "A3") == [_S.DONE] * 3
    assert plan(world).title == "3 of 3 steps done"
    assert labels(plan(world)) == ["Undo"]
    assert height(plan(world)) <= MOST


def test_what_follows_a_step_that_failed_is_asked_about_again(world: World) -> None:
    three(world)
    world.calendar.fail_next(Permanent("the calendar said no"), happened=False)
    shown = terms(world)
    approves(world, shown)
    assert world.states("A1", "A2", "A3") == [_S.FAILED, _S.SUPERSEDED, _S.SUPERSEDED]
    first, second = plans(world)
    assert first.title == "0 of 3 changes done"
    assert first.tone is Tone.FAILED
    assert said_in(first)[0].startswith("1 Failed: create “Rent”")
    assert [one.partition(":")[0] for one in said_in(first)[1:]] == ["2 Replaced", "3 Replaced"]
    assert labels(first) == ["Ask again A1"]
    assert second.small.startswith("A4–A5")
    assert labels(second)[0] == "Approve all"
    writes = world.calendar.writes
    assert "Nothing was approved." in approves(world, shown)
    assert (world.calendar.writes, world.states("A4", "A5")) == (writes, [_S.PARKED] * 2)


def test_one_that_follows_a_step_that_failed_is_asked_about_by_a_card(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    world.calendar.fail_next(Permanent("the calendar said no"), happened=False)
    approves(world, terms(world))
    assert world.states("A1", "A2", "A3") == [_S.FAILED, _S.SUPERSEDED, _S.PARKED]
    assert said_in(plan(world))[1].startswith("2 Replaced: create “Tax”")
    assert world.card("A3").title == "Create “Tax”"


def test_nothing_of_before_a_lockdown_runs_after_it(world: World) -> None:
    three(world)
    shown = terms(world)
    enters(world, Mode.LOCKDOWN)
    assert "Nothing was approved." in approves(world, shown)
    assert leaves(world, Mode.NORMAL).accepted
    world.settle()
    assert "Nothing was approved." in approves(world, shown)
    assert "Nothing was denied." in denies(world, shown)
    assert world.calendar.writes == 0
    three(world)
    assert [one.title for one in plans(world)] == ["0 of 3 changes done", "Create 3, in this order"]


def test_a_press_on_an_old_message_answers_no_step_that_came_later(world: World) -> None:
    three(world)
    before = terms(world)
    world.edits("A3", title="Rates for 2026")
    assert terms(world).keys() - before.keys() == {world.call("A4").id}
    assert "A4: not shown there, so it waits on." in denies(world, before)
    assert world.states("A1", "A2", "A4") == [_S.DENIED, _S.DENIED, _S.PARKED]


def test_steps_that_are_asked_about_again_make_a_message_of_their_own(world: World) -> None:
    world.asks(booking("Rent"), note("a"), note("b"))
    world.presses(Verb.DENY, "A1")
    assert world.states("A4", "A5") == [_S.PARKED] * 2
    assert plan(world).small.startswith("A4–A5")


def test_what_waits_in_another_turn_is_not_of_the_plan(world: World) -> None:
    three(world)
    world.asks(Want(tool="create_event", args=booking("Other", 16).args))
    assert len(plans(world)) == 1
    assert [card.title for card in world.cards()][1:] == ["Create “Other”"]


def test_an_undo_is_on_the_message(world: World) -> None:
    three(world)
    approves(world, terms(world))
    world.undoes("A3")
    for call in world.waiting():
        world.presses(Verb.APPROVE, call.handle)
    assert rows(world)[2].startswith("3 Undone: ")
    assert labels(plan(world)) == ["Undo all"]


def test_what_has_ended_and_no_row_is_counted_but_not_looked_at(world: World) -> None:
    world.asks(*(booking(f"Rent for the flat {n}", 10 + n) for n in range(8)))
    while "look at one" in rows(world)[-1]:
        approves(world, terms(world), handle=world.waiting()[0].handle)
    assert world.waiting()
    assert rows(world)[-1].startswith("and ")
