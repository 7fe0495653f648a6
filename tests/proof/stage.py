"""A world whose every effect is written down, with the call at hand and what was wrong with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from assistant.bus import Bus
from assistant.domain.approvals.approval import Approval, ApprovalAnswer, ApprovalState, Verb
from assistant.domain.calendar.events import Event
from assistant.domain.calls.call import Call, Facts, Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin, Turn, Want
from assistant.domain.errors import AssistantError, Conflict, NotFound
from assistant.domain.files.version import FileVersion
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.limits import ConversationLimits
from assistant.domain.messages import Run
from assistant.domain.policy.text import PolicyText
from assistant.flows.approvals.answers import decide_call
from assistant.flows.approvals.reproposal import edit_call
from assistant.flows.conversation.hear import begin_anew, hear, stop
from assistant.flows.governance.modes import ModeAnswer, set_mode
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox
from tests.memory_calendar import MemoryCalendar
from tests.proof.workshop import Workshop
from tests.world import OWNER, ZONE, World
from workers.wiring import make_context, make_routes, make_toolbox

ME = "terminal:owner"

_AT_HAND: ContextVar[str] = ContextVar("at_hand", default="")
"""Id of the call whose tool acts in this thread."""


class Died(BaseException):
    """A worker is lost, in the middle of what it did."""


@dataclass(frozen=True)
class Act:
    """A tool was let act."""

    call: str
    tool: str
    reach: Reach
    fence: int
    """Which of the call's runs it was; 0 for a read that has no row yet."""
    wrong: tuple[str, ...]
    """What did not allow it at that moment."""


def last_moment(approval: Approval, reach: Reach, begun: datetime | None = None) -> datetime:
    """From when on an approved call may not begin, as ``docs/approvals.md`` has it.

    An hour after its approval expired; for what executes or governs, when it expires; and never
    once what it is about has begun, or, if it had begun when it was asked for, once it is over.
    """
    hours = 0 if reach in (Reach.EXECUTES, Reach.GOVERNS) else 1
    until = approval.expires + timedelta(hours=hours)
    return min(until, begun) if begun and begun > approval.created else until


class WatchedCalendar(MemoryCalendar):
    """``changed`` has the call of every change that was made through the port."""

    def __init__(self) -> None:
        super().__init__()
        self.changed: list[str] = []

    def _change(self, make: Callable[[], Event | None]) -> str:
        before = self.writes
        try:
            return super()._change(make)
        finally:
            if self.writes > before:
                self.changed.append(_AT_HAND.get())


