"""A mail that a person wants to read is shown whole."""

from assistant.domain.mail.mail import MailState
from ingest.forget import forget_mail
from ingest.showing import whole
from tests.ingest.messages import HEAD, PLAIN, UNREADABLE, file, mixed, words
from tests.world import ME, World


def lines(world: World) -> list[tuple[str, str]]:
    [mail] = world.mails()
    found = whole(mail, blobs=world.blobs, zone="Europe/Zurich")
    return [(line.label, line.value) for line in found]


def test_a_mail_is_shown_whole(world: World) -> None:
    long = "At noon? " * 5_000
    world.forwards(mixed(words(long), file(b"plan.pdf")))
    assert lines(world) == [
        ("From", "Jürg <juerg@example.org>"),
        ("To", "ada@example.org, Bob <bob@example.org>"),
        ("Date", "Tue 3 Nov 2026, 10:00 (Europe/Zurich)"),
        ("Subject", "Lunch"),
        ("Attached", "plan.pdf (application/pdf, 5 bytes)"),
        ("Text", long.strip()),
    ]
    [mail] = world.mails()
    [date] = [line for line in whole(mail, blobs=world.blobs, zone="UTC") if line.at]
    assert (date.label, date.at) == ("Date", mail.sent)


def test_it_is_told_how_much_of_a_mail_nobody_sees(world: World) -> None:
    world.forwards(mixed(words("At \U000e0041\u200bnoon?")))
    told = "2 invisible characters, which no model is shown"
    assert lines(world)[-2:] == [("Hidden", told), ("Text", "At \U000e0041\u200bnoon?")]
    [mail] = world.mails()
    old = mail.model_copy(update={"defects": ()})
    found = whole(old, blobs=world.blobs, zone="UTC")
    assert [line.value for line in found if line.label == "Hidden"] == [told]


def test_a_forward_without_a_note_has_no_empty_letter(world: World) -> None:
    text = "---------- Forwarded message ---------\nFrom: Bob <b@x.org>\n"
    text += "Date: Tue, 3 Nov 2026 at 10:00\nSubject: Rent\nTo: a@x.org\n\nPay.\n"
    world.forwards(HEAD + words(text))
    told = [(label, value) for label, value in lines(world) if label.startswith(("Let", "Text"))]
    assert [label for label, _ in told] == ["Letter 1", "Text"]
    assert told[0][1].startswith("Forwarded from Bob <b@x.org>")


def test_a_mail_without_words_says_so(world: World) -> None:
    world.forwards(HEAD)
    assert lines(world)[-1] == ("Text", "(it has no text)")


def test_a_mail_that_could_not_be_read_says_so(world: World) -> None:
    world.forwards(UNREADABLE)
    assert lines(world) == [
        ("Received", "Mon 23 Nov 2026, 09:00 (Europe/Zurich)"),
        ("Text", "(it could not be read)"),
    ]


def test_of_a_forgotten_mail_there_is_nothing_to_show(world: World) -> None:
    world.forwards(PLAIN)
    [mail] = world.mails()
    gone = forget_mail(mail.id, by=ME, cause=world.cause, store=world.store)
    assert gone.state is MailState.FORGOTTEN
    found = whole(gone, blobs=world.blobs, zone="UTC")
    assert [line.label for line in found] == ["Date", "Text"]
    assert found[-1].value == "(it is forgotten)"
