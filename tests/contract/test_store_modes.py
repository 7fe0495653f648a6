"""What every store promises of modes, policies and what models cost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from hashlib import sha256
from threading import Event
from time import monotonic
from typing import Any

import pytest

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Outcome, Usage
from assistant.domain.errors import AssistantError, Conflict, Denied, IllegalStep, NotFound
from assistant.domain.governance.modes import NEXT, Mode, ModeRecord
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import MailQuery
from assistant.domain.policy.text import PolicyText
from assistant.domain.store import Tx
from tests.bed import START, Bed, a_call, an_approval, an_effect, race

NOBODY = Cause(owner="nobody", trace="c" * 32)
ROUNDS = 8


def enter(bed: Bed, mode: Mode, **changes: Any) -> ModeRecord:
    now = bed.look(lambda tx: tx.mode())
    wanted = now.model_copy(update={"mode": mode, "by": "terminal:me", **changes})
    return bed.write(lambda tx: tx.set_mode(wanted))


# Modes


def test_a_house_is_normal_from_the_beginning(bed: Bed) -> None:
    first = bed.look(lambda tx: tx.mode())
    assert (first.mode, first.revision, first.word) == (Mode.NORMAL, 0, "")
    assert bed.write(lambda tx: tx.mode()) == first


def test_a_mode_that_is_entered_is_there_for_all_and_remembers_the_one_before(bed: Bed) -> None:
    bed.clock.passes(hours=1)
    alert = enter(bed, Mode.ALERT, reason="odd mail", before=Mode.LOCKDOWN)
    assert bed.look(lambda tx: tx.mode()) == alert
    assert alert.model_dump(exclude={"word", "asked", "review"}) == {
        "mode": Mode.ALERT,
        "before": Mode.NORMAL,
        "by": "terminal:me",
        "reason": "odd mail",
        "revision": 1,
        "since": START + timedelta(hours=1),
    }
    assert bed.look(lambda tx: tx.mode(), cause=bed.they).mode is Mode.NORMAL


def test_a_house_without_an_owner_has_no_mode(bed: Bed) -> None:
    for ask in (bed.look, bed.write):
        with pytest.raises(NotFound):
            ask(lambda tx: tx.mode(), cause=NOBODY)


@pytest.mark.parametrize("before", Mode)
@pytest.mark.parametrize("after", Mode)
def test_modes_follow_as_their_table_has_it(bed: Bed, before: Mode, after: Mode) -> None:
    if before is not Mode.NORMAL:
        enter(bed, before)
    if after in NEXT[before]:
        assert enter(bed, after).mode is after
    else:
        with pytest.raises(IllegalStep, match=f"from {before} to {after}"):
            enter(bed, after)
        assert bed.look(lambda tx: tx.mode()).mode is before


def test_a_mode_that_was_decided_on_another_one_is_not_entered(bed: Bed) -> None:
    seen = bed.look(lambda tx: tx.mode())
    enter(bed, Mode.LOCKDOWN)
    late = seen.model_copy(update={"mode": Mode.ALERT})
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.set_mode(late))
    assert bed.look(lambda tx: tx.mode()).mode is Mode.LOCKDOWN


def test_each_change_is_in_the_audit_and_no_word_of_the_owner_with_it(bed: Bed) -> None:
    enter(bed, Mode.ALERT, reason="my ex writes again")
    enter(bed, Mode.DEGRADED, by="signal:model", reason="no model answered 3 times")
    entries = bed.look(lambda tx: tx.audit(kind="mode"))
    assert [(entry.kind, entry.actor, entry.reason) for entry in entries] == [
        ("mode.alert", "terminal:me", "from normal; 18 characters of why"),
        ("mode.degraded", "signal:model", "from alert; no model answered 3 times"),
    ]


def test_what_is_not_entered_is_not_in_the_audit(bed: Bed) -> None:
    with pytest.raises(IllegalStep):
        enter(bed, Mode.NORMAL)
    assert bed.look(lambda tx: tx.audit(kind="mode")) == []


def test_a_word_is_tried_once(bed: Bed) -> None:
    locked = enter(bed, Mode.LOCKDOWN)
    bed.clock.passes(minutes=1)
    given = locked.model_copy(update={"word": "w" * 64})
    bed.write(lambda tx: tx.give_word(given))
    taken = bed.write(lambda tx: tx.take_word())
    assert (taken.word, taken.asked) == ("w" * 64, START + timedelta(minutes=1))
    assert bed.write(lambda tx: tx.take_word()).word == ""
    assert bed.look(lambda tx: tx.mode()) == locked


def test_a_word_ends_with_its_mode(bed: Bed) -> None:
    locked = enter(bed, Mode.LOCKDOWN)
    given = locked.model_copy(update={"word": "w" * 64})
    bed.write(lambda tx: tx.give_word(given))
    recovery = enter(bed, Mode.RECOVERY, review=START)
    assert (recovery.word, recovery.asked, recovery.review) == ("", None, START)
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.give_word(given))


WRITES: dict[str, Callable[[Tx], Any]] = {
    "set_mode": lambda tx: tx.set_mode(ModeRecord(mode=Mode.ALERT)),
    "give_word": lambda tx: tx.give_word(ModeRecord(word="w")),
    "take_word": lambda tx: tx.take_word(),
    "add_policy": lambda tx: tx.add_policy(PolicyText(text="rules: []")),
}


@pytest.mark.parametrize("name", WRITES)
def test_looking_refuses_to_write(bed: Bed, name: str) -> None:
    with pytest.raises(Denied):
        bed.look(WRITES[name])


def test_one_of_two_changes_at_once_wins(bed: Bed) -> None:
    for _ in range(ROUNDS):
        seen = bed.look(lambda tx: tx.mode())
        others = sorted(NEXT[seen.mode] - {Mode.LOCKDOWN})[:2]
        wanted = [seen.model_copy(update={"mode": other}) for other in others]
        tries = [partial(bed.write, partial(_set_mode, wish)) for wish in wanted]
        ended = race(*tries)
        assert sum(isinstance(end, ModeRecord) for end in ended) == 1
        assert sum(isinstance(end, Conflict) for end in ended) == 1


def _set_mode(wanted: ModeRecord, tx: Tx) -> ModeRecord:
    return tx.set_mode(wanted)


def test_one_of_two_who_try_a_word_gets_it(bed: Bed) -> None:
    locked = enter(bed, Mode.LOCKDOWN)
    for _ in range(ROUNDS):
        given = locked.model_copy(update={"word": "w" * 64})
        bed.write(lambda tx: tx.give_word(given))  # noqa: B023 (carried out at once)
        words = race(*[lambda: bed.write(lambda tx: tx.take_word()).word] * 3)
        assert sorted(map(str, words)) == ["", "", "w" * 64]


def test_whoever_judges_holds_the_mode_until_what_they_judged_is_stored(bed: Bed) -> None:
    """Lockdown waits for those who judge, and they for it: nothing slips in behind its back."""

    def judge() -> str:
        with bed.store.begin(bed.me) as tx:
            if tx.mode().mode is Mode.LOCKDOWN:
                return "refused"
            conversation = tx.conversation_in("terminal", "here", idle=60.0)
            state = CallState.PARKED
            tx.add_call(a_call(conversation.id, state=state))
            return "parked"

    def lock() -> int:
        with bed.store.begin(bed.me) as tx:
            seen = tx.set_mode(ModeRecord(mode=Mode.LOCKDOWN, revision=revision))
            assert seen.mode is Mode.LOCKDOWN
            waiting = tx.calls(states={CallState.PARKED})
            for call in waiting:
                tx.conversation(call.conversation, lock=True)
                tx.move(tx.call(call.id, lock=True), CallState.VOID)
            return len(waiting)

    for _ in range(ROUNDS):
        revision = bed.look(lambda tx: tx.mode()).revision
        ended = race(judge, judge, lock, judge)
        assert not [end for end in ended if isinstance(end, AssistantError)]
        assert ended.count("parked") == ended[2]
        assert bed.look(lambda tx: tx.calls(states={CallState.PARKED})) == []
        enter(bed, Mode.NORMAL)


@pytest.mark.parametrize("bed", ["postgres"], indirect=True)
def test_a_busy_day_of_judging_keeps_no_lockdown_waiting(bed: Bed) -> None:
    """A row's shared lock has no queue: those who share it could keep the other out for ever."""
    over = Event()

    def judge() -> None:
        while not over.is_set():
            with bed.store.begin(bed.me) as tx:
                tx.mode()
                over.wait(0.02)

    with ThreadPoolExecutor(8) as judges:
        judging = [judges.submit(judge) for _ in range(8)]
        began = monotonic()
        for mode in (Mode.ALERT, Mode.LOCKDOWN, Mode.NORMAL, Mode.LOCKDOWN):
            enter(bed, mode)
        took = monotonic() - began
        over.set()
    assert [judged.exception() for judged in judging] == [None] * 8
    assert took < 20


