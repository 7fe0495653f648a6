"""``assistant chat``: a channel like any other, with commands that no model sees."""

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.text import Text

from assistant.commands.answer import Card
from assistant.commands.calls.changes import edit_line, edit_names
from assistant.commands.calls.lookups import as_card
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.errors import AssistantError, BadArguments
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Think
from assistant.flows.conversation.hear import hear
from assistant.flows.render.cards import card_id
from assistant.flows.render.outcomes import message_of
from assistant.flows.render.plan_card import covered
from workers.cli.output import (
    EXIT_UNREACHABLE,
    EXIT_WAITING,
    complain,
    print_json,
    printable,
)
from workers.cli.session import Session, context_of, said_of, session
from workers.cli.terminal.card_prompt import (
    PLAIN,
    CardPrompt,
    NotCounted,
    PromptedCard,
    PromptReply,
    asked_below,
    asked_below_all,
    lacks_a_call,
)
from workers.cli.terminal.render import as_lines, draw, echo, indented, put
from workers.cli.terminal.slash import CountedForNothing, WordMissing, card_of, command, digests
from workers.cli.terminal.typed_lines import TypedLines
from workers.settings import OWNER, Settings

if TYPE_CHECKING:
    from assistant.adapters.sql_screen import ScreenLine

CHANNEL = "terminal"
_RECEIPT = f"{OWNER}:receipt-"
_LEAVES = ("/quit", "/exit")
_AT_ONCE = ("/stop", "/lockdown")
"""Commands that wait for no line that was typed before them."""


_NO_WORKERS_NOW = "The workers have stopped; this terminal does the work while it is open."


class Left(Enum):
    """How a chat was left."""

    CLOSED = auto()
    """The chat alone: what it is a part of goes on."""
    STOPPED = auto()
    """With all that it is a part of."""


_TYPED_AGAIN = ("/deny ", "/edit ", "/snooze ")
"""What is typed for the owner again once its cards were printed: none of it is a yes."""
_WAYS = "`assistant chat`, or `assistant approvals list`"


def chat(data: Path | None, *, once: str, as_json: bool) -> None:
    """Open a chat, or say one thing in it."""
    with session(data) as opened:
        if once:
            _once(opened, once, as_json=as_json)
        elif as_json:
            raise BadArguments("--json goes with --once")
        elif sys.stdin is None or not sys.stdin.isatty():
            _piped(opened)
        else:
            Talk(opened).run(until=lambda: False)


def _piped(opened: Session) -> None:
    """Answer each line that comes through a pipe before the next is read; no prompt is drawn."""
    screen = opened.assistant.screen
    seen = {line.key: line.revision for line in screen.lines(OWNER)}
    shown: dict[str, str] = {}
    finished = True
    for line in sys.stdin or ():
        text = line.strip()
        if text in _LEAVES:
            break
        if not text:
            continue
        cause = opened.assistant.cause()
        try:
            if text.startswith("/"):
                echo(printable(command(opened, text, cause=cause, shown=shown)))
                rested = opened.settle(cause.trace)
            else:
                conversation, _ = _say(opened, text, cause)
                rested = opened.settle(cause.trace, also=Think(id=conversation).name)
        except AssistantError as error:
            echo(printable(str(error)))
            continue
        new = [line for line in screen.lines(OWNER) if seen.get(line.key, 0) < line.revision]
        seen.update({line.key: line.revision for line in new})
        for one in new:
            echo(as_lines(one.shown))
        shown.update(digests(new))
        screen.drawn(new)
        finished = finished and rested
    if not finished:
        complain("it is still at work; what was said is kept, and `assistant chat` shows the rest")
        raise typer.Exit(EXIT_UNREACHABLE)


def conversation(settings: Settings, *, until: Callable[[], bool], stops: str = "") -> Left:
    """A chat inside ``assistant up``.

    Args:
        settings: of the assistant.
        until: whether it is to end.
        stops: what Ctrl-C stops beside the chat; empty where that goes on.
    """
    with session(settings.data_dir) as opened:
        return Talk(opened, stops=stops).run(until=until)


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


def _held(line: "ScreenLine") -> PromptedCard | None:
    """The card or plan that a line of the screen shows, where it waits for an answer."""
    asked = asked_below(card_of(line), line.shown)
    if asked is None and any(one.verb == Verb.PLAN and one.terms for one in line.shown.actions):
        return PromptedCard(call=line.key, handle="", digest=line.shown.digest)
    return asked


def _leave(app: Any) -> None:
    if app.is_running and not app.is_done:
        app.exit(exception=EOFError())


