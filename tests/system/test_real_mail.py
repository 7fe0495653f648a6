"""Mail from programs that people run: swaks into the SMTP door, Postfix into the LMTP door."""

import smtplib
import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from assistant.domain.errors import Unreachable
from assistant.domain.limits import MailLimits
from ingest.doors.smtp import make_lmtp, make_smtp
from tests.ingest.test_smtp import OWNERS, Inbox, door
from tests.system.postfix import Postfix, postfix

pytestmark = pytest.mark.system

LIMITS = MailLimits(message=100_000)
NO_VALID_RECIPIENT, REFUSED_DATA = 24, 26
"""Exit codes of swaks."""


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def smtp(inbox: Inbox) -> Iterator[int]:
    with door(lambda: make_smtp(accept=inbox.accept, known=OWNERS.get, limits=LIMITS)) as port:
        yield port


@pytest.fixture
def relay(inbox: Inbox) -> Iterator[Postfix]:
    with (
        door(lambda: make_lmtp(accept=inbox.accept, known=OWNERS.get, limits=LIMITS)) as port,
        postfix(domain="example.org", lmtp=port) as server,
    ):
        yield server


def swaks(port: int, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["swaks", "--server", f"127.0.0.1:{port}", "--from", "stranger@example.net"]
    return subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=60, check=False
    )


def send(port: int, *recipients: str) -> None:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = "stranger@example.net", ", ".join(recipients)
    message["Subject"] = "Grüße"
    message.set_content("Bis morgen.\n.\nEin Punkt allein.\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as client:
        client.send_message(message)


def recipients(inbox: Inbox) -> list[str]:
    return sorted(address for _, addresses in inbox.got for address in addresses)


def test_swaks_gets_a_mail_with_an_attachment_through_the_smtp_door(
    smtp: int, inbox: Inbox
) -> None:
    attached = ("--attach-type", "text/plain", "--attach-name", "list.txt", "--attach", "milk")
    said = swaks(smtp, "--to", "ada@example.org", "--h-Subject", "Lunch", *attached)
    assert said.returncode == 0, said.stdout + said.stderr
    ((raw, addresses),) = inbox.got
    mail = message_from_bytes(raw)
    assert addresses == ("ada@example.org",)
    assert mail["Subject"] == "Lunch"
    assert "list.txt" in [part.get_filename() for part in mail.walk()]


def test_swaks_is_told_that_a_recipient_is_unknown(smtp: int, inbox: Inbox) -> None:
    said = swaks(smtp, "--to", "eve@example.org")
    assert said.returncode == NO_VALID_RECIPIENT, said.stdout + said.stderr
    assert "550 5.1.1" in said.stdout
    assert inbox.got == []


def test_swaks_is_told_that_a_mail_is_too_large(smtp: int, inbox: Inbox, tmp_path: Path) -> None:
    (tmp_path / "long").write_text("long words\n" * 20_000)
    said = swaks(smtp, "--to", "ada@example.org", "--body", f"@{tmp_path}/long")
    assert said.returncode == REFUSED_DATA, said.stdout + said.stderr
    assert "552 5.3.4" in said.stdout
    assert inbox.got == []


def test_postfix_hands_a_mail_for_two_owners_to_the_lmtp_door(relay: Postfix, inbox: Inbox) -> None:
    send(relay.port, "ada@example.org", "bob@example.org")
    relay.until(lambda: recipients(inbox) == ["ada@example.org", "bob@example.org"])
    relay.until(lambda: relay.waiting() == [])
    assert relay.log().count("status=sent (250 2.0.0 Kept as") == 2
    assert all(b"\r\n.\r\nEin Punkt allein.\r\n" in raw for raw, _ in inbox.got)


def test_postfix_keeps_what_the_door_cannot_keep_now_and_brings_it_later(
    relay: Postfix, inbox: Inbox
) -> None:
    inbox.fail["bob@example.org"] = Unreachable("the bucket")
    send(relay.port, "ada@example.org", "bob@example.org")
    relay.until(lambda: recipients(inbox) == ["ada@example.org"])
    relay.until(lambda: "status=deferred" in relay.log())
    assert relay.waiting() == ["bob@example.org"]
    inbox.fail.clear()
    relay.try_again()
    relay.until(lambda: recipients(inbox) == ["ada@example.org", "bob@example.org"])
    relay.until(lambda: relay.waiting() == [])


def test_postfix_sends_a_mail_for_nobody_back(relay: Postfix, inbox: Inbox) -> None:
    send(relay.port, "ada@example.org", "eve@example.org")
    relay.until(lambda: "status=bounced" in relay.log())
    relay.until(lambda: recipients(inbox) == ["ada@example.org"])
    assert "550 5.1.1" in relay.log()
