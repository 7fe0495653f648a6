"""What every store promises of its rows: kept as given, moved once, each owner's alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType, ToolError
from assistant.domain.conversation.conversation import Origin, Role, Usage
from assistant.domain.errors import (
    AlreadyThere,
    BadArguments,
    Conflict,
    Denied,
    IllegalStep,
    NotFound,
)
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.mail.mail import Attachment, MailQuery, MailState
from assistant.domain.messages import Think
from assistant.domain.policy.grants import Bound, Fit, Grant
from assistant.domain.store import Tx
from tests.bed import START, Bed, a_call, a_delivery, a_mail, an_approval, an_effect, said

NAIVE = datetime(2026, 11, 23, 8, 0)  # noqa: DTZ001 (to be refused)
AFAR = datetime(2026, 11, 23, 9, 0, tzinfo=UTC) + timedelta(microseconds=7)
UNSOUND = "a\x00b\ud800c"
SOUND = "a\ufffdb\ufffdc"


# Transactions


def test_a_rollback_leaves_nothing(bed: Bed) -> None:
    def stumble(tx: Tx) -> None:
        tx.conversation_in("terminal", "here", idle=60.0)
        tx.first_sight("terminal", "1")
        tx.add_mail(a_mail())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert bed.write(lambda tx: tx.first_sight("terminal", "1"))
    assert bed.look(lambda tx: tx.mails(MailQuery())) == []


def test_looking_sees_one_moment(bed: Bed) -> None:
    bed.mail("first")
    with bed.store.read(bed.me) as tx:
        before = tx.mails(MailQuery())
        bed.mail("second")
        assert tx.mails(MailQuery()) == before
    assert len(bed.look(lambda tx: tx.mails(MailQuery()))) == 2


JOB = Job(owner="owner", trace="a" * 32, message=Think(id="t"), claim="c", attempts=1)
CALL = a_call("talk")
WRITES: dict[str, Callable[[Tx], Any]] = {
    "emit": lambda tx: tx.emit(Think(id="t")),
    "done": lambda tx: tx.done(JOB),
    "beat": lambda tx: tx.beat(JOB),
    "fail": lambda tx: tx.fail(JOB, "no"),
    "first_sight": lambda tx: tx.first_sight("terminal", "1"),
    "conversation_in": lambda tx: tx.conversation_in("terminal", "here", idle=60.0),
    "conversation": lambda tx: tx.conversation("talk", lock=True),
    "close": lambda tx: tx.close("talk"),
    "append": lambda tx: tx.append("talk", said(), answer=True),
    "acted": lambda tx: tx.acted("talk"),
    "thought": lambda tx: tx.thought("talk", seen=1, tainted=False),
    "add_call": lambda tx: tx.add_call(CALL),
    "call": lambda tx: tx.call("call", lock=True),
    "move": lambda tx: tx.move(CALL, CallState.RUNNING),
    "intend": lambda tx: tx.intend(an_effect(CALL)),
    "record": lambda tx: tx.record(an_effect(CALL)),
    "own_uid": lambda tx: tx.own_uid("uid", calendar="c", call="call"),
    "add_approval": lambda tx: tx.add_approval(an_approval(CALL)),
    "settle": lambda tx: tx.settle(
        an_approval(CALL), ApprovalState.DENIED, by="me", reason="", at=START
    ),
    "add_mail": lambda tx: tx.add_mail(a_mail()),
    "mail": lambda tx: tx.mail("mail", lock=True),
    "move_mail": lambda tx: tx.move_mail(a_mail(), MailState.READ),
    "want": lambda tx: tx.want(a_delivery()),
    "delivery": lambda tx: tx.delivery("d", lock=True),
    "shown": lambda tx: tx.shown(a_delivery(), handle="1"),
    "used": lambda tx: tx.used([Usage(model="m")], subject="t"),
}


@pytest.mark.parametrize("name", WRITES)
def test_looking_refuses_to_write_and_to_lock(bed: Bed, name: str) -> None:
    with pytest.raises(Denied):
        bed.look(WRITES[name])
    assert bed.store.jobs() == []


def test_what_would_belong_to_nobody_is_refused(bed: Bed) -> None:
    nobody = Cause(owner="nobody", trace="c" * 32)
    with pytest.raises(NotFound):
        bed.write(lambda tx: tx.emit(Think(id="t")), cause=nobody)
    with pytest.raises(NotFound):
        bed.write(lambda tx: tx.add_call(CALL), cause=nobody)
    assert bed.store.jobs() == []


@pytest.mark.parametrize(
    "write",
    [
        lambda tx: tx.add_mail(a_mail(received=NAIVE)),
        lambda tx: tx.mails(MailQuery(after=NAIVE)),
        lambda tx: tx.mails(MailQuery(before=NAIVE)),
        lambda tx: tx.move_mail(tx.mail("mail1"), MailState.READ, sent=NAIVE),
        lambda tx: tx.emit(Think(id="t"), due=NAIVE),
    ],
    ids=["received", "after", "before", "sent", "due"],
)
def test_naive_times_are_refused(bed: Bed, write: Callable[[Tx], Any]) -> None:
    bed.mail(id="mail1")
    with pytest.raises(BadArguments, match="naive"):
        bed.write(write)


def test_naive_times_of_approvals_are_refused(bed: Bed) -> None:
    call = bed.call()
    with pytest.raises(BadArguments, match="naive"):
        bed.write(lambda tx: tx.add_approval(an_approval(call, expires=NAIVE)))
    approval = an_approval(call)
    bed.write(lambda tx: tx.add_approval(approval))
    with pytest.raises(BadArguments, match="naive"):
        bed.write(
            lambda tx: tx.settle(approval, ApprovalState.DENIED, by="me", reason="", at=NAIVE)
        )


# Talks


def test_an_event_is_seen_first_once_for_each_owner_and_channel(bed: Bed) -> None:
    assert bed.write(lambda tx: tx.first_sight("terminal", "1"))
    assert not bed.write(lambda tx: tx.first_sight("terminal", "1"))
    assert bed.write(lambda tx: tx.first_sight("discord", "1"))
    assert bed.write(lambda tx: tx.first_sight("terminal", "2"))
    assert bed.write(lambda tx: tx.first_sight("terminal", "1"), cause=bed.they)


def test_a_conversation_goes_on_until_the_silence_was_long_enough(bed: Bed) -> None:
    first = bed.conversation()
    bed.clock.passes(seconds=59)
    assert bed.conversation() == first
    bed.clock.passes(seconds=1)
    second = bed.conversation()
    assert second != first
    assert bed.conversation() == second


def test_only_the_owner_breaks_a_silence(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.clock.passes(seconds=40)
    bed.write(lambda tx: tx.append(conversation, said(role=Role.ASSISTANT), answer=False))
    bed.clock.passes(seconds=40)
    assert bed.conversation() != conversation
    conversation = bed.conversation()
    bed.clock.passes(seconds=40)
    bed.write(lambda tx: tx.append(conversation, said(), answer=True))
    bed.clock.passes(seconds=40)
    assert bed.conversation() == conversation


def test_without_an_end_to_idleness_a_conversation_never_ends(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.clock.passes(days=365)
    endless = bed.write(lambda tx: tx.conversation_in("terminal", "here", idle=float("inf")))
    assert endless.id == conversation


def test_what_is_said_after_a_close_begins_a_new_conversation(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.write(lambda tx: tx.close(conversation))
    assert bed.conversation() != conversation
    assert bed.look(lambda tx: tx.conversation(conversation)).id == conversation


def test_each_place_and_each_owner_has_a_conversation_of_its_own(bed: Bed) -> None:
    conversations = {
        bed.conversation(),
        bed.conversation("there"),
        bed.conversation(cause=bed.they),
    }
    assert len(conversations) == 3


def test_a_new_conversation_owes_nothing(bed: Bed) -> None:
    id = bed.conversation()
    conversation = bed.look(lambda tx: tx.conversation(id))
    assert (conversation.owner, conversation.channel, conversation.place) == (
        "owner",
        "terminal",
        "here",
    )
    assert (conversation.owed, conversation.turns, conversation.tainted) == (False, 0, False)
    assert (conversation.began, conversation.spoke) == (START, START)


def test_entries_are_numbered_and_come_oldest_first(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.clock.passes(seconds=5)
    outcome = said("done", role=Role.OUTCOME, origin=Origin.OUTSIDE, call="c1")
    seqs = [
        bed.write(lambda tx, e=entry: tx.append(conversation, e, answer=False))  # type: ignore[misc]
        for entry in (said("one"), said("two", role=Role.ASSISTANT), outcome)
    ]
    assert seqs == [1, 2, 3]
    entries = bed.look(lambda tx: tx.entries(conversation, last=2))
    assert [(e.seq, e.text, e.role) for e in entries] == [
        (2, "two", Role.ASSISTANT),
        (3, "done", Role.OUTCOME),
    ]
    last = entries[-1]
    assert (last.origin, last.call, last.trace) == (Origin.OUTSIDE, "c1", "a" * 32)
    assert last.at == START + timedelta(seconds=5)


def test_only_what_deserves_an_answer_makes_one_owed(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.write(lambda tx: tx.append(conversation, said(), answer=False))
    assert not bed.look(lambda tx: tx.conversation(conversation)).owed
    bed.write(lambda tx: tx.append(conversation, said(), answer=True))
    assert bed.look(lambda tx: tx.conversation(conversation)).heard == 2
    bed.write(lambda tx: tx.thought(conversation, seen=2, tainted=False))
    assert not bed.look(lambda tx: tx.conversation(conversation)).owed


def test_turns_are_counted_since_the_owner_last_spoke(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.write(lambda tx: tx.thought(conversation, seen=0, tainted=False))
    bed.write(lambda tx: tx.thought(conversation, seen=0, tainted=False))
    bed.write(lambda tx: tx.append(conversation, said(role=Role.OUTCOME), answer=True))
    assert bed.look(lambda tx: tx.conversation(conversation)).turns == 2
    bed.write(lambda tx: tx.append(conversation, said(), answer=True))
    assert bed.look(lambda tx: tx.conversation(conversation)).turns == 0


@pytest.mark.parametrize("role", [Role.OWNER, Role.NOTE, None])
def test_turns_are_counted_anew_from_what_the_owner_does(bed: Bed, role: Role | None) -> None:
    conversation, other = bed.conversation(), bed.conversation(place="elsewhere")
    bed.write(lambda tx: tx.thought(conversation, seen=0, tainted=False))
    bed.write(lambda tx: tx.thought(other, seen=0, tainted=False))
    if role is None:
        bed.write(lambda tx: tx.acted(conversation))
    else:
        bed.write(lambda tx: tx.append(conversation, said(role=role), answer=False))
    assert bed.look(lambda tx: tx.conversation(conversation)).turns == 0
    assert bed.look(lambda tx: tx.conversation(other)).turns == 1


def test_taint_stays(bed: Bed) -> None:
    conversation = bed.conversation()
    bed.write(lambda tx: tx.thought(conversation, seen=0, tainted=True))
    bed.write(lambda tx: tx.thought(conversation, seen=0, tainted=False))
    assert bed.look(lambda tx: tx.conversation(conversation)).tainted


# Calls


def test_a_call_comes_back_as_it_was_stored(bed: Bed) -> None:
    facts = Facts(
        args={"z": 1, "a": [1e22, 1e-7, True, None, {"ä": "“x”"}], "big": 2**53 - 1, "half": 0.5},
        destination="a calendar",
        state={"uid": '"etag"'},
        before={"title": "old"},
        own=True,
    )
    given = a_call(
        bed.conversation(),
        facts=facts,
        asked={"z": 1, "a": 1e16},
        risk=Risk.HIGH,
        reasons=("base: high", "taint"),
        state=CallState.PARKED,
        result="parked",
        told="waiting",
        report=True,
        tainted=False,
        ordinal=3,
        started=AFAR,
        trace="a" * 32,
    )
    stored = bed.write(lambda tx: tx.add_call(given))
    assert (stored.number, stored.created, stored.trace) == (1, START, "a" * 32)
    found = bed.look(lambda tx: tx.call(given.id))
    assert found == stored
    assert found.binding == given.binding
    assert list(found.facts.args) == ["z", "a", "big", "half"]


def test_calls_are_numbered_for_each_owner(bed: Bed) -> None:
    assert [bed.call().number, bed.call().number] == [1, 2]
    assert bed.call(cause=bed.they).number == 1


def test_a_call_of_no_conversation_is_refused(bed: Bed) -> None:
    with pytest.raises(NotFound):
        bed.write(lambda tx: tx.add_call(CALL))
    assert bed.call().number == 1


@pytest.mark.parametrize("name", ["A1", "a1", "#A1", "1", " A1 "])
def test_a_call_is_found_as_people_name_it(bed: Bed, name: str) -> None:
    call = bed.call()
    bed.call()
    assert bed.look(lambda tx: tx.call_named(name)).id == call.id
    assert bed.look(lambda tx: tx.call_named(call.id)).id == call.id


@pytest.mark.parametrize(
    "name", ["", "A", "A2", "A99999999999999999999", "A\u0661", "-1", "A1\x00"]
)
def test_what_names_no_call_is_not_found(bed: Bed, name: str) -> None:
    bed.call()
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.call_named(name))


def test_calls_are_listed_newest_first_and_by_what_is_asked(bed: Bed) -> None:
    one = bed.call(state=CallState.PARKED)
    two = bed.call(conversation=one.conversation, turn=5)
    bed.write(lambda tx: tx.close(one.conversation))
    three = bed.call(state=CallState.PARKED)

    def ids(**query: Any) -> list[str]:
        return [call.id for call in bed.look(lambda tx: tx.calls(**query))]

    assert ids() == [three.id, two.id, one.id]
    assert ids(limit=2) == [three.id, two.id]
    assert ids(conversation=one.conversation) == [two.id, one.id]
    assert ids(conversation=one.conversation, turn=5) == [two.id]
    assert ids(states={CallState.PARKED}) == [three.id, one.id]
    assert ids(states={CallState.DONE}) == []


def test_calls_since_a_time_come_in_the_order_they_were_asked_for(bed: Bed) -> None:
    bed.call()
    bed.clock.passes(hours=1)
    since = bed.clock.now()
    later = [bed.call().number for _ in range(3)]
    bed.call(cause=bed.they)

    def numbers(**query: Any) -> list[int]:
        return [call.number for call in bed.look(lambda tx: tx.calls_since(since, **query))]

    assert numbers() == later == [2, 3, 4]
    assert numbers(after=2, limit=1) == [3]
    assert numbers(after=4) == []
    with pytest.raises(BadArguments, match="naive"):
        bed.look(lambda tx: tx.calls_since(NAIVE))


def test_uses_of_a_tool_are_counted_without_what_was_refused_or_replaced(bed: Bed) -> None:
    for verdict in ("allow", "report", "ask", "deny", ""):
        bed.call(verdict=verdict)
    since = bed.clock.now()
    bed.clock.passes(minutes=1)
    old = bed.call(verdict="ask", state=CallState.PARKED)
    bed.call(verdict="ask", state=CallState.PARKED, tool="write_file")
    assert bed.look(lambda tx: tx.tool_uses(since)) == {"create_event": 4, "write_file": 1}
    bed.write(lambda tx: tx.move(old, CallState.SUPERSEDED))
    bed.call(verdict="ask", state=CallState.PARKED, supersedes=old.id)
    denied = bed.call(verdict="ask", state=CallState.PARKED)
    bed.write(lambda tx: tx.move(denied, CallState.DENIED))
    assert bed.look(lambda tx: tx.tool_uses(since)) == {"create_event": 5, "write_file": 1}
    later = since + timedelta(seconds=1)
    assert bed.look(lambda tx: tx.tool_uses(later)) == {"create_event": 2, "write_file": 1}
    assert bed.look(lambda tx: tx.tool_uses(since), cause=bed.they) == {}


def test_a_move_takes_a_fence_and_notes_when(bed: Bed) -> None:
    call = bed.call()
    bed.clock.passes(seconds=1)
    running = bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    bed.clock.passes(seconds=1)
    done = bed.write(lambda tx: tx.move(running, CallState.DONE, result="booked", told="Booked"))
    assert (running.fence, running.started, running.ended) == (
        1,
        START + timedelta(seconds=1),
        None,
    )
    assert (done.fence, done.result, done.ended) == (1, "booked", START + timedelta(seconds=2))
    assert bed.look(lambda tx: tx.call(call.id)) == done


def test_a_step_that_does_not_follow_is_refused(bed: Bed) -> None:
    call = bed.call()
    with pytest.raises(IllegalStep):
        bed.write(lambda tx: tx.move(call, CallState.DONE))


def test_a_move_from_where_it_no_longer_stands_is_a_conflict(bed: Bed) -> None:
    call = bed.call()
    running = bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    cleared = bed.write(lambda tx: tx.move(running, CallState.CLEARED))
    bed.write(lambda tx: tx.move(cleared, CallState.RUNNING))
    with pytest.raises(Conflict):  # running, but with another fence
        bed.write(lambda tx: tx.move(running, CallState.DONE))


def test_calls_that_ended_unclear_are_listed_newest_first_for_their_owner(bed: Bed) -> None:
    unknown = ToolError(type=ErrorType.UNKNOWN_OUTCOME, message='no "answer"')
    known = ToolError(type=ErrorType.NETWORK, message=unknown.type.value)

    def ended(failure: ToolError, *, cause: Cause | None = None, **changes: Any) -> str:
        call = bed.call(cause=cause, reach=changes.pop("reach", Reach.WRITES))
        running = bed.write(lambda tx: tx.move(call, CallState.RUNNING), cause=cause)
        bed.write(lambda tx: tx.move(running, CallState.FAILED, failure=failure), cause=cause)
        return call.id

    ended(unknown)
    bed.clock.passes(days=1)
    since = bed.clock.now()
    first = ended(unknown)
    ended(known)
    ended(unknown, reach=Reach.READS)
    ended(unknown, cause=bed.they)
    bed.call()
    second = ended(unknown, reach=Reach.SENDS)
    listed = bed.look(lambda tx: tx.unclear(since))
    assert [call.id for call in listed] == [second, first]
    assert all(call.unclear for call in listed)


def test_an_effect_is_intended_and_then_recorded(bed: Bed) -> None:
    effect = an_effect(bed.call(), before={"title": "old"})
    bed.write(lambda tx: tx.intend(effect))
    [intended] = bed.look(lambda tx: tx.effects(effect.call))
    assert intended == effect.model_copy(update={"at": START})
    done = effect.model_copy(update={"state": EffectState.DONE, "after": {"etag": '"2"'}})
    bed.write(lambda tx: tx.record(done))
    [recorded] = bed.look(lambda tx: tx.effects(effect.call))
    assert (recorded.state, recorded.after) == (EffectState.DONE, {"etag": '"2"'})


def test_a_later_attempt_takes_an_intent_over(bed: Bed) -> None:
    first = an_effect(bed.call())
    second = first.model_copy(update={"fence": 2})
    bed.write(lambda tx: tx.intend(first))
    bed.write(lambda tx: tx.intend(second))
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.record(first))
    bed.write(lambda tx: tx.record(second))
    assert len(bed.look(lambda tx: tx.effects(first.call))) == 1


def test_what_was_never_intended_cannot_be_recorded(bed: Bed) -> None:
    effect = an_effect(bed.call())
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.record(effect))


def test_own_uids_are_remembered_once_for_each_calendar(bed: Bed) -> None:
    for _ in range(2):
        bed.write(lambda tx: tx.own_uid("u1", calendar="c", call="call"))
    bed.write(lambda tx: tx.own_uid("u2", calendar="d", call="call"))
    assert bed.look(lambda tx: tx.own_uids("c", ["u1", "u2", "u3"])) == {"u1"}
    assert bed.look(lambda tx: tx.own_uids("d", ["u1", "u2"])) == {"u2"}
    assert bed.look(lambda tx: tx.own_uids("c", [])) == frozenset()


# Approvals


def test_an_approval_comes_back_and_is_settled_once(bed: Bed) -> None:
    call = bed.call()
    approval = an_approval(call, expires=AFAR)
    bed.write(lambda tx: tx.add_approval(approval))
    assert bed.look(lambda tx: tx.approval(call.id)) == approval
    settled = bed.write(
        lambda tx: tx.settle(approval, ApprovalState.DENIED, by="me", reason="no", at=START)
    )
    assert (settled.state, settled.by, settled.reason) == (ApprovalState.DENIED, "me", "no")
    assert bed.look(lambda tx: tx.approval(call.id)) == settled
    with pytest.raises(Conflict):
        bed.write(
            lambda tx: tx.settle(approval, ApprovalState.APPROVED, by="me", reason="", at=START)
        )
    with pytest.raises(IllegalStep):
        bed.write(
            lambda tx: tx.settle(settled, ApprovalState.APPROVED, by="me", reason="", at=START)
        )


def test_a_call_has_one_approval(bed: Bed) -> None:
    call = bed.call()
    bed.write(lambda tx: tx.add_approval(an_approval(call)))
    with pytest.raises(AlreadyThere):
        bed.write(lambda tx: tx.add_approval(an_approval(call)))


def test_a_call_that_needed_no_approval_has_none(bed: Bed) -> None:
    call = bed.call()
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.approval(call.id))


def test_the_stored_clock_never_goes_back(bed: Bed) -> None:
    assert bed.look(lambda tx: tx.high_water(START)) == START
    bed.clock.passes(hours=2)
    bed.store.raise_high_water()
    bed.clock.passes(hours=-1)
    bed.store.raise_high_water()
    assert bed.look(lambda tx: tx.high_water(START)) == START + timedelta(hours=2)
    later = START + timedelta(hours=3)
    assert bed.look(lambda tx: tx.high_water(later)) == later


# Mails


def test_a_mail_comes_back_as_it_was_stored(bed: Bed) -> None:
    given = a_mail(
        "“Grüße”",
        received=AFAR,
        sent=AFAR,
        defects=("no date", "8 bit"),
        message_id="<1@x>",
        recipients="owner@example.org",
        trace="a" * 32,
    )
    assert bed.write(lambda tx: tx.add_mail(given)) is None
    assert bed.look(lambda tx: tx.mail(given.id)) == given


def test_the_same_bytes_are_the_same_mail(bed: Bed) -> None:
    first = bed.mail()
    bed.write(lambda tx: tx.move_mail(first, MailState.READ))
    known = bed.write(lambda tx: tx.add_mail(first.model_copy(update={"id": new_id()})))
    assert known is not None
    assert (known.id, known.state) == (first.id, MailState.READ)


def test_other_bytes_under_the_same_id_are_refused(bed: Bed) -> None:
    first = bed.mail()
    with pytest.raises(AlreadyThere):
        bed.write(lambda tx: tx.add_mail(a_mail("Other", id=first.id)))


def test_the_same_bytes_for_another_owner_are_another_mail(bed: Bed) -> None:
    first = bed.mail()
    second = first.model_copy(update={"id": new_id()})
    assert bed.write(lambda tx: tx.add_mail(second), cause=bed.they) is None


def test_a_mail_is_found_by_the_beginning_of_its_id(bed: Bed) -> None:
    bed.mail(id="3f2a" + "0" * 12)
    bed.mail(id="3f2b" + "0" * 12)
    assert bed.look(lambda tx: tx.mail("3f2a")).id == "3f2a" + "0" * 12
    assert bed.write(lambda tx: tx.mail("3f2b", lock=True)).id == "3f2b" + "0" * 12


@pytest.mark.parametrize("id", ["", "3f2", "3F2A", "%", "3f2_", "x", "3f2a\x00"])
def test_what_names_no_single_mail_is_not_found(bed: Bed, id: str) -> None:
    bed.mail(id="3f2a" + "0" * 12)
    bed.mail(id="3f2b" + "0" * 12)
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.mail(id))


def test_an_id_that_begins_another_names_its_own_mail(bed: Bed) -> None:
    bed.mail("long", id="3f2a0")
    bed.mail("short", id="3f2a")
    assert bed.look(lambda tx: tx.mail("3f2a")).subject == "short"


def test_a_mail_moves_one_step_from_where_it_stands(bed: Bed) -> None:
    mail = bed.mail()
    read = bed.write(
        lambda tx: tx.move_mail(mail, MailState.READ, subject="New", defects=("odd",), sent=AFAR)
    )
    assert bed.look(lambda tx: tx.mail(mail.id)) == read
    assert (read.subject, read.defects, read.sent) == ("New", ("odd",), AFAR)
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.move_mail(mail, MailState.HELD))
    with pytest.raises(IllegalStep):
        bed.write(lambda tx: tx.move_mail(read, MailState.STORED))


def test_attachments_are_replaced_and_keep_their_order(bed: Bed) -> None:
    mail = bed.mail()
    parts = [
        Attachment(name=name, content_type="text/plain", size=1, sha256="0" * 64, blob=name)
        for name in ("b", "a", "c")
    ]
    bed.write(lambda tx: tx.attach(mail.id, parts[:1]))
    bed.write(lambda tx: tx.attach(mail.id, parts))
    assert bed.look(lambda tx: tx.mail(mail.id)).attachments == tuple(parts)
    assert bed.look(lambda tx: tx.mails(MailQuery()))[0].attachments == tuple(parts)
    bed.write(lambda tx: tx.attach(mail.id, []))
    assert bed.look(lambda tx: tx.mail(mail.id)).attachments == ()


def test_nothing_is_attached_to_what_is_not_there(bed: Bed) -> None:
    with pytest.raises(NotFound):
        bed.write(lambda tx: tx.attach("nowhere", []))


def found(bed: Bed, cause: Cause | None = None, **query: Any) -> list[str]:
    wanted = MailQuery(**query)
    subjects = [mail.subject for mail in bed.look(lambda tx: tx.mails(wanted), cause=cause)]
    if wanted.limit > len(subjects):
        assert bed.look(lambda tx: tx.count_mails(wanted), cause=cause) == len(subjects)
    return subjects


def test_mails_come_newest_first(bed: Bed) -> None:
    for subject in ("one", "two", "three"):
        bed.mail(subject)
    assert found(bed) == ["three", "two", "one"]
    assert found(bed, limit=2) == ["three", "two"]
    assert bed.look(lambda tx: tx.count_mails(MailQuery(limit=1))) == 3


def test_mails_are_found_by_time_state_and_sender(bed: Bed) -> None:
    early = bed.mail("early", sender="Zoe 100% <zoe@example.org>")
    bed.clock.passes(hours=1)
    bed.mail("late")
    bed.write(lambda tx: tx.move_mail(early, MailState.READ))
    hour = START + timedelta(hours=1)
    assert found(bed, after=hour) == ["late"]
    assert found(bed, before=hour) == ["early"]
    assert found(bed, state=MailState.READ) == ["early"]
    assert found(bed, sender="ZOE@") == ["early"]
    assert found(bed, sender="0%") == ["early"]
    assert found(bed, sender="z%e") == []


@pytest.mark.parametrize(
    "words",
    [
        "rent",
        "RENT december",
        "dece",
        "anna",
        "example.org",
        "anna@example.org",
        "<anna@example.org>",
        "agrees",
        "flat 7b",
        "rent, anna & december!",
        '"rent"',
        "don't",
        "grüße",
        "co₂",
    ],
)
def test_words_are_found_in_subject_sender_and_summary(bed: Bed, words: str) -> None:
    mail = bed.mail("Rent for December: flat #7b, don't wait, Grüße, CO₂")
    bed.mail("Something else", sender="Bob <bob@other.net>")
    bed.write(lambda tx: tx.move_mail(mail, MailState.READ))
    bed.write(
        lambda tx: tx.move_mail(
            tx.mail(mail.id), MailState.SUMMARISED, summary="The landlord agrees."
        )
    )
    assert found(bed, words=words) == [mail.subject]


@pytest.mark.parametrize(
    "words", ["rent january", "ent", "...", "rent*fail", "zzz OR rent", "NOT x", "a\x00q", "🙂"]
)
def test_all_words_must_begin_one_of_the_mails(bed: Bed, words: str) -> None:
    bed.mail("Rent for December")
    assert found(bed, words=words) == []


def test_words_that_were_replaced_are_no_longer_found(bed: Bed) -> None:
    mail = bed.mail("Before")
    bed.write(lambda tx: tx.move_mail(mail, MailState.READ, subject="After"))
    assert found(bed, words="before") == []
    assert found(bed, words="after") == ["After"]


def test_better_matches_come_first(bed: Bed) -> None:
    bed.mail("rent rent rent")
    bed.mail("a long letter that has many other words and one rent among all of these")
    assert found(bed, words="rent")[0] == "rent rent rent"


def test_words_and_other_conditions_join(bed: Bed) -> None:
    bed.mail("rent", sender="Bob <bob@other.net>")
    bed.mail("rent now")
    assert found(bed, words="rent", sender="bob") == ["rent"]


# Deliveries


def test_what_is_wanted_is_delivered(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery("Hello")))
    assert bed.bells.names == [["deliver:d"]]
    wanted = bed.look(lambda tx: tx.delivery("d"))
    assert (wanted.wanted.text, wanted.shown, wanted.revision) == ("Hello", "", 1)
    assert (wanted.channel, wanted.place, wanted.created) == ("terminal", "here", START)
    bed.write(lambda tx: tx.shown(wanted, handle="m1"))
    shown = bed.look(lambda tx: tx.delivery("d"))
    assert shown.settled
    assert (shown.handle, shown.revision) == ("m1", 1)


def test_wanting_what_is_shown_asks_for_nothing(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery()))
    bed.write(lambda tx: tx.shown(a_delivery(), handle="m1"))
    bed.write(lambda tx: tx.want(a_delivery()))
    assert len(bed.bells.batches) == 1
    assert bed.look(lambda tx: tx.delivery("d")).revision == 1


def test_wanting_something_else_is_a_new_revision(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery("one")))
    bed.write(lambda tx: tx.shown(a_delivery("one"), handle="m1"))
    bed.write(lambda tx: tx.want(a_delivery("two")))
    changed = bed.look(lambda tx: tx.delivery("d"))
    assert (changed.wanted.text, changed.revision, changed.settled) == ("two", 2, False)
    assert changed.handle == "m1"
    assert bed.bells.names == [["deliver:d"], ["deliver:d"]]


def test_wanting_again_what_could_not_be_shown_tries_again(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery()))
    job = bed.claimed("deliver:d")
    bed.write(lambda tx: tx.fail(job, "the channel is away"))
    bed.write(lambda tx: tx.want(a_delivery()))
    assert bed.claimed("deliver:d").attempts == 1
    assert bed.look(lambda tx: tx.delivery("d")).revision == 1


# Text and owners


def test_text_that_no_database_takes_is_made_sound(bed: Bed) -> None:
    call = bed.call(result=UNSOUND)
    mail = bed.mail(UNSOUND, sender=UNSOUND)
    part = Attachment(name=UNSOUND, content_type="x", size=1, sha256="0", blob="b")
    bed.write(lambda tx: tx.attach(mail.id, [part]))
    bed.write(lambda tx: tx.append(call.conversation, said(UNSOUND), answer=True))
    bed.write(lambda tx: tx.want(a_delivery("a\x00b")))
    assert bed.write(lambda tx: tx.first_sight("terminal", UNSOUND))
    assert not bed.write(lambda tx: tx.first_sight("terminal", UNSOUND))
    job = bed.claimed(bed.emit())
    bed.write(lambda tx: tx.fail(job, UNSOUND))
    assert bed.look(lambda tx: tx.call(call.id)).result == SOUND
    kept = bed.look(lambda tx: tx.mail(mail.id))
    assert (kept.subject, kept.sender, kept.attachments[0].name) == (SOUND, SOUND, SOUND)
    assert bed.look(lambda tx: tx.entries(call.conversation, last=1))[0].text == SOUND
    assert bed.look(lambda tx: tx.delivery("d")).wanted.text == "a\x00b"
    assert bed.store.jobs(failed=True)[0].error == SOUND


def test_json_keeps_what_was_shown_to_the_letter(bed: Bed) -> None:
    call = bed.call(facts=Facts(args={"title": "a\x00b"}), asked={"title": UNSOUND})
    stored = bed.look(lambda tx: tx.call(call.id))
    assert stored.binding == call.binding
    assert stored.asked == {"title": UNSOUND}


def test_another_owners_rows_do_not_exist(bed: Bed) -> None:
    call = bed.call()
    mail = bed.mail()
    effect = an_effect(call)
    bed.write(lambda tx: tx.append(call.conversation, said(), answer=True))
    bed.write(lambda tx: tx.add_approval(an_approval(call)))
    bed.write(lambda tx: tx.intend(effect))
    bed.write(lambda tx: tx.own_uid("uid", calendar="c", call=call.id))
    bed.write(lambda tx: tx.want(a_delivery()))
    hidden: tuple[Callable[[Tx], Any], ...] = (
        lambda tx: tx.conversation(call.conversation),
        lambda tx: tx.append(call.conversation, said(), answer=True),
        lambda tx: tx.call(call.id),
        lambda tx: tx.call_named("A1"),
        lambda tx: tx.call_named(call.id),
        lambda tx: tx.approval(call.id),
        lambda tx: tx.mail(mail.id),
        lambda tx: tx.attach(mail.id, []),
        lambda tx: tx.delivery("d"),
    )
    for look in hidden:
        with pytest.raises(NotFound):
            bed.write(look, cause=bed.they)
    conflicts: tuple[Callable[[Tx], Any], ...] = (
        lambda tx: tx.move(call, CallState.RUNNING),
        lambda tx: tx.move_mail(mail, MailState.READ),
        lambda tx: tx.record(effect),
        lambda tx: tx.settle(
            an_approval(call), ApprovalState.APPROVED, by="they", reason="", at=START
        ),
    )
    for change in conflicts:
        with pytest.raises(Conflict):
            bed.write(change, cause=bed.they)
    with bed.store.begin(bed.they) as tx:
        assert tx.entries(call.conversation, last=9) == []
        assert tx.calls() == []
        assert tx.effects(call.id) == []
        assert tx.own_uids("c", ["uid"]) == frozenset()
        assert tx.mails(MailQuery()) == []
        assert tx.mails(MailQuery(words="tea")) == []
        assert tx.count_mails(MailQuery()) == 0
        tx.close(call.conversation)
        tx.want(a_delivery("theirs", id="e"))
    assert bed.conversation() == call.conversation
    assert bed.look(lambda tx: tx.call(call.id)) == call
    assert bed.look(lambda tx: tx.delivery("e"), cause=bed.they).owner == "other"


# Grants


def a_grant(**changes: Any) -> Grant:
    values: dict[str, Any] = {
        "id": new_id(),
        "owner": "owner",
        "tool": "write_file",
        "version": "1",
        "scope": (Bound(arg="path", fit=Fit.LITERAL, value="private:/a.txt"),),
        "destination": "files",
        "reach": Reach.WRITES,
        "created": START,
        "by": "terminal:me",
        "expires": START + timedelta(days=30),
        "uses": 2,
    }
    return Grant(**{**values, **changes})


def test_a_grant_comes_back_as_it_was_saved_with_its_number(bed: Bed) -> None:
    saved = bed.write(lambda tx: tx.add_grant(a_grant()))
    assert saved.handle == "G1"
    assert bed.look(lambda tx: tx.grants()) == [saved]
    assert bed.look(lambda tx: tx.grant_named("g1")) == saved
    assert bed.look(lambda tx: tx.grant_named(saved.id)) == saved


def test_a_grant_is_used_as_often_as_it_says(bed: Bed) -> None:
    saved = bed.write(lambda tx: tx.add_grant(a_grant()))
    for _ in range(2):
        bed.write(lambda tx: tx.use_grant(saved.id, at=START))
    assert bed.look(lambda tx: tx.grants()) == []
    assert bed.look(lambda tx: tx.grants(ended=True))[0].used == 2
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.use_grant(saved.id, at=START))


def test_a_grant_that_was_revoked_or_has_expired_is_not_used(bed: Bed) -> None:
    revoked = bed.write(lambda tx: tx.add_grant(a_grant()))
    expired = bed.write(lambda tx: tx.add_grant(a_grant(expires=START)))
    assert bed.write(lambda tx: tx.revoke_grants([revoked.id], by="me", at=START)) == 1
    assert bed.write(lambda tx: tx.revoke_grants([revoked.id], by="me", at=START)) == 0
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.use_grant(revoked.id, at=START))
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.use_grant(expired.id, at=START))
    assert bed.write(lambda tx: tx.revoke_grants(by="me", at=START)) == 1


def test_a_grant_is_nobody_elses(bed: Bed) -> None:
    saved = bed.write(lambda tx: tx.add_grant(a_grant()))
    with bed.store.begin(bed.they) as tx:
        assert tx.grants(ended=True) == []
        assert tx.revoke_grants(by="them", at=START) == 0
        with pytest.raises(NotFound):
            tx.grant_named("G1")
        with pytest.raises(Conflict):
            tx.use_grant(saved.id, at=START)
