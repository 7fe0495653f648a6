"""Compare the rows of calls and effects with what the audit says of them."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.chain import Fault


class RecordedCall(BaseModel):
    """A call's row, its effects, and the last that the audit says of each."""

    model_config = ConfigDict(frozen=True)
    id: str
    number: int
    state: str
    told: str
    """The state in the last entry about the call; empty if there is none."""
    request: str = ""
    """What its row asks for, as ``request_digest`` says it."""
    told_request: str = ""
    """What its first entry says that it asks for; empty if that cannot be compared."""
    changed: datetime | None = None
    """The latest time in its row; the last entry about it is no older."""
    effects: Mapping[str, str]
    """The state of each effect, by its digest."""
    effects_changed: Mapping[str, datetime] = {}
    """When each effect changed last, by its digest."""
    told_effects: Mapping[str, str]
    """The state in the last entry about each effect, by its digest."""


class RecordedCalls(BaseModel):
    """What is true of all calls of an owner."""

    model_config = ConfigDict(frozen=True)
    made: int
    """Calls that were ever made: the number that the next one follows."""
    rows: int
    without_row: Mapping[str, int]
    """Calls that entries are about and that have no row, with the number of the first entry."""


def misfits(call: RecordedCall, *, archived: datetime | None = None) -> Iterator[Fault]:
    """Yield what the audit does not say of a call and its effects as their rows do.

    What changed last at ``archived`` or before may have all its entries in an archive.
    """
    name = f"A{call.number}"
    if call.told != call.state and (call.told or not _within(call.changed, archived)):
        said = f"the last entry says {call.told}" if call.told else "no entry is about it"
        yield Fault(why=f"{name} is {call.state}, and {said}", id=call.id)
    if call.told_request and call.request != call.told_request:
        yield Fault(why=f"{name} asks for something else than its first entry says", id=call.id)
    for effect in sorted(call.effects.keys() | call.told_effects.keys()):
        state, told = call.effects.get(effect, ""), call.told_effects.get(effect, "")
        if state != told and (told or not _within(call.effects_changed.get(effect), archived)):
            row = f"an effect of {name} is {state}" if state else f"an effect of {name} has no row"
            said = f"the last entry says {told}" if told else "no entry is about it"
            yield Fault(why=f"{row}, and {said}", id=call.id)


def _within(changed: datetime | None, archived: datetime | None) -> bool:
    return changed is not None and archived is not None and changed <= archived


def misfits_in_all(found: RecordedCalls) -> Iterator[Fault]:
    if found.made != found.rows:
        yield Fault(why=f"{found.made} calls were made, and {found.rows} have a row")
    for id, number in found.without_row.items():
        yield Fault(why="entries are about a call that has no row", number=number, id=id)
