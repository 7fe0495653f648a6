# ruff: noqa: E501 - lines as they are sent
"""Mails that programs write: bounces, receipts, lists, newsletters, calendars, codes, sealed mail."""

from collections.abc import Iterator

from tests.ingest.extract.samples import pdf, winmail
from tests.ingest.mails.case import QUOTED, MailCase, WantedFile, WantedLetter
from tests.ingest.mails.forwards import RENT, attached, inner
from tests.ingest.mails.structures import only
from tests.ingest.mails.writing import (
    NOON,
    SOUND,
    both,
    coded,
    encoded,
    file,
    html,
    mail,
    message,
    multi,
    text,
)

_INVITE = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@x\r\n"
    "DTSTART;TZID=Europe/Berlin:20261106T120000\r\nSUMMARY:Lunch by the bridge\r\n"
    "LOCATION:Old mill\r\nDESCRIPTION:Bring the plans.\r\nORGANIZER:mailto:juerg@firm.example\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
_NO_REPLY = "Gmail Team <forwarding-noreply@google.com>"


def cases() -> Iterator[MailCase]:
    yield from _reports()
    yield from _answers()
    yield from _lists()
    yield from _calendars()
    yield from _questions()
    yield from _sealed()


def _reports() -> Iterator[MailCase]:
    status = (
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.home.example\r\n\r\n"
        b"Final-Recipient: rfc822; bo@firm.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        b"Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n"
    )
    said = "Your message could not be delivered to bo@firm.example."
    daemon: dict[str, str | bytes | None] = {
        "From": "MAILER-DAEMON@mx.home.example",
        "Subject": "Undelivered Mail Returned to Sender",
    }
    yield MailCase(
        "a bounce with the mail",
        mail(
            multi(
                "report", text(said), status, message(inner()), more="; report-type=delivery-status"
            ),
            **daemon,
        ),
        (WantedLetter(must=(said,), no=(RENT,)), attached(RENT)),
        may_have_defects=True,
    )
    yield MailCase(
        "a bounce with the header alone",
        mail(
            multi(
                "report",
                text(said),
                status,
                b"Content-Type: text/rfc822-headers\r\n\r\nSubject: Rent\r\nTo: bo@firm.example\r\n",
                more="; report-type=delivery-status",
            ),
            **daemon,
        ),
        None,
        must=(said,),
        files=(WantedFile("part-4.txt", doubt=None),),
        may_have_defects=True,
    )
    yield MailCase(
        "a bounce in plain words, as qmail writes it",
        mail(
            text(
                f"Hi. This is the qmail-send program.\n{said}\n\n--- Below this line is a copy of the message.\n\n"
                f"From: Ann Lee <ann@office.example>\nSubject: Rent\n\n{RENT}\n"
            ),
            **daemon,
        ),
        None,
        must=(said, RENT),
        may_have_defects=True,
    )
    yield MailCase(
        "a delay",
        mail(multi("report", text("Delivery is delayed; no action is needed."), status), **daemon),
        None,
        must=("Delivery is delayed",),
        may_have_defects=True,
    )
    yield MailCase(
        "a receipt for a mail that was read",
        mail(
            multi(
                "report",
                text("Your message was displayed on Tuesday."),
                b"Content-Type: message/disposition-notification\r\n\r\nDisposition: manual-action; displayed\r\n",
                more="; report-type=disposition-notification",
            ),
            Subject="Read: Lunch on Friday",
        ),
        None,
        must=("Your message was displayed on Tuesday.",),
        may_have_defects=True,
    )
    yield MailCase(
        "a complaint report",
        mail(
            multi(
                "report",
                text("This is an email abuse report."),
                b"Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n",
                message(inner()),
                more="; report-type=feedback-report",
            )
        ),
        None,
        must=("This is an email abuse report.",),
        may_have_defects=True,
    )


def _answers() -> Iterator[MailCase]:
    away = "I am away until 16 November. Please ask Bo."
    yield MailCase(
        "away, by vacation",
        mail(text(away), Subject="Auto: Lunch on Friday", Auto_Submitted="auto-replied"),
        only(away),
        {**SOUND, "subject": "Auto: Lunch on Friday"},
    )
    yield MailCase(
        "away, by Exchange, with the mail quoted",
        mail(
            text(
                f"{away}\n\n-----Original Message-----\nFrom: Ada <ada@home.example>\nSent: Monday, 2 November 2026 09:00\n"
                f"To: Jürg Meier\nSubject: Lunch\n\n{NOON}\n"
            ),
            Subject="Automatic reply: Lunch",
            Auto_Submitted="auto-generated",
            X_Auto_Response_Suppress="All",
            In_Reply_To="<2@home.example>",
        ),
        None,
        must=(away, NOON),
        may_have_defects=True,
    )
    yield MailCase(
        "abwesend, deutsch",
        mail(
            html("<p>Ich bin bis 16. November nicht im Büro.</p>"),
            Subject=encoded("Automatische Antwort: Büro"),
        ),
        only("Ich bin bis 16. November nicht im Büro."),
        {"subject": "Automatische Antwort: Büro"},
    )
    yield MailCase(
        "a reply above the quote, in html",
        mail(
            html(
                f"<div>Yes, gladly.</div><div class=gmail_quote><div>On Mon, Nov 2, 2026 at 9:00 AM Ada &lt;ada@home.example&gt; wrote:</div>"
                f"<blockquote class=gmail_quote>{NOON}</blockquote></div>"
            ),
            Subject="Re: Lunch",
        ),
        (WantedLetter(must=("Yes, gladly.",), no=(NOON,)), WantedLetter(QUOTED, (NOON,), ("Yes",))),
        {"subject": "Re: Lunch"},
    )


