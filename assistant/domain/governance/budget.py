"""What models may cost in a day, and whether one may be asked now. Pure."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.conversation.conversation import ModelQuestion
from assistant.domain.governance.modes import SIGNAL, Mode, ModeRecord
from assistant.domain.governance.signals import Signal
from assistant.domain.time.moments import zone_of


class Trigger(StrEnum):
    """What sets a model off."""

    CHAT = "chat"
    MAIL = "mail"


class Budget(BaseModel):
    """Tokens a day, in and out together; 0 is no limit."""

    model_config = ConfigDict(frozen=True)
    tokens: int = 0
    shares: Mapping[Trigger, int] = Field(default_factory=dict)
    """What each trigger may take of them at the most."""

    def spent_up(self, spent: Mapping[str, int], trigger: Trigger) -> str:
        """What has run out for this trigger: ``day``, its own name, or nothing yet."""
        if 0 < self.tokens <= sum(spent.values()):
            return "day"
        return trigger.value if 0 < self.shares.get(trigger, 0) <= spent.get(trigger, 0) else ""

    @property
    def limited(self) -> bool:
        return self.tokens > 0 or any(share > 0 for share in self.shares.values())


def day_of(now: datetime, zone: str) -> tuple[datetime, datetime]:
    """When the owner's day began and when it ends, which may be 23 or 25 hours later."""
    here = zone_of(zone)
    today = now.astimezone(here).date()
    begin, end = (
        datetime.combine(day, time.min, tzinfo=here) for day in (today, today + timedelta(days=1))
    )
    return begin, end


class Silence(BaseModel):
    """Why no model is asked now."""

    model_config = ConfigDict(frozen=True)
    spent: str = ""
    """What of the budget has run out; empty when the assistant's mode is the reason."""


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
    """Why a model may not be asked for this; None if it may.

    While no model answered, one is tried now and then: else nobody would notice that it answers
    again.
    """
    if out := budget.spent_up(spent, trigger):
        return Silence(spent=out)
    if mode.mode is not Mode.DEGRADED:
        return None
    tries = mode.by == f"{SIGNAL}{Signal.MODEL}" and rested(last, now=now, probe=probe)
    return None if tries else Silence()


def rested(last: ModelQuestion | None, *, now: datetime, probe: timedelta) -> bool:
    """Whether it is time to ask again, given how the last question went."""
    return last is None or last.answered or now - last.at >= probe
