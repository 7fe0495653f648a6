"""What every store promises of the ledger of commitments."""

from datetime import date, datetime, timedelta, timezone
from functools import partial
from typing import Any

import pytest

from assistant.domain.errors import Conflict, Denied, IllegalStep, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.understanding.commitments import (
    Commitment,
    CommitmentKind,
    CommitmentState,
)
from assistant.domain.store import Tx
from tests.bed import Bed, an_ask, race

ROUNDS = 6
TOMORROW = date(2026, 11, 24)


def keep(bed: Bed, mail: str, *rows: Commitment, cause: Cause | None = None) -> None:
    bed.write(lambda tx: tx.keep_commitments(mail, rows), cause=cause)


def listed(bed: Bed, *, cause: Cause | None = None, **which: Any) -> list[Commitment]:
    return list(bed.look(lambda tx: tx.commitments(**which), cause=cause))


def words(bed: Bed, **which: Any) -> list[str]:
    return [row.words for row in listed(bed, **which)]


def moved(bed: Bed, number: int, to: CommitmentState) -> Commitment:
    return bed.write(lambda tx: tx.move_commitment(tx.commitment(number), to))


def test_a_row_comes_back_as_it_was_kept_with_a_number(bed: Bed) -> None:
    mail = bed.mail().id
    zoned = datetime(2026, 11, 25, 10, tzinfo=timezone(timedelta(hours=2)))
    local = datetime(2026, 11, 25, 11)  # noqa: DTZ001  # the mail's own zone
    dues = {"a": TOMORROW, "b": zoned, "c": local}
    rows = [an_ask(name, mail, due=due) for name, due in dues.items()]
    promise = an_ask("d", mail, kind=CommitmentKind.PROMISED, who="")
    keep(bed, mail, *rows, promise)
    found = listed(bed)
    assert [row.model_copy(update={"number": 0}) for row in found] == [*rows, promise]
    assert type(found[0].due) is date
    assert found[1].due == zoned
    numbers = [row.number for row in found]
    assert len(set(numbers)) == 4
    assert [bed.look(partial(_numbered, number)) for number in numbers] == found


def _numbered(number: int, tx: Tx) -> Commitment:
    return tx.commitment(number)


def test_the_open_ones_come_by_when_they_are_due(bed: Bed) -> None:
    mail = bed.mail().id
    later = an_ask("later", mail, due=date(2026, 12, 1))
    sooner = an_ask("sooner", mail, due=TOMORROW)
    keep(bed, mail, an_ask("first", mail), later, an_ask("second", mail), sooner)
    assert words(bed) == ["sooner", "later", "second", "first"]
    assert words(bed, limit=3) == ["sooner", "later", "second"]
    assert words(bed, limit=1) == ["sooner"]
    assert words(bed, settled=True) == ["sooner", "second", "later", "first"]


def test_what_the_owner_settles_is_listed_only_with_the_settled_and_can_be_opened(bed: Bed) -> None:
    mail = bed.mail().id
    keep(bed, mail, an_ask("a", mail), an_ask("b", mail))
    [_, first] = listed(bed)
    assert moved(bed, first.number, CommitmentState.DONE).state is CommitmentState.DONE
    assert words(bed) == ["b"]
    assert words(bed, settled=True) == ["b", "a"]
    with pytest.raises(IllegalStep):
        moved(bed, first.number, CommitmentState.DROPPED)
    moved(bed, first.number, CommitmentState.OPEN)
    assert words(bed) == ["b", "a"]


