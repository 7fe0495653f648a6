"""An invitation in a mail becomes a card, and follows its organizer to the end."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.errors import Unreachable, Unsure
from assistant.domain.governance.modes import Mode
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.mail.words import invitations_of
from assistant.domain.text.rows import is_cut, rows_of
from assistant.flows.approvals.answers import open_details
from assistant.flows.render.cards import in_short
from ingest.forget import forget_mail
from ingest.retry import reread_mail
from tests.discord_world import HOME, ME, Discord
from tests.flows.test_unreadable_rows import breaks
from tests.operations import enters
from tests.process.command import run
from tests.world import World
from workers.discord import place as place_of

UID = "review-7@example.org"
BOSS = "boss@example.org"
_STAMPS = count(1)


def ics(
    *,
    method: str = "REQUEST",
    uid: str = UID,
    sequence: int = 0,
    start: str = "20261130T090000Z",
    end: str = "20261130T100000Z",
    title: str = "Review",
    organizer: str = BOSS,
    more: str = "",
) -> str:
    stamp = f"20261122T1000{next(_STAMPS) % 60:02d}Z"
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//test//EN",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{stamp}",
        f"SEQUENCE:{sequence}",
        f"SUMMARY:{title}",
        f"DTSTART:{start}",
        f"DTEND:{end}",
        f"ORGANIZER:mailto:{organizer}",
        "ATTENDEE:mailto:me@example.net",
        *([more] if more else []),
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    return "\r\n".join(lines)


def mail(*objects: str, sender: str = BOSS, method: str = "REQUEST", text: str = "Hello.") -> bytes:
    parts = "".join(
        f"--b\r\nContent-Type: text/calendar; method={method}\r\n\r\n{each}\r\n" for each in objects
    )
    return (
        f"From: {sender}\r\nSubject: Review\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{parts}--b--\r\n"
    ).encode()


def forwarded(inner: bytes) -> bytes:
    head = (
        b"From: Ann <ann@example.net>\r\nSubject: Fwd: Review\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\nContent-Type: text/plain\r\n\r\n"
        b"Will you go?\r\n--o\r\nContent-Type: message/rfc822\r\n\r\n"
    )
    return head + inner + b"\r\n--o--\r\n"


INVITE = mail(ics())
LATER: dict[str, Any] = {"start": "20261130T130000Z", "end": "20261130T140000Z"}


def notice(world: World, id: str) -> Shown:
    with world.store.read(world.cause) as tx:
        return tx.delivery(f"mail-{id}").wanted


def said(world: World, id: str) -> str:
    return {line.label: line.value for line in notice(world, id).fields}.get("Invitation", "")


def mail_of(world: World, id: str) -> Mail:
    with world.store.read(world.cause) as tx:
        return tx.mail(id)


def event(world: World, uid: str = UID) -> Event:
    return world.calendar.get(uid)


def event_at(title: str, start: str) -> Event:
    begins = datetime.fromisoformat(start)
    return Event(uid=title, title=title, when=When(start=begins, end=begins + timedelta(hours=1)))


def uids(world: World) -> list[str]:
    return sorted(world.calendar._stored)


def hour(world: World, uid: str = UID) -> int:
    return int(f"{event(world, uid).when.start:%H}")


def yes(world: World, handle: str = "A1") -> None:
    """A yes of an owner who opened the details."""
    open_details(handle, cause=world.cause, ctx=world.ctx)
    assert world.presses(Verb.APPROVE, handle).accepted


def accepted(world: World) -> None:
    world.forwards(INVITE)
    yes(world)
    assert world.call().state is CallState.DONE


def test_an_invitation_waits_with_its_card_and_goes_into_the_calendar(world: World) -> None:
    id = world.forwards(INVITE).id
    call = world.call()
    assert (call.state, call.tool, call.tainted) == (CallState.PARKED, "follow_invitation", True)
    assert [one.source for one in call.led] == [f"mail {id} from {BOSS}"]
    card = world.card("A1")
    assert card.title == "Create “Review”"
    assert card.warning == f"From a mail by {BOSS}, not verified"
    assert [row.text for row in card.rows] == ["Mon 30 Nov, 10:00–11:00"]
    assert said(world, id) == (
        "Invitation: Review, Mon 30 Nov, 10:00–11:00; a card asks you about it"
    )
    assert "no reply is sent" in world.told()["Replies"]
    assert uids(world) == []
    yes(world)
    assert world.call().state is CallState.DONE
    assert (event(world).title, hour(world)) == ("Review", 9)
    assert world.calendar.raw(UID).count(b"ATTENDEE") == 0


def test_an_update_moves_it_and_a_cancellation_takes_it_out(world: World) -> None:
    accepted(world)
    id = world.forwards(mail(ics(sequence=1, **LATER))).id
    assert "Moved from" in said(world, id)
    card = world.card("A2")
    assert card.title == "Move “Review”"
    assert (card.rows[0].was, card.rows[0].text) == ("Mon 30 Nov 10:00", "Mon 30 Nov 14:00")
    yes(world, "A2")
    assert hour(world) == 13
    world.forwards(mail(ics(method="CANCEL", sequence=2, **LATER), method="CANCEL"))
    assert world.card("A3").title == "Delete “Review”"
    yes(world, "A3")
    assert uids(world) == []
    world.undoes("A3")
    if world.waiting():
        yes(world, "A4")
    assert hour(world) == 13


def test_an_undone_invitation_comes_again_with_its_next_update(world: World) -> None:
    accepted(world)
    world.undoes("A1")
    assert uids(world) == []
    world.forwards(mail(ics(sequence=1, **LATER)))
    [call] = world.waiting()
    assert world.card(call.handle).title == "Create “Review”"
    yes(world, call.handle)
    assert hour(world) == 13


def test_an_update_takes_the_place_of_the_card_that_waits(world: World) -> None:
    world.forwards(INVITE)
    old = world.card_of("A1")
    world.forwards(mail(ics(sequence=1, **LATER)))
    assert world.states("A1", "A2") == [CallState.SUPERSEDED, CallState.PARKED]
    answer = world.presses(Verb.APPROVE, "A1", card=old)
    assert not answer.accepted
    assert answer.text == (
        "A1 was replaced; nothing was done. A2 is in its place: look at that one."
    )
    yes(world, "A2")
    assert hour(world) == 13


def test_a_cancellation_withdraws_what_was_not_accepted(world: World) -> None:
    world.forwards(INVITE)
    id = world.forwards(mail(ics(method="CANCEL", sequence=1), method="CANCEL")).id
    assert world.states("A1") == [CallState.VOID]
    assert world.card("A1").text == f"a mail by {BOSS} cancels it"
    assert said(world, id).endswith("what I asked you about it is withdrawn")
    assert world.waiting() == []


def with_file(calendar: str) -> bytes:
    """A mail of Google's kind: the invitation as a part, and once more as a file."""
    text = "Please come on Monday, 30 November 2026, from 10:00 to 11:00."
    raw = mail(calendar, text=text)
    file = (
        "--b\r\nContent-Type: application/ics; name=invite.ics\r\n"
        f"Content-Disposition: attachment; filename=invite.ics\r\n\r\n{calendar}\r\n--b--\r\n"
    )
    return raw.removesuffix(b"--b--\r\n") + file.encode()


