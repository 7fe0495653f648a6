"""The table of commands: one entry is a command in every channel, and an agent is given few."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run as run_process
from types import ModuleType

import pytest

from assistant.commands.answer import say
from assistant.commands.body import Body, Nothing
from assistant.commands.carry_out import NoCommand, as_typed, bound_words, from_words, named
from assistant.commands.channel import ANYONE, CommandChannel
from assistant.commands.help import help_for
from assistant.commands.index import COMMANDS, GOVERNS, Command, given_in
from tests.discord_world import Discord, said
from tests.process.command import forget_the_command_line, run
from tests.stores import opened as stores
from tests.world import World
from workers.cli.session import Session, context_of
from workers.cli.terminal.slash import command
from workers.discord.commands.registration import registration
from workers.settings import only


@pytest.fixture
def ping(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command that is in the table and nowhere else."""
    module = ModuleType("assistant.commands.ping")
    said = say("pong", data=lambda: {"said": "pong"})
    module.PING = Body(args=Nothing, run=lambda _ctx, _args: said)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    entry = Command(name="ping", help="Say pong.", body="ping:PING", line="ping", channels=ANYONE)
    monkeypatch.setitem(COMMANDS, "ping", entry)
    forget_the_command_line()
    yield
    forget_the_command_line()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield made
    made.assistant.close()


@pytest.mark.usefixtures("ping")
def test_an_entry_of_the_table_is_a_command_everywhere(
    opened: Session, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assert command(opened, "/ping", cause=opened.assistant.cause()) == "pong"
    assert run("ping", data=tmp_path).out == "pong\n"
    assert json.loads(run("ping", "--json", data=tmp_path).out) == {"said": "pong"}
    assert "Say pong." in run("--help", data=tmp_path).out
    assert "/ping" in command(opened, "/help all", cause=opened.assistant.cause())
    assert "/ping" in help_for(CommandChannel.DISCORD, all=True)
    [told] = [one for one in registration() if one["name"] == "ping"]
    assert (told["description"], told["options"]) == ("Say pong.", [])
    with stores("sqlite", request) as make:
        assert said(Discord(World(make)).slash("ping")) == "pong"


@pytest.mark.parametrize("entry", COMMANDS.values(), ids=list(COMMANDS))
def test_the_body_of_each_command_is_where_the_index_says(entry: Command) -> None:
    body = entry.load()
    assert isinstance(body, Body)
    assert body.choices.keys() <= body.args.model_fields.keys()
    assert {info.description is not None for info in body.args.model_fields.values()} <= {True}


AN_AGENT_MAY = frozenset({"pending", "details", "status"})


def test_an_agent_is_given_what_reads_and_nothing_that_approves_or_governs() -> None:
    assert given_in(CommandChannel.AGENT).keys() == AN_AGENT_MAY
    assert {"approve", "edit", "similar", "call", "undo", "mode", "policy", "people"} <= GOVERNS
    for name in GOVERNS & COMMANDS.keys():
        with pytest.raises(NoCommand):
            named(name, CommandChannel.AGENT)


@pytest.mark.parametrize("name", sorted(GOVERNS))
def test_no_table_can_give_an_agent_what_approves_or_governs(name: str) -> None:
    with pytest.raises(ValueError, match="for people alone"):
        Command(name=f"{name} it", help="", body="", channels=ANYONE)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("pend", "There is no command /pend; did you mean /pending?"),
        ("xyzzy", "There is no command /xyzzy. /help lists them."),
    ],
)
def test_words_that_name_no_command_are_told_the_nearest(typed: str, told: str) -> None:
    with pytest.raises(NoCommand) as error:
        named(typed, CommandChannel.TERMINAL)
    assert str(error.value) == told


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("A1", {"call": "A1"}),
        ("A1 yes", {"call": "A1", "yes": True}),
        ("A1 yes CONFIRM", {"call": "A1", "yes": True, "word": "CONFIRM"}),
        ("A1 CONFIRM", {"call": "A1", "word": "CONFIRM"}),
        ("  A1   yes ", {"call": "A1", "yes": True}),
    ],
)
def test_words_behind_a_command_are_its_arguments(text: str, given: dict[str, object]) -> None:
    assert from_words(COMMANDS["plan"].load(), text) == given


def test_a_missing_argument_is_told_with_what_fits_it(opened: Session) -> None:
    with pytest.raises(Exception, match=r"which one\? .*Type: /approve A17 \[word\]"):
        command(opened, "/approve", cause=opened.assistant.cause())


def test_help_and_the_listing_of_a_shell_load_no_body() -> None:
    code = (
        "import sys; from workers.cli.app import app; from typer.testing import CliRunner;"
        "assert CliRunner().invoke(app, ['approvals', '--help']).exit_code == 0;"
        "print([one for one in ('assistant.commands.calls', 'assistant.flows', 'workers.parts',"
        " 'rich.console') if one in sys.modules])"
    )
    done = run_process([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_command_is_typed_again_as_it_was_meant(opened: Session) -> None:
    ctx = context_of(opened, CommandChannel.TERMINAL, cause=opened.assistant.cause(), shown={})
    again = as_typed(ctx, "plan", {"call": "A7", "yes": True}, "CONFIRM")
    assert again == "/plan A7 yes CONFIRM"
    assert bound_words(ctx, again).args.model_dump() == {
        "call": "A7",
        "yes": True,
        "word": "CONFIRM",
    }
