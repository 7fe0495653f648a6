"""What the flows that judge, ask about and answer calls work with: one value, one level deep."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.domain.calls import Call
from assistant.domain.decisions import MODEL
from assistant.domain.errors import NotFound
from assistant.domain.limits import CallLimits
from assistant.domain.policy import Standing
from assistant.flows.standing import Policies
from assistant.ports import Clock, Store, Tx
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox


@dataclass(frozen=True, kw_only=True)
class Context:
    """Bound once in the wiring; flows that need more extend it, flat."""

    store: Store
    clock: Clock
    toolbox: Toolbox
    policies: Policies
    limits: CallLimits
    zone: str
    """The owner's IANA zone."""
    channels: Collection[str] = ()
    """Where a person can be asked."""
    far: Collection[str] = ()
    """Channels whose messages are edited, so that a card becomes its receipt."""

    def standing(self, tx: Tx) -> Standing:
        """How things stand now, by the clock that never goes back.

        Holds the mode's row until the transaction ends: call it before locking anything else.
        """
        return self.standing_at(tx, tx.high_water(self.clock.now()))

    def standing_at(self, tx: Tx, now: datetime) -> Standing:
        """As ``standing``, for a time that the caller gives."""
        return self.policies.standing(tx, now=now, zone=self.zone)

    def tool(self, call: Call) -> Tool[Any]:
        """The tool of a call. Raises ``NotFound`` where there is none of its name."""
        tool = self.toolbox.get(call.tool)
        if tool is None:
            raise NotFound(f"tool {call.tool}")
        return tool

    def offered_tool(self, call: Call) -> Tool[Any] | None:
        """The tool of a call, or None; for a model's call, only what models are offered."""
        if call.actor == MODEL and not call.undoes:
            return self.toolbox.offered(call.tool)
        return self.toolbox.get(call.tool)
