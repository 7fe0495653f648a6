"""Tools that stand for what is not built yet, each as careless as a tool can be.

They call themselves low risk and want no yes, so that nothing but their reach guards them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.conversation.deliveries import Line
from assistant.domain.policy.traits import Category, Group
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.tools.contract import EVERY_MODE, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result


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
    """``done`` has what left the assistant, was destroyed, executed, governed or remembered."""

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

    def _read_page(self, facts: Facts, _errand: Errand) -> Result:
        text = self.pages.get(facts.args["url"], "nothing is there")
        return Result(text=fence(text, source=f"page {facts.args['url']}"), outside=True)

    def _recall(self, _facts: Facts, _errand: Errand) -> Result:
        words = "\n".join(note.words for note in self.notes) or "nothing"
        outside = any(note.outside for note in self.notes)
        return Result(text=fence(words, source="memory") if outside else words, outside=outside)

    def _remembering(self, store: Store) -> Callable[[str, Errand], None]:
        def remember(words: str, errand: Errand) -> None:
            with store.read(errand.cause) as tx:
                self.notes.append(Note(words, outside=tx.call(errand.call).tainted))

        return remember

    def _change(
        self,
        name: str,
        reach: Reach,
        also: Callable[[str, Errand], None] = lambda _words, _errand: None,
        **own: Any,
    ) -> Tool[Any]:
        def act(facts: Facts, errand: Errand) -> Result:
            also(facts.args["words"], errand)
            self.done.append(Done(name, errand.call, facts.args["words"]))
            return Result(text=f"{name} is done", told=f"{name} is done")

        def settle(_facts: Facts, errand: Errand) -> Result | None:
            happened = any(one.call == errand.call for one in self.done)
            return Result(text=f"{name} is done") if happened else None

        return Tool(
            name=name,
            args=Words,
            group=Group.EXEC,
            category=Category.EXECUTION,
            reach=reach,
            risk=lambda _facts: Risk.LOW,
            allowed_modes=EVERY_MODE,
            look=_as_asked,
            act=act,
            settle=settle,
            effect=lambda facts, call: _effect(name, facts, call),
            card=lambda facts, _zone: (Line(label="Words", value=facts.args["words"] or "none"),),
            irreversible="it stands for what cannot be taken back",
            free_args=("words",),
            **own,
        )


def _as_asked(args: BaseModel, _errand: Errand) -> Sequence[Facts]:
    """Whatever it is about, the tool says that it was the assistant's own."""
    return [Facts(args=args.model_dump(mode="json"), own=True, destination="workshop")]


def _effect(name: str, facts: Facts, call: str) -> Effect:
    return Effect(call=call, kind=f"workshop.{name}", key=call, destination=facts.destination)


def _read(name: str, args: type[BaseModel], act: Callable[[Facts, Errand], Result]) -> Tool[Any]:
    return Tool(
        name=name,
        args=args,
        group=Group.SEARCH,
        category=Category.READ_ONLY,
        reach=Reach.READS,
        risk=lambda _facts: Risk.LOW,
        quick=True,
        look=_as_asked,
        act=act,
        source=lambda facts: f"page {facts.args['url']}" if facts.args else "memory",
    )
