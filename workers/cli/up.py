"""``assistant up``: everything on this machine, with one command."""

import sys
import time
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

import typer

from workers.cli.options import AsJson, Data, NoBackup, settings_for

if TYPE_CHECKING:
    from workers.settings import Settings

_READY_SECONDS = 60.0
"""How long a chat waits for an assistant that is just being started."""


def up(
    *,
    data: Data = None,
    smtp_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="0 picks a free one.")
    ] = None,
    http_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="0 picks a free one.")
    ] = None,
    no_chat: Annotated[bool, typer.Option("--no-chat", help="Do not open a chat.")] = False,
    no_backup: NoBackup = False,
    as_json: AsJson = False,
) -> None:
    """Start every part on this machine. With a terminal, open a chat; Ctrl-C stops it all."""
    from workers import logs  # noqa: PLC0415 (heavy)
    from workers.cli.output import print_json  # noqa: PLC0415
    from workers.processes.keeper import AlreadyRuns, printer  # noqa: PLC0415
    from workers.processes.supervisor import Supervisor  # noqa: PLC0415

    settings = settings_for(data, smtp_port=smtp_port, http_port=http_port)
    logs.configure(settings, process="up")
    chatting = not (no_chat or as_json) and sys.stdin.isatty() and sys.stdout.isatty()
    began = time.monotonic()
    say = printer(began=began, quiet=as_json)
    supervisor = Supervisor(settings, say=say, keep_database=not no_backup)
    supervisor.catch_signals()
    try:
        try:
            endpoints = supervisor.start()
        except AlreadyRuns:
            if not chatting:
                raise
            return _chat_with_the_other(settings)
        with suppress(KeyboardInterrupt):  # to be told to stop is no error
            if as_json:
                ports = {
                    "smtp_port": endpoints.smtp_port,
                    "lmtp_port": endpoints.lmtp_port,
                    "http_port": endpoints.http_port,
                }
                print_json({"ready": True, **ports, "data": str(settings.data_dir)})
            if chatting:
                from workers.cli.terminal.chat import Left, conversation  # noqa: PLC0415

                bot = " and Discord" if settings.on_discord else ""
                stops = f"everything, mail coming in{bot} too"
                left = conversation(settings, until=supervisor.ending, stops=stops)
            if not chatting or left is Left.CLOSED:
                first = "The chat is closed, all else goes on. " if chatting else ""
                ways = "Ctrl-C stops it. `assistant chat` in another terminal talks to it."
                say("", f"{first}{ways}")
                supervisor.hand_over(began=began, quiet=as_json)
                supervisor.wait()
        supervisor.check_watch()
    finally:
        if supervisor.stop():
            say("", f"everything is kept in {settings.data_dir}")


def _chat_with_the_other(settings: "Settings") -> None:
    """Open the chat of the assistant that runs on this data folder already."""
    from workers.cli.terminal.chat import conversation  # noqa: PLC0415 (heavy)

    typer.echo(
        f"An assistant runs on {settings.data_dir} already. This is a chat with it; "
        "leaving it stops nothing."
    )
    give_up = time.monotonic() + _READY_SECONDS
    while not _is_ready(settings) and time.monotonic() < give_up:
        time.sleep(0.3)
    conversation(settings, until=lambda: False)


def _is_ready(settings: "Settings") -> bool:
    """Whether the other one has come up: its database is made then, and its workers live."""
    from workers.cli.session import session  # noqa: PLC0415 (heavy)
    from workers.data_folder import DataFolder  # noqa: PLC0415 (heavy)
    from workers.embedded.http_probe import http_answer  # noqa: PLC0415 (seldom needed)

    port = DataFolder(settings).endpoints.http_port
    with suppress(OSError):
        url = f"http://{settings.bind_host}:{port}/readyz"
        if port and http_answer(url, timeout=2)[0] == HTTPStatus.OK:
            with session(settings.data_dir) as opened:
                return opened.live
    return False