# What signals and recovery look at


def test_denials_are_counted_since_a_time_and_for_one_owner(bed: Bed) -> None:
    times = [START + timedelta(hours=hours) for hours in range(4)]
    for hours, at in enumerate(times):
        call = bed.call(state=CallState.PARKED, tainted=hours != 3)
        approval = bed.approval(call)
        to = ApprovalState.EXPIRED if hours == 1 else ApprovalState.DENIED
        bed.write(partial(_settle, approval, to, at))
    assert bed.look(lambda tx: tx.denials(START)) == [times[0], times[2]]
    assert bed.look(lambda tx: tx.denials(times[1])) == [times[2]]
    assert bed.look(lambda tx: tx.denials(START), cause=bed.they) == []


def _settle(approval: Any, to: ApprovalState, at: Any, tx: Tx) -> None:
    tx.settle(approval, to, by="me", reason="", at=at)


def test_what_was_done_since_a_time_is_told_in_its_order(bed: Bed) -> None:
    def did(state: EffectState = EffectState.DONE) -> str:
        call = bed.call()
        effect = an_effect(call)
        bed.write(lambda tx: tx.intend(effect))
        bed.write(lambda tx: tx.record(effect.model_copy(update={"state": state})))
        bed.clock.passes(hours=1)
        return call.id

    did()
    second, _failed, fourth = did(), did(EffectState.FAILED), did()
    since = START + timedelta(minutes=30)
    assert [effect.call for effect in bed.look(lambda tx: tx.done_since(since))] == [second, fourth]
    assert bed.look(lambda tx: tx.done_since(since), cause=bed.they) == []


