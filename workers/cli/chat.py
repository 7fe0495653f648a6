"""``assistant chat``: a channel like any other, with commands that no model sees."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console

from assistant.domain.approvals import Verb
from assistant.domain.calls import CallState
from assistant.domain.deliveries import ShownKind
from assistant.domain.errors import AssistantError, BadArguments, Stale
from assistant.domain.jobs import Cause
from assistant.domain.messages import Think
from assistant.domain.modes import Mode
from assistant.flows.chat import begin_anew, hear, stop
from assistant.flows.modes import is_word
from workers.cli import mode
from workers.cli.approvals import answer, pending
from workers.cli.output import EXIT_UNREACHABLE, EXIT_WAITING, AsJson, complain, print_json
from workers.cli.render import as_lines, draw
from workers.cli.session import Data, Session, said_of, session
from workers.settings import OWNER, Settings

if TYPE_CHECKING:
    from assistant.adapters.sql_screen import Line

CHANNEL = "terminal"
HELP = """\
Say what you want in your own words. Commands, which no model sees or can give:
  /pending              what waits for you
  /approve A17          yes, to exactly what is shown
  /deny A17 [reason]    no; the reason is told to the model
  /stop                 stop what is going on
  /lockdown [reason]    only reading goes on; all that waits is void
  /mode                 how careful the house is
  /mode NAME [reason]   normal, alert, degraded, lockdown or recovery
  /new                  begin a new conversation
  /help                 this
  /quit                 leave; what waits goes on waiting"""


def chat(
    *,
    once: Annotated[str, typer.Option(help="Say one thing, print the answer and end.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Talk with the assistant. With --once it exits with 6 when something now waits for you."""
    with session(data) as opened:
        if once:
            _once(opened, once, as_json=as_json)
        elif as_json:
            raise BadArguments("--json goes with --once")
        else:
            Talk(opened).run(until=lambda: False)


def talk(settings: Settings, *, until: Callable[[], bool]) -> None:
    """A chat inside ``assistant up``."""
    with session(settings.data_dir) as opened:
        Talk(opened).run(until=until)


def _once(opened: Session, text: str, *, as_json: bool) -> None:
    screen = opened.assistant.screen
    before = {line.key: line.revision for line in screen.lines(OWNER)}
    cause = opened.assistant.cause()
    conversation, said = _say(opened, text, cause)
    rested = opened.settle(cause.trace if conversation else "", also=Think(id=conversation).name)
    new = [line for line in screen.lines(OWNER) if before.get(line.key, 0) < line.revision]
    screen.drawn(new)
    waiting = _waiting(opened, conversation, cause)
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
            typer.echo(said)
        for line in new:
            typer.echo(as_lines(line.shown))
    if not rested:
        complain("it is still at work; what was said is kept, and `assistant chat` shows the rest")
        raise typer.Exit(EXIT_UNREACHABLE)
    if waiting:
        raise typer.Exit(EXIT_WAITING)


def _waiting(opened: Session, conversation: str, cause: Cause) -> list[str]:
    if not conversation:
        return []
    with opened.assistant.store.read(cause) as tx:
        calls = tx.calls(conversation=conversation, states={CallState.PARKED})
    return [call.handle for call in reversed(calls) if call.trace == cause.trace]


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
        limits=opened.assistant.talk_limits,
    )
    return heard or "", ""


def command(opened: Session, text: str, *, cause: Cause, seen: Sequence["Line"] = ()) -> str:
    """One slash command, in code. What it says; empty where the screen will show it."""
    name, _, rest = text[1:].strip().partition(" ")
    store = opened.assistant.store
    match name.lower():
        case "help" | "?":
            return HELP
        case "pending":
            return _pending(opened)
        case "approve" | "deny":
            return _answer(opened, Verb(name.lower()), rest, cause, seen)
        case "stop":
            return stop(
                channel=CHANNEL,
                place=OWNER,
                cause=cause,
                store=store,
                toolbox=opened.assistant.toolbox,
                zone=opened.settings.timezone,
            )
        case "mode" | "lockdown":
            return _mode(opened, f"lockdown {rest}" if name.lower() == "lockdown" else rest, cause)
        case "new":
            begin_anew(channel=CHANNEL, place=OWNER, cause=cause, store=store)
            return "A new conversation; the old one is kept."
        case _:
            raise BadArguments(f"there is no command /{name}; /help lists them")


