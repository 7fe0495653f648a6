"""One call: how it is described, asked about and executed."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from pydantic import ValidationError

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.cancel import Cancel
from assistant.domain.errors import Denied, LeaseLost, Permanent, Transient, Unsure
from assistant.domain.policy import Verdict
from assistant.domain.tool_errors import Cancelled, ErrorType, ToolFailure
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.limited import limited
from assistant.tools.contract.results import Result, failed
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

LINE = 300
"""Characters of a description."""


@dataclass(frozen=True, kw_only=True)
class ConfirmationDetails:
    """What a person is asked to say yes to."""

    tool_name: str
    description: str
    risk: Risk
    locations: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """A tool and the facts of one call.

    Args:
        tool: the tool that would execute it.
        facts: what ``inspect`` found, arguments included.
        context: the call, and whose it is.
        monotonic: seconds that only grow, for the latency.
    """

    tool: Tool[Any]
    facts: Facts
    context: ToolContext
    monotonic: Callable[[], float] = monotonic

    def description(self) -> str:
        """What it would do, in a line for a person."""
        if self.tool.preview is not None:
            lines = self.tool.card(self.facts, self.context.zone)
            parts = [f"{line.label}: {line.value}" for line in lines]
        else:
            given = self.facts.args.items()
            parts = [f"{name}: {value}" for name, value in given if value not in (None, "")]
        return _in_a_line(": ".join(filter(None, (self.tool.display_name, "; ".join(parts)))))

    def locations(self) -> tuple[str, ...]:
        """List the files or resources that it affects."""
        if self.facts.locations or not self.facts.destination:
            return self.facts.locations
        return (self.facts.destination,)

    def confirmation(self, verdict: Verdict | None = None) -> Literal[False] | ConfirmationDetails:
        """What to ask a person; False if nobody need be asked.

        Args:
            verdict: what the policy decided; without one, the tool's own declaration counts.

        Raises:
            Denied: it cannot be carried out, or the policy denies it.
        """
        if self.facts.trouble:
            raise Denied(self.facts.trouble)
        if verdict is Verdict.DENY:
            raise Denied(f"{self.tool.name} is not allowed here")
        if not (verdict is Verdict.ASK if verdict else self.tool.asks(self.facts)):
            return False
        return ConfirmationDetails(
            tool_name=self.tool.name,
            description=self.description(),
            risk=self.tool.risk(self.facts),
            locations=self.locations(),
        )

    def execute(
        self, cancel: Cancel | None = None, update: Callable[[str], None] | None = None
    ) -> Result:
        """Execute the call, once, in this thread.

        An error that another try would not correct comes back as ``Result.error``. So does a call
        that its tool must not run: one outside its scopes, or one that needs a sandbox.

        Args:
            cancel: by default the context's; the tool's time-out is added to it.
            update: takes the output as it comes; by default the context's.

        Raises:
            Cancelled: it was told to stop, and nothing was changed.
            Transient: it did not happen, and another try may help.
            Unsure: it may have happened.
            LeaseLost: another worker has the call now.
        """
        began = self.monotonic()
        result = self._result(cancel or self.context.cancel, update or self.context.update)
        return result.model_copy(update={"latency": self.monotonic() - began})

    def _result(self, cancel: Cancel, update: Callable[[str], None]) -> Result:
        cancel.raise_if()
        if why := self.tool.refusal(self.facts):
            return failed(Denied(why))
        source = self.tool.source(self.facts) if self.tool.source else ""
        try:
            return self._finished(self._executed(cancel, update), source)
        except (Cancelled, Transient, Unsure, LeaseLost):
            raise
        except Permanent as error:
            return failed(error, source=source)
        except Exception as error:
            log.exception("%s ended unexpectedly", self.tool.name)
            if not self._reads:
                raise Unsure(f"{self.tool.name} ended unexpectedly") from error
            return failed(error, source=source)

    def _executed(self, cancel: Cancel, update: Callable[[str], None]) -> Result:
        with limited(cancel, self.tool.timeout) as own:
            context = self.context.model_copy(update={"cancel": own, "update": _guarded(update)})
            try:
                result = self.tool.execute(self.facts, context)
            except (Permanent, Transient):
                self._stopped(own)  # it may have failed only because it was told to stop
                raise
            self._stopped(own)
            return result

    def _stopped(self, own: Cancel) -> None:
        """Discard a read that was told to stop; a change that came too late is told as it is."""
        if self._reads:
            own.raise_if()

    def _finished(self, result: Result, source: str) -> Result:
        touched = result.touched or (() if self._reads or result.error else self.facts.locations)
        return self._checked(result).model_copy(
            update={
                "touched": touched,
                "source": result.source or (source if result.outside else ""),
            }
        )

    def _checked(self, result: Result) -> Result:
        """Check the data against the declared shape. A change keeps its result, without them."""
        if result.error:
            return result
        try:
            self.tool.result.model_validate(result.data)
        except ValidationError as error:
            log.warning("the answer of %s does not fit: %s", self.tool.name, error)
            if self._reads:
                words = f"the answer of {self.tool.name} does not have the shape it declares"
                raise ToolFailure(ErrorType.RESULT, words) from error
            return result.model_copy(update={"data": {}})
        return result

    @property
    def _reads(self) -> bool:
        return self.tool.reach_of(self.facts) is Reach.READS


def invocations(
    tool: Tool[Any], args: Mapping[str, Any], context: ToolContext
) -> Sequence[Invocation]:
    """Make the calls that come of a request: one, or several when only a part needs approval.

    Raises:
        BadArguments: they do not fit the schema; it says what to correct.
        AssistantError: ``inspect`` found that it cannot be done.
    """
    return [
        Invocation(tool=tool, facts=facts, context=context) for facts in tool.examine(args, context)
    ]


def _guarded(update: Callable[[str], None]) -> Callable[[str], None]:
    """Keep an error of whoever watches away from the call."""

    def guarded(words: str) -> None:
        try:
            update(words)
        except Exception:
            log.exception("the output of a call could not be shown")

    return guarded


def _in_a_line(words: str) -> str:
    line = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(words.split())
    )
    return line if len(line) <= LINE else f"{line[: LINE - 1]}…"
