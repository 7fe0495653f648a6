"""``assistant chat``: a channel like any other, with commands that no model sees."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import typer
from rich.console import Console

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import AssistantError, BadArguments
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Think
from assistant.flows.conversation.hear import hear
from workers.cli.output import (
    EXIT_UNREACHABLE,
    EXIT_WAITING,
    complain,
    print_json,
    printable,
)
from workers.cli.session import Session, said_of, session
from workers.cli.terminal.render import as_lines, draw, echo, put
from workers.cli.terminal.slash import command, digests
from workers.settings import OWNER, Settings

CHANNEL = "terminal"


def chat(data: Path | None, *, once: str, as_json: bool) -> None:
    """Open a chat, or say one thing in it."""
    with session(data) as opened:
        if once:
            _once(opened, once, as_json=as_json)
        elif as_json:
            raise BadArguments("--json goes with --once")
        else:
            Talk(opened).run(until=lambda: False)


def conversation(settings: Settings, *, until: Callable[[], bool]) -> None:
    """A chat inside ``assistant up``."""
    with session(settings.data_dir) as opened:
        Talk(opened).run(until=until)


def _once(opened: Session, text: str, *, as_json: bool) -> None:
    screen = opened.assistant.screen
    before = {line.key: line.revision for line in screen.lines(OWNER)}
    cause = opened.assistant.cause()
    waited = {call.id for call in pending(opened)}
    conversation, said = _say(opened, text, cause)
    rested = opened.settle(cause.trace if conversation else "", also=Think(id=conversation).name)
    new = [line for line in screen.lines(OWNER) if before.get(line.key, 0) < line.revision]
    screen.drawn(new)
    waiting = [
        call.handle
        for call in pending(opened)
        if call.id not in waited and (not conversation or call.trace == cause.trace)
    ]
    if as_json:
        print_json(
            {
                "conversation": conversation,
                "trace": cause.trace,
                "replies": [said] * bool(said)
                + [line.shown.text for line in new if line.shown.kind is ShownKind.WORDS],
                "shown": [line.shown.model_dump(mode="json") for line in new],
                "waiting": waiting,
                "finished": rested,
            }
        )
    else:
        if said:
            echo(printable(said))
        for line in new:
            echo(as_lines(line.shown))
    if not rested:
        complain("it is still at work; what was said is kept, and `assistant chat` shows the rest")
        raise typer.Exit(EXIT_UNREACHABLE)
    if waiting:
        raise typer.Exit(EXIT_WAITING)


def _say(opened: Session, text: str, cause: Cause) -> tuple[str, str]:
    """Carry out a command, or have the text heard; the conversation, and what a command said."""
    if text.startswith("/"):
        return "", command(opened, text, cause=cause)
    heard = hear(
        text,
        channel=CHANNEL,
        place=OWNER,
        event=uuid4().hex,
        cause=cause,
        store=opened.assistant.store,
        limits=opened.assistant.conversation_limits,
    )
    return heard or "", ""


def pending(opened: Session) -> list[Call]:
    """What waits, oldest first."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return list(reversed(tx.calls(states={CallState.PARKED})))


def _leave(app: Any) -> None:
    if app.is_running and not app.is_done:
        app.exit(exception=EOFError())


class Talk:
    """A conversation on a terminal: what is shown are the channel's rows, as they come."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened
        self._screen = opened.assistant.screen
        self._console = Console(highlight=False)
        self._seen: dict[str, int] = {}
        self._shown: dict[str, str] = {}
        """What this terminal has shown: by call the digest of its card."""
        self._ended = threading.Event()
        self._draw_lock = threading.Lock()

    def run(self, *, until: Callable[[], bool]) -> None:
        """Until Ctrl-D, Ctrl-C or /quit, or until ``until``."""
        from prompt_toolkit import PromptSession  # noqa: PLC0415 (only where people type)
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        prompt: PromptSession[str] = PromptSession()
        self._welcome()
        with patch_stdout(raw=True):
            self._console = Console(highlight=False, force_terminal=True)

            def end_prompt() -> None:
                """Leave the prompt as Ctrl-D does, from another thread."""
                if (loop := prompt.app.loop) is not None:
                    loop.call_soon_threadsafe(_leave, prompt.app)

            watcher = threading.Thread(
                target=self._watch, args=(until, end_prompt), name="screen", daemon=True
            )
            watcher.start()
            try:
                while not until():
                    text = prompt.prompt(
                        "you ", bottom_toolbar=self._at_work, refresh_interval=0.3
                    ).strip()
                    if text in ("/quit", "/exit"):
                        break
                    if text:
                        self._handle(text)
            except (EOFError, KeyboardInterrupt):
                pass
            finally:
                self._ended.set()
                watcher.join(2)

    def _welcome(self) -> None:
        model = self._opened.settings.model or "offline: no model is configured"
        self._console.print(f"assistant ({model}). /help lists the commands, Ctrl-D leaves.")
        if not self._opened.live:
            self._console.print("No workers run; this terminal does the work while it is open.")
        if waiting := [call.handle for call in pending(self._opened)]:
            self._console.print(f"Waiting for you: {', '.join(waiting)}. /pending shows what.")

    def _handle(self, text: str) -> None:
        cause = self._opened.assistant.cause()
        try:
            if text.startswith("/"):
                said = command(self._opened, text, cause=cause, shown=self._shown)
                with self._draw_lock:
                    put(self._console, printable(said))
            else:
                _say(self._opened, text, cause)
        except AssistantError as error:
            put(self._console, printable(str(error)), style="red")

    def _watch(self, until: Callable[[], bool], end_prompt: Callable[[], None]) -> None:
        """Draw what is new; with no live worker, do the work as well. End the prompt in time."""
        while not self._ended.wait(0.15):
            if until():
                end_prompt()
            try:
                self._draw_new()
                if not self._opened.live:
                    self._work()
            except AssistantError as error:
                put(self._console, printable(str(error)), style="red")
                self._ended.wait(2)

    def _draw_new(self) -> None:
        lines = self._screen.lines(OWNER)
        new = [line for line in lines if self._seen.get(line.key, 0) < line.revision]
        fresh = [line for line in new if line.fresh]
        self._seen.update({line.key: line.revision for line in new})
        with self._draw_lock:
            for line in fresh:
                draw(self._console, line.shown, again=line.revision > 1)
        self._shown.update(digests(fresh))  # what another terminal drew is not seen here
        self._screen.drawn(fresh)

    def _work(self) -> None:
        self._opened.assistant.tick()
        now = self._opened.assistant.clock.now()
        for job in self._opened.assistant.store.jobs(failed=False):
            if not job.claimed and job.due <= now and not self._ended.is_set():
                self._opened.assistant.bus.answer(job.id)
                self._draw_new()

    def _at_work(self) -> Any:
        """The line below the prompt: what is going on, from rows."""
        try:
            return said_of(self._opened.at_work()) or " "
        except AssistantError as error:
            return str(error)