def test_a_notice_tells_an_invitation_once_in_the_owners_zone(world: World) -> None:
    id = world.forwards(with_file(ics())).id
    shown = notice(world, id)
    told = " ".join(f"{line.label}: {line.value}" for line in shown.fields)
    assert told.count("Mon 30 Nov") == 1, told
    assert "UTC" not in told
    assert len(mail_of(world, id).attachments) == 2
    assert Verb.SCHEDULE not in [action.verb for action in shown.actions]
    alone = world.forwards(mail(text="Please come on Monday, 30 November 2026, from 10:00.")).id
    assert Verb.SCHEDULE in [action.verb for action in notice(world, alone).actions]


@pytest.mark.parametrize("times", [1, 3])
def test_the_same_invitation_in_many_mails_is_one_card(world: World, times: int) -> None:
    one = ics()
    for n in range(times):
        world.forwards(mail(one, text=f"Copy {n}"))
        world.forwards(mail(one, text=f"Copy {n}"))
    world.forwards(forwarded(mail(one)))
    assert [call.handle for call in world.waiting()] == ["A1"]
    assert world.presses(Verb.DENY).accepted
    world.forwards(mail(one, text="Once more"))
    assert world.waiting() == []


def test_an_older_mail_that_comes_late_changes_nothing(world: World) -> None:
    first, second = ics(), ics(sequence=1, **LATER)
    world.forwards(mail(second))
    id = world.forwards(mail(first)).id
    [call] = world.waiting()
    assert "14:00" in world.card(call.handle).rows[0].text
    assert said(world, id).startswith("An older invitation")


