"""`assistant mail retry`, and the list of what could not be read."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.domain.errors import Unreadable
from assistant.domain.jobs.job import JobFacts
from assistant.domain.mail.mail import MailQuery, MailState
from tests.process.command import Ended, run
from workers.cli.session import Session
from workers.command_parts import CommandParts
from workers.settings import only


class House:
    def __init__(self, data: Path) -> None:
        self.data = data

    def __call__(self, *words: str, input: bytes = b"") -> Ended:
        return run(*words, data=self.data, input=input, env={"ASSISTANT_TIMEZONE": "UTC"})

    def has_held(self, *reasons: str) -> list[str]:
        """Mails that are held for these reasons, though they can be read."""
        ids = []
        for number, reason in enumerate(reasons):
            raw = b"From: ada@example.org\r\nSubject: Rent %d\r\n\r\nDue." % number
            id = self("mail", "add", "-", "--json", input=raw).value["id"]
            opened = Session(only(data_dir=self.data, timezone="UTC"))
            opened.open()
            with opened.assistant.store.begin(opened.assistant.cause()) as tx:
                tx.move_mail(tx.mail(id), MailState.HELD, reason=reason)
            opened.assistant.close()
            ids.append(id)
        return ids

    def states(self) -> list[str]:
        return [one["state"] for one in self("mail", "list", "--json").value]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_args: object, **_more: object) -> None:
        raise Unreadable("it is torn")

    monkeypatch.setattr("ingest.reader.ParseProcess.read", read)


def test_what_is_held_is_listed_by_reason_with_the_command_that_reads_it_again(
    house: House,
) -> None:
    house.has_held("it has 3 parts", "it is torn", "it has 44 parts")
    listed = house("mail", "list", "--state", "held").out
    rows = [line for line in listed.splitlines() if "mail retry --all" in line]
    assert len(rows) == 2
    assert "2 mails" in rows[0]
    assert "it has N parts" in rows[0]
    assert "--reason 'it is torn'" in rows[1]
    assert len(house("mail", "list", "--state", "held", "--json").value) == 3
    facts = house("status", "--json").value["held"]
    assert [(one["kind"], one["mails"]) for one in facts] == [
        ("it has N parts", 2),
        ("it is torn", 1),
    ]


def test_a_group_is_read_again_and_then_all_that_is_left(house: House) -> None:
    ids = house.has_held("it has 3 parts", "it is torn", "it has 44 parts")
    some = house("mail", "retry", "--all", "--reason", "it has N parts")
    assert (some.code, some.out.strip()) == (0, "2 mails are read again")
    assert sorted(house.states()) == ["announced", "announced", "held"]
    rest = house("mail", "retry", "--all", "--json")
    assert (rest.code, rest.value) == (0, {"again": [ids[1]], "gone": 0, "held_again": []})
    none = house("mail", "retry", "--all")
    assert (none.code, none.out.strip()) == (0, "No such mail is held")
    assert house("mail", "retry", "--all", "--json").value == {
        "again": [],
        "gone": 0,
        "held_again": [],
    }


def test_what_cannot_be_read_again_is_counted_and_ends_with_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = house.has_held("a", "b")
    cannot_read(monkeypatch)
    ended = house("mail", "retry", "--all")
    assert (ended.code, ended.err.strip()) == (
        1,
        "assistant: 2 mails are read again. 2 mails could not be read again",
    )
    assert house("mail", "retry", "--all", "--json").value["held_again"] == ids


@pytest.mark.parametrize(
    "words", [(), ("abc", "--all"), ("abc", "--reason", "torn"), ("--reason", "torn")]
)
def test_it_is_one_mail_or_all(house: House, words: tuple[str, ...]) -> None:
    house.has_held("it is torn")
    assert house("mail", "retry", *words).code == 2


def test_one_mail_is_read_again_by_its_id(house: House) -> None:
    [id] = house.has_held("it is torn")
    assert house("mail", "retry", id[:6]).code == 0
    assert house.states() == ["announced"]


def test_a_mail_that_was_shown_is_read_again_by_its_id(house: House) -> None:
    id = house("mail", "add", "-", "--json", input=b"Subject: Rent\r\n\r\nDue.").value["id"]
    assert house("mail", "retry", id).code == 1
    again = house("mail", "reread", id, "--json")
    assert (again.code, again.value["state"]) == (0, "announced")
    assert house("mail", "reread", "ffff").code == 7


def test_many_mails_are_read_without_a_look_at_all_of_them_before_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Session(only(data_dir=tmp_path, timezone="UTC"))
    opened.open()
    store = opened.assistant.store
    cause = opened.assistant.cause()
    for number in range(40):
        raw = b"From: ada@example.org\r\nSubject: Rent %d\r\n\r\nDue." % number
        CommandParts(opened.assistant).mails.add(raw, cause=cause)
    looks: list[int] = []
    jobs = store.jobs

    def looking(*, failed: bool | None = None) -> Sequence[JobFacts]:
        looks.append(1)
        return jobs(failed=failed)

    monkeypatch.setattr(store, "jobs", looking)
    assert opened.settle(cause.trace)
    with store.read(cause) as tx:
        assert tx.count_mails(MailQuery(state=MailState.ANNOUNCED)) == 40
    assert len(looks) < 20
    opened.close()
