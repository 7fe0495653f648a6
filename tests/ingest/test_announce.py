"""What the owner is shown comes from the row, and says who summarised."""

from datetime import UTC, datetime

import pytest

from assistant.domain.deliveries import ShownKind
from assistant.domain.mail import Attachment, Mail, MailState
from ingest.announce import render

MAIL = Mail(
    id="3f2a",
    owner="ada",
    sha256="0" * 64,
    size=1,
    door="smtp",
    raw="raw",
    received=datetime(2026, 11, 3, 9, 5, tzinfo=UTC),
    state=MailState.SUMMARISED,
    sender="Jürg <juerg@example.org>",
    subject="Lunch",
    sent=datetime(2026, 11, 3, 9, tzinfo=UTC),
    summary="Lunch at noon.",
    summarised_by="small-model",
)


def fields(mail: Mail) -> dict[str, str]:
    return {field.label: field.value for field in render(mail, zone="Europe/Zurich").fields}


def test_a_mail_is_shown_with_its_facts_in_the_owners_zone() -> None:
    shown = render(MAIL, zone="Europe/Zurich")
    assert (shown.kind, shown.title, shown.text) == (ShownKind.MAIL, "Lunch", "Lunch at noon.")
    assert fields(MAIL) == {
        "From": "Jürg <juerg@example.org>",
        "Sent": "2026-11-03 10:00 CET",
        "Summary by": "small-model",
        "Mail": "3f2a",
    }


def test_an_extract_is_called_one() -> None:
    assert fields(MAIL.model_copy(update={"summarised_by": "extract"}))["Summary by"].startswith(
        "extract ("
    )


def test_attachments_are_counted() -> None:
    part = Attachment(name="a", content_type="b", size=1, sha256="c", blob="d")
    assert fields(MAIL.model_copy(update={"attachments": (part, part)}))["Attachments"] == "2"


def test_a_mail_that_tells_no_time_shows_when_it_came() -> None:
    assert fields(MAIL.model_copy(update={"sent": None}))["Received"] == "2026-11-03 10:05 CET"


def test_a_held_mail_says_why_and_what_to_do() -> None:
    held = MAIL.model_copy(update={"state": MailState.HELD, "reason": "it is nested too deeply"})
    shown = render(held, zone="UTC")
    assert shown.text == (
        "This mail is held: it is nested too deeply\n"
        "The mail is kept as it came. To try again: assistant mail retry 3f2a"
    )
    assert "Summary by" not in fields(held)


def test_a_mail_without_a_subject_has_a_title() -> None:
    assert render(MAIL.model_copy(update={"subject": ""}), zone="UTC").title == "(no subject)"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize(
    "sent", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)]
)
def test_a_date_at_the_end_of_the_calendar_is_shown(sent: datetime, zone: str) -> None:
    mail = MAIL.model_copy(update={"sent": sent})
    assert any(field.label == "Sent" for field in render(mail, zone=zone).fields)
