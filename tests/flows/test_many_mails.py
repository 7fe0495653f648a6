"""Many mails at once share a notice, where the owner's home wants it so."""

from dataclasses import replace
from email.message import EmailMessage
from functools import partial
from typing import Any

import pytest

from assistant.adapters.discord.render import render
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown, ShownKind
from assistant.domain.errors import Unreachable
from assistant.domain.mail.mail import Mail, MailQuery, MailState
from assistant.domain.messages import SummariseMail
from ingest.announce import GROUP, LISTED
from ingest.forget import forget_mail
from ingest.receive import receive
from ingest.retry import retry_mail
from tests.bed import race
from tests.ingest.messages import UNREADABLE
from tests.world import LIMITS, ME, OWNER, World


@pytest.fixture
def crowd(world: World) -> World:
    """The same, where mails are grouped."""
    return replace(world, group_mails=True)


def raw(n: int, text: str = "hello") -> bytes:
    return f"From: Ann{n} <ann{n}@example.org>\r\nSubject: Number {n}\r\n\r\n{text}".encode()


def email(n: int) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["Subject"] = f"Ann{n} <ann{n}@example.org>", f"Number {n}"
    made.set_content("hello")
    return made


def arrive(world: World, *numbers: int) -> list[str]:
    """All are received before any is read; their ids."""
    return [
        receive(
            raw(n),
            owner=OWNER,
            door="file",
            trace=world.cause.trace,
            store=world.store,
            blobs=world.blobs,
            clock=world.clock,
            limits=LIMITS,
        ).id
        for n in numbers
    ]


def come(world: World, *numbers: int) -> list[str]:
    ids = arrive(world, *numbers)
    world.settle()
    return ids


def mails(world: World, **query: Any) -> list[Mail]:
    with world.store.read(world.cause) as tx:
        return list(tx.mails(MailQuery(limit=100, **query)))


def alone(world: World) -> list[str]:
    """Ids of the mails that have a notice of their own."""
    keys = (key.removeprefix(f"{OWNER}:") for key in world.wall.shown)
    return [key.removeprefix("mail-") for key in keys if key.startswith("mail-")]


def shared(world: World) -> list[Shown]:
    return [shown for key, shown in world.wall.shown.items() if key.startswith(f"{OWNER}:mails-")]


def labels(shown: Shown) -> list[str]:
    return [line.label for line in shown.fields]


def test_some_mails_are_shown_one_by_one(crowd: World) -> None:
    ids = come(crowd, *range(GROUP))
    assert sorted(alone(crowd)) == sorted(ids)
    assert shared(crowd) == []


def test_of_many_at_once_the_later_share_a_notice(crowd: World) -> None:
    ids = come(crowd, *range(GROUP + 4))
    [notice] = shared(crowd)
    together = [mail for mail in mails(crowd) if mail.bundle]
    assert len(alone(crowd)) == GROUP
    assert {*alone(crowd), *(mail.id for mail in together)} == set(ids)
    assert notice.title == "4 more new mails"
    assert labels(notice) == ["1", "2", "3", "4", "Known"]
    assert {line.value for line in notice.fields[:4]} == {
        f"{mail.sender} (first mail from this address): {mail.subject}" for mail in together
    }
    assert "no sender is verified" in notice.fields[-1].value
    assert not any(mail.id[:8] in str(notice.fields) for mail in together)
    assert [(one.verb, one.label, one.detail) for one in notice.actions] == [
        (Verb.SHOW, f"{n}. {mail.sender}", mail.subject) for n, mail in enumerate(together, 1)
    ]
    assert {one.choice for one in notice.actions} == {"Show one of them"}
    assert [one.subject for one in notice.actions] == [mail.id for mail in together]
    assert notice.outside
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_the_notice_grows_by_edits(crowd: World) -> None:
    come(crowd, *range(GROUP + 1))
    assert [notice.title for notice in shared(crowd)] == ["1 more new mail"]
    come(crowd, 10)
    assert [notice.title for notice in shared(crowd)] == ["2 more new mails"]
    assert shared(crowd)[0].actions[0].subject == mails(crowd)[0].id


def test_of_very_many_the_newest_are_listed_and_the_others_counted(crowd: World) -> None:
    come(crowd, *range(GROUP + LISTED + 2))
    [notice] = shared(crowd)
    assert notice.title == "22 more new mails"
    assert labels(notice)[LISTED:] == ["More", "Known"]
    assert notice.fields[LISTED].value.startswith("and 2 more: /search finds them")
    assert len(notice.actions) == LISTED
    [message] = render(notice, tokens=[f"word-{n}" for n in range(LISTED)])
    [[chosen]] = [row["components"] for row in message.components]
    assert len(chosen["options"]) == LISTED
    assert message.files == ()
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_each_is_listed_with_how_well_known_it_is_and_what_is_attached(crowd: World) -> None:
    come(crowd, *range(GROUP))
    crowd.forwards(raw(20))
    with_two = email(10)
    for name in ("a.txt", "b.txt"):
        with_two.add_attachment("x", filename=name)
    crowd.clock.passes(seconds=1)
    crowd.forwards(with_two.as_bytes())
    crowd.forwards(raw(20, "once more"))
    crowd.settle()
    [notice] = shared(crowd)
    assert sorted(line.value for line in notice.fields[:3]) == [
        "Ann10 <ann10@example.org> (first mail from this address): Number 10, 2 attachments",
        "Ann20 <ann20@example.org> (1 earlier mail from this address): Number 20",
        "Ann20 <ann20@example.org> (first mail from this address): Number 20",
    ]


