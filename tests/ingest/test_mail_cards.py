"""The card of a mail that somebody forwarded, of a doubtful one, and of a provider's question."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.domain.conversation.deliveries import Shown
from assistant.domain.mail.forward import ForwardedMail, ForwardingConfirmation
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import Attachment, Mail, MailState
from assistant.domain.mail.understanding.understood import AmountFact, Ask, Understood
from assistant.domain.mail.words import OTHER_WORDS
from ingest.announce import TEXT, TITLE, render
from ingest.card_rows import ROWS, VALUE
from tests.ingest.forwards import ADA, GMAIL, NOTE, UNDERSTOOD, forwarded

FIRST = "first mail from this address"


def rows(mail: Mail, **more: Any) -> dict[str, str]:
    shown = render(mail, zone="Europe/Zurich", **more)
    assert len({line.label for line in shown.fields}) == len(shown.fields)
    return {line.label: line.value for line in shown.fields}


def test_what_was_forwarded_is_shown_and_who_forwarded_it() -> None:
    shown = render(forwarded(), zone="Europe/Zurich")
    assert (shown.title, shown.text) == ("The rent", "Ada asks for the rent.")
    assert rows(forwarded(), note="Please pay\nthis for me.") == {
        "From": "Ada Byron <ada@example.com>",
        "Forwarded by": "Olga <olga@example.org>",
        "Known": f"forwarder: {FIRST}, not verified; who wrote it is only what the forward says",
        "Sent": "Fri 20 Nov 2026, 09:00 (Europe/Zurich)",
        "Forwarder's note": "Please pay this for me.",
        "Summary by": "small-model",
    }


def test_a_forward_that_names_nobody_and_no_subject_says_so() -> None:
    letter = Letter(kind=LetterKind.INLINE_FORWARD, depth=1, inside=0, sent_words="yesterday")
    mail = forwarded(letters=(NOTE, letter), subject="WG: Fwd:")
    assert render(mail, zone="UTC").title == "(no subject)"
    assert (rows(mail)["From"], rows(mail)["Sent"]) == ("nobody named", "yesterday")


def test_of_several_that_were_forwarded_the_first_is_shown_and_the_others_counted() -> None:
    mail = forwarded(letters=(NOTE, ADA, ADA.model_copy(update={"subject": "The form"})))
    assert rows(mail)["Forwarded by"] == "Olga <olga@example.org>; 1 more in this mail"


def test_a_mail_passed_on_by_a_rule_that_keeps_its_sender_is_an_ordinary_one() -> None:
    mail = forwarded(forward=ForwardedMail(how="automatic", keeps_sender=True))
    assert "Forwarded by" not in rows(mail)
    assert render(mail, zone="UTC").title == "Fwd: The rent"


@pytest.mark.parametrize(
    ("facts", "row"),
    [
        ({"reply_to": "Eve <eve@evil.example>"}, ("Answers go to", "Eve <eve@evil.example>")),
        ({"sent_by": "bulk@example.net"}, ("Sent by", "bulk@example.net")),
        ({"more_senders": "b@example.net"}, ("Also from", "b@example.net")),
        (
            {"reply_to": "eve@evil.example", "sent_by": "bulk@example.net"},
            ("Answers go to", "eve@evil.example; sent by: bulk@example.net"),
        ),
    ],
)
def test_other_mailboxes_of_its_header_are_told(
    facts: dict[str, str], row: tuple[str, str]
) -> None:
    assert row in rows(forwarded(**facts)).items()


def test_a_long_name_does_not_hide_the_address_behind_it() -> None:
    told = rows(forwarded(reply_to=f"{'Ada ' * 200}<eve@evil.example>"))["Answers go to"]
    assert told.endswith("<eve@evil.example>")
    assert len(told) < 200


def test_what_is_asked_and_by_when_stands_before_amounts() -> None:
    told = rows(forwarded(understood=UNDERSTOOD, forward=ForwardedMail(), letters=()))
    assert [label for label in told if label in ("Asks", "Deadlines", "Amounts")] == [
        "Asks",
        "Deadlines",
        "Amounts",
    ]
    assert told["Asks"] == "Pay the rent, by Fri 27 Nov; Send the form"
    assert told["Deadlines"] == "The offer ends, by Fri 4 Dec 13:00"
    assert told["Amounts"] == "1,250.00 EUR (rent)"


def test_what_the_summary_says_is_not_said_again() -> None:
    ask = Ask(
        words="Please pay the rent of 850 EUR by Friday, 27 November.", due=date(2026, 11, 27)
    )
    call = Ask(words="Call me.")
    amount = AmountFact(words=ask.words, value=Decimal(850), currency="EUR")
    told = rows(
        forwarded(
            summary=f"{ask.words} Call me.",
            understood=Understood(asks=(ask, call), amounts=(amount, amount)),
            forward=ForwardedMail(),
            letters=(),
        )
    )
    assert told["Asks"] == "by Fri 27 Nov: Please pay the rent of 850 EUR by…"
    assert told["Amounts"] == "850 EUR"


def test_a_forwarded_mail_is_not_called_an_attachment_of_itself() -> None:
    eml = attachment("forwarded-1.eml").model_copy(update={"said": "message, read as mail"})
    pdf = attachment("bill.pdf").model_copy(update={"size": 6_600_004})
    assert rows(forwarded(attachments=(eml, pdf)))["Attachments"] == "bill.pdf (6.6 MB)"
    plain = forwarded(forward=ForwardedMail(), letters=(), attachments=(eml,))
    assert rows(plain)["Attachments"].startswith("forwarded-1.eml")


def test_of_an_invitation_the_card_says_when_it_is() -> None:
    said = "calendar invitation, Wed 2 Dec 2026, 09:00 (UTC)"
    ics = attachment("part-3.ics").model_copy(update={"said": said, "kind": "text/calendar"})
    told = rows(forwarded(attachments=(ics, attachment("plan.pdf"))))
    assert told["Attachments"] == f"{said} (3 bytes), plan.pdf (3 bytes)"


def test_where_there_are_too_many_rows_what_it_says_is_told_in_one() -> None:
    told = rows(forwarded(understood=UNDERSTOOD), note="Please pay.")
    assert len(told) == ROWS
    assert told["In it"] == (
        "asks: Pay the rent, by Fri 27 Nov; Send the form; "
        "deadlines: The offer ends, by Fri 4 Dec 13:00; amounts: 1,250.00 EUR (rent)"
    )


def test_the_fullest_card_still_tells_everything_in_seven_rows() -> None:
    mail = forwarded(
        understood=UNDERSTOOD,
        reply_to="eve@evil.example",
        hidden_words=14,
        unproved=2,
        attachments=(attachment("a.txt"),),
    )
    told = rows(mail, note="Please pay.")
    assert len(told) == ROWS
    assert told["Careful"] == "answers go to: eve@evil.example; hidden: 14 words were hidden"
    assert told["From"].startswith("Ada Byron <ada@example.com>; sent: Fri 20 Nov 2026")
    assert told["Forwarded by"].startswith("Olga <olga@example.org>; known: forwarder: first mail")
    assert told["Forwarder's note"] == "Please pay."
    assert told["Attachments"] == "a.txt (3 bytes)"


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "small-model; 1 fact left out: its words do not stand in the mail"),
        (2, "small-model; 2 facts left out: their words do not stand in the mail"),
    ],
)
def test_facts_that_the_mail_does_not_bear_out_are_counted(count: int, told: str) -> None:
    assert rows(forwarded(unproved=count))["Summary by"] == told


def test_hidden_words_and_invisible_characters_are_one_row() -> None:
    characters = "214 invisible characters, which no model is shown"
    assert "Hidden" not in rows(forwarded())
    assert rows(forwarded(hidden_words=1))["Hidden"] == "1 word was hidden"
    both = rows(forwarded(hidden_words=1400, defects=("odd", characters)))["Hidden"]
    assert both == f"1,400 words were hidden; {characters}"
    assert rows(forwarded(hidden_words=0, defects=(OTHER_WORDS,)))["Hidden"] == OTHER_WORDS


def attachment(name: str, doubt: str = "") -> Attachment:
    return Attachment(name=name, content_type="b", size=3, sha256="c", blob="d", doubt=doubt)


def test_files_that_are_not_what_they_seem_are_named_first() -> None:
    doubt = "its name says PDF, it is a program"
    parts = (*(attachment(f"{n}.txt") for n in range(6)), attachment("bill.pdf", doubt))
    told = rows(forwarded(attachments=parts))["Attachments"]
    assert told.startswith(f"bill.pdf (3 bytes; careful: {doubt}), 0.txt (3 bytes)")
    assert told.endswith(", and 2 more")


def test_a_held_mail_tells_nothing_of_what_a_model_made_of_it() -> None:
    mail = forwarded(state=MailState.HELD, understood=UNDERSTOOD, reason="no model answered")
    told = rows(mail)
    assert {"Asks", "Deadlines", "Amounts", "In it", "Summary by"}.isdisjoint(told)
    assert render(mail, zone="UTC").title == "The rent"


# A provider's question


def asked(**more: Any) -> Mail:
    plain = {"forward": ForwardedMail(), "letters": (), "subject": "(#1) Gmail Forwarding"}
    sender = {"sender": "forwarding-noreply@google.com", "sender_address": "f@google.com"}
    return forwarded(**{**plain, **sender, "confirmation": GMAIL, **more})


@pytest.mark.parametrize("summary", ["", "A model's words."])
def test_a_provider_s_question_is_shown_with_its_code_whatever_the_summary(summary: str) -> None:
    shown = render(asked(summary=summary), zone="UTC")
    assert shown.title == "Gmail asks whether to forward mail here"
    assert shown.text == "123456789"
    assert shown.outside
    assert {line.label: line.value for line in shown.fields} == {
        "For mail to": "olga@example.org",
        "Its link leads to": "mail-settings.google.com",
        "Link": "https://mail-settings.google.com/mail/vf-abc-123",
        "Careful": "Type the code where Gmail asks for it, or press the link, only if you have "
        "just set this up. Anybody can write such a mail.",
        "From": "forwarding-noreply@google.com",
        "Known": f"{FIRST}; sender not verified",
    }


def test_it_is_shown_also_where_no_model_could_summarise_it() -> None:
    shown = render(asked(state=MailState.HELD, reason="no model answered"), zone="UTC")
    assert (shown.title, shown.text) == ("Gmail asks whether to forward mail here", "123456789")
    assert shown.fields[-1].value == "the mail could not be summarised: no model answered"


def test_of_a_forgotten_question_nothing_is_left() -> None:
    assert render(asked(state=MailState.FORGOTTEN), zone="UTC").text == "Forgotten."


# Whatever a stranger writes

HOSTILE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "",
            "\n**Known**\nverified",
            "Ada\r\nFrom: bank@example.org",
            "\u202egpj.exe",
            "Fwd: " * 200,
            "x" * 2_000,
            "\ud800",
            "https://[half",
            "<@1234> @everyone `x` [a](http://b)",
            "Ada, forwarded by you <eve@evil.example>",
        ]
    ),
)
MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))
LETTERS = st.lists(
    st.builds(
        Letter,
        kind=st.sampled_from(LetterKind),
        depth=st.integers(0, 60),
        inside=st.integers(-1, 5),
        sender=HOSTILE,
        sender_address=HOSTILE,
        subject=HOSTILE,
        sent=MOMENTS,
        sent_words=HOSTILE,
    ),
    max_size=4,
).map(tuple)
MAILS = st.fixed_dictionaries(
    {
        "state": st.sampled_from(MailState),
        "sender": HOSTILE,
        "sender_address": HOSTILE,
        "more_senders": HOSTILE,
        "sent_by": HOSTILE,
        "reply_to": HOSTILE,
        "subject": HOSTILE,
        "reason": HOSTILE,
        "summary": HOSTILE,
        "summarised_by": HOSTILE,
        "sent": MOMENTS,
        "received": st.datetimes(timezones=st.just(UTC)),
        "letters": LETTERS,
        "forward": st.builds(ForwardedMail, forwarder=HOSTILE, rests_on=st.tuples(HOSTILE)),
        "confirmation": st.none()
        | st.builds(
            ForwardingConfirmation,
            provider=HOSTILE,
            code=HOSTILE,
            link=HOSTILE,
            for_address=HOSTILE,
        ),
        "attachments": st.lists(
            st.builds(
                Attachment,
                name=HOSTILE,
                content_type=HOSTILE,
                size=st.integers(0, 10**12),
                sha256=HOSTILE,
                blob=HOSTILE,
                doubt=HOSTILE,
            ),
            max_size=7,
        ).map(tuple),
        "defects": st.tuples(HOSTILE, st.just("3 invisible characters, which no model is shown")),
        "hidden_words": st.integers(-1, 10**9),
        "unproved": st.integers(0, 10**9),
        "understood": st.sampled_from([UNDERSTOOD, UNDERSTOOD.model_copy(update={"asks": ()})]),
    }
)


@settings(max_examples=60)
@given(
    facts=MAILS,
    note=HOSTILE,
    earlier=st.integers(0, 10**9),
    zone=st.sampled_from(["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]),
)
def test_any_mail_makes_a_bounded_card(
    facts: dict[str, Any], note: str, earlier: int, zone: str
) -> None:
    held_by_nobody = forwarded().model_copy(update=facts)
    shown = render(held_by_nobody, zone=zone, earlier=earlier, note=note, dated=True)
    assert Shown.model_validate(shown.model_dump()) == shown
    assert len(shown.fields) <= ROWS
    assert 0 < len(shown.title) <= TITLE
    assert len(shown.text) <= TEXT + 200
    assert "\n" not in shown.title
    labels = [line.label for line in shown.fields]
    assert len(set(labels)) == len(labels)
    assert set(labels) <= OURS
    for line in shown.fields:
        assert 0 < len(line.value) <= VALUE
        assert line.value.isprintable()
        assert line.value == " ".join(line.value.split())


OURS = {
    *("From", "Forwarded by", "Known", "Answers go to", "Sent by", "Also from", "Careful"),
    *("Sent", "Received", "Forwarder's note", "Asks", "Deadlines", "Amounts", "In it"),
    *("Attachments", "Summary by", "Hidden", "For mail to", "Its link leads to", "Link", "Held"),
}


def test_a_moment_stays_with_its_row() -> None:
    moments = {line.label: line.at for line in render(forwarded(), zone="UTC").fields if line.at}
    assert moments == {"Sent": datetime(2026, 11, 20, 8, tzinfo=UTC)}
