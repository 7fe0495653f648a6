"""What a tool says of one of its calls, for a card that is read at a glance."""

from collections.abc import Mapping
from typing import NamedTuple

from assistant.domain.conversation.deliveries import Row


class Other(NamedTuple):
    """Something that a call could be instead."""

    label: str
    """What a person chooses: ``Mon 30 Nov 11:00``."""
    changes: str
    """The edit that makes it so: ``start=2026-11-30 11:00``."""


class Glance(NamedTuple):
    """What would happen, as a person says it, and when or where."""

    verb: str
    """``Create``, ``Move``, ``Write file``."""
    did: str
    """The same of what was done: ``Created``; empty where only the result says it."""
    name: str = ""
    """What it is done to, which the card puts between quotation marks."""
    after: str = ""
    """What follows the name: ``again``."""
    rows: tuple[Row, ...] = ()
    """When or where, most important first; the card shows as many as it has room for."""
    asks: tuple[Row, ...] = ()
    """What matters only as long as it waits for a yes: what is in the way. It follows the rows."""
    others: tuple[Other, ...] = ()
    """What it could be instead, as the owner may choose while it waits."""
    shows: Mapping[str, str] = {}
    """The arguments that it says, each as a person knows it: an event by its title, not its id."""
    gone: bool = False
    """True where something would be gone."""
    press: str = "Approve"
    """The words on the button of the yes."""
    more: int = 0
    """What of the arguments it says only in part."""
    further: int = 0
    """Rows that its card may take beyond those of others, where all of it must be read."""
