"""What every store promises of reminders, and of what was due to be told."""

from datetime import datetime, timedelta

import pytest

from assistant.domain.calendar.recurrence import Frequency, Recurrence
from assistant.domain.errors import Denied, NotFound
from assistant.domain.reminders.due_notices import LATE, DueKind, DueNotice
from assistant.domain.reminders.reminder import ReminderState
from assistant.domain.store import Tx
from tests.bed import START, Bed, a_reminder, race

ROUNDS = 6
HOUR = timedelta(hours=1)
DAILY = Recurrence(frequency=Frequency.DAILY)


def a_notice(id: str, *, due: datetime = START, kind: DueKind = DueKind.REMINDER) -> DueNotice:
    return DueNotice(id=id, kind=kind, due=due, made=START)


def test_a_reminder_comes_back_as_it_was_kept_with_a_number(bed: Bed) -> None:
    kept = bed.write(lambda tx: tx.add_reminder(a_reminder("a", repeats=DAILY)))
    again = bed.write(lambda tx: tx.add_reminder(a_reminder("a")))
    assert again == kept
    plain = kept.model_copy(update={"number": 0, "trace": ""})
    assert plain == a_reminder("a", repeats=DAILY)
    for name in ("a", kept.handle, kept.handle.lower(), str(kept.number)):
        assert bed.look(lambda tx, name=name: tx.reminder(name)) == kept  # type: ignore[misc]
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.reminder("R99"))


def test_those_that_wait_are_listed_by_when_they_are_due(bed: Bed) -> None:
    for id, hours in (("a", 3), ("b", 1), ("c", 2)):
        one = a_reminder(id, at=START + hours * HOUR)
        bed.write(lambda tx, one=one: tx.add_reminder(one))  # type: ignore[misc]
    assert [one.id for one in bed.look(lambda tx: tx.reminders())] == ["b", "c", "a"]
    due = bed.look(lambda tx: tx.due_reminders(START + 2 * HOUR))
    assert [one.id for one in due] == ["b", "c"]
    told = due[0].model_copy(update={"state": ReminderState.TOLD, "told": START + 2 * HOUR})
    assert bed.write(lambda tx: tx.move_reminder(due[0], told))
    assert bed.look(lambda tx: tx.reminder("b")) == told
    assert bed.look(lambda tx: tx.waiting_reminders()) == 2
    assert [one.id for one in bed.look(lambda tx: tx.reminders(state=None))] == ["c", "b", "a"]
    ended = bed.look(lambda tx: tx.reminders(state=ReminderState.TOLD))
    assert [one.id for one in ended] == ["b"]
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.move_reminder(due[1], told))


@pytest.mark.parametrize("round", range(ROUNDS))
def test_of_two_that_tell_one_only_one_does(bed: Bed, round: int) -> None:
    del round
    kept = bed.write(lambda tx: tx.add_reminder(a_reminder("a", repeats=DAILY)))
    later = kept.model_copy(update={"at": START + 24 * HOUR, "told": START})

    def tell(tx: Tx) -> bool:
        return tx.move_reminder(kept, later) and tx.expect_notice(a_notice("remind-a"))

    assert set(race(*[lambda: bed.write(tell)] * 2)) == {False, True}
    assert bed.look(lambda tx: tx.reminder("a")) == later


def test_what_was_due_is_expected_once_and_missing_until_it_is_shown(bed: Bed) -> None:
    assert bed.write(lambda tx: tx.expect_notice(a_notice("a")))
    assert not bed.write(lambda tx: tx.expect_notice(a_notice("a", due=START + HOUR)))
    assert bed.look(lambda tx: tx.notices_missing(due_before=START)) == []
    [missing] = bed.look(lambda tx: tx.notices_missing(due_before=START + HOUR))
    assert missing == a_notice("a")
    bed.write(lambda tx: tx.notice_shown("a"))
    bed.write(lambda tx: tx.notice_shown("say-1"))
    assert bed.look(lambda tx: tx.notices_missing(due_before=START + HOUR)) == []


def test_what_was_shown_late_is_told_of_once(bed: Bed) -> None:
    now = bed.clock.now()
    for id, ago in (("late", 2 * LATE), ("soon", LATE / 2), ("later", 3 * LATE)):
        notice = a_notice(id, due=now - ago)
        bed.write(lambda tx, notice=notice: tx.expect_notice(notice))  # type: ignore[misc]
        bed.write(lambda tx, shown=id: tx.notice_shown(shown))  # type: ignore[misc]
    late = bed.look(lambda tx: tx.notices_late())
    assert [one.id for one in late] == ["later", "late"]
    assert late[0].shown == now
    assert bed.write(lambda tx: tx.note_lateness(["late", "later"]))
    assert not bed.write(lambda tx: tx.note_lateness(["late"]))
    assert bed.look(lambda tx: tx.notices_late()) == []


def test_the_last_brief_is_found(bed: Bed) -> None:
    assert bed.look(lambda tx: tx.last_notice(DueKind.BRIEF)) is None
    for day in (1, 3, 2):
        made = a_notice(f"brief-{day}", kind=DueKind.BRIEF)
        made = made.model_copy(update={"made": START + day * 24 * HOUR})
        bed.write(lambda tx, made=made: tx.expect_notice(made))  # type: ignore[misc]
    found = bed.look(lambda tx: tx.last_notice(DueKind.BRIEF))
    assert found is not None
    assert found.id == "brief-3"


def test_a_turn_is_taken_once_in_its_time_also_after_a_clock_was_set_back(bed: Bed) -> None:
    def take() -> bool:
        return bed.write(lambda tx: tx.take_turn("heartbeat", every=HOUR))

    assert take()
    assert not take()
    bed.clock.passes(minutes=61)
    assert set(race(*[take] * 2)) == {False, True}
    bed.clock.passes(hours=-30)
    assert take()
    assert bed.look(lambda tx: tx.notices_missing(due_before=START + 99 * HOUR)) == []
