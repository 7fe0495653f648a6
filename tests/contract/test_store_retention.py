"""What is over goes after its time, and nothing that waits; what is asked for is stored once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from assistant.adapters.sql.retention.settled import SCREEN_LINES
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.sql_screen import SqlScreen
from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import mint
from assistant.domain.calls.call import Facts
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Usage
from assistant.domain.conversation.deliveries import Attempt, Delivery, Shown, ShownKind
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.mail.mail import MailState
from assistant.domain.messages import Deliver, Expire, ReadMail, Run, Think
from assistant.domain.store import Tx
from tests.bed import START, Bed, a_delivery, a_mail, race, said

YEARS = timedelta(days=3 * 365)
NOW = START + YEARS


def shows(bed: Bed, id: str, **changes: Any) -> Delivery:
    """A delivery that is settled."""
    wanted = a_delivery(id=id, **changes)
    bed.write(lambda tx: tx.want(wanted))
    job = bed.claimed(f"deliver:{id}")

    def show(tx: Tx) -> None:
        tx.shown(wanted, handle="h")
        tx.done(job)

    bed.write(show)
    return wanted


def drops_shown(bed: Bed, limit: int = 100) -> int:
    bed.clock.time = NOW
    return bed.store.drop_shown("owner", before=NOW - timedelta(days=400), limit=limit)


def drops_ended(bed: Bed, limit: int = 100) -> int:
    bed.clock.time = NOW
    return bed.store.drop_ended("owner", before=NOW - timedelta(days=400), limit=limit)


def is_there(bed: Bed, id: str) -> bool:
    try:
        bed.look(lambda tx: tx.delivery(id))
    except NotFound:
        return False
    return True


# What was shown


def test_what_was_shown_goes_and_what_is_young_stays(bed: Bed) -> None:
    shows(bed, "words-1")
    bed.clock.time = NOW - timedelta(days=399)
    shows(bed, "words-2")
    assert drops_shown(bed) == 1
    assert (is_there(bed, "words-1"), is_there(bed, "words-2")) == (False, True)
    assert drops_shown(bed) == 0


def test_another_owners_stays(bed: Bed) -> None:
    wanted = a_delivery(owner="other")
    bed.write(lambda tx: tx.want(wanted), cause=bed.they)
    bed.write(lambda tx: tx.shown(wanted, handle="h"), cause=bed.they)
    assert drops_shown(bed) == 0
    assert bed.look(lambda tx: tx.delivery(wanted.id), cause=bed.they).settled


def waits_to_be_shown(bed: Bed) -> str:
    bed.write(lambda tx: tx.want(a_delivery(id="words-1")))
    return "words-1"


def has_changed(bed: Bed) -> str:
    shows(bed, "words-1")
    bed.write(lambda tx: tx.want(a_delivery("Another", id="words-1")))
    return "words-1"


def is_being_tried(bed: Bed) -> str:
    wanted = shows(bed, "words-1")
    bed.write(lambda tx: tx.trying(wanted))
    return "words-1"


def has_a_job(bed: Bed) -> str:
    shows(bed, "words-1")
    bed.emit(Deliver(id="words-1"))
    return "words-1"


def is_the_card_of_a_call_that_waits(bed: Bed) -> str:
    return shows(bed, f"card-{bed.call(state=CallState.PARKED).id}").id


def is_the_receipt_of_a_call_that_runs(bed: Bed) -> str:
    return shows(bed, f"receipt-{bed.call().id}").id


def announces_a_mail(bed: Bed) -> str:
    return shows(bed, f"mail-{bed.mail().id}").id


def has_a_button(bed: Bed) -> str:
    wanted = shows(bed, "words-1")
    _, token = mint(Verb.UNDO, "x", expires=NOW + timedelta(days=1), delivery=wanted.id)
    bed.write(lambda tx: tx.add_tokens([token]))
    return wanted.id


@pytest.mark.parametrize(
    "make",
    [
        waits_to_be_shown,
        has_changed,
        is_being_tried,
        has_a_job,
        is_the_card_of_a_call_that_waits,
        is_the_receipt_of_a_call_that_runs,
        announces_a_mail,
        has_a_button,
    ],
)
def test_what_somebody_waits_for_stays(bed: Bed, make: Callable[[Bed], str]) -> None:
    id = make(bed)
    assert drops_shown(bed) == 0
    assert is_there(bed, id)


def test_a_button_that_was_used_keeps_nothing(bed: Bed) -> None:
    wanted = shows(bed, "words-1")
    _, token = mint(Verb.UNDO, "x", expires=NOW + timedelta(days=1), delivery=wanted.id)
    bed.write(lambda tx: tx.add_tokens([token]))
    bed.write(lambda tx: tx.use_token(token, by="me", at=START))
    assert drops_shown(bed) == 1


def test_one_batch_is_small_and_two_at_once_do_no_harm(bed: Bed) -> None:
    for number in range(5):
        shows(bed, f"words-{number}")
    bed.clock.time = NOW
    drop = lambda: drops_shown(bed, limit=2)  # noqa: E731 (a name for one call)
    dropped = race(drop, drop)
    assert all(isinstance(one, int) and one <= 2 for one in dropped)
    while drops_shown(bed, limit=2):
        pass
    assert not bed.look(lambda tx: tx.deliveries())


# The screen


@pytest.fixture
def screen(bed: Bed) -> SqlScreen:
    assert isinstance(bed.store, SqlStore)
    return SqlScreen(engines=bed.store._engines, clock=bed.clock)


def draws(screen: SqlScreen, id: str) -> None:
    shown = Shown(kind=ShownKind.WORDS, text=id)
    screen.show("owner", shown, attempt=Attempt(key=f"owner:{id}"))


def test_old_lines_of_the_screen_go_and_open_cards_stay(bed: Bed, screen: SqlScreen) -> None:
    card = f"card-{bed.call(state=CallState.PARKED).id}"
    for id in ("words-1", card):
        draws(screen, id)
    bed.clock.time = NOW
    draws(screen, "words-2")
    assert drops_shown(bed) == 1
    assert [line.key for line in screen.lines("owner")] == [f"owner:{card}", "owner:words-2"]


def test_a_screen_keeps_its_newest_lines(bed: Bed, screen: SqlScreen) -> None:
    for number in range(SCREEN_LINES + 5):
        draws(screen, f"words-{number}")
    dropped = bed.store.drop_shown("owner", before=START - YEARS, limit=100)
    assert dropped == 5
    assert screen.named(["owner:words-4"]) == []
    assert len(screen.named(["owner:words-5"])) == 1


# What is left of work


def fails(bed: Bed, message: Any) -> str:
    name = bed.emit(message)
    job = bed.claimed(name)
    bed.write(lambda tx: tx.fail(job, "no"))
    return name


def left(bed: Bed) -> list[str]:
    return [job.id for job in bed.store.jobs()]


def test_failed_jobs_go_when_nothing_waits_for_them(bed: Bed) -> None:
    shows(bed, "words-1")
    mail = a_mail(state=MailState.ANNOUNCED)
    bed.write(lambda tx: tx.add_mail(mail))
    call = bed.call(state=CallState.DENIED)
    talk = bed.conversation()
    bed.write(lambda tx: tx.close(talk))
    for message in (Deliver(id="words-1"), ReadMail(id=mail.id), Run(id=call.id), Think(id=talk)):
        fails(bed, message)
    assert drops_ended(bed) == 4
    assert left(bed) == []


def test_a_job_of_which_something_waits_stays(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery(id="words-1")))
    mail = bed.mail()
    call = bed.call(state=CallState.PARKED)
    talk = bed.conversation()
    failed = [
        fails(bed, message)
        for message in (
            Deliver(id="words-1"),
            ReadMail(id=mail.id),
            Expire(id=call.id),
            Think(id=talk),
        )
    ]
    waiting = bed.emit(Run(id="x"))
    assert drops_ended(bed) == 0
    assert set(left(bed)) == {waiting, *failed}


def test_what_channels_told_and_what_models_cost_goes(bed: Bed) -> None:
    def happens(event: str) -> None:
        bed.write(lambda tx: tx.first_sight("discord", event))
        bed.write(lambda tx: tx.used([Usage(model="m", input_tokens=7)], subject="x"))

    happens("old")
    bed.clock.time = NOW - timedelta(days=1)
    happens("young")
    assert drops_ended(bed) == 2
    assert not bed.write(lambda tx: tx.first_sight("discord", "young"))
    assert sum(bed.look(lambda tx: tx.spent(START)).values()) == 7


# Conversations


def talks(bed: Bed) -> str:
    talk = bed.conversation()
    bed.write(lambda tx: tx.append(talk, said("My words", source="mail of Ann"), answer=False))
    return talk


def old_talks(bed: Bed) -> list[str]:
    before = NOW - timedelta(days=30)
    return list(bed.look(lambda tx: tx.old_conversations(before=before, limit=10)))


def empties(bed: Bed, talk: str) -> bool:
    before = NOW - timedelta(days=30)
    return bed.write(lambda tx: tx.empty_conversation(talk, before=before, instead="Gone."))


def test_the_words_of_an_old_conversation_go_once(bed: Bed) -> None:
    talk = talks(bed)
    call = bed.call(conversation=talk, state=CallState.DENIED)
    bed.clock.time = NOW
    young = bed.write(lambda tx: tx.conversation_in("terminal", "there", idle=60.0).id)
    assert old_talks(bed) == [talk]
    assert [empties(bed, talk), empties(bed, talk), empties(bed, young)] == [True, False, False]
    [entry] = bed.look(lambda tx: tx.entries(talk, last=9))
    assert (entry.text, entry.source) == ("Gone.", "")
    assert old_talks(bed) == []
    assert bed.look(lambda tx: tx.call(call.id)) == call
    [noted] = bed.look(lambda tx: tx.audit(subject=talk))
    assert (noted.kind, noted.actor) == ("conversation.forgotten", "retention")


def test_a_conversation_in_which_something_waits_keeps_its_words(bed: Bed) -> None:
    talk = talks(bed)
    bed.call(conversation=talk, state=CallState.PARKED)
    thinks = bed.write(lambda tx: tx.conversation_in("terminal", "there", idle=60.0).id)
    bed.emit(Think(id=thinks))
    bed.clock.time = NOW
    assert old_talks(bed) == []
    assert not empties(bed, talk)
    assert not empties(bed, thinks)
    assert bed.look(lambda tx: tx.entries(talk, last=9))[0].text == "My words"


def test_another_owners_conversation_keeps_its_words(bed: Bed) -> None:
    theirs = bed.conversation(cause=bed.they)
    bed.clock.time = NOW
    assert old_talks(bed) == []
    assert not empties(bed, theirs)


# Sizes, and what is asked for


def test_sizes_are_told(bed: Bed) -> None:
    bed.mail()
    bed.call()
    bed.call()
    sizes = bed.store.sizes("owner")
    assert sizes.database > 10_000
    assert (sizes.blobs, sizes.mails, sizes.conversations, sizes.calls) == (100, 1, 1, 2)
    assert sizes.audit == 2
    assert bed.store.sizes("other").mails == 0


LONG = "x" * 5_000
ASKED = {"overwrite": 1, "content": LONG, "path": "a", "lines": [1] * 500, "more": None}
ARGS = {"path": "private:/a", "content": LONG, "lines": [True] * 500, "overwrite": True}


def stored(bed: Bed) -> str:
    assert isinstance(bed.store, SqlStore)
    with bed.store._engines.read.connect() as connection:
        return str(connection.execute(text("SELECT asked FROM call")).scalar())


def test_what_was_asked_for_is_stored_where_it_differs(bed: Bed) -> None:
    call = bed.call(facts=Facts(args=ARGS), asked=ASKED)
    found = bed.look(lambda tx: tx.call(call.id))
    assert found.asked == ASKED
    assert list(found.asked) == list(ASKED)
    assert found.asked["lines"][0] is not True  # 1, which equals it
    assert LONG not in stored(bed)


def test_what_is_short_is_stored_as_ever(bed: Bed) -> None:
    bed.call(facts=Facts(args=ARGS), asked={"overwrite": True})
    assert stored(bed) == '{"overwrite":true}'


def test_a_call_of_an_earlier_version_has_all_it_was_asked_for(bed: Bed) -> None:
    call = bed.call(facts=Facts(args=ARGS), asked=ASKED)
    assert isinstance(bed.store, SqlStore)
    with bed.store._engines.write.begin() as connection:
        connection.execute(text("""UPDATE call SET asked = '{"path":"b"}'"""))
    assert bed.look(lambda tx: tx.call(call.id)).asked == {"path": "b"}


def test_what_a_call_asks_for_never_changes(bed: Bed) -> None:
    call = bed.call()
    with pytest.raises(BadArguments):
        bed.write(lambda tx: tx.move(call, CallState.RUNNING, facts=Facts(args={})))
