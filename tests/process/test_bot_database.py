"""``assistant bot`` while its database is not there, or does not answer."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import text

from tests.process.test_bot_process import PATIENCE, House
from tests.servers.discord import DiscordServer, Interaction
from tests.servers.postgres import PostgresServer, postgres_server
from workers.discord.answering import HANGS
from workers.parts import Assistant
from workers.supervisor import prepare_database

pytestmark = pytest.mark.slow

AT_ONCE = 12
"""More than the bot has threads."""


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresServer]:
    """One of its own, which comes and goes."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def house(database: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """With a bot."""
    root, url = tmp_path_factory.mktemp("bot-database"), database.url(database.make_database())
    with DiscordServer() as discord:
        made = House(root, discord, discord.user("ann"), database_url=url)
        with closing(made.assistant()) as assistant:
            prepare_database(assistant)
        made.start("bot")
        discord.wait_for_bot(PATIENCE)
        made.until(lambda: discord.commands, "the commands are registered")
        yield made
        made.end()


@pytest.fixture(scope="module")
def assistant(house: House) -> Iterator[Assistant]:
    with closing(house.assistant()) as made:
        yield made


def begins_anew(house: House) -> Interaction:
    return house.discord.slash(house.owner, None, "new").wait_for_answer()


def works(house: House, assistant: Assistant, words: str) -> None:
    """A command is carried out, and what is said is heard; once."""
    begins_anew(house).wait_for_words("A new conversation", PATIENCE)
    house.discord.say(house.owner, None, words)
    house.until(lambda: heard(assistant, words), f"{words!r} is heard")
    assert heard(assistant, words) == 1


def heard(assistant: Assistant, words: str) -> int:
    with assistant.engines.read.connect() as connection:
        found = connection.execute(
            text("SELECT count(*) FROM entry WHERE text = :it"), {"it": words}
        )
        return int(found.scalar_one())


def test_without_a_database_it_says_so_in_time_and_works_again_when_it_is_back(
    house: House, assistant: Assistant, database: PostgresServer
) -> None:
    works(house, assistant, "before")
    direct = house.discord.dm(house.owner)
    with database.stopped():
        for _ in range(2):
            told = begins_anew(house)
            assert told.acknowledged_ms < 3_000
            told.wait_for_words("Nothing was done", PATIENCE)
            assert told.ephemeral
        offered = house.discord.autocomplete(house.owner, None, "undo", "call", "A")
        assert offered.wait_for_answer().choices == []
        house.discord.say(house.owner, None, "meanwhile")
        house.discord.wait_for_message(direct, "I have not heard this", PATIENCE)
    assistant.engines.dispose()  # the test's own connections are broken, too
    works(house, assistant, "after")
    assert heard(assistant, "meanwhile") == 0


def test_while_the_database_hangs_everything_is_acknowledged_in_time_and_carried_out_later(
    house: House, assistant: Assistant, database: PostgresServer
) -> None:
    works(house, assistant, "before it hung")
    with database.hanging():
        given = [house.discord.slash(house.owner, None, "pending") for _ in range(AT_ONCE)]
        for one in given:
            assert one.wait_for_answer().acknowledged_ms < 3_000
            assert one.deferred
        house.discord.say(house.owner, None, "while it hung")
        given[0].wait_for_words(HANGS, PATIENCE)
    for one in given:
        one.wait_for_words("Nothing waits for you", PATIENCE)
    house.until(lambda: heard(assistant, "while it hung"), "it is heard")
    works(house, assistant, "after it hung")