@pytest.mark.weather
def test_delivered_twice_and_in_any_order_there_is_one_card_the_newest(world: World) -> None:
    for sequence in (0, 2, 1):
        start = f"20261130T{10 + sequence}0000Z"
        end = f"20261130T{11 + sequence}0000Z"
        raw = mail(ics(sequence=sequence, start=start, end=end))
        world.forwards(raw, settle=False)
    world.settle()
    [call] = world.waiting()
    assert world.card(call.handle).rows[0].text == "Mon 30 Nov, 13:00–14:00"
    yes(world, call.handle)
    assert hour(world) == 12


def test_a_forwarded_invitation_names_who_forwarded_and_who_invites(world: World) -> None:
    id = world.forwards(forwarded(INVITE)).id
    card = world.card("A1")
    assert card.warning == f"From a mail by {BOSS} via ann@example.net, not verified"
    assert "Invites:" not in [row.name for row in card.rows]  # the warning names them
    assert f"from {BOSS} via ann@example.net" in world.told()["Led here by"]
    assert "a card asks you" in said(world, id)


def test_a_forward_whose_text_names_the_organizer_does_not_blame_the_owner(world: World) -> None:
    text = (
        "Will you go?\r\n\r\n---------- Forwarded message ---------\r\n"
        f"From: Boss <{BOSS}>\r\nDate: Sun, Nov 22, 2026 at 9:00 AM\r\nSubject: Review\r\n"
        "To: <ann@example.net>\r\n\r\nPlease come.\r\n"
    )
    raw = mail(ics(), sender="ann@example.net", text=text)
    world.forwards(raw.replace(b"Subject: Review", b"Subject: Fwd: Review", 1))
    card = world.card("A1")
    assert card.warning == f"From a mail by {BOSS} via ann@example.net, not verified"
    assert [row.name for row in card.rows] == [""]


def test_a_card_says_whole_what_one_says_yes_to(world: World) -> None:
    read = world.read
    mine = frozenset({"other@example.net"})
    world.read = lambda raw, context: read(raw, context.model_copy(update={"addresses": mine}))
    world.calendar.put(event_at("standup of the others", "2026-12-03T08:30:00+00:00"))
    series: dict[str, Any] = {"start": "20261203T080000Z", "end": "20261203T090000Z"}
    rule = "RRULE:FREQ=WEEKLY;UNTIL=20270325T235959Z"
    world.forwards(forwarded(mail(ics(**series, title="Retrospective", more=rule))))
    card = world.card("A1")
    rows = {row.name: row.text for row in card.rows}
    assert not any(is_cut(row.text) for row in card.rows), card.rows
    assert rows["Careful:"] == "Not sent to your address"
    assert rows["Repeats:"].startswith("every Thursday until 25 March 2027")
    assert rows["Overlaps"] == "“standup of the others” 09:30–10:30"
    phone = [card.warning, card.title, *(f"{one.name} {one.text}" for one in card.rows), card.small]
    assert sum(rows_of(text, 40) for text in phone) <= 12


EVE = "eve@example.com"


def test_a_forged_update_replaces_and_withdraws_nothing(world: World) -> None:
    world.forwards(INVITE)
    moved = mail(ics(sequence=9, **LATER), sender=EVE)
    gone = mail(ics(method="CANCEL", sequence=10), sender=EVE, method="CANCEL")
    ids = [world.forwards(raw).id for raw in (moved, gone)]
    assert world.states("A1") == [CallState.PARKED]
    assert all("stays as it is" in said(world, id) for id in ids)
    assert [call.handle for call in world.waiting()] == ["A1"]
    yes(world)
    assert hour(world) == 9


