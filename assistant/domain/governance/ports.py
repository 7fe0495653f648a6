"""The part of a transaction that handles the mode and the spending."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.calls.effects import Effect
from assistant.domain.conversation.conversation import ModelQuestion, Usage
from assistant.domain.governance.modes import ModeRecord


class ModeTx(Protocol):
    """The mode of the assistant. Lock its row first, before any conversation."""

    def mode(self) -> ModeRecord:
        """Return the mode; a write holds a shared lock on its row until the end."""
        ...

    def set_mode(self, record: ModeRecord) -> ModeRecord:
        """Enter a mode under an exclusive lock of its row; write the audit entry.

        Give ``record.revision`` of the row that this was decided on; the new row's is one more.

        Raises:
            IllegalStep: ``modes.NEXT`` has no such step.
            Conflict: the row has another revision by now.
        """
        ...

    def give_word(self, record: ModeRecord) -> None:
        """Store ``record.word`` in place of any other, issued at ``record.asked``, or now.

        Raises ``Conflict`` when the row has another revision by now.
        """
        ...

    def take_word(self) -> ModeRecord:
        """Return the mode with its word, under an exclusive lock; delete the word: one try only."""
        ...

    def denials(self, since: datetime) -> Sequence[datetime]:
        """Return when the owner denied calls that outside text had led to, since then, in order.

        Denials of calls that nobody else's words were behind are no signal.
        """
        ...

    def done_since(self, since: datetime) -> Sequence[Effect]:
        """Return the effects since then that were not undone, oldest first."""
        ...


class SpendingTx(Protocol):
    def used(self, usage: Sequence[Usage], *, subject: str, cause: str = "") -> None:
        """Record what model calls cost, for which conversation or mail, and their trigger."""
        ...

    def spent(self, since: datetime) -> Mapping[str, int]:
        """Return the tokens used since then, input and output together, by trigger."""
        ...

    def asked(self, *, last: int) -> Sequence[ModelQuestion]:
        """Return whether models answered the newest ``last`` questions, newest first."""
        ...