def _pending(opened: Session) -> str:
    if not pending(opened):
        return "Nothing waits for you."
    cards = _cards(opened)
    return "\n".join(as_lines(card.shown) for card in cards) or "It is about to be shown."


def _cards(opened: Session) -> Sequence["Line"]:
    """The cards of what waits, as the screen has them."""
    keys = [f"{OWNER}:card-{call.id}" for call, _ in pending(opened)]
    return opened.assistant.screen.named(keys)


def _answer(opened: Session, verb: Verb, rest: str, cause: Cause, seen: Sequence["Line"]) -> str:
    """Press a button. What counts is the card as this terminal shows it."""
    handle, _, reason = rest.strip().partition(" ")
    if not handle:
        waiting = [call.handle for call, _ in pending(opened)]
        raise BadArguments(f"which one? {', '.join(waiting) or 'nothing waits'}")
    with opened.assistant.store.read(cause) as tx:
        call = tx.call_named(handle)
    key = f"{OWNER}:card-{call.id}"
    lines = seen or opened.assistant.screen.named([key])
    card = next((line.shown.digest for line in lines if line.key == key), "")
    said = answer(opened, call, verb, card=card, reason=reason)
    if not said.accepted:
        raise _CountedForNothing(said.text)
    return said.text


def _mode(opened: Session, rest: str, cause: Cause) -> str:
    name, _, words = rest.strip().partition(" ")
    if not name:
        with opened.assistant.store.read(cause) as tx:
            found = mode.said(tx.mode(), opened.settings.timezone)
        return "\n".join(f"{label}: {value}" for label, value in found.items() if value)
    try:
        wanted = Mode(name.lower())
    except ValueError as error:
        raise BadArguments(f"there is no mode {name}; there are {', '.join(Mode)}") from error
    return _enter(opened, wanted, words, cause)


def _enter(opened: Session, wanted: Mode, words: str, cause: Cause) -> str:
    """Enter a mode; ``words`` are a reason, or the second step out of lockdown."""
    reason, word = ("", words) if is_word(words) else (words, "")
    changed = mode.change(opened, wanted, cause=cause, reason=reason, word=word)
    if changed.word:
        return f"{changed.text}\nType: /mode {wanted} {changed.word}"
    if not changed.accepted:
        raise _CountedForNothing(changed.text)
    return changed.text


class _CountedForNothing(Stale):
    """An answer that changed nothing; its own words say why."""

    def __str__(self) -> str:
        return str(self.args[0])


class Talk:
    """A conversation on a terminal: what is shown are the channel's rows, as they come."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened
        self._screen = opened.assistant.screen
        self._console = Console(highlight=False)
        self._seen: dict[str, Line] = {}
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
            watcher = threading.Thread(target=self._watch, name="screen", daemon=True)
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
        if waiting := [call.handle for call, _ in pending(self._opened)]:
            self._console.print(f"Waiting for you: {', '.join(waiting)}. /pending shows what.")

    def _handle(self, text: str) -> None:
        cause = self._opened.assistant.cause()
        try:
            if text.startswith("/"):
                said = command(self._opened, text, cause=cause, seen=list(self._seen.values()))
                if text.lower().startswith("/pending"):
                    self._seen.update({card.key: card for card in _cards(self._opened)})
                with self._draw_lock:
                    self._console.print(said, markup=False)
            else:
                _say(self._opened, text, cause)
        except AssistantError as error:
            self._console.print(str(error), style="red", markup=False)

    def _watch(self) -> None:
        """Draw what is new; with no live worker, do the work as well."""
        while not self._ended.wait(0.15):
            try:
                self._draw_new()
                if not self._opened.live:
                    self._work()
            except AssistantError as error:
                self._console.print(str(error), style="red", markup=False)
                self._ended.wait(2)

    def _draw_new(self) -> None:
        lines = self._screen.lines(OWNER)
        fresh = [
            line
            for line in lines
            if line.fresh and getattr(self._seen.get(line.key), "revision", 0) < line.revision
        ]
        self._seen.update({line.key: line for line in lines})
        with self._draw_lock:
            for line in fresh:
                draw(self._console, line.shown, again=line.revision > 1)
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
