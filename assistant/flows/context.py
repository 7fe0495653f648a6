"""The context of the flows that judge, ask about and answer calls: one value, one level deep."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from assistant.domain.calls.call import Call
from assistant.domain.errors import NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import CallLimits
from assistant.domain.policy.decide import PolicyContext
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.policies import Policies
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox


@dataclass(frozen=True, kw_only=True)
class Context:
    """Made once in the wiring. A flow that needs more extends it with fields of its own."""

    store: Store
    clock: Clock
    toolbox: Toolbox
    policies: Policies
    limits: CallLimits
    zone: str
    """The owner's IANA zone: that of the settings, or, once ``located``, the one they chose."""
    channels: Collection[str] = ()
    """Names of the channels in which a person can be asked."""

    def located(self, cause: Cause) -> Self:
        """Return the context with the zone that the owner is in now."""
        with self.store.read(cause) as tx:
            chosen = tx.zone()
        return replace(self, zone=chosen) if chosen else self

    def policy_context(self, tx: Tx) -> PolicyContext:
        """Read the state that decisions depend on, for now, by the clock that never goes back.

        Locks the mode's row until the transaction ends: call it before locking anything else.
        """
        return self.policy_context_at(tx, tx.high_water(self.clock.now()))

    def policy_context_at(self, tx: Tx, now: datetime) -> PolicyContext:
        """Read the state as ``policy_context`` does, for a given time."""
        return self.policies.policy_context(tx, now=now, zone=self.zone)

    def tool(self, call: Call) -> Tool[Any]:
        """Return the tool of a call. Raises ``NotFound`` if there is no tool of that name."""
        tool = self.toolbox.get(call.tool)
        if tool is None:
            raise NotFound(f"tool {call.tool}")
        return tool

    def offered_tool(self, call: Call) -> Tool[Any] | None:
        """Return the tool of a call, or None; for a model's call, only a tool models may use."""
        if call.actor == MODEL and not call.undoes:
            return self.toolbox.offered(call.tool)
        return self.toolbox.get(call.tool)