def test_a_forged_update_of_what_is_accepted_asks_and_the_organizer_comes_first(
    world: World,
) -> None:
    accepted(world)
    world.forwards(mail(ics(sequence=9, **LATER), sender=EVE))
    card = world.card("A2")
    assert card.warning == f"From a mail by {EVE}, not verified"
    careful = {row.name: row.text for row in card.rows}["Careful:"]
    assert careful == world.told("A2")["Careful"] == f"Sent by {EVE}, not by organizer {BOSS}"
    world.forwards(mail(ics(sequence=1, start="20261130T110000Z", end="20261130T120000Z")))
    assert world.states("A2", "A3") == [CallState.SUPERSEDED, CallState.PARKED]
    yes(world, "A3")
    assert hour(world) == 11


def test_another_organizer_with_the_same_identifier_has_an_event_apart(world: World) -> None:
    accepted(world)
    theirs: dict[str, Any] = {"organizer": EVE, "title": "Party"}
    world.forwards(mail(ics(**theirs), sender=EVE))
    world.forwards(mail(ics(**theirs, sequence=1, **LATER), sender=EVE))
    world.forwards(mail(ics(**theirs, sequence=2, method="CANCEL"), sender=EVE, method="CANCEL"))
    assert world.waiting() == []
    world.forwards(mail(ics(**theirs, sequence=3, **LATER), sender=EVE))
    [call] = world.waiting()
    yes(world, call.handle)
    assert len(uids(world)) == 2
    assert (event(world).title, hour(world)) == ("Review", 9)


def test_what_the_owner_accepted_elsewhere_is_found_by_its_identifier(world: World) -> None:
    world.forwards(INVITE)
    proposed = world.call().facts.args
    world.calendar.put(
        Event.model_validate(
            {
                "uid": UID,
                "title": "Review",
                "when": {"start": proposed["start"], "end": proposed["end"]},
            }
        )
    )
    yes(world)
    assert world.waiting() == []
    assert uids(world) == [UID]
    world.forwards(mail(ics(sequence=1, **LATER)))
    [call] = world.waiting()
    assert world.card(call.handle).title == "Move “Review”"
    yes(world, call.handle)
    assert (uids(world), hour(world)) == ([UID], 13)


ACCEPTED = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//mail program//EN\r\nBEGIN:VEVENT\r\n"
    f"UID:{UID}\r\nDTSTAMP:20261122T100000Z\r\nSUMMARY:Review\r\n"
    "DTSTART:20261130T090000Z\r\nDTEND:20261130T100000Z\r\n"
    f"ORGANIZER:mailto:{BOSS}\r\nATTEN\r\n DEE:mailto:me@example.net\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_an_event_with_participants_is_not_touched_as_a_server_might_write_to_them(
    world: World, method: str
) -> None:
    world.calendar.put_object(UID, ACCEPTED.encode())
    world.forwards(INVITE)
    assert world.waiting() == [], "it is accepted already"
    world.forwards(mail(ics(sequence=1, method=method, **LATER), method=method))
    assert world.waiting() == []
    assert world.calendar.writes == 0
    [told] = world.words(ShownKind.NOTICE)
    assert "others take part in it" in told


def test_an_event_of_the_owner_with_that_identifier_is_left_alone(world: World) -> None:
    world.calendar.put(
        Event.model_validate(
            {
                "uid": UID,
                "title": "My own",
                "when": {"start": "2026-11-30T20:00:00+00:00", "end": "2026-11-30T21:00:00+00:00"},
            }
        )
    )
    world.forwards(INVITE)
    assert world.card("A1").title == "Create “Review”"
    assert world.told()["Careful"] == "Another event has its identifier, and stays as it is"
    yes(world)
    assert (len(uids(world)), event(world).title) == (2, "My own")


def test_no_rule_lets_it_run(world: World) -> None:
    world.writes_policy("version: 1\nrules:\n- tool: follow_invitation\n  action: allow\n")
    world.forwards(INVITE)
    assert world.states("A1") == [CallState.PARKED]