def _lists() -> Iterator[MailCase]:
    footer = (
        "_______________________________________________\nGarden mailing list\nGarden@lists.example"
    )
    fields: dict[str, str | bytes | None] = {
        "List_Id": "Garden <garden.lists.example>",
        "Subject": "[Garden] Apples",
        "Precedence": "list",
        "List_Unsubscribe": "<mailto:garden-leave@lists.example>",
    }
    yield MailCase(
        "a mailing list, with its footer",
        mail(text(f"The apples are ripe.\n\n{footer}\n"), **fields),
        None,
        {**SOUND, "subject": "[Garden] Apples"},
        must=("The apples are ripe.",),
    )
    yield MailCase(
        "a mailing list that writes for the sender",
        mail(
            text("The apples are ripe."),
            From="Jürg Meier via Garden <garden@lists.example>",
            Reply_To="Jürg Meier <juerg@firm.example>",
            Sender="Garden <garden-bounces@lists.example>",
            **fields,
        ),
        only("The apples are ripe."),
        {
            "sender": "Jürg Meier via Garden <garden@lists.example>",
            "reply_to": "Jürg Meier <juerg@firm.example>",
            "sent_by": "Garden <garden-bounces@lists.example>",
        },
    )
    yield MailCase(
        "a list's footer below base64",
        mail(
            b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + coded("Grüße, die Äpfel sind reif.\r\n".encode(), "base64")
            + b"_______\r\nGarden list, www.lists.example\r\n",
            **fields,
        ),
        None,
        must=("Grüße, die Äpfel sind reif.", "Garden list"),
        defects=("no base64",),
    )
    yield MailCase(
        "a digest of a list",
        mail(
            multi(
                "mixed",
                text("Today's topics: 1. Apples 2. Pears"),
                multi(
                    "digest",
                    b"\r\n" + inner(text("The apples."), Subject="Apples"),
                    b"\r\n" + inner(text("The pears."), Subject="Pears"),
                ),
            ),
            **fields,
        ),
        (
            WantedLetter(must=("Today's topics",), no=("The pears.",)),
            attached("The apples.", no=(), subject="Apples"),
            attached("The pears.", no=(), subject="Pears"),
        ),
    )
    yield MailCase(
        "a newsletter with its first line hidden",
        mail(
            html(
                '<div style="display:none;max-height:0">Our autumn is here</div><h1>Our autumn is here</h1>'
                '<p>Boots cost 49 euros until Sunday.</p><img src="https://t.example/o.gif" width=1 height=1>'
            )
        ),
        only("Our autumn is here", "Boots cost 49 euros until Sunday."),
        SOUND,
        may_have_defects=True,
    )
    yield MailCase(
        "a newsletter whose text part says nothing",
        mail(
            both(
                "Please view this mail in a browser: https://n.example/1",
                "<p>Boots cost 49 euros.</p>",
            )
        ),
        None,
        must=("view this mail",),
        may_have_defects=True,
    )


def _calendars() -> Iterator[MailCase]:
    yield MailCase(
        "an invitation with words",
        mail(
            multi(
                "mixed",
                multi(
                    "alternative",
                    text(NOON),
                    html(f"<p>{NOON}</p>"),
                    text(_INVITE, "calendar", more="; method=REQUEST"),
                ),
                file("invite.ics", _INVITE.encode(), "application/ics"),
            )
        ),
        only(NOON, no=("BEGIN:VCALENDAR",)),
        SOUND,
        files=(WantedFile("part-5.ics", "invitation"), WantedFile("invite.ics", "invitation")),
    )
    yield MailCase(
        "an invitation without words",
        mail(text(_INVITE, "calendar", more="; method=REQUEST"), Subject="Invitation: Lunch"),
        None,
        {"subject": "Invitation: Lunch"},
        must=("Lunch by the bridge", "Old mill", "Bring the plans."),
        files=(WantedFile("part-1.ics", "invitation"),),
    )
    yield MailCase(
        "a cancelled event",
        mail(
            multi(
                "alternative",
                text("This event has been canceled."),
                text(_INVITE.replace("REQUEST", "CANCEL"), "calendar", more="; method=CANCEL"),
            )
        ),
        only("This event has been canceled.", no=("BEGIN:VCALENDAR",)),
        SOUND,
        files=(WantedFile("part-3.ics", "cancel"),),
    )


