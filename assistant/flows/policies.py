"""Compile saved policies, and read the state that decisions depend on."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from assistant.domain.errors import AssistantError
from assistant.domain.governance.modes import Autorun
from assistant.domain.policy.decide import EMPTY, CompiledPolicy, Policy, PolicyContext, compiled
from assistant.domain.policy.rules import RuleAction
from assistant.domain.policy.text import PolicyText
from assistant.domain.store import Tx

log = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
"""The window in which uses of a tool are counted."""
_CACHED = 16
"""Compiled policies that are kept in memory."""


@dataclass(frozen=True)
class Policies:
    """Compiles each saved policy once.

    Args:
        parse: reads a policy that the owner wrote; raises ``AssistantError``.
        autorun: autorun of the settings; the stricter of it and the policy's counts.
    """

    parse: Callable[[str], Policy]
    autorun: Autorun | None = None
    _cache: dict[tuple[str, str], CompiledPolicy] = field(default_factory=dict, repr=False)

    def ready(self, text: PolicyText) -> CompiledPolicy:
        """Return the compiled policy. One that can no longer be read asks about all but reads."""
        if text.version == 0:
            return EMPTY
        key = (str(text.version), text.digest)
        found = self._cache.get(key)
        if found is None:
            while len(self._cache) >= _CACHED:
                self._cache.pop(next(iter(self._cache)), None)
            found = self._cache[key] = compiled(self._read(text), text.version)
        return found

    def _read(self, text: PolicyText) -> Policy:
        try:
            return self.parse(text.text)
        except AssistantError as error:
            log.error("policy %d cannot be read, so everything asks: %s", text.version, error)  # noqa: TRY400 (the message says enough)
            return Policy(default=RuleAction.ASK, autorun=Autorun.NONE)

    def policy_context(self, tx: Tx, *, now: datetime, zone: str) -> PolicyContext:
        """Read mode, policy, grants and counters.

        Locks the mode's row until the transaction ends: call it before locking anything else.
        """
        return PolicyContext(
            mode=tx.mode().mode,
            policy=self.ready(tx.policy()),
            autorun=self.autorun,
            grants=tuple(tx.grants()),
            used=tx.tool_uses(now - HOUR),
            now=now,
            zone=zone,
        )
