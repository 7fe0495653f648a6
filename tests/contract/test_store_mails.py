"""What every store promises of mails that share a delivery, that come again, that are forgotten."""

from datetime import timedelta
from typing import Any

import pytest

from assistant.domain.call_states import CallState
from assistant.domain.errors import IllegalStep
from assistant.domain.mail import Mail, MailQuery, MailState
from assistant.domain.talk import Origin, Role
from tests.bed import START, Bed, a_call, a_delivery, said

ANNA = "anna@example.org"


def found(bed: Bed, query: MailQuery) -> list[str]:
    mails = bed.look(lambda tx: tx.mails(query))
    assert bed.look(lambda tx: tx.count_mails(query)) == len(mails)
    return [mail.subject for mail in mails]


def forgotten(bed: Bed, mail: Mail) -> Mail:
    return bed.write(lambda tx: tx.move_mail(mail, MailState.FORGOTTEN, subject=""))


def test_a_mail_is_known_by_its_bytes_to_its_owner_alone(bed: Bed) -> None:
    mail = bed.mail()
    assert bed.look(lambda tx: tx.mail_of(mail.sha256)) == mail
    assert bed.look(lambda tx: tx.mail_of("f" * 64)) is None
    assert bed.look(lambda tx: tx.mail_of(mail.sha256), cause=bed.they) is None


def test_earlier_mails_are_those_from_the_very_address(bed: Bed) -> None:
    bed.mail("from another", sender_address="joanna@example.org")
    bed.mail("theirs", cause=bed.they, sender_address=ANNA)
    first = bed.mail("first", sender_address=ANNA)
    bed.clock.passes(minutes=1)
    second = bed.mail("second", sender_address=ANNA)
    bed.clock.passes(minutes=1)
    third = bed.mail("third", sender_address=ANNA)
    nobody = bed.mail("nobody's", sender_address="")
    with bed.store.read(bed.me) as tx:
        counted = [tx.earlier_mails(mail) for mail in (first, second, third)]
    assert counted == [0, 1, 2]
    assert bed.look(lambda tx: tx.earlier_mails(nobody)) == 0


def test_mails_that_share_a_delivery_are_found_by_it(bed: Bed) -> None:
    bed.mail("alone")
    bed.mail("one", bundle="mails-1")
    bed.mail("two", bundle="mails-1", state=MailState.SUMMARISED)
    bed.mail("other", bundle="mails-2")
    assert found(bed, MailQuery(bundle="mails-1")) == ["two", "one"]
    assert found(bed, MailQuery(bundle="mails-1", state=MailState.SUMMARISED)) == ["two"]


@pytest.mark.parametrize("state", [state for state in MailState if state != "forgotten"])
def test_what_is_forgotten_is_found_only_where_it_is_asked_for(bed: Bed, state: MailState) -> None:
    mail = forgotten(bed, bed.mail("Umbrella", state=state, sender="", bundle="mails-1"))
    assert found(bed, MailQuery()) == []
    assert found(bed, MailQuery(words="umbrella")) == []
    assert found(bed, MailQuery(bundle="mails-1")) == []
    assert found(bed, MailQuery(state=state)) == []
    assert found(bed, MailQuery(state=MailState.FORGOTTEN)) == [""]
    assert bed.look(lambda tx: tx.mail_of(mail.sha256)) == mail
    with pytest.raises(IllegalStep):
        bed.write(lambda tx: tx.move_mail(mail, MailState.STORED))


def test_deliveries_are_found_by_when_they_were_first_wanted(bed: Bed) -> None:
    bed.write(lambda tx: tx.want(a_delivery(id="old")))
    bed.clock.passes(minutes=1)
    bed.write(lambda tx: tx.want(a_delivery(id="new")))
    bed.write(lambda tx: tx.want(a_delivery("changed", id="old")))
    since = START + timedelta(minutes=1)
    assert [one.id for one in bed.look(lambda tx: tx.deliveries(since=since))] == ["new"]


def test_what_was_found_and_names_a_thing_is_erased_and_nothing_else(bed: Bed) -> None:
    talk, theirs = bed.talk(), bed.talk(cause=bed.they)
    outcome: dict[str, Any] = {"role": Role.OUTCOME, "origin": Origin.OUTSIDE}
    lines = [
        said("what of 3f2a?"),
        said("Mail 3f2a: Hello", **outcome),
        said("Hello", source="mail 3f2a from Ann", **outcome),
        said("Mail 4e1b: Hello", source="mail 4e1b", **outcome),
        said("It says 3f2a", role=Role.ASSISTANT, origin=Origin.ASSISTANT),
    ]
    with bed.store.begin(bed.me) as tx:
        for line in lines:
            tx.append(talk, line, answer=False)
    bed.write(lambda tx: tx.append(theirs, lines[1], answer=False), cause=bed.they)
    call = bed.call(conversation=talk)
    running = bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    bed.write(lambda tx: tx.move(running, CallState.DONE, result="Mail 3f2a: Hello"))
    other = bed.write(lambda tx: tx.add_call(a_call(talk, ordinal=1)))

    bed.write(lambda tx: tx.erase("3f2a", instead="gone"))

    entries = bed.look(lambda tx: tx.entries(talk, last=9))
    assert [entry.text for entry in entries] == [
        "what of 3f2a?",
        "gone",
        "gone",
        "Mail 4e1b: Hello",
        "It says 3f2a",
    ]
    assert entries[2].origin is Origin.OUTSIDE
    [kept] = bed.look(lambda tx: tx.entries(theirs, last=9), cause=bed.they)
    assert kept.text == "Mail 3f2a: Hello"
    assert bed.look(lambda tx: tx.call(call.id)).result == "gone"
    assert bed.look(lambda tx: tx.call(other.id)).result == ""