def test_a_mail_that_is_summarised_again_replaces_what_is_open_and_no_more(bed: Bed) -> None:
    mail, other = bed.mail().id, bed.mail("Another").id
    rows = [an_ask(name, mail) for name in ("done", "dropped", "again", "gone")]
    keep(bed, mail, *rows)
    keep(bed, other, an_ask("elsewhere", other))
    number = {row.words: row.number for row in listed(bed)}
    moved(bed, number["done"], CommitmentState.DONE)
    moved(bed, number["dropped"], CommitmentState.DROPPED)
    again = rows[2].model_copy(update={"words": "said better", "due": TOMORROW})
    keep(bed, mail, rows[0], again, an_ask("new", mail))
    assert words(bed) == ["said better", "new", "elsewhere"]
    assert listed(bed)[0].number == number["again"]
    kept = {row.words: row.state.value for row in listed(bed, settled=True)}
    assert kept == {
        "done": "done",
        "dropped": "dropped",
        "said better": "open",
        "new": "open",
        "elsewhere": "open",
    }
    keep(bed, mail)
    assert set(words(bed, settled=True)) == {"done", "dropped", "elsewhere"}


def test_the_same_rows_twice_are_the_same_rows(bed: Bed) -> None:
    mail = bed.mail().id
    rows = [an_ask("a", mail), an_ask("b", mail)]
    keep(bed, mail, *rows)
    before = listed(bed)
    keep(bed, mail, *reversed(rows))
    assert listed(bed) == before


def test_two_that_keep_the_same_rows_at_once_make_each_once(bed: Bed) -> None:
    mail = bed.mail().id
    rows = [an_ask(str(n), mail) for n in range(4)]

    def locked(wanted: list[Commitment]) -> None:
        with bed.store.begin(bed.me) as tx:
            tx.mail(mail, lock=True)
            tx.keep_commitments(mail, wanted)

    for _ in range(ROUNDS):
        race(partial(locked, rows), partial(locked, rows[::-1]))
    assert sorted(words(bed, settled=True)) == ["0", "1", "2", "3"]


def test_of_two_answers_at_once_one_counts(bed: Bed) -> None:
    mail = bed.mail().id
    keep(bed, mail, an_ask("a", mail))
    [seen] = listed(bed)
    moved(bed, seen.number, CommitmentState.DONE)
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.move_commitment(seen, CommitmentState.DROPPED))


def test_a_number_never_comes_to_mean_another_row(bed: Bed) -> None:
    mail = bed.mail().id
    keep(bed, mail, an_ask("a", mail))
    [first] = listed(bed)
    keep(bed, mail)
    keep(bed, mail, an_ask("b", mail))
    [second] = listed(bed)
    assert second.number > first.number


def test_forgetting_a_mail_leaves_nothing_of_it(bed: Bed) -> None:
    mail, other = bed.mail().id, bed.mail("Another").id
    keep(bed, mail, an_ask("a", mail), an_ask("b", mail))
    keep(bed, other, an_ask("c", other))
    moved(bed, listed(bed)[-1].number, CommitmentState.DONE)
    bed.write(lambda tx: tx.forget_commitments(mail))
    assert words(bed, settled=True) == ["c"]


def test_another_owner_sees_and_changes_nothing(bed: Bed) -> None:
    mail = bed.mail().id
    keep(bed, mail, an_ask("a", mail))
    [mine] = listed(bed)
    assert listed(bed, cause=bed.they) == []
    assert listed(bed, cause=bed.they, settled=True) == []
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.commitment(mine.number), cause=bed.they)
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.move_commitment(mine, CommitmentState.DONE), cause=bed.they)
    keep(bed, mail, cause=bed.they)
    keep(bed, mail, mine.model_copy(update={"words": "theirs"}), cause=bed.they)
    bed.write(lambda tx: tx.forget_commitments(mail), cause=bed.they)
    assert listed(bed) == [mine]


@pytest.mark.parametrize("number", [0, -1, 7, 2**31, 10**30])
def test_a_number_that_stands_for_nothing_is_not_found(bed: Bed, number: int) -> None:
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.commitment(number))


def test_one_who_only_looks_changes_nothing(bed: Bed) -> None:
    mail = bed.mail().id
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.keep_commitments(mail, [an_ask("a", mail)]))
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.forget_commitments(mail))
