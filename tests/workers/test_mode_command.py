"""The assistant's mode from a terminal: codes, JSON, the second step, and nothing else needed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from assistant.domain.calls.states import CallState
from assistant.domain.errors import AssistantError, BadArguments
from assistant.domain.governance.modes import Mode
from tests.process.command import Ended, run
from workers.cli.session import Session
from workers.cli.terminal.slash import WordMissing, command
from workers.settings import OWNER, only


class Desk:
    def __init__(self, data: Path) -> None:
        self.data = data

    def __call__(self, *arguments: str, **settings: str) -> Ended:
        env: Mapping[str, str] = {
            "ASSISTANT_TIMEZONE": "UTC",
            **{f"ASSISTANT_{name.upper()}": value for name, value in settings.items()},
        }
        return run(*arguments, data=self.data, env=env)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_mode_is_shown_and_set(desk: Desk) -> None:
    first = desk("mode", "show", "--json").value
    assert (first["mode"], first["by"], first["changes"]) == ("normal", "setup", [])
    changed = desk("mode", "set", "alert", "--reason", "odd mails", "--json")
    assert changed.code == 0
    assert (changed.value["mode"], changed.value["accepted"]) == ("alert", True)
    shown = desk("mode", "show")
    assert "alert" in shown.out
    assert "odd mails" in shown.out
    status = desk("status", "--json").value
    assert status["mode"]["mode"] == "alert"
    assert "alert, by terminal:" in desk("status").out


def test_lockdown_is_left_in_two_steps_by_their_codes(desk: Desk) -> None:
    assert desk("mode", "set", "lockdown").code == 0
    assert desk("mode", "set", "degraded").code == 5
    wrong = desk("mode", "set", "normal", "--word", "LEAVE-LOCKDOWN-AAAA")
    assert (wrong.code, wrong.out) == (5, "")
    assert "That is not the word" in wrong.err
    first = desk("mode", "set", "recovery", "--since", "2026-11-20")
    assert first.code == 6
    typed = first.out.splitlines()[-1].removeprefix("Type: assistant ").split()
    assert desk(*typed).code == 0
    shown = desk("mode", "show", "--json").value
    assert (shown["mode"], shown["review"]) == ("recovery", "2026-11-20T00:00:00+00:00")


@pytest.mark.parametrize(
    "arguments",
    [
        ("mode", "set", "panic"),
        ("mode", "set"),
        ("mode", "set", "alert", "--since", "2026-11-20"),
        ("mode", "set", "recovery", "--since", "yesterday"),
    ],
)
def test_what_does_not_fit_is_a_usage_error(desk: Desk, arguments: tuple[str, ...]) -> None:
    assert desk(*arguments).code == 2
    assert desk("mode", "show", "--json").value["mode"] == "normal"


def test_lockdown_needs_no_model_no_calendar_no_broker_and_no_blobs(desk: Desk) -> None:
    parked = desk("chat", "--once", 'create "Pay the rent" 2031-03-04 10:00', "--json")
    assert parked.value["waiting"] == ["A1"]
    locked = desk(
        "mode",
        "set",
        "lockdown",
        model="no-such-provider",
        caldav_url="http://calendar.invalid/",
        broker_url="redis://127.0.0.1:1/0",
        blobs="s3://bucket",
        s3_endpoint="http://127.0.0.1:1",
        s3_access_key="key",
        s3_secret_key="secret",
    )
    assert locked.code == 0
    assert "Cancelled, and not done: A1." in locked.out
    assert desk("approvals", "approve", "A1").code == 8


def test_status_says_what_models_have_cost_today(desk: Desk) -> None:
    budget = desk("status", "--json", model_daily_tokens="500").value["budget"]
    assert (budget["spent"], budget["limit"]) == (0, 500)
    assert budget["triggers"]["mail"] == {"spent": 0, "limit": 1_000_000}
    said = desk("status", model="openai:x", model_api_key="k").out
    assert "0 of 2,000,000 (chat 0, mail 0 of 1,000,000), until" in said


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield made
    made.assistant.close()


def says(opened: Session, text: str) -> str:
    return command(opened, text, cause=opened.assistant.cause())


def to_be_typed(opened: Session, text: str) -> str:
    """The same command with the word that it asks for."""
    with pytest.raises(WordMissing) as told:
        says(opened, text)
    return str(told.value).splitlines()[-1].removeprefix("Type: ")


def test_leaving_lockdown_ends_a_chat_as_it_ends_the_command(desk: Desk) -> None:
    assert desk("chat", "--once", "/lockdown").code == 0
    assert desk("mode", "set", "normal").code == 6
    missing = desk("chat", "--once", "/mode normal")
    assert (missing.code, missing.out) == (6, ""), missing
    again = missing.err.strip().rpartition("Type: ")[2]
    assert desk("chat", "--once", again).code == 0
    assert desk("mode", "show", "--json").value["mode"] == "normal"


def test_a_chat_has_commands_for_it_that_no_model_sees(opened: Session) -> None:
    assert "Mode: normal" in says(opened, "/mode")
    assert "one step more" in says(opened, "/mode ALERT odd mails")
    assert "Reason: odd mails" in says(opened, "/mode")
    assert "Only reading goes on" in says(opened, "/lockdown I am lost")
    with pytest.raises(AssistantError, match="not to alert"):
        says(opened, "/mode alert")
    typed = to_be_typed(opened, "/mode normal")
    with pytest.raises(AssistantError, match="not the word"):
        says(opened, "/mode normal LEAVE-LOCKDOWN-A")
    assert typed.startswith("/mode normal LEAVE-LOCKDOWN-")
    assert says(opened, to_be_typed(opened, "/mode normal")) == "Back to normal."
    with pytest.raises(BadArguments, match="normal, alert"):
        says(opened, "/mode panic")
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        assert tx.mode().mode is Mode.NORMAL
        assert tx.calls(states=set(CallState)) == []


def test_a_tick_of_a_house_with_a_full_disk_degrades_it(opened: Session) -> None:
    short = opened.assistant.signal_watcher.limits.model_copy(update={"disk": 2**62})
    opened.assistant.signal_watcher.limits = short
    opened.assistant.tick()
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        record = tx.mode()
    assert (record.mode, record.by) == (Mode.DEGRADED, "signal:disk")
    assert opened.settle("")
    shown = [line.shown.title for line in opened.assistant.screen.lines(OWNER)]
    assert shown == ["Degraded (it was normal)"]


def test_a_tick_goes_on_where_a_setting_is_wrong(tmp_path: Path) -> None:
    made = Session(only(data_dir=tmp_path, timezone="UTC", model="no-such-provider"))
    made.open()
    made.assistant.tick()
    with made.assistant.store.read(made.assistant.cause()) as tx:
        assert tx.mode().mode is Mode.NORMAL
    made.assistant.close()
