"""What every store promises of the rows of invitations."""

from datetime import timedelta
from functools import partial

import pytest

from assistant.domain.calendar.invitations.invitation import CalendarMethod, Invitation
from assistant.domain.calendar.invitations.known import InvitationKey, KnownInvitation
from assistant.domain.calendar.invitations.record import InvitationRecord
from assistant.domain.errors import Denied, NotFound
from assistant.domain.jobs.job import Cause
from tests.bed import START, Bed, race

KEY = InvitationKey("uid", "", "boss@example.org")
PART = KEY._replace(occurrence="20261207T090000Z")
EVE = KEY._replace(organizer="eve@example.com")
OTHER = Cause(owner="other", trace="e" * 32)


def opened(bed: Bed, key: InvitationKey = KEY, cause: Cause | None = None) -> InvitationRecord:
    return bed.write(lambda tx: tx.open_invitation(key, now=START), cause=cause)


def keep(bed: Bed, record: InvitationRecord) -> None:
    bed.write(lambda tx: tx.keep_invitation(record))


def test_a_row_comes_back_as_it_was_kept(bed: Bed) -> None:
    invitation = Invitation(method=CalendarMethod.REQUEST, uid="uid", organizer="boss@example.org")
    record = opened(bed).model_copy(
        update={
            "mail": "m1",
            "known": KnownInvitation.of(invitation),
            "told": ("a", "b"),
            "wanted": True,
            "said": "Invitation",
            "updated": START + timedelta(hours=1),
        }
    )
    keep(bed, record)
    assert bed.look(lambda tx: tx.invitation(record.id)) == record
    assert bed.look(lambda tx: tx.invitations_by("m1")) == [record]
    assert bed.look(lambda tx: tx.invitations_by("m2")) == []
    assert bed.look(lambda tx: tx.wanted_invitations(limit=5)) == 1


def test_opened_again_it_is_the_same_row(bed: Bed) -> None:
    record = opened(bed).model_copy(update={"said": "Invitation"})
    keep(bed, record)
    assert opened(bed) == record


def test_rows_of_one_identifier_are_found_the_organizer_s_first(bed: Bed) -> None:
    for key in (EVE, PART, KEY, EVE._replace(occurrence="20270101"), KEY._replace(uid="x")):
        opened(bed, key)
    found = bed.look(lambda tx: tx.invitations_like(PART))
    assert [(one.organizer, one.occurrence) for one in found] == [
        (KEY.organizer, ""),
        (EVE.organizer, ""),
    ]


def test_a_row_is_its_owner_s_alone(bed: Bed) -> None:
    record = opened(bed)
    theirs = opened(bed, cause=OTHER)
    assert theirs.id != record.id
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.invitation(record.id), cause=OTHER)
    bed.write(lambda tx: tx.drop_invitation(record.id), cause=OTHER)
    assert bed.look(lambda tx: tx.invitation(record.id)) == record
    bed.write(lambda tx: tx.drop_invitation(record.id))
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.invitation(record.id))


def test_who_only_looks_locks_nothing(bed: Bed) -> None:
    record = opened(bed)
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.invitation(record.id, lock=True))


def test_who_opens_a_row_at_once_sees_what_the_other_kept(bed: Bed) -> None:
    def adds(word: str) -> None:
        with bed.store.begin(bed.me) as tx:
            record = tx.open_invitation(KEY, now=START)
            tx.keep_invitation(record.model_copy(update={"told": (*record.told, word)}))

    for number in range(6):
        done = race(partial(adds, f"a{number}"), partial(adds, f"b{number}"))
        assert done == [None, None]
    assert len(opened(bed).told) == 12
