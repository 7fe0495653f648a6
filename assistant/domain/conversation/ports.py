"""The parts of a transaction that handle conversations and deliveries; models and channels."""

from collections.abc import Sequence
from datetime import datetime, timedelta
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
        """Record an event of a channel; return whether it is new."""
        ...

    def conversation_in(
        self, channel: str, place: str, *, idle: float, aside: str = ""
    ) -> Conversation:
        """Lock and return the open conversation there; begin one after ``idle`` seconds of silence.

        ``aside`` is where the owner alone reads, for a place where others can read. If given, it is
        stored in the conversation.
        """
        ...

    def talks_in(self, channel: str, place: str) -> bool:
        """Return whether there ever was a conversation there."""
        ...

    def conversation(self, id: str, *, lock: bool = False) -> Conversation: ...

    def close(self, id: str) -> None:
        """End a conversation; the next words there begin a new one."""
        ...

    def append(self, conversation: str, entry: Entry, *, answer: bool) -> int:
        """Add an entry to a locked conversation; return its seq. ``answer``: it needs an answer."""
        ...

    def thought(self, conversation: str, *, seen: int, tainted: bool) -> None:
        """Record that the model has answered everything up to ``seen``: one more of its turns."""
        ...

    def acted(self, conversation: str) -> None:
        """Record that the owner answered a card: the model's turns count from here."""
        ...

    def entries(self, conversation: str, *, last: int) -> Sequence[Entry]:
        """Return the newest ``last`` entries, oldest first."""
        ...

    def old_conversations(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Return ids of conversations that have words and none since then, oldest first.

        Leaves out those with a call that is not over, or with an answer under way.
        """
        ...

    def empty_conversation(self, id: str, *, before: datetime, instead: str) -> bool:
        """Replace all words of an old conversation by ``instead``, end it, write the audit entry.

        Returns False, and changes nothing, if it is not one of ``old_conversations`` any more.
        """
        ...


class DeliveryTx(Protocol):
    def want(self, delivery: Delivery, *, due: datetime | None = None) -> None:
        """Store what a channel should show; emit ``Deliver`` for ``due``, unless it is shown."""
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
        """Return deliveries, newest first: of a channel, with an id prefix, shown as wanted or not.

        ``since`` leaves out those that were first wanted earlier.
        """
        ...

    def unshown(self, delivery: Delivery, *, since: datetime, limit: int = 50) -> Sequence[str]:
        """Return ids of what a delivery's place has never shown, in the order it was wanted.

        Leaves out notices of mail, what was first wanted before ``since``, and what the place
        refused.
        """
        ...

    def trying(self, delivery: Delivery) -> Delivery:
        """Record an attempt; return the delivery with ``tried``, the time of the first attempt."""
        ...

    def shown(self, delivery: Delivery, *, handle: str, note: str = "") -> None:
        """Record that the channel shows ``delivery.wanted``."""
        ...

    def refused(self, delivery: Delivery, *, note: str) -> None:
        """Record in ``note`` why the channel cannot show it to the person, until it can."""
        ...


class PersonTx(Protocol):
    """The paired people, whom the assistant listens to beside those in the settings."""

    def add_person(self, person: Person) -> None:
        """Store a new person and the audit entry. Raises ``Conflict`` if another owner has them."""
        ...

    def people(self, channel: str) -> Sequence[Person]:
        """Return the owner's people, in the order they were added."""
        ...

    def forget_person(self, person: Person) -> bool:
        """Delete a person and write the audit entry; return whether there was one."""
        ...


class OwnerTx(Protocol):
    """What is known of the owner."""

    def zone(self) -> str:
        """Return the IANA zone that the owner chose; empty where that of the settings counts."""
        ...

    def choose_zone(self, zone: str, *, by: str) -> None:
        """Store the owner's zone and write the audit entry; empty ends the choice."""
        ...

    def last_acted(self) -> datetime | None:
        """Return when the owner last spoke, pressed a button or gave a command."""
        ...

    def note_act(self, *, away: timedelta, seen: timedelta) -> datetime | None:
        """Store that the owner acts now; return when they last did, if that is ``away`` ago.

        Stores nothing where that was less than ``seen`` ago. Of two at once, one is told so.
        """
        ...


class Model(Protocol):
    """A language model, or the offline grammar in its place."""

    name: str

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        """Return the model's next step. Raises ``Transient`` or ``Permanent``."""
        ...

    def summarise(self, view: View) -> Summary:
        """Say what the one mail in ``view`` says. Raises ``Transient`` or ``Permanent``."""
        ...

    def check(self) -> None:
        """Raise ``Misconfigured`` for errors that show without asking a provider."""
        ...


class Channel(Protocol):
    """A way to talk. It shows what it is given and derives nothing."""

    name: str
    far: bool
    """True for a remote channel: an attempt may succeed unseen, and buttons carry tokens."""

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        """Show it, or edit the message ``attempt.handle``. Shows each key once.

        A ``PROGRESS`` without text deletes the message.
        """
        ...