def _questions() -> Iterator[MailCase]:
    link = "https://mail-settings.google.com/mail/vf-%5BANGjdJ8-abc%5D-xyz"
    for language, subject, asks in (
        (
            "English",
            "(#812345678) Gmail Forwarding Confirmation - Receive Mail from ada@gmail.example",
            (
                f"ada@gmail.example has requested to automatically forward mail to your email address.\nConfirmation code: 812345678\n\n"
                f"To allow this, please click the link below:\n\n{link}\n"
            ),
        ),
        (
            "German",
            "(#812345678) Gmail-Weiterleitungsbestätigung – E-Mails von ada@gmail.example empfangen",
            f"ada@gmail.example hat beantragt, E-Mails automatisch weiterzuleiten.\nBestätigungscode: 812345678\n\n{link}\n",
        ),
        (
            "French",
            "(#812345678) Confirmation du transfert Gmail – Recevoir des e-mails de ada@gmail.example",
            f"ada@gmail.example a demandé le transfert.\nCode de confirmation : 812345678\n\n{link}\n",
        ),
    ):
        yield MailCase(
            f"Gmail asks whether it may forward, in {language}",
            mail(text(asks), From=_NO_REPLY, Subject=encoded(subject)),
            None,
            {"sender": _NO_REPLY},
            confirmation={
                "provider": "Gmail",
                "code": "812345678",
                "link": link,
                "for_address": "ada@gmail.example",
            },
        )
    yield MailCase(
        "somebody else asks in Gmail's words",
        mail(
            text(f"Confirmation code: 812345678\n{link}"),
            From="Gmail Team <forwarding-noreply@g00gle.example>",
            Subject="(#812345678) Gmail Forwarding Confirmation",
        ),
        None,
        {"sender_address": "forwarding-noreply@g00gle.example"},
    )
    yield MailCase(
        "Gmail asks, but its link leads elsewhere",
        mail(
            text(
                "ada@gmail.example asks to forward.\nConfirmation code: 812345678\nhttps://mail.google.com.evil.example/mail/vf-1"
            ),
            From=_NO_REPLY,
            Subject="Gmail Forwarding Confirmation",
        ),
        None,
        confirmation={"code": "812345678", "link": ""},
    )
    yield MailCase(
        "a code to sign in is no such question",
        mail(text("Your code is 482913. It ends in ten minutes."), Subject="Your code"),
        only("482913"),
        {"subject": "Your code"},
    )


def _sealed() -> Iterator[MailCase]:
    sealed = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA1234\r\n-----END PGP MESSAGE-----\r\n"
    yield MailCase(
        "encrypted by PGP",
        mail(
            multi(
                "encrypted",
                b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
                file("encrypted.asc", sealed.encode(), "application/octet-stream", how="inline"),
                more='; protocol="application/pgp-encrypted"',
            )
        ),
        (),
        SOUND,
        files=(WantedFile("part-2.pgp", "PGP"), WantedFile("encrypted.asc", "PGP")),
        defects=("encrypted",),
    )
    yield MailCase(
        "encrypted by PGP within the text",
        mail(text(sealed)),
        None,
        SOUND,
        must=("BEGIN PGP MESSAGE",),
        may_have_defects=True,
    )
    yield MailCase(
        "encrypted by S/MIME",
        mail(
            file(
                "smime.p7m",
                bytes.fromhex("308006092a864886f70d010703a080") + bytes(60),
                "application/pkcs7-mime; smime-type=enveloped-data",
            )
        ),
        (),
        SOUND,
        files=(WantedFile("smime.p7m", "S/MIME"),),
        defects=("encrypted",),
    )
    yield MailCase(
        "signed in the text by PGP",
        mail(
            text(
                f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{NOON}\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n-----END PGP SIGNATURE-----\n"
            )
        ),
        None,
        SOUND,
        must=(NOON,),
        may_have_defects=True,
    )
    yield MailCase(
        "winmail.dat beside a text",
        mail(
            multi(
                "mixed", text("Grüße\nAda"), file("winmail.dat", winmail(), "application/ms-tnef")
            )
        ),
        only("Grüße"),
        SOUND,
        files=(WantedFile("report 2026.pdf", "PDF", pdf("in winmail")),),
        may_have_defects=True,
    )
    yield MailCase(
        "winmail.dat alone",
        mail(file("winmail.dat", winmail(), "application/ms-tnef")),
        only("Grüße", "Ada"),
        SOUND,
        files=(WantedFile("report 2026.pdf", "PDF"),),
        may_have_defects=True,
    )
    yield MailCase(
        "a broken winmail.dat",
        mail(
            multi("mixed", text(NOON), file("winmail.dat", winmail()[:60], "application/ms-tnef"))
        ),
        only(NOON),
        SOUND,
        files=(WantedFile("winmail.dat", doubt=None),),
        may_have_defects=True,
    )