def test_a_minute_later_they_are_shown_one_by_one_again(crowd: World) -> None:
    come(crowd, *range(GROUP + 1))
    crowd.clock.passes(seconds=61)
    [later] = come(crowd, 10)
    assert later in alone(crowd)
    come(crowd, 11, 12, 13)
    assert len(shared(crowd)) == 2


def test_mails_that_come_now_and_then_are_shown_one_by_one(crowd: World) -> None:
    for n in range(GROUP + 4):
        come(crowd, n)
        crowd.clock.passes(seconds=21)
    assert len(alone(crowd)) == GROUP + 4


def test_at_a_home_that_does_not_group_each_has_its_own_notice(world: World) -> None:
    come(world, *range(GROUP + 4))
    assert len(alone(world)) == GROUP + 4
    assert shared(world) == []


def test_a_notice_that_could_not_be_shown_at_first_announces_them_all(
    crowd: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    show, left = crowd.wall.show, [1, 2]

    def stumbles(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        posted = show(place, shown, attempt=attempt)
        if "mails-" in attempt.key and left:
            left.pop()
            raise Unreachable("whether it was shown is not known")
        return posted

    monkeypatch.setattr(crowd.wall, "show", stumbles)
    come(crowd, *range(GROUP + 3))
    assert [mail.state for mail in mails(crowd, state=MailState.SUMMARISED)] != []
    for _ in range(3):
        crowd.clock.passes(minutes=5)
        crowd.settle()
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_a_mail_that_joins_while_the_notice_is_shown_counts_as_told_when_it_is_in_it(
    crowd: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    come(crowd, *range(GROUP))
    first, second = arrive(crowd, 10, 11)
    for id in (first, second):
        assert crowd.bus.answer(f"read_mail:{id}")
    assert crowd.bus.answer(SummariseMail(id=first).name)
    show = crowd.wall.show
    seen: list[tuple[int, MailState, MailState]] = []

    def joined(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if not seen:
            assert crowd.bus.answer(SummariseMail(id=second).name)
        states = {mail.id: mail.state for mail in mails(crowd)}
        seen.append((len(shown.fields) - 1, states[first], states[second]))
        return show(place, shown, attempt=attempt)

    monkeypatch.setattr(crowd.wall, "show", joined)
    [deliver] = [job.id for job in crowd.store.jobs() if job.id.startswith("deliver:")]
    assert crowd.bus.answer(deliver)
    crowd.settle()
    assert [(count, state) for count, _, state in seen] == [
        (1, MailState.SUMMARISED),
        (2, MailState.SUMMARISED),
    ]
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_mails_that_join_at_once_are_all_in_it(crowd: World) -> None:
    come(crowd, *range(GROUP))
    ids = arrive(crowd, *range(10, 16))
    for id in ids:
        assert crowd.bus.answer(f"read_mail:{id}")
    race(*(partial(crowd.bus.answer, SummariseMail(id=id).name) for id in ids))
    crowd.settle()
    [notice] = shared(crowd)
    assert notice.title == "6 more new mails"
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_a_mail_that_is_summarised_once_more_is_announced_without_an_edit(crowd: World) -> None:
    come(crowd, *range(GROUP + 2))
    before = crowd.wall.changes
    [mail, _] = [mail for mail in mails(crowd) if mail.bundle]
    with crowd.store.begin(crowd.cause) as tx:
        tx.move_mail(mail, MailState.READ)
        tx.emit(SummariseMail(id=mail.id))
    crowd.settle()
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}
    assert crowd.wall.changes == before


def test_one_with_a_notice_of_its_own_keeps_it(crowd: World) -> None:
    come(crowd, *range(GROUP + 2))
    mail = next(mail for mail in mails(crowd) if not mail.bundle)
    with crowd.store.begin(crowd.cause) as tx:
        tx.move_mail(mail, MailState.READ)
        tx.emit(SummariseMail(id=mail.id))
    crowd.settle()
    assert len(alone(crowd)) == GROUP
    assert [notice.title for notice in shared(crowd)] == ["2 more new mails"]
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_a_held_mail_is_listed_as_held_until_it_is_read(crowd: World) -> None:
    come(crowd, *range(GROUP))
    read = crowd.read
    crowd.read = lambda _raw, context: read(UNREADABLE, context)
    [id] = come(crowd, 10)
    [notice] = shared(crowd)
    assert notice.fields[0].value == "(no sender): (no subject) (could not be read)"
    assert notice.actions == ()
    crowd.read = read
    retry_mail(id, cause=crowd.cause, store=crowd.store)
    crowd.settle()
    [notice] = shared(crowd)
    told = "Ann10 <ann10@example.org> (first mail from this address): Number 10"
    assert notice.fields[0].value == told
    assert {mail.state for mail in mails(crowd)} == {MailState.ANNOUNCED}


def test_a_forgotten_mail_leaves_the_list(crowd: World) -> None:
    come(crowd, *range(GROUP + 2))
    first, second = [mail for mail in mails(crowd) if mail.bundle]
    forget_mail(first.id, by=ME, cause=crowd.cause, store=crowd.store)
    crowd.settle()
    [notice] = shared(crowd)
    assert notice.title == "1 more new mail"
    assert labels(notice) == ["1", "Known"]
    assert [one.subject for one in notice.actions] == [second.id]
    forget_mail(second.id, by=ME, cause=crowd.cause, store=crowd.store)
    crowd.settle()
    assert shared(crowd) == [Shown(kind=ShownKind.MAIL, title="New mails", text="Forgotten.")]