class Talk:
    """A conversation on a terminal: what is shown are the channel's rows, as they come."""

    def __init__(self, opened: Session, *, stops: str = "") -> None:
        self._opened = opened
        self._stops = stops
        """What Ctrl-C stops beside the chat; empty where that goes on."""
        self._warned = False
        """Whether Ctrl-C was typed last, so that another one counts."""
        self._screen = opened.assistant.screen
        self._console = Console(highlight=False)
        self._seen: dict[str, int] = {}
        self._looked = False
        """Whether the screen was looked at: from then on this terminal draws all that comes."""
        self._shown: dict[str, str] = {}
        """What this terminal has shown: by call the digest of its card."""
        self._prompt = CardPrompt()
        self._bound = False
        """Whether letters answer cards: only where a person types below what is printed."""
        self._line = False
        self._next = ""
        """What stands at the next prompt already."""
        self._ended = threading.Event()
        self._draw_lock = threading.RLock()
        self._said: tuple[str, str] | None = None
        """The trace of what was said last, and the job of its thinking."""
        self._lines = TypedLines(self._is_answered, wait=not opened.settings.model)

    def run(self, *, until: Callable[[], bool]) -> Left:
        """Until Ctrl-D, Ctrl-C or /quit, or until ``until``."""
        from prompt_toolkit import PromptSession  # noqa: PLC0415 (only where people type)
        from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415 (as above)
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        from workers.cli.terminal.completion import CommandCompleter  # noqa: PLC0415 (as above)

        keys = KeyBindings()
        keys.add("c-c")(self._interrupted)
        keys.add("<sigint>")(self._interrupted)  # typed while something was being printed
        left = Left.CLOSED
        prompt: PromptSession[str] = PromptSession(
            key_bindings=keys,
            completer=CommandCompleter(self._context),
            complete_while_typing=False,
            complete_in_thread=True,
        )
        prompt.default_buffer.on_text_changed += self._typing
        self._bound = sys.stdin is not None and sys.stdin.isatty()
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
                    default, self._next = self._next, ""
                    text = prompt.prompt(
                        self._label,
                        default=default,
                        bottom_toolbar=self._at_work,
                        refresh_interval=0.3,
                    ).strip()
                    if text in _LEAVES:
                        break
                    self._entered(text)
            except EOFError:
                pass
            except KeyboardInterrupt:
                left = Left.STOPPED
            finally:
                self._ended.set()
                self._lines.finish()
                left = Left.STOPPED if until() else left
                self._farewell(stopped=bool(self._stops) and left is Left.STOPPED)
                watcher.join(2)
        return left

    def _interrupted(self, event: Any) -> None:
        """Ctrl-C: take the typed line away, or say what a second one stops; then leave."""
        buffer = event.app.current_buffer
        typed = bool(buffer.text)
        if typed:
            buffer.reset()
        with self._draw_lock:
            self._line = False
        if self._warned or not (typed or self._stops):
            event.app.exit(exception=KeyboardInterrupt())
        elif self._stops:
            self._warned = True
            self._say(
                f"Ctrl-C once more stops {self._stops}. Ctrl-D closes the chat alone.",
                style="yellow",
            )

    def _label(self) -> str:
        with self._draw_lock:
            return self._prompt.label() if self._bound else PLAIN

    def _typing(self, buffer: Any) -> None:
        """A letter was typed or taken away; the first one begins a line."""
        with self._draw_lock:
            if not buffer.text:
                self._line = False
                return
            self._warned = False
            if not self._line:
                self._line = True
                self._prompt.begun()

    def _context(self) -> CommandContext:
        cause = self._opened.assistant.cause()
        return context_of(self._opened, CommandChannel.TERMINAL, cause=cause, shown={})

    def _entered(self, text: str) -> None:
        """A line was typed: an answer to the card at whose prompt it stands, or anything else."""
        with self._draw_lock:
            self._line = False
            meant = self._prompt.command(text)
        pasted = [line.strip() for line in text.splitlines() if line.strip()]
        if len(pasted) > 1 and not self._opened.settings.model:
            for line in pasted:  # none of them stands at the prompt of a card
                self._lines.add(partial(self._carry_out, line, PromptReply.WORDS))
            return
        at_once = text.partition(" ")[0] in _AT_ONCE
        self._lines.add(partial(self._carry_out, text, meant), at_once=at_once)

    def _carry_out(
        self, text: str, meant: tuple[str, PromptedCard] | NotCounted | PromptReply
    ) -> None:
        """Carry out a typed line; what it means was settled when it was typed."""
        if isinstance(meant, tuple):
            self._answer(*meant)
        elif isinstance(meant, NotCounted):
            self._say(meant.why(text), style="yellow")
        elif lacks_a_call(text):
            self._say_which(text)
        elif text:
            self._handle(text)
        else:
            self._show_waiting()

    def _is_answered(self) -> bool:
        """Whether nothing is left to do about what was said last."""
        if self._said is None:
            return True
        try:
            if self._opened.is_left(*self._said):
                return False
            self._draw_new()
        except AssistantError:
            return False
        self._said = None
        return True

    def _say_which(self, text: str) -> None:
        """Say how a line is typed that names no call, where not one card alone is on the screen."""
        name, _, rest = text.partition(" ")
        try:
            waiting = [call.handle for call in pending(self._opened)]
        except AssistantError as error:
            self._say(str(error), style="red")
            return
        if waiting:
            typed = f"Type: {name} {waiting[0]} {rest.strip()}"
            self._say(f"Which one? {', '.join(waiting)}. {typed}", style="yellow")
            self._next = text
        else:
            self._say("Nothing waits for you.")

    def _answer(self, command: str, asked: PromptedCard) -> None:
        """Answer the card that was printed last; an edit is typed first."""
        name, *more = command.split(maxsplit=2)
        if name == "/edit" and len(more) == 1:  # no values yet
            try:
                self._next = edit_line(self._context(), asked.call)
                names = edit_names(self._context(), asked.call)
                self._say(indented(names, self._console.width))
            except AssistantError as error:
                self._say(str(error), style="red")
            return
        self._handle(command, asked=asked)

    def _show_waiting(self) -> None:
        """Enter alone prints the card of what waits, be it a call or a plan; of more a list."""
        try:
            waiting = pending(self._opened)
            if self._bound and len(waiting) == 1:
                card = as_card(self._context(), waiting[0])
                self._say(as_lines(card.shown), cards=[card])
                self._shown[card.call] = card.shown.digest
            elif self._bound and (plan := self._plan_of(waiting)):
                with self._draw_lock:
                    self._say(as_lines(plan))
                    self._prompt.printed(asked_below("", plan))
                self._shown.update(covered(plan))
            elif self._bound and waiting:
                self._handle("/pending")
        except AssistantError as error:
            self._say(str(error), style="red")

    def _plan_of(self, waiting: Sequence[Call]) -> Shown | None:
        """The message of the plan whose steps all these are; None where they are of several."""
        with self._opened.assistant.store.read(self._opened.assistant.cause()) as tx:
            found = [message_of(tx, tx.delivery(card_id(call))) for call in waiting]
        plans = {one.id: one.wanted for one in found if one is not None}
        return next(iter(plans.values())) if len(plans) == 1 else None

    def _farewell(self, *, stopped: bool) -> None:
        """What goes on waiting once the chat is left, and what this waits for before it ends."""
        try:
            self._look_for_workers()
            doing = said_of(self._opened.at_work())
            waiting = ", ".join(call.handle for call in pending(self._opened))
        except AssistantError:
            return
        if stopped:
            self._say(f"Stopping {self._stops}.")
        if doing:
            goes_on = "the workers go on" if self._opened.live else "ending after this step"
            step = "this step is waited for, the rest is done at the next start"
            self._say(f"Still at work: {doing} ({step if stopped else goes_on}).")
        if waiting:
            goes = "go" if "," in waiting else "goes"
            self._say(f"{waiting} {goes} on waiting for your yes: {_WAYS}.")

    def _welcome(self) -> None:
        model = self._opened.settings.model or "offline: no model is configured"
        leaves = "" if self._stops else ", Ctrl-D leaves"
        self._console.print(f"assistant ({model}). /help lists the commands{leaves}.")
        if self._stops:
            stops = f"Ctrl-D closes the chat alone. Ctrl-C twice stops {self._stops}."
            self._console.print(Text(indented(stops, self._console.width)))
        if not self._opened.live:
            self._console.print("No workers run; this terminal does the work while it is open.")
        if waiting := [call.handle for call in pending(self._opened)]:
            self._console.print(f"Waiting for you: {', '.join(waiting)}. /pending shows what.")

    def _handle(self, text: str, *, asked: PromptedCard | None = None) -> None:
        """Carry out a command, bound to the card that it answers; or have words heard."""
        cause = self._opened.assistant.cause()
        shown = self._shown if asked is None else dict(asked.shown)
        printed: list[Card] = []
        try:
            if text.startswith("/"):
                said = command(self._opened, text, cause=cause, shown=shown, printed=printed)
                if text.split(maxsplit=1)[0] == "/help":  # its further rows are code's own, too
                    said = indented(said, self._console.width)
                self._say(said, cards=printed)
            else:
                conversation, _ = _say(self._opened, text, cause)
                self._said = cause.trace, Think(id=conversation).name
        except WordMissing as error:
            self._say(str(error), style="red", cards=printed)
            if asked is not None:
                with self._draw_lock:
                    self._prompt.printed(replace(asked, word=error.word))
        except CountedForNothing as error:
            self._say(str(error), style="red", cards=printed)
            if error.looked and text.startswith(_TYPED_AGAIN):
                self._next = text
        except AssistantError as error:
            self._say(str(error), style="red", cards=printed)
            if text.startswith("/edit "):  # what was typed is mended, and not typed anew
                self._next = text
        self._shown.update(shown)

    def _say(self, said: str, *, style: str = "", cards: Sequence[Card] = ()) -> None:
        """Print what code says. The prompt asks about a lone card, or a plan, in it."""
        if not said:
            return
        with self._draw_lock:
            self._put(said, style, cards)
            self._prompt.printed(asked_below_all(cards))
            self._prompt.holds(
                {card.call: asked_below(card.call, card.shown) for card in cards if card.call}
            )

    def _put(self, said: str, style: str, cards: Sequence[Card]) -> None:
        """Print it; cards in it as they are drawn when they come."""
        for card in cards:
            before, drawn, behind = said.partition(as_lines(card.shown))
            if not drawn:
                continue
            if words := before.strip("\n"):
                put(self._console, printable(words), style=style)
            draw(self._console, card.shown)
            said = behind.strip("\n")
        if said:
            put(self._console, printable(said), style=style)

    def _watch(self, until: Callable[[], bool], end_prompt: Callable[[], None]) -> None:
        """Draw what is new; with no live worker, do the work as well. End the prompt in time."""
        while not self._ended.wait(0.15):
            if until():
                end_prompt()
            try:
                self._draw_new()
                self._look_for_workers()
                if not self._opened.live:
                    self._work()
                self._lines.go_on()
            except AssistantError as error:
                self._say(str(error), style="red")
                self._ended.wait(2)

    def _draw_new(self) -> None:
        """Draw what no terminal has drawn, and all that came since this one was opened."""
        with self._draw_lock:  # two threads may look; each line is drawn once
            lines = self._screen.lines(OWNER)
            new = [line for line in lines if self._seen.get(line.key, 0) < line.revision]
            # What another terminal drew before this one was opened is not seen here.
            fresh = [line for line in new if line.fresh or self._looked]
            self._looked = True
            self._seen.update({line.key: line.revision for line in new})
            for line in fresh:
                told = line.revision > 1 or self._shows_the_card_of(line)
                draw(self._console, line.shown, again=told)
                name = card_of(line) or line.key
                self._prompt.printed(asked_below(card_of(line), line.shown), name=name)
            for line in new:
                if (held := _held(line)) is None or line in fresh:
                    self._prompt.holds({card_of(line) or line.key: held})
            if new:
                self._prompt.only_waiting([call.id for call in pending(self._opened)])
            self._shown.update(digests(fresh))
            self._screen.drawn(fresh)

    def _shows_the_card_of(self, line: "ScreenLine") -> bool:
        """Whether this is the receipt of a call whose card was printed: then a line will do."""
        return line.key.removeprefix(_RECEIPT) in self._shown

    def _look_for_workers(self) -> None:
        """Say so when the workers came or went; without them this terminal does the work."""
        if not self._opened.look_for_workers():
            return
        self._screen = self._opened.assistant.screen
        said = "The workers run again." if self._opened.live else _NO_WORKERS_NOW
        with self._draw_lock:
            self._console.print(Text(indented(said, self._console.width)))

    def _work(self) -> None:
        self._opened.assistant.tick()
        now = self._opened.assistant.clock.now()
        for job in self._opened.assistant.store.jobs(failed=False):
            if not job.claimed and job.due <= now and not self._ended.is_set():
                self._opened.assistant.bus.answer(job.id)
                self._draw_new()

    def _at_work(self) -> Any:
        """The line below the prompt: what is going on, from rows; else what waits unseen."""
        try:
            return said_of(self._opened.at_work()) or self._hint() or " "
        except AssistantError as error:
            return str(error)

    def _hint(self) -> str:
        """How what waits is seen again, where something is below it."""
        if not self._bound or self._prompt.asks or not (waiting := pending(self._opened)):
            return ""
        if len(waiting) == 1:
            return f"{waiting[0].handle} waits for you; Enter shows it"
        if self._plan_of(waiting):
            return f"{len(waiting)} steps wait for you; Enter shows them"
        return f"{len(waiting)} wait for you; /pending shows them"
