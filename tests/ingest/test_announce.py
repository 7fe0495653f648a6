"""What the owner is shown comes from the row, and says who summarised."""

from datetime import UTC, datetime

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.mail.mail import Attachment, Mail, MailState
from ingest.announce import render

MAIL = Mail(
    id="3f2a11aa22bb33cc",
    owner="ada",
    sha256="0" * 64,
    size=1,
    door="smtp",
    raw="raw",
    received=datetime(2026, 11, 3, 9, 5, tzinfo=UTC),
    state=MailState.SUMMARISED,
    sender="Jürg <juerg@example.org>",
    sender_address="juerg@example.org",
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
        "Known": "first mail from this address; sender not verified",
        "Sent": "Tue 3 Nov 2026, 10:00 (Europe/Zurich)",
        "Summary by": "small-model",
    }


def test_characters_that_nobody_sees_are_told_and_other_oddities_are_not() -> None:
    told = "214 invisible characters, which no model is shown"
    assert fields(MAIL.model_copy(update={"defects": ("odd", told)}))["Hidden"] == told
    assert "Hidden" not in fields(MAIL.model_copy(update={"defects": ("odd",)}))


def test_a_held_mail_says_once_that_it_could_not_be_read() -> None:
    reason = "The message cannot be read: it is nested too deeply"
    held = MAIL.model_copy(update={"state": MailState.HELD, "reason": reason})
    shown = render(held, zone="UTC")
    assert shown.text.startswith("This mail could not be read: it is nested too deeply\n")


def test_an_extract_is_called_one() -> None:
    assert fields(MAIL.model_copy(update={"summarised_by": "extract"}))["Summary by"].startswith(
        "excerpt ("
    )


def test_a_mail_has_buttons_that_name_it_as_people_do() -> None:
    actions = render(MAIL, zone="UTC").actions
    assert [action.verb for action in actions] == [Verb.SHOW, Verb.ASK, Verb.FORGET]
    assert {(action.subject, action.handle) for action in actions} == {(MAIL.id, "3f2a11aa")}


def test_title_and_text_are_the_words_of_others() -> None:
    assert render(MAIL, zone="UTC").outside


@pytest.mark.parametrize(
    ("earlier", "told"),
    [
        (0, "first mail from this address"),
        (1, "1 earlier mail from this address"),
        (4, "4 earlier mails from this address"),
        (1234, "1,234 earlier mails from this address"),
    ],
)
def test_how_well_the_sender_is_known_is_told_from_rows(earlier: int, told: str) -> None:
    shown = {line.label: line.value for line in render(MAIL, zone="UTC", earlier=earlier).fields}
    assert shown["Known"] == f"{told}; sender not verified"


def test_a_sender_without_a_proper_address_is_nobody_known() -> None:
    told = fields(MAIL.model_copy(update={"sender": "Your bank", "sender_address": ""}))
    assert told["Known"] == "no address to know it by; sender not verified"


def test_moments_come_along_with_their_words() -> None:
    moments = {line.label: line.at for line in render(MAIL, zone="UTC").fields if line.at}
    assert moments == {"Sent": MAIL.sent}


def attachments(*names: str) -> str:
    parts = tuple(
        Attachment(name=name, content_type="b", size=n, sha256="c", blob="d")
        for n, name in enumerate(names, 1)
    )
    return fields(MAIL.model_copy(update={"attachments": parts}))["Attachments"]


def test_attachments_are_named_with_their_sizes() -> None:
    assert attachments("a.pdf", "b.pdf") == "a.pdf (1 byte), b.pdf (2 bytes)"


def test_of_many_attachments_the_first_five_are_named() -> None:
    assert attachments(*"abcdefgh").endswith("d (4 bytes), e (5 bytes), and 3 more")
    assert attachments(*"abcde").endswith("d (4 bytes), e (5 bytes)")


def test_a_long_name_keeps_its_end_which_tells_what_it_is() -> None:
    told = attachments(f"invoice{' ' * 180}.exe")
    assert told.startswith("invoice ")
    assert told.endswith(".exe (1 byte)")
    assert len(told) < 100


def test_of_a_forgotten_mail_nothing_is_shown_but_that() -> None:
    shown = render(MAIL.model_copy(update={"state": MailState.FORGOTTEN}), zone="UTC")
    assert shown == Shown(kind=ShownKind.MAIL, title="A mail", text="Forgotten.")


def test_a_mail_that_tells_no_time_shows_when_it_came() -> None:
    shown = fields(MAIL.model_copy(update={"sent": None}))
    assert shown["Received"] == "Tue 3 Nov 2026, 10:05 (Europe/Zurich)"


def test_a_held_mail_says_why_and_what_to_do() -> None:
    held = MAIL.model_copy(update={"state": MailState.HELD, "reason": "it is nested too deeply"})
    shown = render(held, zone="UTC")
    assert shown.text == (
        "This mail could not be read: it is nested too deeply\n"
        "The mail is kept unchanged. To try again: assistant mail retry 3f2a11aa"
    )
    assert "Summary by" not in fields(held)
    assert [action.verb for action in shown.actions] == [Verb.FORGET]


def test_a_mail_without_a_subject_has_a_title() -> None:
    assert render(MAIL.model_copy(update={"subject": ""}), zone="UTC").title == "(no subject)"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize(
    "sent", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)]
)
def test_a_date_at_the_end_of_the_calendar_is_shown(sent: datetime, zone: str) -> None:
    mail = MAIL.model_copy(update={"sent": sent})
    assert any(field.label == "Sent" for field in render(mail, zone=zone).fields)
