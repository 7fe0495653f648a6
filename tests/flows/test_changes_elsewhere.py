"""Somebody else changes the calendar: what waits follows by itself, and nothing else moves."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from assistant.adapters.calendar.copying.times import times_of
from assistant.adapters.calendar.expansion import expand_here
from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calendar.events import Event
from assistant.domain.calendar.recurrence import Frequency, Recurrence
from assistant.domain.calendar.series import Expanded
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Unreachable
from assistant.domain.messages import SyncCalendar
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.calendar.syncing import SyncStarter
from assistant.flows.operations.upkeep import Interval
from tests.changing_calendar import ChangingCalendar
from tests.flows.test_batches import booking
from tests.flows.test_moved import LUNCH, lunch, renames
from tests.stores import opened
from tests.world import OWNER, ZONE, World

_S = CallState


def listed(objects: Sequence[bytes], start: datetime, end: datetime) -> Sequence[Expanded]:
    return times_of(objects, start, end, zone=ZoneInfo(ZONE), expand=expand_here)


class Shared(World):
    """A world whose calendar others change too."""

    @property
    def server(self) -> ChangingCalendar:
        assert isinstance(self.calendar, ChangingCalendar)
        return self.calendar

    def syncs(self) -> None:
        with self.store.begin(self.cause) as tx:
            tx.emit(SyncCalendar(id=OWNER))
        self.settle()


def keeper(world: World) -> CopyKeeper:
    assert isinstance(world.calendar, ChangingCalendar)
    return CopyKeeper(
        server=world.calendar,
        store=world.store,
        clock=world.clock,
        expand=listed,
        source=lambda: "here",
        zone=ZONE,
        monotonic=world.clock.monotonic,
    )


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[Shared]:
    with opened("sqlite", request) as make:
        yield Shared(make, calendar=ChangingCalendar(zone=ZONE), keep_copy=keeper)


def test_a_call_whose_event_changed_elsewhere_is_asked_about_anew_without_a_press(
    shared: Shared,
) -> None:
    lunch(shared)
    shared.syncs()
    shared.asks(renames())
    moved = Event(uid="lunch", title="Lunch with Ann", when=LUNCH)
    shared.calendar.put(moved)
    shared.clock.passes(seconds=80)
    shared.settle()
    assert shared.states("A1", "A2") == [_S.SUPERSEDED, _S.PARKED]
    assert "Lunch with Ann" in str(shared.call("A2").facts.before)
    shared.presses(Verb.APPROVE, "A2")
    assert shared.call("A2").state is _S.DONE
    assert shared.calendar.get("lunch").title == "Brunch"


def test_a_call_whose_event_was_deleted_elsewhere_is_void_and_its_card_says_so(
    shared: Shared,
) -> None:
    lunch(shared)
    shared.syncs()
    shared.asks(renames())
    shared.calendar.remove("lunch")
    shared.syncs()
    call = shared.call("A1")
    assert call.state is _S.VOID
    assert call.told == "the event “Lunch” was deleted elsewhere"
    assert "was deleted elsewhere" in shared.card("A1").text
    notices = shared.words(ShownKind.NOTICE)
    said = "A1 is cancelled, as the event “Lunch” was deleted elsewhere. Nothing was done."
    assert said in notices
    with shared.store.read(shared.cause) as tx:
        assert tx.approval(call.id).state is ApprovalState.VOID
    shared.syncs()
    assert shared.words(ShownKind.NOTICE) == notices


def test_the_title_of_an_event_deleted_elsewhere_is_told_to_no_model(shared: Shared) -> None:
    lunch(shared, "Lunch with the notary")
    shared.syncs()
    shared.asks(renames())
    shared.calendar.remove("lunch")
    shared.syncs()
    shared.says("and now?")
    assert "its event was deleted elsewhere" in str(shared.model.views[-1])
    assert not any("notary" in str(view) for view in shared.model.views)


def test_a_change_of_another_event_moves_nothing(shared: Shared) -> None:
    lunch(shared)
    other = shared.calendar.put(Event(uid="tea", title="Tea", when=LUNCH))
    shared.syncs()
    shared.asks(renames(), booking("Rent"))
    shared.calendar.put(other.model_copy(update={"title": "Coffee"}))
    shared.syncs()
    assert shared.states("A1", "A2") == [_S.PARKED, _S.PARKED]


def test_the_assistant_s_own_change_seen_again_is_no_change(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    shared.asks(booking("Rent"))
    shared.asks(renames(), booking("Walk", 14))
    shared.presses(Verb.APPROVE, "A1")
    shared.syncs()
    shared.clock.passes(minutes=2)
    shared.settle()
    assert shared.states("A1", "A2", "A3") == [_S.DONE, _S.PARKED, _S.PARKED]
    uid = shared.call("A1").facts.args["uid"]
    shared.asks(renames(uid, "Rent for May"))
    shared.syncs()
    assert shared.call("A4").state is _S.PARKED


def test_a_call_that_was_inspected_after_the_sync_looked_is_left_alone(shared: Shared) -> None:
    """The copy is older than the card: the calendar itself is asked before anything is done."""
    lunch(shared)
    shared.syncs()
    lunch(shared, "Late lunch")
    shared.asks(renames())
    server = shared.server
    changes = server.changes
    server.changes = lambda token: changes(token).model_copy(update={"etags": {}})  # type: ignore[method-assign]
    shared.syncs()
    assert shared.call("A1").state is _S.PARKED


def test_a_calendar_that_does_not_answer_moves_nothing(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    shared.asks(renames())
    shared.server.away = Unreachable("gone")
    shared.clock.passes(minutes=30)
    shared.settle()
    assert shared.call("A1").state is _S.PARKED
    with shared.store.read(shared.cause) as tx:
        copy = tx.calendar_copy()
    assert copy is not None
    assert copy.trouble == "A service did not answer: gone"


def test_it_is_synced_about_once_a_minute_and_more_rarely_while_it_does_not_answer(
    shared: Shared,
) -> None:
    shared.syncs()
    asked = shared.server.asked
    for _ in range(600):
        shared.clock.passes(seconds=1)
        shared.settle()
    assert 7 <= shared.server.asked - asked <= 10
    shared.server.away = Unreachable("gone")
    tries = []
    address = shared.server.address

    def noted() -> str:
        tries.append(shared.clock.now())
        return address()

    shared.server.address = noted  # type: ignore[method-assign]
    for _ in range(360):
        shared.clock.passes(seconds=5)
        shared.settle()
    assert 5 <= len(tries) <= 9
    shared.server.away = None
    shared.clock.passes(minutes=7)
    shared.settle()
    with shared.store.read(shared.cause) as tx:
        copy = tx.calendar_copy()
    assert copy is not None
    assert (copy.trouble, copy.failures) == ("", 0)


def test_the_starter_orders_one_sync_and_brings_a_lost_job_back(shared: Shared) -> None:
    starter = SyncStarter(
        store=shared.store,
        clock=shared.clock,
        source=lambda: "here",
        every=Interval(600.0, monotonic=shared.clock.monotonic),
    )
    starter.tick(shared.cause)
    starter.tick(shared.cause)
    shared.settle()
    assert shared.server.asked == 1
    [job] = shared.store.jobs()
    assert job.periodic
    shared.clock.passes(minutes=2)
    held = shared.store.claim(job.id, worker="w")
    assert held is not None
    with shared.store.begin(shared.cause) as tx:
        tx.done(held)
    assert shared.store.jobs() == []
    shared.clock.passes(minutes=15)
    starter.tick(shared.cause)
    shared.clock.passes(minutes=6)
    shared.settle()
    assert shared.server.asked == 2


def test_a_read_says_as_of_when_it_is_where_the_calendar_does_not_answer(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    shared.server.away = Unreachable("gone")
    shared.clock.passes(minutes=12)
    found = shared.calls(
        "get_events_availability",
        start="2026-11-30T00:00:00+01:00",
        end="2026-12-01T00:00:00+01:00",
    )
    assert found.state is _S.DONE
    assert "10:00–11:00" in found.result
    assert found.result.endswith("\nAs of 09:00; the calendar does not answer.")
    assert found.told.endswith("As of 09:00; the calendar does not answer.")


def test_an_event_of_ours_that_was_deleted_elsewhere_is_said_at_undo(shared: Shared) -> None:
    shared.asks(booking("Rent"))
    shared.presses(Verb.APPROVE, "A1")
    shared.syncs()
    shared.calendar.remove(shared.call("A1").facts.args["uid"])
    shared.clock.passes(minutes=2)
    shared.settle()
    [undone] = shared.undoes("A1")
    assert not undone.accepted
    assert undone.text == "A1 cannot be undone: it was deleted elsewhere, as was found at 09:02."


def test_an_event_of_ours_that_we_deleted_is_not_said_to_be_deleted_elsewhere(
    shared: Shared,
) -> None:
    shared.asks(booking("Rent"))
    shared.presses(Verb.APPROVE, "A1")
    uid = shared.call("A1").facts.args["uid"]
    shared.asks(Want(tool="delete_event", args={"event": uid}))
    shared.presses(Verb.APPROVE, "A2")
    shared.clock.passes(minutes=2)
    shared.settle()
    [undone] = shared.undoes("A1")
    assert not undone.accepted
    assert "elsewhere" not in undone.text


# The calendar does not answer


@pytest.fixture
def away(shared: Shared) -> Shared:
    """A world whose calendar answered last at 09:00, when it had Lunch."""
    lunch(shared)
    shared.syncs()
    shared.server.away = Unreachable("gone")
    shared.clock.passes(minutes=12)
    return shared


AS_OF = "As of 09:00; the calendar does not answer."


def test_the_titles_are_told_as_of_when_they_are(away: Shared) -> None:
    found = away.calls(
        "get_events_details",
        start="2026-11-30T00:00:00+01:00",
        end="2026-12-01T00:00:00+01:00",
    )
    assert "Lunch" in found.result
    assert found.result.endswith(f"\n{AS_OF}")
    assert found.told.endswith(AS_OF)


def test_a_card_says_as_of_when_nothing_was_in_the_way(away: Shared) -> None:
    away.asks(booking("Rent"))
    assert "Overlaps as of 09:00" in [row.text for row in away.card("A1").rows]
    assert any(row.name == "Overlaps" for row in away.card("A1").rows)
    assert "09:00" in away.told()["Overlaps as of"]
    away.presses(Verb.DENY, "A1")
    away.server.away = None
    away.syncs()
    away.asks(booking("Rent"))
    assert not any("as of" in row.text for row in away.card("A2").rows)


# The copy is behind


def test_a_card_shows_an_event_that_was_found_by_its_title_as_it_is_now(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    later = LUNCH.model_copy(update={"end": LUNCH.end + timedelta(hours=1)})
    now = shared.server.put(Event(uid="lunch", title="Lunch", when=later))
    asked = shared.server.asked
    shared.asks(renames("Lunch"))
    assert shared.server.asked == asked, "the copy was fresh, and behind"
    facts = shared.call("A1").facts
    assert facts.state == {"lunch": now.etag}
    assert datetime.fromisoformat(facts.before["end"]) == later.end
    shared.presses(Verb.APPROVE, "A1")
    assert shared.call("A1").state is _S.DONE
    assert shared.server.get("lunch").title == "Brunch"


def test_an_event_that_has_another_title_by_now_is_not_found(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    lunch(shared, "Board meeting")
    shared.asks(renames("Lunch"))
    assert shared.call("A1").state is _S.REFUSED
    assert "no event called 'Lunch'" in shared.call("A1").result


def test_an_event_that_is_gone_by_now_is_not_found(shared: Shared) -> None:
    lunch(shared)
    shared.syncs()
    shared.server.remove("lunch")
    shared.asks(renames("Lunch"))
    assert shared.call("A1").state is _S.REFUSED
    assert "no event called 'Lunch'" in shared.call("A1").result


def test_an_occurrence_that_was_found_by_its_day_is_shown_as_it_is_now(shared: Shared) -> None:
    weekly = Recurrence(frequency=Frequency.WEEKLY, count=4)
    shared.server.put(Event(uid="lunch", title="Lunch", when=LUNCH, recurrence=weekly))
    shared.syncs()
    later = LUNCH.model_copy(update={"end": LUNCH.end + timedelta(hours=1)})
    shared.server.put(Event(uid="lunch", title="Lunch", when=later, recurrence=weekly))
    args = {"event": "Lunch", "on": "2026-12-07", "scope": "this"}
    shared.asks(Want(tool="delete_event", args=args))
    facts = shared.call("A1").facts
    assert datetime.fromisoformat(facts.before["end"]) == later.end + timedelta(days=7)
    shared.presses(Verb.APPROVE, "A1")
    assert shared.call("A1").state is _S.DONE
