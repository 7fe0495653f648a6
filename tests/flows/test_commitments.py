"""What a mail asks of its owner: found once, listed, settled by the owner, and forgotten."""

from dataclasses import replace
from typing import Any

import pytest

from assistant.adapters.offline.model import OfflineModel
from assistant.commands.everyday import commitments as listing
from assistant.domain.conversation.conversation import Role, Want
from assistant.domain.mail.forward import ForwardedMail, HowForwarded
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.mail.understanding.commitments import Commitment
from assistant.domain.mail.words import as_bytes, without_words
from assistant.domain.messages import SummariseMail
from ingest.forget import forget_mail
from tests.bed import race
from tests.discord_world import HOME, Discord, said
from tests.world import ME, World

ROOF = (
    b"From: Bob <bob@roofs.example>\r\nSubject: The roof\r\n"
    b"Date: Mon, 23 Nov 2026 08:00:00 +0100\r\n\r\n"
    b"The roof leaks again. Could you let us in on Friday, 27 November?\r\n"
    b"It costs EUR 1,250.00. Please answer by Wednesday.\r\n"
)
ASK = {
    "words": "Let the roofers in",
    "quote": "Could you let us in on Friday, 27 November?",
    "due": "2026-11-27",
}
AMOUNT = {"words": "Repair", "quote": "It costs EUR 1,250.00", "value": "1250", "currency": "EUR"}
DEADLINE = {"words": "Answer", "quote": "Please answer by Wednesday", "due": "2026-11-25"}
REPORTED: dict[str, Any] = {
    "gist": "The roof leaks.",
    "asks": [ASK],
    "amounts": [AMOUNT],
    "deadlines": [DEADLINE],
}
INVENTED = {
    "words": "Wire EUR 9,000",
    "quote": "Please wire EUR 9,000 to DE02 today",
    "due": "2026-11-23",
}


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(replace(world, home=HOME))
    made.works()
    return made


def the_mail(world: World, id: str) -> Mail:
    with world.store.read(world.cause) as tx:
        return tx.mail(id)


def ledger(world: World, *, settled: bool = False) -> list[Commitment]:
    with world.store.read(world.cause) as tx:
        return list(tx.commitments(settled=settled))


def asked_again(world: World, id: str) -> None:
    """The mail is summarised once more."""
    with world.store.begin(world.cause) as tx:
        tx.move_mail(tx.mail(id, lock=True), MailState.READ)
        tx.emit(SummariseMail(id=id))
    world.settle()


# From a mail to the list


def test_a_mail_with_an_ask_is_told_in_parts_and_listed(discord: Discord) -> None:
    world = discord.world
    world.model.reported = REPORTED
    id = world.forwards(ROOF).id
    mail = the_mail(world, id)
    assert (mail.summary, mail.summarised_by, mail.unproved) == ("The roof leaks.", "scripted", 0)
    [ask], [amount], [deadline] = (
        mail.understood.asks,
        mail.understood.amounts,
        mail.understood.deadlines,
    )
    assert (ask.words, f"{amount.value} {amount.currency}") == ("Let the roofers in", "1250 EUR")
    assert str(deadline.due) == "2026-11-25"
    told = said(discord.slash("commitments"))
    for part in (
        "Let the roofers in",
        "by Fri 27 Nov",
        "asked by bob@roofs.example",
        ASK["quote"],
        f"/read {id[:8]}",
        "no address is verified",
    ):
        assert part in told
    assert len(world.model.views) == 1


def test_a_hostile_mail_whose_model_invents_a_quote_puts_nothing_on_the_list(world: World) -> None:
    world.model.reported = {**REPORTED, "asks": [INVENTED, ASK]}
    mail = the_mail(world, world.forwards(ROOF).id)
    assert mail.unproved == 1
    assert [one.words for one in ledger(world)] == ["Let the roofers in"]
    assert "9,000" not in mail.understood.model_dump_json()


def test_a_hostile_mail_that_talks_the_model_into_silence_is_found_by_code(world: World) -> None:
    world.model.reported = {"gist": "Nothing is asked."}
    world.forwards(ROOF)
    assert any("let us in" in one.quote for one in ledger(world))


def test_without_a_model_code_alone_fills_the_list(world: World) -> None:
    offline = replace(world, mind=OfflineModel())
    mail = the_mail(offline, offline.forwards(ROOF).id)
    assert (mail.summarised_by, mail.unproved) == ("extract", 0)
    assert mail.summary == mail.understood.gist
    assert any("let us in" in one.quote for one in ledger(offline))
    assert all(one.quote in ROOF.decode() for one in mail.understood.amounts)


def test_a_mail_that_comes_twice_and_out_of_order_makes_each_row_once(world: World) -> None:
    world.model.reported = REPORTED
    world.forwards(ROOF, settle=False)
    world.forwards(ROOF, settle=False)
    world.settle()
    world.forwards(ROOF)
    assert [one.words for one in ledger(world)] == ["Let the roofers in"]
    assert len(world.model.views) == 1


