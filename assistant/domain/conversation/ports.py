"""What a conversation needs of a transaction, a model and a channel."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.conversation.conversation import (
    Conversation,
    Entry,
    Summary,
    ToolSchema,
    Turn,
    View,
)
from assistant.domain.conversation.deliveries import Attempt, Delivery, Posted, Shown
from assistant.domain.conversation.people import Person


class ConversationTx(Protocol):
    def first_sight(self, channel: str, event: str) -> bool:
        """True the first time this event of this channel is seen."""
        ...

    def conversation_in(
        self, channel: str, place: str, *, idle: float, aside: str = ""
    ) -> Conversation:
        """The open conversation there, locked; a new one after ``idle`` seconds of silence.

        ``aside`` is where the owner alone reads, for a place where others can. Where one is given,
        it is the conversation's from now on.
        """
        ...

    def talks_in(self, channel: str, place: str) -> bool:
        """Whether there ever was a conversation there."""
        ...

    def conversation(self, id: str, *, lock: bool = False) -> Conversation: ...

    def close(self, id: str) -> None:
        """End a conversation: what is said there next begins a new one."""
        ...

    def append(self, conversation: str, entry: Entry, *, answer: bool) -> int:
        """Add an entry to a locked conversation; its seq. ``answer``: it deserves one."""
        ...

    def thought(self, conversation: str, *, seen: int, tainted: bool) -> None:
        """The model has answered what was said up to ``seen``."""
        ...

    def entries(self, conversation: str, *, last: int) -> Sequence[Entry]:
        """The newest ``last`` entries, oldest first."""
        ...


class DeliveryTx(Protocol):
    def want(self, delivery: Delivery, *, due: datetime | None = None) -> None:
        """See that a channel shows this; emits ``Deliver``, for ``due``, when it does not yet."""
        ...

    def delivery(self, id: str, *, lock: bool = False) -> Delivery: ...
    def deliveries(
        self,
        *,
        channel: str = "",
        prefix: str = "",
        settled: bool | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Delivery]:
        """The newest first: of a channel, with ids that begin so, shown as wanted or not.

        ``since``: only those that were first wanted then or later.
        """
        ...

    def trying(self, delivery: Delivery) -> Delivery:
        """Note that the channel is about to be asked; it comes back with ``tried``, the first."""
        ...

    def shown(self, delivery: Delivery, *, handle: str, note: str = "") -> None:
        """The channel shows ``delivery.wanted`` now."""
        ...

    def refused(self, delivery: Delivery, *, note: str) -> None:
        """Whoever should see it does not let it be shown; as ``note`` has it, until it is."""
        ...


class PersonTx(Protocol):
    """Whom the assistant listens to, beside those whom the settings name."""

    def add_person(self, person: Person) -> None:
        """Twice is once. Writes its audit entry. ``Conflict`` when they are another owner's."""
        ...

    def people(self, channel: str) -> Sequence[Person]:
        """Those of this owner, the first one first."""
        ...

    def forget_person(self, person: Person) -> bool:
        """Whether there was one. Writes its audit entry."""
        ...


class Model(Protocol):
    """A language model, or what stands in for one."""

    name: str

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        """The next step. Raises ``Transient`` or ``Permanent``."""
        ...

    def summarise(self, view: View) -> Summary:
        """The one mail in ``view``, in a few sentences. Raises ``Transient`` or ``Permanent``."""
        ...

    def check(self) -> None:
        """Raises ``Misconfigured`` for what can be told without asking a provider anything."""
        ...


class Channel(Protocol):
    """A way to talk. It is told what to show, never what happened."""

    name: str
    far: bool
    """True where a try may have succeeded without anybody knowing, and buttons carry tokens."""

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        """Show it, or edit what ``attempt.handle`` names. The same key twice shows once.

        A ``PROGRESS`` without text takes away what the handle names.
        """
        ...
