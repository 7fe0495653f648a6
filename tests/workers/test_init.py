"""`assistant init`: the first settings, tried, and written without harm to what is there."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from select import select

import pytest

from tests.process.command import Ended, run
from tests.servers.discord import DiscordServer
from tests.servers.openai_api import KEY, OpenAIServer, Reply
from workers.cli.setup.init import _as_started
from workers.configuration.env_file import quoted, read, with_settings
from workers.configuration.models import KEYS

_REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command is given."""
    monkeypatch.chdir(tmp_path)
    for names in KEYS.values():
        for name in names:
            monkeypatch.delenv(name, raising=False)
    return tmp_path


CTRL_C = "Ctrl-C"


def init(folder: Path, *arguments: str, input: bytes = b"", **env: str) -> Ended:
    return run("init", *arguments, data=folder / "data", input=input, env=env)


def test_options_are_written_for_this_user_alone_and_the_rest_keeps_its_default(
    folder: Path,
) -> None:
    ended = init(folder, "--zone", "Europe/Berlin", "--name", "Ada's desk", "--yes", "--json")
    assert ended.code == 0, ended
    assert ended.value["written"] == ["ASSISTANT_TIMEZONE", "ASSISTANT_OWNER_NAME"]
    assert (folder / ".env").stat().st_mode & 0o777 == 0o600
    assert dict(read(folder / ".env")) == {
        "ASSISTANT_TIMEZONE": "Europe/Berlin",
        "ASSISTANT_OWNER_NAME": "Ada's desk",
    }
    assert not (folder / "data").exists()
    told = init(folder, "--zone", "Europe/Berlin", "--yes")
    assert told.out.splitlines()[0] == f"Nothing to change in {folder}/.env."
    assert "`assistant up` starts everything" in told.out
    own = "`assistant calendar connect` uses your own calendar, not a private one."
    assert told.out.splitlines()[-1] == own
    there = folder / ".env"
    there.write_text(there.read_text() + "ASSISTANT_CALDAV_PROVIDER=icloud\n")
    assert "calendar connect" not in init(folder, "--zone", "Europe/Berlin", "--yes").out


def test_lines_that_it_does_not_know_stay_as_they_are(folder: Path) -> None:
    before = "# mine\nOTHER=1\n\nexport ASSISTANT_TIMEZONE=UTC # home\nSOMEBODY ELSE'S\n"
    (folder / ".env").write_text(before)
    assert init(folder, "--zone", "Europe/Paris", "--name", "Ada", "--yes").code == 0
    assert (folder / ".env").read_text() == (
        "# mine\nOTHER=1\n\nASSISTANT_TIMEZONE=Europe/Paris\nSOMEBODY ELSE'S\n"
        "ASSISTANT_OWNER_NAME=Ada\n"
    )


def test_a_setting_goes_below_its_line_in_the_example() -> None:
    example = (_REPOSITORY / ".env.example").read_text()
    written = with_settings(example, {"ASSISTANT_TIMEZONE": "UTC"})
    assert "#ASSISTANT_TIMEZONE=\nASSISTANT_TIMEZONE=UTC\n" in written
    assert written.replace("ASSISTANT_TIMEZONE=UTC\n", "") == example


@pytest.mark.parametrize(
    "value", ["a b", "it's", 'say "x"', "a#b", "$HOME", "\\n", "ü", "'", "a\\'"]
)
def test_a_value_is_read_back_as_it_was_written(folder: Path, value: str) -> None:
    (folder / ".env").write_text(f"ASSISTANT_OWNER_NAME={quoted(value)}\n")
    assert dict(read(folder / ".env")) == {"ASSISTANT_OWNER_NAME": value}


def test_what_does_not_fit_is_told_and_nothing_is_written(folder: Path) -> None:
    ended = init(folder, "--zone", "Mars", "--yes")
    assert ended.err == (
        "assistant: ASSISTANT_TIMEZONE: "
        "'Mars' is no time zone; use an IANA name such as Europe/Berlin\n"
    )
    assert init(folder, "--address", "nobody", "--yes").code == 3
    assert init(folder, "--model", "gpt-5", "--yes").code == 3
    assert init(folder).code == 2
    assert not (folder / ".env").exists()


def test_a_model_is_asked_before_it_is_written(folder: Path) -> None:
    (folder / "key").write_text(f"{KEY}\n")
    with OpenAIServer() as server:
        server.say(Reply(status=404), Reply(text="ok"))
        given = ["--model", "openai:one", "--model-url", server.base_url, "--key-file", "key"]
        refused = init(folder, *given, "--yes")
        assert (refused.code, "answered 404" in refused.err) == (3, True)
        assert not (folder / ".env").exists()
        taken = init(folder, *given, "--yes", "--json")
    assert taken.code == 0, taken
    assert taken.value["tried"]["model"].startswith("openai:one answered in ")
    assert read(folder / ".env")["ASSISTANT_MODEL_API_KEY"] == KEY
    assert KEY not in taken.out + taken.err


