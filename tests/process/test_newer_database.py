"""A database of a newer version: every command says so in one sentence and touches nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from assistant.adapters.sql.driver import make_engines
from tests.process.command import run
from tests.servers.postgres import PostgresServer
from workers.data_folder import DataFolder
from workers.parts import silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import only

COMMANDS = [
    ("approvals", "approve", "A1"),
    ("approvals", "list"),
    ("audit", "list"),
    ("agenda",),
    ("audit", "verify"),
    ("beat",),
    ("bot",),
    ("calls", "list"),
    ("chat", "--once", "help"),
    ("doctor",),
    ("doctor", "--json"),
    ("doors",),
    ("files", "ls"),
    ("grants", "list"),
    ("health", "beat", "tools"),
    ("mail", "add", "-"),
    ("mail", "list"),
    ("migrate",),
    ("mode", "show"),
    ("policy", "history"),
    ("status",),
    ("tools", "list"),
    ("undo", "A1"),
    ("up", "--no-chat", "--smtp-port=0", "--http-port=0"),
    ("worker", "tools", "--pool", "processes"),
    ("worker", "interactive", "--pool", "threads"),
]
SENTENCE = "The database is of a newer version of the assistant: it has revision 9999"


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def newer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, dict[str, str]]]:
    """A data folder, and the settings of a database that a later version has upgraded."""
    data, env = tmp_path_factory.mktemp("newer"), {"ASSISTANT_BROKER_URL": "redis://127.0.0.1:1/0"}
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        env["ASSISTANT_DATABASE_URL"] = server.url(server.make_database())
    settings = only(data_dir=data, database_url=env.get("ASSISTANT_DATABASE_URL", ""))
    assistant = silent_assistant(settings)
    prepare_database(assistant)
    with assistant.engines.write.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assistant.close()
    yield data, env
    engines = make_engines(DataFolder(settings).database_url)
    with engines.read.connect() as connection:
        assert (
            connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
        )
        assert connection.execute(text("SELECT count(*) FROM audit")).scalar() == 0
    engines.dispose()


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_every_command_says_so_in_one_sentence_and_ends_with_3(
    arguments: tuple[str, ...], newer: tuple[Path, dict[str, str]]
) -> None:
    data, env = newer
    if arguments[0] != "up":
        env = env | {
            "ASSISTANT_DISCORD_TOKEN": "a-token",
            "ASSISTANT_DISCORD_API_BASE": "http://127.0.0.1:1",
        }
    else:
        env = {name: value for name, value in env.items() if name != "ASSISTANT_BROKER_URL"}
    ended = run(*arguments, data=data, env=env, input=b"Subject: Tea\r\n\r\nTea.\r\n")
    assert ended.code == 3, ended
    assert ended.err.count("\n") == 1
    assert SENTENCE in ended.err
    assert "install that version, or restore a backup" in ended.err
    if arguments == ("doctor", "--json"):
        assert [one["id"] for one in json.loads(ended.out) if not one["ok"]] == ["database"]
    elif arguments != ("doctor",):
        assert ended.out == ""