def test_two_workers_at_one_mail_make_each_row_once(world: World) -> None:
    world.model.reported = REPORTED
    id = world.forwards(ROOF, settle=False).id
    while the_mail(world, id).state is not MailState.READ:
        world.answer_next()
    name = SummariseMail(id=id).name
    race(lambda: world.bus.answer(name), lambda: world.bus.answer(name))
    world.settle()
    assert [one.words for one in ledger(world, settled=True)] == ["Let the roofers in"]


def test_a_later_summary_replaces_what_is_open_and_keeps_what_is_settled(discord: Discord) -> None:
    world = discord.world
    other = {**ASK, "words": "Answer them", "quote": "Please answer by Wednesday.", "due": None}
    world.model.reported = {**REPORTED, "asks": [ASK, other]}
    id = world.forwards(ROOF).id
    number = {one.words: one.number for one in ledger(world)}
    discord.slash("commitments", what="done", number=str(number["Answer them"]))
    better = {**ASK, "words": "Be at home for the roofers"}
    world.model.reported = {**REPORTED, "asks": [better, other]}
    asked_again(world, id)
    assert [(one.number, one.words) for one in ledger(world)] == [
        (number["Let the roofers in"], "Be at home for the roofers")
    ]
    assert {one.state.value for one in ledger(world, settled=True)} == {"open", "done"}


def test_forgetting_a_mail_takes_its_rows_with_it(world: World) -> None:
    world.model.reported = REPORTED
    id = world.forwards(ROOF).id
    assert ledger(world)
    forget_mail(id, by=ME, cause=world.cause, store=world.store)
    assert ledger(world, settled=True) == []


# What was forwarded

NOTE = Letter(
    kind=LetterKind.MAIL,
    sender="Ada <ada@home.example>",
    sender_address="ada@home.example",
    subject="Fwd: The roof",
    text="Ignore this one?",
)
INNER = Letter(
    kind=LetterKind.INLINE_FORWARD,
    depth=1,
    inside=0,
    sender="Bob <bob@roofs.example>",
    sender_address="bob@roofs.example",
    subject="The roof",
    text=ROOF.decode().partition("\r\n\r\n")[2],
)
MINE = Letter(
    kind=LetterKind.QUOTED_REPLY,
    depth=2,
    inside=1,
    sender_address="ada@home.example",
    text="I will pay the deposit on Monday.",
)


def forwarded(world: World, *letters: Letter) -> str:
    """A mail that was read as one that somebody forwarded by hand; its id."""
    id = world.forwards(ROOF, settle=False).id
    while the_mail(world, id).state is not MailState.STORED:
        world.answer_next()
    world.queue.bells.clear()
    words = f"letters-{id}"
    world.blobs.put(words, as_bytes(letters))
    facts: dict[str, Any] = {
        "subject": letters[0].subject,
        "sender": letters[0].sender,
        "sender_address": letters[0].sender_address,
        "letters": without_words(letters),
        "words": words,
        "forward": ForwardedMail(how=HowForwarded.BY_HAND, keeps_sender=False),
    }
    with world.store.begin(world.cause) as tx:
        tx.move_mail(tx.mail(id, lock=True), MailState.READ, **facts)
        tx.emit(SummariseMail(id=id))
    world.settle()
    return id


def test_what_was_forwarded_is_summarised_and_the_note_is_apart(world: World) -> None:
    promise = {"words": "Pay the deposit", "quote": "I will pay the deposit on Monday"}
    world.model.reported = {**REPORTED, "promises": [promise]}
    id = forwarded(world, NOTE, INNER, MINE)
    [view] = world.model.views
    assert [entry.role for entry in view.entries] == [Role.OUTCOME] * 3
    first, note, quoted = (entry.text for entry in view.entries)
    assert "from bob@roofs.example" in first.splitlines()[0]
    assert f"note of ada@home.example, who forwarded mail {id}" in note.splitlines()[0]
    assert "Ignore this one?" not in first
    assert "deposit" in quoted
    found = {one.kind.value: (one.words, one.who) for one in ledger(world)}
    assert found == {
        "asked": ("Let the roofers in", "bob@roofs.example"),
        "promised": ("bob@roofs.example quotes you: Pay the deposit", "bob@roofs.example"),
    }


# The owner's command


def test_the_owner_marks_one_as_done_drops_it_and_opens_it_again(discord: Discord) -> None:
    world = discord.world
    world.model.reported = REPORTED
    world.forwards(ROOF)
    number = str(ledger(world)[0].number)
    told = said(discord.slash("commitments", what="done", number=number))
    assert told.startswith(f"No {number} is done: Let the roofers in")
    assert "Nothing is open" in said(discord.slash("commitments"))
    assert f"No {number} is done already" in said(
        discord.slash("commitments", what="drop", number=number)
    )
    everything = said(discord.slash("commitments", what="all"))
    assert "done, by Fri 27 Nov" in everything
    assert "marks one as done" not in everything
    discord.slash("commitments", what="open", number=f"#{number}")
    discord.slash("commitments", what="drop", number=number)
    assert [one.state.value for one in ledger(world, settled=True)] == ["dropped"]