def test_a_flood_leaves_room_for_the_owner_and_says_so(world: World) -> None:
    many = [ics(uid=f"e{n}@example.org", title=f"Event {n}") for n in range(30)]
    first = world.forwards(mail(*many)).id
    second = world.forwards(mail(*[ics(uid=f"f{n}@example.org") for n in range(3)])).id
    assert len(world.waiting()) == 10
    assert "and 18 more" in said(world, first)
    assert "I do not ask you about it now" in said(world, second)


def test_a_mail_that_is_forgotten_takes_its_card_and_its_rows_with_it(world: World) -> None:
    id = world.forwards(INVITE).id
    forget_mail(id, by="me", cause=world.cause, store=world.store)
    world.settle()
    assert world.states("A1") == [CallState.VOID]
    with world.store.read(world.cause) as tx:
        assert not tx.invitations_by(id)


def test_read_again_it_asks_nothing_twice(world: World) -> None:
    id = world.forwards(INVITE).id
    before = said(world, id)
    reread_mail(id, cause=world.cause, store=world.store)
    world.settle()
    assert [call.handle for call in world.waiting()] == ["A1"]
    assert said(world, id) == before
    world.presses(Verb.DENY)
    reread_mail(id, cause=world.cause, store=world.store)
    world.settle()
    assert world.waiting() == []


def test_what_is_over_and_what_is_an_answer_ask_nothing(world: World) -> None:
    over = world.forwards(mail(ics(start="20261101T090000Z", end="20261101T100000Z"))).id
    answer = world.forwards(mail(ics(method="REPLY", uid="x"), method="REPLY")).id
    assert said(world, over).endswith("it is over, so I ask nothing")
    assert said(world, answer) == "an answer to an invitation"
    assert world.waiting() == []


def test_a_lost_answer_is_asked_after(world: World) -> None:
    world.forwards(INVITE)
    world.calendar.fail_next(Unsure("no answer"), happened=True)
    yes(world)
    world.clock.passes(minutes=1)
    world.settle()
    assert world.call().state is CallState.DONE
    assert uids(world) == [UID]
    assert world.words(ShownKind.NOTICE) == []


# Series


DAILY: dict[str, Any] = {"title": "Standup", "more": "RRULE:FREQ=WEEKLY;COUNT=4"}
SECOND = "RECURRENCE-ID:20261207T090000Z"
QUARTER = When(
    start=datetime(2026, 11, 1, tzinfo=UTC),
    end=datetime(2027, 2, 1, tzinfo=UTC),
)


def days(world: World) -> list[str]:
    return [f"{one.when.start:%d %b %H}" for one in world.calendar.between(QUARTER)]


MONDAYS = ["30 Nov 09", "07 Dec 09", "14 Dec 09", "21 Dec 09"]


def test_a_series_is_added_moved_once_and_cancelled(world: World) -> None:
    world.forwards(mail(ics(**DAILY)))
    rows = {row.name: row.text for row in world.card("A1").rows}
    assert rows["Repeats:"] == "every Monday, 4 times"
    yes(world)
    assert days(world) == MONDAYS
    once = ics(
        title="Standup", sequence=1, more=SECOND, start="20261208T100000Z", end="20261208T110000Z"
    )
    world.forwards(mail(once))
    assert world.card("A2").title == "Move “Standup” once"
    yes(world, "A2")
    assert days(world) == ["30 Nov 09", "08 Dec 10", *MONDAYS[2:]]
    gone = ics(title="Standup", method="CANCEL", sequence=2, more=SECOND.replace("07T", "14T"))
    world.forwards(mail(gone, method="CANCEL"))
    yes(world, "A3")
    assert days(world) == ["30 Nov 09", "08 Dec 10", MONDAYS[3]]
    world.forwards(mail(ics(**DAILY, method="CANCEL", sequence=3), method="CANCEL"))
    yes(world, "A4")
    assert days(world) == []
    world.undoes("A4")
    for call in world.waiting():
        yes(world, call.handle)
    assert days(world) == ["30 Nov 09", "08 Dec 10", MONDAYS[3]]


