"""How things stand when a call is judged, read in the transaction that records the judgement."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from assistant.domain.errors import AssistantError
from assistant.domain.modes import Autorun
from assistant.domain.policies import PolicyText
from assistant.domain.policy import EMPTY, CompiledPolicy, Policy, Standing, compiled
from assistant.domain.rules import Action
from assistant.ports import Tx

log = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
"""For which the uses of tools are counted."""
_KEPT = 16


@dataclass(frozen=True)
class Policies:
    """The policies that were saved, compiled once each.

    Args:
        parse: reads a policy that the owner wrote; raises ``AssistantError``.
        autorun: what the settings say; the stricter of it and the policy counts.
    """

    parse: Callable[[str], Policy]
    autorun: Autorun | None = None
    _ready: dict[tuple[str, str], CompiledPolicy] = field(default_factory=dict, repr=False)

    def ready(self, text: PolicyText) -> CompiledPolicy:
        """One that can no longer be read asks about everything but reads: nothing is let by."""
        if text.version == 0:
            return EMPTY
        key = (str(text.version), text.digest)
        found = self._ready.get(key)
        if found is None:
            while len(self._ready) >= _KEPT:
                self._ready.pop(next(iter(self._ready)), None)
            found = self._ready[key] = compiled(self._read(text), text.version)
        return found

    def _read(self, text: PolicyText) -> Policy:
        try:
            return self.parse(text.text)
        except AssistantError as error:
            log.error("policy %d cannot be read, so everything asks: %s", text.version, error)  # noqa: TRY400 (the words say it)
            return Policy(default=Action.ASK, autorun=Autorun.NONE)

    def standing(self, tx: Tx, *, now: datetime, zone: str) -> Standing:
        """Holds the mode's row until the transaction ends; call it before locking anything else."""
        return Standing(
            mode=tx.mode().mode,
            policy=self.ready(tx.policy()),
            autorun=self.autorun,
            grants=tuple(tx.grants()),
            used=tx.tool_uses(now - HOUR),
            now=now,
            zone=zone,
        )