@dataclass
class Stage(World):
    """The world with a workshop of careless tools. ``alone``: nothing else goes on meanwhile."""

    calendar: WatchedCalendar = field(default_factory=WatchedCalendar)
    workshop: Workshop = field(default_factory=Workshop)
    acts: list[Act] = field(default_factory=list)
    conversations: set[str] = field(default_factory=set)
    alone: bool = True
    me: str = ME
    """Whose yes counts."""
    within: Callable[[Call], None] | None = None
    """Happens once, while the next tool acts."""
    dies: str = ""
    """``before`` or ``after``: the next change loses its worker then."""

    def __post_init__(self) -> None:
        super().__post_init__()
        everything = make_toolbox(self.parts).list(internal=True)
        extra = self.workshop.tools(self.store)
        self.toolbox = Toolbox(*[self._watched(tool) for tool in (*everything, *extra)])
        self.ctx = make_context(self.parts, self.toolbox)
        self.bus = Bus(
            make_routes(self.parts, self.toolbox),
            store=self.store,
            clock=self.clock,
            worker="test",
            tries=4,
            backoff=float,
            around=lambda _job: nullcontext(),
        )

    # Watching

    def _watched(self, tool: Tool[Any]) -> Tool[Any]:
        def execute(facts: Facts, context: ToolContext) -> Result:
            self.acts.append(self._seen(tool, facts, context))
            token = _AT_HAND.set(context.call)
            try:
                self._meanwhile(context)
                self._may_die("before", tool)
                result = tool.execute(facts, context)
                self._may_die("after", tool)
                return result
            finally:
                _AT_HAND.reset(token)

        return replace(tool, execute=execute)

    def _meanwhile(self, context: ToolContext) -> None:
        within, self.within = self.within, None
        if within is not None:
            with self.store.read(context.cause) as tx:
                call = tx.call(context.call)
            within(call)

    def _may_die(self, when: str, tool: Tool[Any]) -> None:
        if self.dies == when and tool.reach is not Reach.READS:
            self.dies = ""
            raise Died

    def _seen(self, tool: Tool[Any], facts: Facts, context: ToolContext) -> Act:
        reach = tool.reach_of(facts)
        with self.store.read(context.cause) as tx:
            try:
                call = tx.call(context.call)
            except NotFound:
                unknown = () if reach is Reach.READS else ("it has no row",)
                return Act(context.call, tool.name, reach, 0, unknown)
        wrong = tuple(self._wrong(call, tool, facts)) if self.alone else ()
        return Act(call.id, tool.name, reach, call.fence, wrong)

    def _wrong(self, call: Call, tool: Tool[Any], facts: Facts) -> Iterator[str]:
        """What is wrong with letting this call act now, told by rows and by no policy."""
        with self.store.read(self.cause) as tx:
            mode, now = tx.mode().mode, tx.high_water(self.clock.now())
            grants = {one.id: one for one in tx.grants(ended=True)}
            approval = self.approval(call)
        acted = {"facts": facts, "tool": tool.name, "version": tool.version}
        if call.state is not CallState.RUNNING:
            yield f"it is {call.state}"
        if call.model_copy(update=acted).binding != call.binding:
            yield "it is not what its row says"
        if mode is Mode.LOCKDOWN and tool.reach_of(facts) is not Reach.READS:
            yield "lockdown"
        if approval is not None:
            yield from self._wrong_yes(call, approval)
            if now >= last_moment(approval, tool.reach_of(facts), tool.expires_at(facts)):
                yield "the yes has had its time"
        elif call.verdict not in ("allow", "report"):
            yield f"nobody said yes to a call whose verdict was {call.verdict!r}"
        elif call.grant and (grants[call.grant].revoked or now >= grants[call.grant].expires):
            yield "its grant has ended"

    def _wrong_yes(self, call: Call, approval: Approval) -> Iterator[str]:
        if approval.state is not ApprovalState.APPROVED:
            yield f"its approval is {approval.state}"
        if approval.binding != call.binding:
            yield "the yes was for something else"
        if (approval.owner, approval.by) != (OWNER, self.me):
            yield f"the yes was {approval.by}'s for {approval.owner}"
        if approval.decided is None or approval.decided >= approval.expires:
            yield "the yes came too late"

    def approval(self, call: Call) -> Approval | None:
        with self.store.read(self.cause) as tx:
            try:
                return tx.approval(call.id)
            except NotFound:
                return None

    def effects(self) -> list[str]:
        """The call of every effect there was, on the calendar, the files and in the workshop."""
        return [
            *self.calendar.changed,
            *[file.call for file in self.files() if file.by != ME],
            *[done.call for done in self.workshop.done],
        ]

    def files(self) -> list[FileVersion]:
        """Every version of every file."""
        with self.store.read(self.cause) as tx:
            names = [
                file.path
                for scope in ("private", "shared", "public")
                for file in tx.files(f"{scope}:/", deleted=True)
                if not file.path.startswith("private:/.results/")
            ]
            return [version for path in names for version in tx.file_versions(path)]

    def calls_made(self) -> list[Call]:
        """All of them, oldest first."""
        with self.store.read(self.cause) as tx:
            return list(reversed(tx.calls(limit=10_000)))

    # What people do

    def says(  # type: ignore[override]  # a stage has the terminal alone
        self, text: str, *, event: str = "", settle: bool = True
    ) -> None:
        self.heard += 1
        conversation = hear(
            text,
            channel="terminal",
            place=OWNER,
            event=event or f"event-{self.heard}",
            cause=self.cause,
            store=self.store,
            limits=ConversationLimits(),
        )
        self.conversations.add(conversation or "")
        if settle:
            self.settle()

    def wants(
        self, *wants: Want, words: str = "do it", then: str = "So be it.", settle: bool = True
    ) -> None:
        """The owner says something, and the model asks for these calls in one turn."""
        self.model.will(Turn(wants=wants), Turn(text=then))
        self.says(words, settle=settle)

    def answers(
        self,
        verb: Verb,
        call: Call | str,
        *,
        card: str,
        word: str = "",
        owner: str = OWNER,
        by: str = ME,
    ) -> ApprovalAnswer:
        """A button is pressed; the work that follows is left to the workers."""
        return decide_call(
            call.id if isinstance(call, Call) else call,
            verb,
            by=by,
            card=card,
            word=word,
            cause=Cause(owner=owner, trace=self.cause.trace),
            ctx=self.ctx,
        )

    def yes(self, handle: str = "A1", *, settle: bool = True) -> ApprovalAnswer:
        """The owner's own yes to what is shown."""
        call = self.call(handle)
        approval = self.approval(call)
        assert approval is not None
        answer = self.answers(Verb.APPROVE, call, card=approval.card, word=approval.word)
        if settle:
            self.settle()
        return answer

    def changes(self, call: Call, args: dict[str, Any], *, card: str) -> ApprovalAnswer | None:
        """The owner edits a call; None where that is refused."""
        try:
            return edit_call(call.id, args, by=ME, card=card, cause=self.cause, ctx=self.ctx)
        except AssistantError:
            return None

    def stops(self) -> str:
        return stop(
            channel="terminal",
            place=OWNER,
            cause=self.cause,
            store=self.store,
            toolbox=self.toolbox,
            zone=ZONE,
        )

    def begins_anew(self) -> None:
        begin_anew(channel="terminal", place=OWNER, cause=self.cause, store=self.store)

    def enters(self, mode: Mode, *, word: str = "") -> ModeAnswer:
        return set_mode(
            mode,
            by=ME,
            word=word,
            cause=self.cause,
            store=self.store,
            clock=self.clock,
            toolbox=self.toolbox,
            zone=ZONE,
            home=self.parts.home,
        )

    def leaves(self, mode: Mode = Mode.NORMAL) -> None:
        """Both steps out of lockdown."""
        assert self.enters(mode, word=self.enters(mode).word).accepted

    def puts_file(self, path: str, text: str, *, origin: Origin = Origin.OWNER) -> None:
        """The owner's own hand, which no call guides; or somebody's whose words are kept there."""
        digest = sha256(text.encode()).hexdigest()
        blob = f"files/{OWNER}/{digest}"
        self.blobs.put(blob, text.encode())
        with self.store.begin(self.cause) as tx:
            version = len(tx.file_versions(path))
            tx.write_file(
                FileVersion(
                    path=path,
                    version=version,
                    size=len(text.encode()),
                    sha256=digest,
                    blob=blob,
                    origin=origin,
                    by=ME,
                )
            )

    def saves(self, text: str) -> None:
        """The owner saves a policy."""
        with self.store.begin(self.cause) as tx:
            tx.add_policy(PolicyText(version=tx.policy().version, text=text, by=ME))

    # What workers do

    def orders_again(self, call: Call) -> None:
        """A run is ordered once more, whatever has become of the call."""
        with self.store.begin(self.cause) as tx:
            tx.emit(Run(id=call.id))

    def works(self, name: str) -> None:
        """One worker answers one bell; a lost one leaves its claim behind."""
        try:
            self.bus.answer(name)
        except Died:
            self.store.release([claim for claim, _ in self.store.held().values()])

    def answer_next(self) -> None:
        self.works(self.queue.bells.popleft().job)

    def rests(self) -> None:
        """All work is done, retries included, and what workers lost that are gone."""
        for _ in range(6):
            self.store.release([claim for claim, _ in self.store.held().values()])
            self.settle()
            self.clock.passes(seconds=40)
        self.settle()


@contextmanager
def claimed(stage: Stage, name: str) -> Iterator[Job | None]:
    """A worker that has taken a job and not begun."""
    job = stage.store.claim(name, worker="slow")
    yield job
    if job is not None:
        stage.store.release([job.claim])


def soon(stage: Stage) -> None:
    """Time goes on, as it does."""
    stage.clock.time += timedelta(milliseconds=7)


__all__ = [
    "ME",
    "Act",
    "Conflict",
    "Died",
    "Stage",
    "WatchedCalendar",
    "claimed",
    "last_moment",
    "soon",
]