def test_all_of_a_series_moves(world: World) -> None:
    world.forwards(mail(ics(**DAILY)))
    yes(world)
    world.forwards(mail(ics(**DAILY, sequence=1, **LATER)))
    told = {row.name: row.text for row in world.card("A2").rows}
    assert told["All 4:"].startswith("every Mon")
    said = in_short(world.card("A2"))
    assert said == (
        "Move “Standup”, Mon 30 Nov 10:00 → Mon 30 Nov 14:00, All 4: every Monday, 4 times"
    )
    yes(world, "A2")
    assert days(world) == [day.replace(" 09", " 13") for day in MONDAYS]
    world.undoes("A2")
    for call in world.waiting():
        yes(world, call.handle)
    assert days(world) == MONDAYS


def test_an_undone_series_goes_whole(world: World) -> None:
    world.forwards(mail(ics(**DAILY)))
    yes(world)
    world.undoes("A1")
    for call in world.waiting():
        yes(world, call.handle)
    assert days(world) == []


def test_an_occurrence_waits_for_its_series(world: World) -> None:
    once = ics(title="Standup", more=SECOND, start="20261207T150000Z", end="20261207T160000Z")
    id = world.forwards(mail(ics(**DAILY), once)).id
    assert said(world, id).endswith("a card asks you about it once its series is in the calendar")
    assert [call.handle for call in world.waiting()] == ["A1"]
    yes(world)
    [call] = world.waiting()
    assert world.card(call.handle).title == "Move “Standup” once"
    yes(world, call.handle)
    assert days(world) == ["30 Nov 09", "07 Dec 15", *MONDAYS[2:]]


def test_a_series_that_cannot_be_followed_is_told(world: World) -> None:
    more = "RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE:20261207T090000Z"
    world.forwards(mail(ics(title="Standup", more=more)))
    assert world.waiting() == []
    [told] = world.words(ShownKind.NOTICE)
    assert told == (
        "I do not ask you about the invitation “Standup”: "
        "its series leaves out or adds single dates; enter these yourself."
    )


def test_a_lost_answer_of_a_series_is_asked_after(world: World) -> None:
    world.forwards(mail(ics(**DAILY)))
    yes(world)
    world.forwards(mail(ics(**DAILY, sequence=1, **LATER)))
    world.calendar.fail_next(Unsure("no answer"), happened=True)
    yes(world, "A2")
    world.clock.passes(minutes=1)
    world.settle()
    assert world.states("A2") == [CallState.DONE]
    assert days(world) == [day.replace(" 09", " 13") for day in MONDAYS]


# Around it


def test_on_discord_its_card_comes_where_notices_come(world: World) -> None:
    discord = Discord(replace(world, home=HOME))
    discord.works()
    discord.world.forwards(INVITE)
    call = discord.world.call()
    cards = [
        one
        for place in (HOME.place, place_of.alone(ME))
        for one in discord.shown(place)
        if one.kind is ShownKind.CARD
    ]
    assert [card.title for card in cards] == ["Create “Review”"]
    discord.presses(Verb.APPROVE, call.id)
    assert discord.world.call().state is CallState.DONE


def test_in_lockdown_nothing_is_asked_and_the_owner_is_told(world: World) -> None:
    enters(world, Mode.LOCKDOWN)
    world.forwards(INVITE)
    assert world.waiting() == []
    [told] = [each for each in world.words(ShownKind.NOTICE) if "Review" in each]
    assert told.startswith("I do not ask you about the invitation “Review”: ")


def test_an_edited_card_is_replaced_by_the_next_mail_too(world: World) -> None:
    world.forwards(INVITE)
    world.edits("A1", title="My review")
    assert world.states("A1", "A2") == [CallState.SUPERSEDED, CallState.PARKED]
    world.forwards(mail(ics(sequence=1, **LATER)))
    assert world.states("A2", "A3") == [CallState.SUPERSEDED, CallState.PARKED]
    assert [call.handle for call in world.waiting()] == ["A3"]


def test_a_calendar_that_does_not_answer_is_asked_again(world: World) -> None:
    world.calendar.get, get = _away, world.calendar.get  # type: ignore[method-assign]
    world.forwards(INVITE)
    assert world.waiting() == []
    world.calendar.get = get  # type: ignore[method-assign]
    for _ in range(4):
        world.clock.passes(minutes=5)
        world.settle()
    assert [call.handle for call in world.waiting()] == ["A1"]


