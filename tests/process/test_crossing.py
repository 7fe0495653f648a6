"""A mail and a talk cross the real queue."""

from assistant.domain.call_states import CallState
from assistant.domain.mail import MailQuery
from tests.process.rig import Rig, made_once, told_once


def test_a_mail_over_smtp_is_summarised_and_announced(rig: Rig) -> None:
    raw = rig.mail()
    rig.post(raw)
    rig.rest()
    with rig.assistant.store.read(rig.assistant.cause()) as tx:
        [mail] = tx.mails(MailQuery(limit=1))
    assert rig.assistant.blobs.get(mail.raw).rstrip() == raw.rstrip()
    told_once(rig, mail.id)


def test_what_is_said_is_answered_and_an_approved_event_is_made_once(rig: Rig) -> None:
    conversation = rig.ask_for_event()
    call = rig.parked(conversation)
    rig.rest()
    assert rig.events(call) == []
    assert rig.approve(call).accepted
    assert not rig.approve(call).accepted
    rig.rest()
    made_once(rig, conversation)
    assert rig.calls(conversation)[0].state is CallState.DONE


def test_a_handler_that_fails_once_is_tried_again(rig: Rig) -> None:
    rig.arm("read_mail.commit.before")
    mail = rig.forward()
    rig.rest()
    assert rig.happened("read_mail.commit.before")
    assert f"read_mail:{mail} will be tried again" in rig.logs("processes")
    told_once(rig, mail)