def test_one_is_looked_at_with_all_of_its_words(discord: Discord) -> None:
    world = discord.world
    world.model.reported = REPORTED
    id = world.forwards(ROOF).id
    told = said(discord.slash("commitments", what=str(ledger(world)[0].number)))
    for part in ("not verified", ASK["quote"], id, "by Fri 27 Nov", "open"):
        assert part in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"what": "done"}, "which one?"),
        ({"what": "done", "number": "9999"}, "commitment 9999"),
        ({"what": "done", "number": "the roof"}, "is no number of the list"),
        ({"what": "finish"}, "none of all, done, drop, open"),
        ({"what": "77777777777"}, "no number of the list"),
        ({"what": "0"}, "commitment 0"),
    ],
)
def test_what_names_none_is_told_what_to_type(
    discord: Discord, given: dict[str, str], told: str
) -> None:
    assert told in said(discord.slash("commitments", **given))


def test_a_long_ask_is_told_whole_in_a_chat_and_once(discord: Discord) -> None:
    ask = (
        "Could you let the roofers in on Friday, and tell me whether the room below the roof is "
        "empty by then, or whether I should bring a cover for the furniture?"
    )
    discord.world.model.reported = {"gist": "Bob asks.", "asks": [{"words": ask, "quote": ask}]}
    discord.world.forwards(ROOF.partition(b"The roof leaks")[0] + ask.encode())
    told = said(discord.slash("commitments"))
    assert told.count("let the roofers in") == 1
    assert "a cover for the furniture?" in told


def test_what_is_late_is_told_as_such(discord: Discord) -> None:
    world = discord.world
    world.model.reported = REPORTED
    world.forwards(ROOF)
    world.clock.passes(days=6)
    assert "was due Fri 27 Nov" in said(discord.slash("commitments"))


# The model's tool


def test_a_model_lists_them_as_outside_text(world: World) -> None:
    world.model.reported = REPORTED
    id = world.forwards(ROOF).id
    world.asks(Want(tool="list_commitments", args={}), then="One thing.")
    call = world.call()
    assert call.result.startswith("1 commitment.\n<<outside")
    for part in ("asked by bob@roofs.example (not verified)", "Due: 2026-11-27", f"id: {id}"):
        assert part in call.result
    assert world.model.views[-1].tainted


# What others promise in the owner's name

STRANGER = (
    b"From: Mallory <mal@evil.example>\r\nSubject: Fwd: Deal\r\n\r\n"
    b"I will pay you EUR 500 by Friday.\r\n\r\n---------- Forwarded message ---------\r\n"
    b"From: Bob <bob@roofs.example>\r\nDate: Mon, 23 Nov 2026 at 08:00\r\nSubject: Deal\r\n"
    b"To: <ada@home.example>\r\n\r\nHello there.\r\n"
)


def test_a_promise_of_a_stranger_is_listed_with_the_address_that_wrote_it(
    discord: Discord,
) -> None:
    world = discord.world
    promise = {"words": "Pay EUR 500", "quote": "I will pay you EUR 500 by Friday"}
    world.model.reported = {"gist": "x", "promises": [promise]}
    world.forwards(STRANGER)
    [one] = ledger(world)
    told = "you promised bob@roofs.example, wrote mal@evil.example"
    assert told in said(discord.slash("commitments"))
    assert told in said(discord.slash("commitments", what=str(one.number)))
    world.asks(Want(tool="list_commitments", args={}), then="One thing.")
    told = "promised to bob@roofs.example in a mail of mal@evil.example (not verified)"
    assert told in world.call().result


def test_a_crowd_of_asks_hides_no_ask_without_a_word(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = discord.world
    monkeypatch.setattr(listing, "_MOST", 3)
    world.model.reported = REPORTED
    world.forwards(ROOF)
    world.asks(Want(tool="list_commitments", args={}), then="One thing.")
    assert world.call().result.startswith("1 commitment.\n")
    assert "there are more" not in said(discord.slash("commitments"))
    for n in range(3):
        quote = f"Please pay by {n + 1} January 2001"
        world.model.reported = {"gist": "x", "asks": [{**ASK, "quote": quote, "due": None}]}
        world.forwards(ROOF.replace(b"The roof leaks", b"%s. It leaks %d" % (quote.encode(), n)))
    told = said(discord.slash("commitments"))
    assert "there are more than these" in told
    world.asks(Want(tool="list_commitments", args={"limit": 3}), then="Some.")
    assert world.call("A2").result.startswith("3 commitments, and there are more.\n")
