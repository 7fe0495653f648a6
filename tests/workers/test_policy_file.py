"""The policy is a file: what holds in it comes into force, what does not changes nothing."""

import os
from pathlib import Path

import pytest

from assistant.domain.conversation.deliveries import Home
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.problems import BadPolicy
from assistant.domain.policy.text import PolicyText
from tests.stores import Fresh, MakeStore
from tests.world import HandClock, Queue
from workers.policy_file import PolicyFile, reader

ME = Cause(owner="owner", trace="a" * 32)
GOOD = "version: 1\nrules:\n  - {tool: write_file, action: ask}\n"
BAD = "version: 1\nrules:\n  - {tool: write_fiel, action: ask}\n"
SCHEMAS = {"write_file": {"type": "object", "properties": {"path": {"type": "string"}}}}


class House:
    def __init__(self, folder: Path, make_store: MakeStore) -> None:
        self.path = folder / "policy.yaml"
        self.store = make_store(Queue(), HandClock())
        self.file = self.ticker()
        self.changes = 0

    def ticker(self) -> PolicyFile:
        return PolicyFile(
            self.path,
            read=reader(lambda: SCHEMAS),
            store=self.store,
            home=Home(channel="terminal", place="owner"),
        )

    def write(self, text: str) -> None:
        self.path.write_text(text)
        self.changes += 1
        os.utime(self.path, ns=(self.changes, self.changes))
        self.file.look(ME)

    def policy(self) -> PolicyText:
        with self.store.read(ME) as tx:
            return tx.policy()

    def told(self) -> list[str]:
        with self.store.read(ME) as tx:
            return [row.wanted.text for row in tx.deliveries()]


@pytest.fixture
def house(tmp_path: Path, fresh: Fresh) -> House:
    return House(tmp_path, fresh())


def test_without_a_file_nothing_is_saved(house: House) -> None:
    house.file.look(ME)
    assert house.policy().version == 0


def test_a_file_that_holds_is_a_new_version_and_the_old_one_is_kept(house: House) -> None:
    house.write(GOOD)
    assert (house.policy().version, house.policy().by) == (1, "file:policy.yaml")
    house.write(GOOD.replace("ask", "deny"))
    assert house.policy().version == 2
    with house.store.read(ME) as tx:
        assert tx.policy_version(1).text == GOOD


def test_a_file_that_was_only_touched_is_no_new_version(house: House) -> None:
    house.write(GOOD)
    house.write(GOOD)
    assert house.policy().version == 1


def test_what_does_not_hold_leaves_the_version_before_and_is_told_once(house: House) -> None:
    house.write(GOOD)
    house.write(BAD)
    house.file.look(ME)
    house.ticker().look(ME)
    assert house.policy().version == 1
    [words] = house.told()
    assert "the policy before stays" in words
    assert "line 3" in words
    assert "write_file" in words


def test_it_is_told_how_the_file_stands_to_what_is_in_force(house: House) -> None:
    assert house.file.standing(ME) == "the built-in rules are in force; there is no policy.yaml"
    house.write(GOOD)
    assert house.file.standing(ME) == "version 1 is in force"
    house.path.write_text(GOOD + "\n")
    assert "policy.yaml is newer" in house.file.standing(ME)
    house.path.write_text("version: 1\nrulez: []\n")
    with pytest.raises(BadPolicy, match=r"policy\.yaml is not valid, version 1 is in force"):
        house.file.standing(ME)
    assert (house.policy().version, house.told()) == (1, [])


def test_where_the_first_policy_does_not_hold_it_is_said_what_applies(house: House) -> None:
    house.path.write_text("version: 1\nrulez: []\n")
    with pytest.raises(BadPolicy, match=r"is not valid, the built-in rules are in force: "):
        house.file.standing(ME)
    house.file.look(ME)
    [words] = house.told()
    assert "the built-in rules stay in force." in words


def test_a_file_that_goes_away_changes_nothing(house: House) -> None:
    house.write(GOOD)
    house.path.unlink()
    house.file.look(ME)
    assert house.policy().version == 1


def test_two_tickers_save_a_change_once(house: House) -> None:
    other = house.ticker()
    house.write(GOOD)
    other.look(ME)
    assert house.policy().version == 1


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * (1024 * 1024 + 1)], ids=["bytes", "huge"])
def test_what_is_no_text_of_a_fair_size_is_not_taken(house: House, data: bytes) -> None:
    house.path.write_bytes(data)
    house.file.look(ME)
    assert house.policy().version == 0
