"""Two houses for all process tests: one as `up` lays it out, one on Postgres with threads alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.process.discord_rig import DiscordRig
from tests.process.rig import Rig
from tests.servers.discord import DiscordServer
from tests.servers.postgres import PostgresServer

KILLS = (
    "read_mail.blob.after",
    "read_mail.publish.before",
    "summarise_mail.commit.before",
    "deliver.commit.before",
    "think.commit.before",
    "think.publish.before",
    "run.effect.before",
    "run.effect.after",
    "run.commit.before",
    "run.publish.before",
    "run.ack.before",
    "run.ack.after",
)

BOT_KILLS = (
    "bot:words.commit.before",
    "bot:words.publish.before",
    "bot:words.bot.answered",
    "bot:press.bot.heard",
    "bot:press.publish.before",
    "bot:press.publish.after",
    "bot:press.bot.answered",
    "bot:bot.before_callback",
    "think.commit.before",
    "think.publish.before",
    "card.show.before",
    "card.show.after",
    "run.effect.before",
    "run.effect.after",
    "run.commit.before",
    "run.publish.before",
    "receipt.show.before",
    "receipt.show.after",
    "words.show.before",
    "words.show.after",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.process)


FAILPOINTS = {
    **dict.fromkeys(KILLS, "kill"),
    "read_mail.commit.before": "fail",
    "read_mail.blob.before": "sleep:2",
    "effect.before": "sleep:2",
}


@pytest.fixture(scope="session")
def _sqlite_rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    root = tmp_path_factory.mktemp("sqlite")
    with Rig(root, roles=("processes", "beat", "doors"), failpoints=FAILPOINTS) as rig:
        yield rig


@pytest.fixture
def rig(_sqlite_rig: Rig) -> Rig:
    """One worker of three processes, a clock and the doors; all of them alive."""
    _sqlite_rig.revive()
    return _sqlite_rig


@pytest.fixture(scope="session")
def _postgres_rig(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[Rig]:
    root = tmp_path_factory.mktemp("postgres")
    name = postgres.make_database()
    url = postgres.url(name)
    with Rig(root, roles=("processes", "beat"), failpoints=FAILPOINTS, database_url=url) as rig:
        yield rig


@pytest.fixture
def postgres_rig(_postgres_rig: Rig) -> Rig:
    """The same on Postgres, without doors."""
    _postgres_rig.revive()
    return _postgres_rig


@pytest.fixture(scope="session")
def _discord_rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DiscordRig]:
    root = tmp_path_factory.mktemp("discord")
    kills = dict.fromkeys(BOT_KILLS, "kill")
    with DiscordServer() as discord, DiscordRig(root, discord, failpoints=kills) as rig:
        yield rig


@pytest.fixture(scope="session")
def _postgres_discord_rig(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[DiscordRig]:
    root, url = tmp_path_factory.mktemp("discord-postgres"), postgres.url(postgres.make_database())
    with DiscordServer() as discord, DiscordRig(root, discord, database_url=url) as rig:
        yield rig


@pytest.fixture
def discord_rig(_discord_rig: DiscordRig) -> DiscordRig:
    """An assistant on a Discord of its own, with a bot; all of it alive."""
    _discord_rig.revive()
    return _discord_rig


@pytest.fixture
def postgres_discord_rig(_postgres_discord_rig: DiscordRig) -> DiscordRig:
    """The same on Postgres, where nobody is killed."""
    _postgres_discord_rig.revive()
    return _postgres_discord_rig
