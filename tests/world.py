"""The whole assistant over the real wiring, with fakes at its edges, in any weather."""

import random
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from assistant.domain.approvals.approval import ApprovalAnswer, Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Quoted, ToolSchema, Turn, View, Want
from assistant.domain.conversation.deliveries import Attempt, Home, Posted, Shown, ShownKind
from assistant.domain.conversation.ports import Channel, Model
from assistant.domain.jobs.job import Cause, Doorbell
from assistant.domain.jobs.ports import Bell
from assistant.domain.limits import ConversationLimits, MailLimits
from assistant.domain.mail.attached import AttachmentText, FileKind
from assistant.domain.mail.mail import Mail, MailContext, MailQuery, Parsed, Received
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.quiet_hours import QuietHours
from assistant.flows.approvals.answers import decide_call
from assistant.flows.approvals.plans import approve_plan, plan_of
from assistant.flows.approvals.reproposal import ask_again, edit_call
from assistant.flows.approvals.similar import approve_similar, draft_similar, scope_digest
from assistant.flows.calendar.copied_calendar import CopiedCalendar
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.calls.owner_calls import call_tool
from assistant.flows.calls.undo import Undoing, undo
from assistant.flows.conversation.hear import hear
from assistant.flows.render.call_status import lookup_status
from assistant.flows.render.details import details
from ingest.extract.attachments import AttachmentReader, Extract
from ingest.extract.extracted import ExtractLimits
from ingest.parse import parse
from ingest.receive import receive
from tests.memory_blobs import MemoryBlobs
from tests.memory_calendar import MemoryCalendar
from tests.scripted_model import ScriptedModel
from workers.wiring import Parts, make_context, make_toolbox, wire

ZONE = "Europe/Berlin"
MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
OWNER = "owner"
ME = "terminal:owner"
LIMITS = MailLimits()


@dataclass
class HandClock:
    """Stands still until it is moved."""

    time: datetime = MONDAY

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()

    def passes(self, **span: float) -> None:
        self.time += timedelta(**span)


class Queue:
    """A bell whose bells lie in a row until somebody answers them."""

    def __init__(self) -> None:
        self.bells: deque[Doorbell] = deque()

    def ring(self, bells: Sequence[Doorbell]) -> None:
        self.bells.extend(bells)


class Wall:
    """A channel that a test can read. Repeated keys are shown once, as they are now."""

    def __init__(self, name: str = "terminal", *, far: bool = False) -> None:
        self.name = name
        self.far = far
        self.shown: dict[str, Shown] = {}
        self.places: dict[str, str] = {}
        self.tokens: dict[tuple[str, str], str] = {}
        """What the newest buttons carry, by their verb and what they are about."""
        self.changes = 0

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        key = attempt.key
        assert self.far or place == OWNER
        assert attempt.handle in ("", key)
        assert len(attempt.tokens) == (len(shown.actions) if self.far else 0)
        self.places[key] = place
        for action, token in zip(shown.actions, attempt.tokens, strict=False):
            self.tokens[action.verb, action.subject] = token
        if self.shown.get(key) != shown:
            self.changes += 1
        self.shown[key] = shown
        return Posted(handle=key)


class InlineExtract:
    """Reads files in the test's own process."""

    def kind_of(self, data: bytes, declared: str, name: str) -> FileKind:
        from ingest.extract.kinds import kind_of  # noqa: PLC0415 (few stories have attachments)

        return kind_of(data, declared, name)

    def text_of(self, data: bytes, kind: FileKind) -> AttachmentText:
        from ingest.extract.text import text_of  # noqa: PLC0415 (it loads the readers of files)

        return text_of(data, kind, limits=ExtractLimits())


class Mind(ScriptedModel):
    """A scripted model that a story extends; ``meanwhile`` happens once while it thinks."""

    meanwhile: Callable[[], None] | None = None

    def will(self, *turns: Turn | Exception) -> None:
        self._turns.extend(turns)

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        meanwhile, self.meanwhile = self.meanwhile, None
        turn = super().think(view, tools)
        if meanwhile:
            meanwhile()
        return turn


@dataclass(frozen=True)
class Weather:
    deliveries: int = 1
    shuffled: bool = False


MakeStore = Callable[[Bell, Clock], Store]


