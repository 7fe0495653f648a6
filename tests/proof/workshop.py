"""Tools that stand for what is not built yet, each as careless as a tool can be.

They call themselves low risk and want no yes, so that nothing but their reach guards them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.fence import fence
from assistant.domain.traits import EVERY_MODE, Category, Group, Scopes
from assistant.ports import Store
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import ChangingReach, change_tool, keyed_effect, read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Irreversible, Tool


class Page(BaseModel):
    """Read a page of the web."""

    model_config = ConfigDict(extra="forbid")
    url: str


class Nothing(BaseModel):
    """Recall what was remembered."""

    model_config = ConfigDict(extra="forbid")


class Words(BaseModel):
    """Do something with words."""

    model_config = ConfigDict(extra="forbid")
    words: str
    to: str = ""


class Told(BaseModel):
    """Nothing for programs."""


@dataclass(frozen=True)
class Done:
    """Something that was done by one of these tools, and for which call."""

    tool: str
    call: str
    words: str


@dataclass(frozen=True)
class Note:
    words: str
    outside: bool


@dataclass
class Workshop:
    """``done`` has what left the house, was destroyed, executed, governed or remembered."""

    pages: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)

    def tools(self, store: Store) -> tuple[Tool[Any], ...]:
        return (
            _read("read_page", Page, self._read_page),
            _read("recall", Nothing, self._recall),
            self._change("remember", Reach.WRITES, self._remembering(store), remembers=True),
            self._change("send_message", Reach.SENDS),
            self._change("wipe", Reach.DESTROYS),
            self._change("run_command", Reach.EXECUTES),
            self._change("set_policy", Reach.GOVERNS),
            self._change("approve_call", Reach.GOVERNS),
            self._change("add_approver", Reach.GOVERNS),
        )

    def _read_page(self, facts: Facts, _context: ToolContext) -> Result:
        text = self.pages.get(facts.args["url"], "nothing is there")
        return Result(text=fence(text, source=f"page {facts.args['url']}"), outside=True)

    def _recall(self, _facts: Facts, _context: ToolContext) -> Result:
        words = "\n".join(note.words for note in self.notes) or "nothing"
        outside = any(note.outside for note in self.notes)
        return Result(text=fence(words, source="memory") if outside else words, outside=outside)

    def _remembering(self, store: Store) -> Callable[[str, ToolContext], None]:
        def remember(words: str, context: ToolContext) -> None:
            with store.read(context.cause) as tx:
                self.notes.append(Note(words, outside=tx.call(context.call).tainted))

        return remember

    def _change(
        self,
        name: str,
        reach: ChangingReach,
        also: Callable[[str, ToolContext], None] = lambda _words, _context: None,
        *,
        remembers: bool = False,
    ) -> Tool[Any]:
        def execute(facts: Facts, context: ToolContext) -> Result:
            also(facts.args["words"], context)
            self.done.append(Done(name, context.call, facts.args["words"]))
            return Result(text=f"{name} is done", told=f"{name} is done")

        def reconcile(_facts: Facts, context: ToolContext) -> Result | None:
            happened = any(one.call == context.call for one in self.done)
            return Result(text=f"{name} is done") if happened else None

        return change_tool(
            name,
            title=name,
            args=Words,
            result=Told,
            scopes=Scopes(),
            group=Group.EXEC,
            category=Category.EXECUTION,
            reach=reach,
            risk=Risk.LOW,
            allowed_modes=EVERY_MODE,
            inspect=_as_asked,
            execute=execute,
            effect=keyed_effect(f"workshop.{name}", lambda _facts, call: call),
            reconcile=reconcile,
            inverse=Irreversible("it stands for what cannot be taken back"),
            card=lambda facts, _zone: (Line(label="Words", value=facts.args["words"] or "none"),),
            expires_at=None,
            free_args=("words",),
            remembers=remembers,
        )


def _as_asked(args: BaseModel, _context: ToolContext) -> Sequence[Facts]:
    """Whatever it is about, the tool says that it was the assistant's own."""
    return [Facts(args=args.model_dump(mode="json"), own=True, destination="workshop")]


def _read(
    name: str, args: type[BaseModel], execute: Callable[[Facts, ToolContext], Result]
) -> Tool[Any]:
    return read_tool(
        name,
        title=name,
        args=args,
        result=Told,
        scopes=Scopes(),
        inspect=_as_asked,
        execute=execute,
        quick=True,
        source=lambda facts: f"page {facts.args['url']}" if facts.args else "memory",
    )
