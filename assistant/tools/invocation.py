"""One call as it is asked for, shown, and carried out."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from pydantic import ValidationError

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.cancel import Cancel
from assistant.domain.calls.tool_errors import Cancelled, ErrorType, ToolFailure
from assistant.domain.errors import Denied, LeaseLost, Permanent, Transient, Unsure
from assistant.domain.policy.decide import Verdict
from assistant.tools.contract import Tool
from assistant.tools.errand import Errand
from assistant.tools.limited import limited
from assistant.tools.memo import Memo
from assistant.tools.results import Result, failed

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
        tool: what would do it.
        facts: what a look at the world found, arguments included.
        errand: for which call, and whose.
        memo: answers reads again for a while, if given.
        monotonic: seconds that only grow, for the latency.
    """

    tool: Tool[Any]
    facts: Facts
    errand: Errand
    memo: Memo | None = None
    monotonic: Callable[[], float] = monotonic

    def description(self) -> str:
        """What it would do, in a line for a person."""
        if self.tool.card is not None:
            parts = [f"{line.label}: {line.value}" for line in self.tool.card(*self._shown)]
        else:
            given = self.facts.args.items()
            parts = [f"{name}: {value}" for name, value in given if value not in (None, "")]
        return _in_a_line(": ".join(filter(None, (self.tool.display_name, "; ".join(parts)))))

    def locations(self) -> tuple[str, ...]:
        """The files or resources that it affects."""
        if self.facts.locations or not self.facts.destination:
            return self.facts.locations
        return (self.facts.destination,)

    def confirmation(self, verdict: Verdict | None = None) -> Literal[False] | ConfirmationDetails:
        """What to ask a person; False if nobody need be asked.

        Args:
            verdict: what the policy decided; without one, the tool's own word counts.

        Raises:
            Denied: there is nothing to be asked.
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
        """Carry it out, once, in this thread.

        An error that another try would not mend comes back as ``Result.error``.

        Args:
            cancel: by default the errand's; the tool's time-out is added to it.
            update: takes the output as it comes; by default the errand's.

        Raises:
            Cancelled: it was told to stop, and nothing was changed.
            Transient: it did not happen, and another try may help.
            Unsure: it may have happened.
            LeaseLost: it is another worker's now.
        """
        began = self.monotonic()
        result = self._answered(cancel or self.errand.cancel, update or self.errand.update)
        return result.model_copy(update={"latency": self.monotonic() - began})

    def _answered(self, cancel: Cancel, update: Callable[[str], None]) -> Result:
        cancel.raise_if()
        known = self.memo.get(self.tool, self.facts, self.errand) if self.memo else None
        if known is not None:
            return known
        source = self.tool.source(self.facts) if self.tool.source else ""
        try:
            result = self._finished(self._acted(cancel, update), source)
        except (Cancelled, Transient, Unsure, LeaseLost):
            raise
        except Permanent as error:
            return failed(error, source=source)
        except Exception as error:
            log.exception("%s ended unexpectedly", self.tool.name)
            if not self._reads:
                raise Unsure(f"{self.tool.name} ended unexpectedly") from error
            return failed(error, source=source)
        finally:
            if self.memo is not None and not self._reads:
                self.memo.forget(self.errand.cause.owner)  # whatever came of it
        if self.memo is not None:
            self.memo.keep(self.tool, self.facts, self.errand, result)
        return result

    def _acted(self, cancel: Cancel, update: Callable[[str], None]) -> Result:
        with limited(cancel, self.tool.timeout) as own:
            errand = self.errand.model_copy(update={"cancel": own, "update": _heard(update)})
            try:
                result = self.tool.act(self.facts, errand)
            except (Permanent, Transient):
                self._stopped(own)  # it may have failed only because it was told to stop
                raise
            self._stopped(own)
            return result

    def _stopped(self, own: Cancel) -> None:
        """A read that was told to stop has no result; a change is told, however late."""
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
        """The result with its data in shape. Of what was done already, data that fit not go."""
        if self.tool.result is None or result.error:
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

    @property
    def _shown(self) -> tuple[Facts, str]:
        return self.facts, self.errand.zone


def invocations(tool: Tool[Any], args: Mapping[str, Any], errand: Errand) -> Sequence[Invocation]:
    """What comes of a request: one invocation, or several when only a part needs a yes.

    Raises:
        BadArguments: they do not fit the schema; it says how to mend them.
        AssistantError: a look at the world said that it cannot be done.
    """
    return [
        Invocation(tool=tool, facts=facts, errand=errand) for facts in tool.examine(args, errand)
    ]


def _heard(update: Callable[[str], None]) -> Callable[[str], None]:
    """The same, but whoever watches cannot break what they watch."""

    def heard(words: str) -> None:
        try:
            update(words)
        except Exception:
            log.exception("the output of a call could not be shown")

    return heard


def _in_a_line(words: str) -> str:
    line = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(words.split())
    )
    return line if len(line) <= LINE else f"{line[: LINE - 1]}…"