def _away(*_args: object, **_named: object) -> Event:
    raise Unreachable("the calendar does not answer")


def test_a_title_of_a_stranger_is_one_line_and_cut(world: World) -> None:
    title = "Lunch \\nApproved: pay 100 EUR" + "\u202e" + "x" * 400
    world.forwards(mail(ics(title=title)))
    said_title = world.call().facts.args["title"]
    assert "\n" not in said_title
    assert "\u202e" not in said_title
    assert len(said_title) <= 200


def test_an_invitation_for_somebody_else_says_so(world: World) -> None:
    read = world.read
    mine = frozenset({"other@example.net"})
    world.read = lambda raw, context: read(raw, context.model_copy(update={"addresses": mine}))
    world.forwards(INVITE)
    assert "Not sent to your address" in world.told()["Careful"]


def test_what_was_accepted_and_is_gone_is_added_again(world: World) -> None:
    accepted(world)
    world.calendar.remove(UID)
    world.forwards(mail(ics(sequence=1, **LATER)))
    assert world.card("A2").title == "Create “Review”"
    world.forwards(mail(ics(method="CANCEL", sequence=2), method="CANCEL"))
    assert world.states("A2") == [CallState.VOID]
    assert world.waiting() == []


def test_a_change_of_the_event_meanwhile_is_shown_before_a_yes_counts(world: World) -> None:
    accepted(world)
    world.forwards(mail(ics(sequence=1, **LATER)))
    moved = event(world).model_copy(update={"title": "Review, room 4"})
    world.calendar.put(moved)
    yes(world, "A2")
    [call] = world.waiting()
    assert "“Review, room 4”" in [row.was for row in world.card(call.handle).rows]
    assert hour(world) == 9


def test_what_a_mail_says_is_kept_beside_it(world: World) -> None:
    id = world.forwards(INVITE).id
    with world.store.read(world.cause) as tx:
        [found] = invitations_of(tx.mail(id), world.blobs)
    assert (found.uid, found.organizer, found.title) == (UID, BOSS, "Review")


@pytest.mark.parametrize("broken", ["{", "5", '{"uid": 5}'])
@pytest.mark.parametrize("column", ["known", "proposal", "told"])
def test_a_row_that_cannot_be_read_holds_no_mail(world: World, column: str, broken: str) -> None:
    world.forwards(INVITE)
    breaks(world, f"UPDATE invitation SET {column} = '{broken}'")  # noqa: S608
    id = world.forwards(mail(ics(sequence=1, **LATER))).id
    assert next(one for one in world.mails() if one.id == id).state is MailState.ANNOUNCED
    [call] = world.waiting()
    yes(world, call.handle)
    assert hour(world) == 13


def test_what_stands_twice_in_a_mail_is_told_once(world: World) -> None:
    one = ics()
    id = world.forwards(mail(one, one.replace("SUMMARY", "DESCRIPTION:Come\r\nSUMMARY"))).id
    assert said(world, id).count("Review") == 1
    assert len(world.waiting()) == 1


def test_a_copy_says_whether_its_card_still_asks(world: World) -> None:
    one = ics()
    world.forwards(mail(one))
    again = world.forwards(mail(one, text="Again")).id
    assert said(world, again).endswith("a card asks you about it")
    world.presses(Verb.DENY)
    later = world.forwards(mail(one, text="Once more")).id
    assert said(world, later).endswith("I asked you about it before")


# The command line


def test_a_shell_prints_what_an_invitation_says(tmp_path: Path) -> None:
    file = tmp_path / "invite.eml"
    file.write_bytes(INVITE)
    data = tmp_path / "data"
    id = run("mail", "add", str(file), "--json", data=data).value["id"]
    told = run("mail", "show", id, data=data)
    assert told.code == 0, told.err
    [line] = [line for line in told.out.splitlines() if line.startswith("Invitation")]
    assert "Invitation: Review; Mon 30 Nov" in line
    assert line.endswith("from boss@example.org; asked about as A1")
    facts = json.loads(run("mail", "show", id, "--json", data=data).out)
    assert [each["uid"] for each in facts["invitations"]] == [UID]
