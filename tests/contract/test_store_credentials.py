"""What every store promises of passwords that are kept encrypted."""

from datetime import timedelta

import pytest

from assistant.domain.credentials.credential import Credential
from assistant.domain.errors import Denied
from tests.bed import START, Bed

ONE = Credential(name="calendar", about='{"a":1}', sealed="1.xyz", created=START)


def test_one_comes_back_as_it_was_kept_and_another_takes_its_place(bed: Bed) -> None:
    assert bed.look(lambda tx: tx.credential("calendar")) is None
    bed.write(lambda tx: tx.keep_credential(ONE, by="ann"))
    assert bed.look(lambda tx: tx.credential("calendar")) == ONE
    other = ONE.model_copy(update={"sealed": "1.abc", "created": START + timedelta(hours=1)})
    bed.write(lambda tx: tx.keep_credential(other, by="ann"))
    assert bed.look(lambda tx: tx.credential("calendar")) == other


def test_what_is_forgotten_is_gone(bed: Bed) -> None:
    bed.write(lambda tx: tx.keep_credential(ONE, by="ann"))
    assert bed.write(lambda tx: tx.forget_credential("calendar", by="ann"))
    assert bed.look(lambda tx: tx.credential("calendar")) is None
    assert not bed.write(lambda tx: tx.forget_credential("calendar", by="ann"))


def test_another_owner_sees_none(bed: Bed) -> None:
    bed.write(lambda tx: tx.keep_credential(ONE, by="ann"))
    assert bed.look(lambda tx: tx.credential("calendar"), cause=bed.they) is None
    assert not bed.write(lambda tx: tx.forget_credential("calendar", by="x"), cause=bed.they)
    assert bed.look(lambda tx: tx.credential("calendar")) == ONE


def test_the_audit_tells_that_it_was_kept_and_neither_password_nor_cipher(bed: Bed) -> None:
    bed.write(lambda tx: tx.keep_credential(ONE, by="ann"))
    bed.write(lambda tx: tx.forget_credential("calendar", by="ann"))
    entries = bed.look(lambda tx: tx.audit(kind="credential"))
    assert [(one.kind, one.subject, one.actor) for one in entries] == [
        ("credential.kept", "calendar", "ann"),
        ("credential.forgotten", "calendar", "ann"),
    ]
    assert ONE.sealed not in str(entries)


def test_a_transaction_that_reads_keeps_none(bed: Bed) -> None:
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.keep_credential(ONE, by="ann"))
