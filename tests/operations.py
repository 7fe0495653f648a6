"""A world whose model comes and goes, whose mode is set, and whose signals a ticker looks at."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.adapters.models.chain import ModelChain
from assistant.adapters.offline.model import OfflineModel
from assistant.domain.conversation.conversation import Summary, ToolSchema, Turn, Usage, View
from assistant.domain.errors import AssistantError, Permanent
from assistant.domain.governance.budget import Budget
from assistant.domain.governance.modes import Mode, ModeRecord
from assistant.domain.governance.signals import SignalLimits
from assistant.domain.mail.understanding.understood import Understood
from assistant.flows.governance.modes import ModeAnswer, set_mode
from assistant.flows.governance.signals import SignalWatcher
from assistant.tools.contract.toolbox import Toolbox
from tests.world import ZONE, World
from workers.wiring import make_signal_watcher, make_toolbox, wire

ME = "terminal:me"


@dataclass
class Provider:
    """A model elsewhere: it answers, counts, costs, and at times does not."""

    name: str = "provider:model"
    trouble: AssistantError | None = None
    tokens: int = 10
    asked: list[str] = field(default_factory=list)

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        del tools
        self._ask(f"think {view.entries[-1].text}")
        return Turn(text="Said by the model.", usage=self._usage())

    def summarise(self, view: View) -> Summary:
        self._ask(f"summarise {view.entries[-1].text.splitlines()[1]}")
        words = Understood(gist="In the model's words.")
        return Summary(understood=words, extractive=False, usage=self._usage())

    def check(self) -> None:
        """It needs nothing."""

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.trouble is not None:
            raise self.trouble

    def _usage(self) -> tuple[Usage, ...]:
        return (Usage(model=self.name, input_tokens=self.tokens - 1, output_tokens=1),)


@dataclass
class Operated:
    """A world with a provider behind a chain, and tickers."""

    world: World
    provider: Provider = field(default_factory=Provider)
    budget: Budget = field(default_factory=Budget)
    configured: bool = True
    free: int = 2**40
    """Bytes of disk and of memory."""
    limits: SignalLimits = field(default_factory=lambda: SignalLimits(disk=100, memory=100))

    def __post_init__(self) -> None:
        world, offline = self.world, OfflineModel()
        chain = ModelChain([self.provider, offline], cool_down=1.0, monotonic=world.clock.monotonic)
        world.parts = replace(
            world.parts,
            model=chain if self.configured else offline,
            offline=offline,
            budget=self.budget,
            signals=self.limits,
            disk=lambda: self.free,
            memory=lambda: self.free,
        )
        world.toolbox = make_toolbox(world.parts)
        world.bus = wire(
            world.parts,
            worker="test",
            tries=4,
            backoff=float,
            around=lambda _job: nullcontext(),
        )

    def senses(self) -> SignalWatcher:
        """Another ticker's."""
        return make_signal_watcher(self.world.parts)

    def looks(self, *, times: int = 1) -> None:
        """So many tickers look at the assistant, one after the other; then the work is done."""
        for _ in range(times):
            self.senses().look(self.world.cause)
        self.world.settle()

    def mode(self) -> ModeRecord:
        return mode_of(self.world)


def mode_of(world: World) -> ModeRecord:
    with world.store.read(world.cause) as tx:
        return tx.mode()


def enters(
    world: World, mode: Mode, *, settle: bool = True, by: str = ME, **more: Any
) -> ModeAnswer:
    """The owner says so."""
    given: dict[str, Any] = {"toolbox": world.toolbox, **more}
    changed = set_mode(
        mode,
        by=by,
        cause=world.cause,
        store=world.store,
        clock=world.clock,
        zone=ZONE,
        home=world.parts.home,
        **given,
    )
    if settle:
        world.settle()
    return changed


def leaves(world: World, mode: Mode, **more: Any) -> ModeAnswer:
    """Both steps out of lockdown."""
    return enters(world, mode, word=enters(world, mode, **more).word, **more)


NO_TOOLS = Toolbox()
REFUSED = Permanent("too long for it")