# Policies


def test_before_any_was_saved_the_built_in_policy_is_in_force(bed: Bed) -> None:
    assert bed.look(lambda tx: tx.policy()) == PolicyText()
    assert bed.look(lambda tx: tx.policy_version(0)) == PolicyText()
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.policy_version(1))


def test_a_policy_is_kept_as_a_version_and_the_old_ones_with_it(bed: Bed) -> None:
    text = "rules: []\n# \N{SNOWMAN}\n"
    first = bed.write(lambda tx: tx.add_policy(PolicyText(text=text, by="me")))
    assert first == PolicyText(
        version=1, digest=sha256(text.encode()).hexdigest(), text=text, by="me", at=START
    )
    second = bed.write(lambda tx: tx.add_policy(first.model_copy(update={"text": "other"})))
    assert second.version == 2
    assert bed.look(lambda tx: tx.policy()) == second
    assert bed.look(lambda tx: tx.policy_version(1)) == first
    assert bed.look(lambda tx: tx.policy(), cause=bed.they) == PolicyText()
    entries = bed.look(lambda tx: tx.audit(kind="policy"))
    assert [(entry.kind, entry.actor, entry.version, entry.args) for entry in entries] == [
        ("policy.saved", "me", "1", first.digest),
        ("policy.saved", "me", "2", second.digest),
    ]


def test_a_policy_made_from_an_old_version_is_refused(bed: Bed) -> None:
    bed.write(lambda tx: tx.add_policy(PolicyText(text="one")))
    for version in (0, 2):
        stale = PolicyText(version=version, text="two")
        with pytest.raises(Conflict):
            bed.write(partial(_add_policy, stale))
    assert bed.look(lambda tx: tx.policy()).text == "one"


def _add_policy(policy: PolicyText, tx: Tx) -> PolicyText:
    return tx.add_policy(policy)


def test_of_two_policies_saved_at_once_one_wins(bed: Bed) -> None:
    for _ in range(ROUNDS):
        newest = bed.look(lambda tx: tx.policy())
        wishes = [newest.model_copy(update={"text": text}) for text in ("one", "two")]
        ended = race(*[partial(bed.write, partial(_add_policy, wish)) for wish in wishes])
        assert sorted(type(end).__name__ for end in ended) == ["Conflict", "PolicyText"]


# What models cost


def test_what_was_spent_is_told_since_a_time_and_by_what_set_it_off(bed: Bed) -> None:
    def spend(cause: str, tokens: int, *, by: Cause | None = None) -> None:
        use = Usage(model="m", input_tokens=tokens, output_tokens=1)
        bed.write(lambda tx: tx.used([use, use], subject="s", cause=cause), cause=by)

    spend("chat", 500)
    bed.clock.passes(days=1)
    spend("chat", 10)
    spend("mail", 20)
    spend("mail", 30, by=bed.they)
    assert bed.look(lambda tx: tx.spent(START)) == {"chat": 1024, "mail": 42}
    assert bed.look(lambda tx: tx.spent(bed.clock.now())) == {"chat": 22, "mail": 42}
    assert bed.look(lambda tx: tx.spent(bed.clock.now() + timedelta(seconds=1))) == {}


def test_how_questions_to_models_went_is_told_newest_first(bed: Bed) -> None:
    def ask(*outcomes: Outcome) -> None:
        usage = [Usage(model="m", outcome=outcome) for outcome in outcomes]
        bed.write(lambda tx: tx.used(usage, subject="s", cause="chat"))
        bed.clock.passes(minutes=1)

    assert bed.look(lambda tx: tx.asked(last=3)) == []
    ask(Outcome.ANSWERED)
    ask(Outcome.FAILED, Outcome.UNANSWERED)
    ask(Outcome.FAILED, Outcome.ANSWERED)
    found = bed.look(lambda tx: tx.asked(last=2))
    assert [(asked.answered, asked.at) for asked in found] == [
        (True, START + timedelta(minutes=2)),
        (False, START + timedelta(minutes=1)),
    ]
    assert len(bed.look(lambda tx: tx.asked(last=9))) == 3
    assert bed.look(lambda tx: tx.asked(last=9), cause=bed.they) == []


def test_mails_whose_summary_is_provisional_are_found(bed: Bed) -> None:
    bed.mail("kept")
    waits = bed.mail("waits", provisional=True)
    found = bed.look(lambda tx: tx.mails(MailQuery(provisional=True)))
    assert [mail.id for mail in found] == [waits.id]


def test_an_approval_that_never_was_answered_is_no_denial(bed: Bed) -> None:
    call = bed.call(state=CallState.PARKED)
    bed.write(lambda tx: tx.add_approval(an_approval(call)))
    assert bed.look(lambda tx: tx.denials(START - timedelta(days=1))) == []