@dataclass
class World:
    """``settle`` runs until the queue is empty and nothing is due."""

    make_store: MakeStore
    weather: Weather = field(default_factory=Weather)
    clock: HandClock = field(default_factory=HandClock)
    model: Mind = field(default_factory=Mind)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    wall: Wall = field(default_factory=Wall)
    far: Wall = field(default_factory=lambda: Wall("discord", far=True))
    calendar: MemoryCalendar = field(default_factory=MemoryCalendar)
    queue: Queue = field(default_factory=Queue)
    mind: Model | None = None
    """Another model than the scripted one."""
    discord: Channel | None = None
    """Another channel there than the wall."""
    home: Home = field(default_factory=lambda: Home(channel="terminal", place=OWNER))
    read: Callable[[bytes, MailContext], Parsed] = field(
        default=lambda raw, context: parse(raw, LIMITS, context)
    )
    extract: Extract = field(default_factory=InlineExtract)
    keep_copy: Callable[["World"], CopyKeeper] | None = None
    """Keeps a copy of the calendar, from which reads are answered; None for no copy."""
    heard: int = 0
    group_mails: bool = False
    quiet: QuietHours | None = None

    def __post_init__(self) -> None:
        self.store = self.make_store(self.queue, self.clock)
        self.random = random.Random(7)
        self.cause = Cause(owner=OWNER, trace="f" * 32)
        keeper = self.keep_copy(self) if self.keep_copy else None
        self.parts = Parts(
            store=self.store,
            blobs=self.blobs,
            calendar=self._copied(keeper) if keeper else self.calendar,
            copy_keeper=keeper,
            model=self.mind or self.model,
            channels={"terminal": self.wall, "discord": self.discord or self.far},
            clock=self.clock,
            read=lambda raw, context: self.read(raw, context),  # noqa: PLW0108 (a story may exchange it)
            texts=AttachmentReader(blobs=self.blobs, extract=self.extract),
            home=self.home,
            zone=ZONE,
            lease=30.0,
            calendar_timeout=15.0,
            group_mails=self.group_mails,
            quiet=self.quiet,
        )
        self.toolbox = make_toolbox(self.parts)
        self.ctx = make_context(self.parts, self.toolbox)
        self.bus = wire(
            self.parts,
            worker="test",
            tries=4,
            backoff=float,
            around=lambda _job: nullcontext(),
        )

    def _copied(self, keeper: CopyKeeper) -> CopiedCalendar:
        return CopiedCalendar(keeper=keeper, cause=lambda: self.cause, timeout=15.0)

    # What people and servers do.

    def says(
        self,
        text: str,
        *,
        event: str = "",
        far: str = "",
        aside: str = "",
        quoted: Sequence[Quoted] = (),
        settle: bool = True,
    ) -> None:
        """``far`` is a place on Discord; without one it is said in the terminal."""
        self.heard += 1
        hear(
            text,
            channel="discord" if far else "terminal",
            place=far or OWNER,
            event=event or f"event-{self.heard}",
            cause=self.cause,
            store=self.store,
            limits=ConversationLimits(),
            aside=aside,
            quoted=quoted,
        )
        if settle:
            self.settle()

    def forwards(self, raw: bytes, *, settle: bool = True) -> Received:
        received = receive(
            raw,
            owner=OWNER,
            door="file",
            trace=self.cause.trace,
            store=self.store,
            blobs=self.blobs,
            clock=self.clock,
            limits=LIMITS,
        )
        if settle:
            self.settle()
        return received

    def presses(
        self,
        verb: Verb,
        handle: str = "A1",
        *,
        card: str = "",
        reason: str = "",
        word: str = "",
        owner: str = OWNER,
        settle: bool = True,
    ) -> ApprovalAnswer:
        answer = decide_call(
            handle,
            verb,
            by=ME,
            card=card or self.card_of(handle),
            reason=reason,
            cause=Cause(owner=owner, trace=self.cause.trace),
            word=word,
            ctx=self.ctx,
        )
        if settle:
            self.settle()
        return answer

    def asks(self, *wants: Want, then: str = "So be it.", says: str = "do it") -> None:
        """The owner says something, and the model asks for these calls in one turn."""
        self.model.will(Turn(wants=wants), Turn(text=then))
        self.says(says)

    def edits(self, handle: str, *, card: str = "", **args: Any) -> ApprovalAnswer:
        answer = edit_call(
            handle,
            args,
            by=ME,
            card=card or self.card_of(handle),
            cause=self.cause,
            ctx=self.ctx,
        )
        self.settle()
        return answer

    def asks_again(self, handle: str) -> ApprovalAnswer:
        answer = ask_again(handle, cause=self.cause, ctx=self.ctx)
        self.settle()
        return answer

    def similar(self, handle: str = "A1", *, scope: str = "") -> ApprovalAnswer:
        """A yes to this call and to those like it, to the scope that is shown, or to another."""
        shown = scope or scope_digest(draft_similar(handle, by=ME, cause=self.cause, ctx=self.ctx))
        answer = approve_similar(
            handle,
            by=ME,
            card=self.card_of(handle),
            scope=shown,
            cause=self.cause,
            ctx=self.ctx,
        )
        self.settle()
        return answer

    def plan(
        self, handle: str = "A1", *, cards: dict[str, str] | None = None, word: str = ""
    ) -> ApprovalAnswer:
        """A yes to all that waits together with this call, as it is shown, or to these cards."""
        seen = plan_of(handle, cause=self.cause, ctx=self.ctx)
        shown = {call.id: self.card_of(call.handle) for call in seen}
        answer = approve_plan(
            handle,
            by=ME,
            cards=shown if cards is None else cards,
            word=word,
            cause=self.cause,
            ctx=self.ctx,
        )
        self.settle()
        return answer

    def calls(self, tool: str, **args: Any) -> Call:
        """The owner's own call; what came of it."""
        [placed, *_] = call_tool(
            tool,
            args,
            by=ME,
            channel="terminal",
            place=OWNER,
            cause=self.cause,
            ctx=self.ctx,
        )
        self.settle()
        return self.call(placed.id)

    def undoes(self, *handles: str, settle: bool = True) -> list[Undoing]:
        """The owner wants these taken back, without having said yes to what waits for it."""
        found = undo(
            handles,
            by=ME,
            channel="terminal",
            place=OWNER,
            cause=self.cause,
            ctx=self.ctx,
        )
        if settle:
            self.settle()
        return found

    def writes_policy(self, text: str) -> None:
        with self.store.begin(self.cause) as tx:
            tx.add_policy(tx.policy().model_copy(update={"text": text, "by": ME}))

    def settle(self) -> None:
        for _ in range(400):
            while self.queue.bells:
                self.answer_next()
            self.queue.bells.extend(self.store.due())
            if not self.queue.bells:
                return
        message = "the assistant never came to rest"
        raise AssertionError(message)

    def answer_next(self) -> None:
        if self.weather.shuffled:
            self.queue.bells.rotate(self.random.randrange(len(self.queue.bells)))
        bell = self.queue.bells.popleft()
        for _ in range(self.weather.deliveries):
            self.bus.answer(bell.job)

    # What can be seen afterwards.

    def words(self, kind: ShownKind = ShownKind.WORDS) -> list[str]:
        return [shown.text for shown in self.wall.shown.values() if shown.kind is kind]

    def cards(self) -> list[Shown]:
        return [shown for shown in self.wall.shown.values() if shown.kind is ShownKind.CARD]

    def titles(self, kind: ShownKind) -> list[str]:
        return [shown.title for shown in self.wall.shown.values() if shown.kind is kind]

    def call(self, handle: str = "A1") -> Call:
        with self.store.read(self.cause) as tx:
            return tx.call_named(handle)

    def waiting(self) -> list[Call]:
        """What waits for its owner, oldest first."""
        with self.store.read(self.cause) as tx:
            return list(reversed(tx.calls(states={CallState.PARKED})))

    def states(self, *handles: str) -> list[CallState]:
        return [self.call(handle).state for handle in handles]

    def card(self, handle: str) -> Shown:
        """What is shown of a call that waits, or waited."""
        id = f"card-{self.call(handle).id}"
        with self.store.read(self.cause) as tx:
            card = tx.delivery(id)
        return card.wanted if card.wanted.within else self.wall.shown[f"{OWNER}:{id}"]

    def call_of(self, id: str) -> Call:
        with self.store.read(self.cause) as tx:
            return tx.call(id)

    def told(self, handle: str = "A1") -> dict[str, str]:
        """All that the details of a call say, by the label of each line."""
        call = self.call(handle)
        with self.store.read(self.cause) as tx:
            status = lookup_status(tx, call)
        lines = details(status, self.toolbox.get(call.tool), zone=ZONE)
        told = {line.label: line.value for line in lines}
        for part in (told["How it stands"], told.get("What it would do", "")):
            joined = part.replace("\n  | ", "\0").split("\n")
            found = (line.partition(": ") for line in joined if ": " in line)
            told |= {label: value.replace("\0", "\n") for label, _, value in found}
        return told

    def card_of(self, handle: str) -> str:
        """The digest of the card that is shown for a call now."""
        return self.card(handle).digest

    def mails(self) -> list[Mail]:
        with self.store.read(self.cause) as tx:
            return list(tx.mails(MailQuery()))
