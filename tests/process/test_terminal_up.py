"""`make run` in a real terminal: what Ctrl-C and Ctrl-D end, and what a second one does."""

import json
import signal
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.process.command import run
from tests.process.terminal import Terminal, terminal
from workers.embedded.http_probe import http_answer

pytestmark = [pytest.mark.process, pytest.mark.slow]

UP = ("up", "--smtp-port", "0", "--http-port", "0")


def takes_mail(data: Path) -> bool:
    """Whether the door for mail over HTTP is open."""
    port = json.loads((data / "run" / "endpoints.json").read_text())["http_port"]
    return http_answer(f"http://127.0.0.1:{port}/readyz", timeout=5)[0] == HTTPStatus.OK


def banner(chat: Terminal) -> None:
    chat.shows("/help lists the commands")
    chat.shows("Ctrl-D closes the chat alone. Ctrl-C twice stops everything, mail coming in too.")
    chat.shows("you")


def test_ctrl_c_takes_the_line_away_says_what_stops_and_then_stops(tmp_path: Path) -> None:
    with terminal(*UP, data=tmp_path) as chat:
        banner(chat)
        chat.types('create "Rent" 2031-11-30 10:00')
        chat.shows("/approve A1")
        chat.rests()
        chat.types("a line that is not sent", enter=False)
        chat.rests()
        chat.types("\x03", enter=False)
        chat.shows("Ctrl-C once more stops everything, mail coming in too.")
        chat.rests()
        chat.types("hello")
        chat.shows("Hello. I answer")
        assert takes_mail(tmp_path)
        chat.rests()
        chat.types("\x03", enter=False)
        chat.shows("Ctrl-C once more stops")
        chat.rests()
        chat.types("\x03", enter=False)
        chat.shows("Stopping everything, mail coming in too.")
        chat.shows("A1 goes on waiting for your yes")
        chat.shows("waits until worker, tools, doors")
        chat.shows(f"everything is kept in {tmp_path}")
        assert chat.ended() == 0
    calls = run("calls", "list", "--json", data=tmp_path).value
    assert [call["state"] for call in calls] == ["parked"]


def test_ctrl_d_closes_the_chat_alone_and_a_second_one_opens_a_chat(tmp_path: Path) -> None:
    with terminal(*UP, data=tmp_path) as chat:
        chat.shows("broker")  # the first is not ready yet
        with terminal(*UP, data=tmp_path) as second:
            second.shows(f"An assistant runs on {tmp_path} already.")
            second.shows("nothing.")
            assert "No workers run" not in second.shows("you")
            banner(chat)
            second.types("hello")
            second.shows("Hello. I answer")
            second.rests()
            second.types("\x03", enter=False)
            assert second.ended() == 0
        assert takes_mail(tmp_path)
        chat.types("\x04", enter=False)
        chat.shows("The chat is closed, all else goes on. Ctrl-C stops it.")
        chat.rests()
        assert chat.process.poll() is None
        assert takes_mail(tmp_path)
        chat.process.send_signal(signal.SIGINT)
        chat.shows("everything is kept in")
        assert chat.ended() == 0


def test_a_signal_counts_as_ctrl_c_at_the_prompt_and_sigterm_stops_at_once(tmp_path: Path) -> None:
    with terminal(*UP, data=tmp_path) as chat:
        banner(chat)
        chat.rests()
        chat.process.send_signal(signal.SIGINT)
        chat.shows("Ctrl-C once more stops everything")
        chat.rests()
        assert takes_mail(tmp_path)
        chat.process.send_signal(signal.SIGTERM)
        chat.shows("Stopping everything, mail coming in too.")
        chat.shows("everything is kept in")
        assert chat.ended() == 0


def test_a_second_chat_goes_on_alone_when_the_first_stops(tmp_path: Path) -> None:
    with terminal(*UP, data=tmp_path) as chat:
        banner(chat)
        with terminal(*UP, data=tmp_path) as second:
            second.shows("nothing.")
            second.shows("you")
            chat.process.send_signal(signal.SIGTERM)
            assert chat.ended() == 0
            second.types("hello")
            second.shows("Hello. I answer")
            second.types('create "Rent" 2031-11-30 10:00')
            second.shows("/approve A1")
            assert second.rests().count("The workers have stopped; this terminal") == 1
            second.types("\x04", enter=False)
            assert second.ended() == 0
            assert "the workers go on" not in second.rests()
