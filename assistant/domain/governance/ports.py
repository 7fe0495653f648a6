"""What governance needs of a transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.calls.effects import Effect
from assistant.domain.conversation.conversation import ModelQuestion, Usage
from assistant.domain.governance.modes import ModeRecord


class ModeTx(Protocol):
    """How careful the assistant is. Its row is locked first, before any conversation."""

    def mode(self) -> ModeRecord:
        """The mode; in a writing transaction held under a shared lock until its end."""
        ...

    def set_mode(self, record: ModeRecord) -> ModeRecord:
        """Enter a mode, holding its row alone; writes its audit entry.

        ``record.revision`` is that of the row this was decided on; the new row's is one more.

        Raises:
            IllegalStep: ``modes.NEXT`` has no such step.
            Conflict: the row has another revision by now.
        """
        ...

    def give_word(self, record: ModeRecord) -> None:
        """Keep ``record.word``, in the place of any other, given out at ``record.asked``, or now.

        Raises ``Conflict`` when the row has another revision by now.
        """
        ...

    def take_word(self) -> ModeRecord:
        """The mode, its row held alone, with its word; which is struck off: it is tried once."""
        ...

    def denials(self, since: datetime) -> int:
        """How often the owner has said no since then."""
        ...

    def done_since(self, since: datetime) -> Sequence[Effect]:
        """What was changed in the world since then and not taken back, in that order."""
        ...


class SpendingTx(Protocol):
    def used(self, usage: Sequence[Usage], *, subject: str, cause: str = "") -> None:
        """Record what model calls cost, for which conversation or mail, and what set them off."""
        ...

    def spent(self, since: datetime) -> Mapping[str, int]:
        """Tokens that models took in and gave out since then, by what set them off."""
        ...

    def asked(self, *, last: int) -> Sequence[ModelQuestion]:
        """How the newest ``last`` questions to models went, the newest first."""
        ...