def test_a_discord_token_logs_in_before_it_is_written(folder: Path) -> None:
    with DiscordServer() as discord:
        (folder / ".env").write_text(f"ASSISTANT_DISCORD_API_BASE={discord.api_base}\n")
        wrong = init(folder, "--discord-token-file", "-", "--yes", input=b"wrong.token")
        assert (wrong.code, "Discord refuses this bot token" in wrong.err) == (3, True)
        taken = init(folder, "--discord-token-file", "-", "--yes", input=discord.token.encode())
    assert taken.code == 0, taken
    assert "assistant pair" in taken.out
    assert read(folder / ".env")["ASSISTANT_DISCORD_TOKEN"] == discord.token


def typed(folder: Path, *dialogue: tuple[str, str]) -> str:
    """What a terminal shows while each answer is typed once its question stands there."""
    master, slave = pty.openpty()
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASSISTANT_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "workers.cli", "init"],
        cwd=folder,
        env={**env, "PYTHONPATH": str(_REPOSITORY)},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    shown = ""
    for question, answer in dialogue:
        begins = len(shown)
        while question not in shown[begins:] or not shown.endswith(": "):
            shown += os.read(master, 4096).decode(errors="replace")
        if answer == CTRL_C:
            process.send_signal(signal.SIGINT)
        else:
            os.write(master, f"{answer}\n".encode())
    with suppress(OSError):  # the terminal is gone once the command has ended
        while True:
            if select([master], [], [], 1.0)[0]:
                shown += os.read(master, 4096).decode(errors="replace")
            elif dialogue[-1][1] == CTRL_C:
                process.send_signal(signal.SIGINT)  # one that comes just before a read is lost
    process.wait(60)
    os.close(master)
    return shown


def test_in_a_terminal_it_asks_again_for_what_does_not_fit_and_asks_before_it_writes(
    folder: Path,
) -> None:
    (folder / ".env").write_text("ASSISTANT_OWNER_NAME=Ada\nOTHER=1\n")
    rest = (("name", "Grace"), ("address", ""), ("brief", ""), ("model", ""), ("token", ""))
    wrong = (("zone", "Mars"), ("zone, such", "Europe/Berlin"))
    shown = typed(folder, *wrong, *rest, ("Write this?", "n"))
    assert "'Mars' is no time zone" in shown
    assert "(it was Ada)" in shown
    assert (folder / ".env").read_text() == "ASSISTANT_OWNER_NAME=Ada\nOTHER=1\n"
    shown = typed(folder, ("zone", "Europe/Berlin"), *rest, ("Write this?", "y"))
    assert "Written to" in shown
    assert dict(read(folder / ".env")) == {
        "ASSISTANT_OWNER_NAME": "Grace",
        "OTHER": "1",
        "ASSISTANT_TIMEZONE": "Europe/Berlin",
    }


@pytest.mark.slow
def test_in_a_terminal_a_model_that_does_not_answer_can_be_left_out(folder: Path) -> None:
    with OpenAIServer() as server:
        server.say(Reply(status=404))
        shown = typed(
            folder,
            ("zone", "Europe/Paris"),
            ("name", ""),
            ("address", ""),
            ("brief", ""),
            ("model", "openai:one"),
            ("URL", server.base_url),
            ("key", KEY),
            ("Try it now?", "y"),
            ("Keep it all the same?", "n"),
            ("A model", ""),
            ("token", ""),
            ("Write this?", "y"),
        )
    assert "answered 404" in shown
    assert KEY not in shown
    assert "ASSISTANT_MODEL" not in (folder / ".env").read_text()


def test_in_a_terminal_a_wrong_model_that_stands_there_can_be_emptied(folder: Path) -> None:
    (folder / ".env").write_text("ASSISTANT_MODEL=gpt-5\nASSISTANT_SMTP_PORT=abc\n")
    shown = typed(
        folder,
        ("zone", "Europe/Paris"),
        ("name", ""),
        ("address", ""),
        ("brief", ""),
        ("A model", "none"),
        ("token", ""),
        ("Write this?", "y"),
    )
    assert "ASSISTANT_SMTP_PORT: 'abc' is no whole number" in shown
    assert read(folder / ".env")["ASSISTANT_MODEL"] == ""
    assert read(folder / ".env")["ASSISTANT_TIMEZONE"] == "Europe/Paris"


def test_ctrl_c_says_that_nothing_was_written(folder: Path) -> None:
    (folder / ".env").write_text("ASSISTANT_OWNER_NAME=Ada\n")
    shown = typed(folder, ("zone", "Europe/Paris"), ("name", CTRL_C))
    assert "Aborted" not in shown
    assert f"Stopped. Nothing was written; {folder}/.env is as it was." in " ".join(shown.split())
    assert (folder / ".env").read_text() == "ASSISTANT_OWNER_NAME=Ada\n"


def test_what_comes_next_is_said_as_it_can_be_typed_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = folder / ".venv" / "bin" / "assistant"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(program), "init"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert _as_started("up") == f"{program} up"
    (folder / "Makefile").touch()
    assert (_as_started("up"), _as_started("pair")) == ("make run", f"{program} pair")
    monkeypatch.setenv("PATH", str(program.parent))
    assert _as_started("up") == "assistant up"
    monkeypatch.setattr(sys, "argv", ["/x/workers/cli/__main__.py", "init"])
    assert _as_started("up") == f"{sys.executable} -m workers.cli up"
