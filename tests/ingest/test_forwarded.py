"""How a mail was forwarded, by whom, and a provider's question whether it may forward."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.forward import ForwardedMail, ForwardingConfirmation, HowForwarded
from ingest.letters.automatic import how_forwarded
from ingest.letters.confirmations import forwarding_confirmation
from ingest.letters.rewritten import RewrittenSender, rewritten_sender

INBOX = "inbox@ada.example"
TOLD = [("From", "Ann <ann@firm.example>"), ("To", "ada@home.example"), ("Subject", "Rent")]


def told(
    *headers: tuple[str, str], mail_from: str = "ann@firm.example", **more: Any
) -> ForwardedMail:
    envelope = Envelope(mail_from=mail_from, recipients=(INBOX,))
    return how_forwarded([*headers, *TOLD], envelope, **more)


def test_a_mail_that_was_written_to_the_assistant_is_not_forwarded() -> None:
    headers = [("From", "Ann <ann@firm.example>"), ("To", INBOX), ("Subject", "Rent")]
    envelope = Envelope(mail_from="ann@firm.example", recipients=(INBOX,))
    assert how_forwarded(headers, envelope) == ForwardedMail()
    assert how_forwarded([], Envelope()) == ForwardedMail()


def test_gmail_forwards_by_rule_and_says_who_and_where_to() -> None:
    found = told(
        ("X-Forwarded-To", INBOX),
        ("X-Forwarded-For", f"ada@gmail.example {INBOX}"),
        ("Delivered-To", "ada@gmail.example"),
        mail_from="ada+caf_=inbox=ada.example@gmail.example",
    )
    assert (found.how, found.keeps_sender) == (HowForwarded.AUTOMATIC, True)
    assert (found.forwarder, found.original_recipient) == ("ada@gmail.example", "ada@gmail.example")
    assert found.rests_on == (
        (
            "the envelope's sender is written by Gmail's forwarding: "
            "ada+caf_=inbox=ada.example@gmail.example"
        ),
        f"X-Forwarded-For: ada@gmail.example {INBOX}",
        f"X-Forwarded-To: {INBOX}",
        "Delivered-To: ada@gmail.example",
    )


def test_a_server_that_rewrites_the_sender_forwarded_the_mail() -> None:
    found = told(mail_from="SRS0=HHH=TT=firm.example=ann@forwarder.example")
    assert (found.how, found.original_mail_from) == (HowForwarded.AUTOMATIC, "ann@firm.example")
    assert (found.forwarder, found.original_recipient) == ("", "ada@home.example")


def test_a_redirect_of_outlook_keeps_the_sender() -> None:
    found = told(("X-MS-Exchange-Inbox-Rules-Loop", "ada@firm.example"))
    assert (found.how, found.keeps_sender) == (HowForwarded.AUTOMATIC, True)
    assert found.forwarder == "ada@firm.example"


def test_a_rule_of_outlook_that_forwards_makes_a_mail_of_its_own() -> None:
    headers = [
        ("From", "Ada <ada@firm.example>"),
        ("Subject", "FW: Rent"),
        ("X-MS-Exchange-Inbox-Rules-Loop", "ada@firm.example"),
    ]
    found = how_forwarded(headers, Envelope(recipients=(INBOX,)), holds_forward=True)
    assert (found.how, found.keeps_sender) == (HowForwarded.AUTOMATIC, False)


def test_an_answer_of_a_program_is_no_forward() -> None:
    found = told(
        ("X-MS-Exchange-Inbox-Rules-Loop", "ada@firm.example"), ("Auto-Submitted", "auto-replied")
    )
    assert found == ForwardedMail()


def test_an_answer_of_a_program_that_quotes_a_mail_is_no_forward() -> None:
    headers = [
        ("From", "Ann <ann@firm.example>"),
        ("Subject", "Automatic reply: Rent"),
        ("Auto-Submitted", "auto-replied"),
    ]
    assert how_forwarded(headers, Envelope(), holds_forward=True) == ForwardedMail()


def test_a_redirect_by_hand_is_a_mail_as_it_came() -> None:
    found = told(("Resent-From", "Ada <ada@home.example>"), ("Resent-To", INBOX))
    assert (found.how, found.forwarder) == (HowForwarded.AUTOMATIC, "ada@home.example")


def test_a_mailbox_that_a_mail_passed_through_forwarded_it() -> None:
    found = told(("Delivered-To", INBOX), ("Delivered-To", "ada@home.example"))
    assert (found.how, found.forwarder) == (HowForwarded.AUTOMATIC, "ada@home.example")
    assert told(("Delivered-To", INBOX)).how is HowForwarded.NOT


def test_a_further_address_of_the_assistant_is_no_mailbox_that_it_passed_through() -> None:
    local = ("Delivered-To", "inbox@localhost")
    assert told(local).how is HowForwarded.AUTOMATIC
    assert told(local, ours=("Inbox@localhost",)).how is HowForwarded.NOT


def test_a_mailing_list_is_no_forward() -> None:
    found = told(("List-Id", "<a.list.example>"), ("Delivered-To", "a@list.example"))
    assert found.how is HowForwarded.NOT


def test_an_envelope_sender_that_the_mail_was_written_to_forwarded_it() -> None:
    found = told(mail_from="ada@home.example")
    assert (found.how, found.forwarder) == (HowForwarded.AUTOMATIC, "ada@home.example")


@pytest.mark.parametrize(
    ("subject", "holds", "how"),
    [
        ("Fwd: Rent", None, HowForwarded.BY_HAND),
        ("WG: Rent", True, HowForwarded.BY_HAND),
        ("Rent", True, HowForwarded.BY_HAND),
        ("Fwd: Rent", False, HowForwarded.NOT),
        ("Re: Fwd: Rent", True, HowForwarded.NOT),
        ("Rent", None, HowForwarded.NOT),
    ],
)
def test_a_forward_by_hand_says_so_and_holds_a_message(
    subject: str,
    holds: bool | None,  # noqa: FBT001 (a parameter of the test)
    how: HowForwarded,
) -> None:
    headers = [("From", "Ada <ada@home.example>"), ("To", INBOX), ("Subject", subject)]
    envelope = Envelope(mail_from="ada@home.example", recipients=(INBOX,))
    found = how_forwarded(headers, envelope, holds_forward=holds)
    assert found.how is how
    if how is HowForwarded.BY_HAND:
        assert (found.forwarder, found.keeps_sender) == ("ada@home.example", False)


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        (
            "SRS0=HHH=TT=a.example=ann@b.example",
            RewrittenSender("SRS0", "ann@a.example", "@b.example"),
        ),
        (
            "<srs0+HHH=TT=a.example=x=y@b.example>",
            RewrittenSender("SRS0", "x=y@a.example", "@b.example"),
        ),
        (
            "SRS1=GGG=b.example==HHH=TT=a.example=ann@c.example",
            RewrittenSender("SRS1", "ann@a.example", "@c.example"),
        ),
        (
            "bob+SRS=44ldt=IX=a.example=alice@contoso.example",
            RewrittenSender("SRS of Microsoft", "alice@a.example", "bob@contoso.example"),
        ),
        (
            "ada+caf_=inbox=x.example@gmail.example",
            RewrittenSender("Gmail's forwarding", "", "ada@gmail.example", "inbox@x.example"),
        ),
        ("SRS0=HHH@b.example", None),
        ("srs0@b.example", None),
        ("ann@a.example", None),
        ("", None),
    ],
)
def test_an_address_that_a_server_rewrote_is_read(
    address: str, wanted: RewrittenSender | None
) -> None:
    assert rewritten_sender(address) == wanted


# A provider's question

GMAIL = "forwarding-noreply@google.com"
LINK = "https://mail-settings.google.com/mail/vf-%5BANGjdJ_x%5D-AbC"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "(#123456789) Gmail Forwarding Confirmation - Receive Mail from ada@gmail.example",
            (
                "ada@gmail.example has requested to automatically forward mail to your email\n"
                f"address inbox@ada.example.\nConfirmation code: 123456789\n\n{LINK}\n"
            ),
        ),
        (
            "Gmail Forwarding Confirmation - Receive Mail from ada@gmail.example",
            f"ada@gmail.example asked.\nConfirmation code: 123456789\n<{LINK}>.",
        ),
        (
            "(#123456789) Gmail-Weiterleitungsbestätigung - Mails von ada@gmail.example",
            f"Bestätigungscode: 123456789\n{LINK}",
        ),
        (
            "(#123456789) Confirmation de transfert Gmail - Mails de ada@gmail.example",
            f"Code de confirmation : 123456789\n[{LINK}]({LINK})",
        ),
        ("(#123456789) Confirmación de reenvío de Gmail - ada@gmail.example", LINK),
        (
            "Gmail の転送の確認 - ada@gmail.example からメールを受信",
            f"確認コード: 123456789\n{LINK}",
        ),
        ("(#123456789) Potwierdzenie przekazywania Gmail - ada@gmail.example", LINK),
    ],
)
def test_gmails_question_is_recognised_with_code_link_and_address(subject: str, text: str) -> None:
    assert forwarding_confirmation(GMAIL, subject, text) == ForwardingConfirmation(
        provider="Gmail", code="123456789", link=LINK, for_address="ada@gmail.example"
    )


@pytest.mark.parametrize(
    ("sender", "provider", "link"),
    [
        ("no-reply@notify.proton.me", "Proton Mail", "https://account.proton.me/forwarding/x"),
        ("no-reply@cc.yahoo-inc.com", "Yahoo Mail", "https://login.yahoo.com/verify/x"),
        ("noreply@zohoaccounts.com", "Zoho Mail", "https://mail.zoho.eu/forward/x"),
        ("noreply@fastmail.com", "Fastmail", "https://www.fastmail.com/verify/x"),
    ],
)
def test_other_providers_are_recognised_by_their_link(
    sender: str, provider: str, link: str
) -> None:
    text = f"ada@home.example wants to forward mail to you.\n{link}"
    found = forwarding_confirmation(sender, "Confirm forwarding", text)
    assert found == ForwardingConfirmation(
        provider=provider, link=link, for_address="ada@home.example"
    )


@pytest.mark.parametrize(
    "link",
    [
        "http://mail-settings.google.com/mail/vf-x",
        "https://mail-settings.google.com.evil.example/mail/vf-x",
        "https://mail-settings.google.com@evil.example/mail/vf-x",
        "https://evil.example/mail-settings.google.com/mail/vf-x",
        "https://mail-settings.google.com:8443/mail/vf-x",
        "https://mail.google.com\\@evil.example/mail/vf-x",
        "https://m\u0430il.google.com/mail/vf-x",
        "https://mail.google.com/url?q=evil",
        "https://[bad/mail/vf-x",
        "https://eve.mail.google.com/mail/vf-x",
        "https://mail.google.com/mail/u/0/?logout&continue=https://evil.example/",
        "https://mail.google.com/mail/u/0/?continue=https%3A%2F%2Fevil.example",
    ],
)
def test_a_link_that_leads_elsewhere_is_not_given(link: str) -> None:
    found = forwarding_confirmation(GMAIL, "(#123456789) Gmail Forwarding Confirmation", link)
    assert found is not None
    assert found.link == ""


@pytest.mark.parametrize(
    ("sender", "link"),
    [
        ("no-reply@yahoo.com", "https://r.search.yahoo.com/RU=https%3a%2f%2fevil.example/RK=2"),
        ("noreply@zoho.com", "https://forms.zoho.com/eve/form/password"),
        ("noreply@zoho.com", "https://sites.zoho.com/eve"),
        ("no-reply@proton.me", "https://drive.proton.me/urls/eve"),
        ("noreply@fastmail.com", "https://eve.fastmail.com/login"),
    ],
)
def test_a_page_of_a_providers_customers_is_no_page_of_the_provider(sender: str, link: str) -> None:
    assert forwarding_confirmation(sender, "Confirm forwarding", f"Press {link}") is None


@pytest.mark.parametrize(
    ("sender", "subject", "text"),
    [
        ("eve@x.example", "(#123456789) Gmail Forwarding Confirmation", LINK),
        ("forwarding-noreply@google.com.x.example", "Gmail Forwarding Confirmation", LINK),
        ("eve@yahoo.com", "Confirm forwarding", "https://login.yahoo.com/verify/x"),
        (GMAIL, "Gmail Forwarding Confirmation", "Nothing in it."),
        (GMAIL, "(#123456789) Your account", "A code."),
        ("no-reply@proton.me", "Your invoice", "https://account.proton.me/pay"),
        ("", "", ""),
    ],
)
def test_any_other_mail_asks_nothing(sender: str, subject: str, text: str) -> None:
    assert forwarding_confirmation(sender, subject, text) is None


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=60)), max_size=8),
    st.text(max_size=60),
    st.booleans() | st.none(),
)
def test_any_headers_give_a_bounded_answer(
    headers: list[tuple[str, str]],
    mail_from: str,
    holds: bool | None,  # noqa: FBT001 (drawn)
) -> None:
    found = how_forwarded(headers, Envelope(mail_from=mail_from), holds_forward=holds)
    assert len(found.rests_on) <= 10
    rewritten_sender(mail_from)


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_mail_of_a_provider_gives_a_bounded_answer(subject: str, text: str) -> None:
    found = forwarding_confirmation(GMAIL, f"{subject} forward", f"{text} https://{text} #{text}")
    assert found is None or (found.code == "" or found.code.isdecimal())
