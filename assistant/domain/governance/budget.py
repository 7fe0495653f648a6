"""The budget of model tokens for a day, and whether a model may be asked now. Pure."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.conversation.conversation import ModelQuestion
from assistant.domain.governance.modes import SIGNAL, Mode, ModeRecord
from assistant.domain.governance.signals import Signal
from assistant.domain.time.moments import zone_of


class Trigger(StrEnum):
    """What a model is asked for."""

    CHAT = "chat"
    MAIL = "mail"


class Budget(BaseModel):
    """Tokens for a day, input and output together; 0 is no limit."""

    model_config = ConfigDict(frozen=True)
    tokens: int = 0
    shares: Mapping[Trigger, int] = Field(default_factory=dict)
    """The most tokens that each trigger may use."""

    def spent_up(self, spent: Mapping[str, int], trigger: Trigger) -> str:
        """Return what this trigger has used up: ``day``, its own name, or an empty text."""
        if 0 < self.tokens <= sum(spent.values()):
            return "day"
        return trigger.value if 0 < self.shares.get(trigger, 0) <= spent.get(trigger, 0) else ""

    @property
    def limited(self) -> bool:
        return self.tokens > 0 or any(share > 0 for share in self.shares.values())


def day_of(now: datetime, zone: str) -> tuple[datetime, datetime]:
    """Return when the owner's day began and when it ends, 23 to 25 hours later."""
    here = zone_of(zone)
    today = now.astimezone(here).date()
    begin, end = (
        datetime.combine(day, time.min, tzinfo=here) for day in (today, today + timedelta(days=1))
    )
    return begin, end


class Silence(BaseModel):
    """Says why no model is asked now."""

    model_config = ConfigDict(frozen=True)
    spent: str = ""
    """What is used up, as ``Budget.spent_up`` says; empty when the mode is the reason."""


def silence(
    trigger: Trigger,
    *,
    mode: ModeRecord,
    spent: Mapping[str, int],
    budget: Budget,
    last: ModelQuestion | None,
    now: datetime,
    probe: timedelta,
) -> Silence | None:
    """Return why a model may not be asked for this; None if it may.

    While models do not answer, one is tried now and then: else nobody would notice that it answers
    again.
    """
    if out := budget.spent_up(spent, trigger):
        return Silence(spent=out)
    if mode.mode is not Mode.DEGRADED:
        return None
    tries = mode.by == f"{SIGNAL}{Signal.MODEL}" and rested(last, now=now, probe=probe)
    return None if tries else Silence()


def rested(last: ModelQuestion | None, *, now: datetime, probe: timedelta) -> bool:
    """Return whether to ask a model again: the last one answered, or ``probe`` has passed."""
    return last is None or last.answered or now - last.at >= probe
