"""Signals: what the assistant measures, and the mode that follows. Pure: facts in, step out.

A signal leads only to a stricter mode. The degraded mode, if a signal began it, ends with the
signal. An alert that denials began ends an hour after the last denial. The owner leaves every
other mode.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.conversation.conversation import ModelQuestion
from assistant.domain.governance.modes import NEXT, SIGNAL, Mode, ModeRecord


class Signal(StrEnum):
    MODEL = "model"
    """No model answers."""
    DISK = "disk"
    MEMORY = "memory"
    DENIALS = "denials"
    """The owner denied many calls that outside text had led to, within a short time."""
    INTRUSION = "intrusion"
    """A stranger pressed a button, or a press was replayed."""


STRICTNESS: Mapping[Mode, int] = {
    Mode.NORMAL: 0,
    Mode.DEGRADED: 1,
    Mode.ALERT: 2,
    Mode.RECOVERY: 3,
    Mode.LOCKDOWN: 4,
}


class SignalLimits(BaseModel):
    """When a measurement becomes a signal. Sizes are in bytes; 0 switches a signal off."""

    model_config = ConfigDict(frozen=True)
    unanswered: int = 3
    """Questions in a row that no model answered."""
    denials: int = 5
    window: timedelta = timedelta(minutes=10)
    """The time within which ``denials`` are counted."""
    calm: timedelta = timedelta(hours=1)
    """An alert that denials began ends when there was none for so long."""
    disk: int = 0
    """The assistant is degraded while the data directory has fewer free bytes than this."""
    memory: int = 0
    probe: timedelta = timedelta(minutes=1)
    """How long a degraded assistant asks no model after a question without an answer."""
    doublings: int = 4
    """How often that time doubles for mails that wait for a model's summary."""
    make_up: timedelta = timedelta(days=7)
    """Older mails get no model's summary later."""


AMPLE = 1.25
"""The degraded mode ends when this many times the limit is free, so that it does not flap."""


class Seen(BaseModel):
    """The measurements. None where nothing was measured."""

    model_config = ConfigDict(frozen=True)
    asked: tuple[ModelQuestion, ...] = ()
    """The newest questions to models, newest first."""
    disk: int | None = None
    memory: int | None = None
    denials: int = 0
    """Denials of calls that outside text led to, within the window and since the mode began."""
    calm: timedelta | None = None
    """In an alert that denials began: how long ago the last such denial was."""
    intruded: bool = False
    """True where somebody else used the assistant since the mode was entered."""


class ModeStep(BaseModel):
    """A mode to enter, with its signal and reason."""

    model_config = ConfigDict(frozen=True)
    mode: Mode
    signal: Signal
    reason: str


def step(now: ModeRecord, seen: Seen, limits: SignalLimits) -> ModeStep | None:
    """Return the step that the measurements call for; None if the mode stays."""
    raised = list(_raised(now, seen, limits))
    strictest = max(raised, key=lambda to: STRICTNESS[to.mode], default=None)
    if strictest is not None and stricter(now.mode, strictest.mode):
        return strictest
    if begun_by_denials(now) and seen.calm is not None and seen.calm >= limits.calm:
        return None if seen.intruded else _after_denials(now, limits)
    return None if strictest is not None else _step_back(now)


def stricter(now: Mode, then: Mode) -> bool:
    """Return whether a signal may lead from one mode to the other."""
    return then in NEXT[now] and STRICTNESS[then] > STRICTNESS[now]


def begun_by_denials(now: ModeRecord) -> bool:
    """Return whether this is an alert that denials began, the only one that ends by itself."""
    return now.mode is Mode.ALERT and now.by == f"{SIGNAL}{Signal.DENIALS}"


def _after_denials(now: ModeRecord, limits: SignalLimits) -> ModeStep:
    """Return the step out of such an alert: to a degraded mode, if that was before, else normal."""
    to = Mode.DEGRADED if now.before is Mode.DEGRADED else Mode.NORMAL
    hours = limits.calm.total_seconds() / 3600
    span = "an hour" if hours == 1 else f"{hours:g} hours"
    return ModeStep(mode=to, signal=Signal.DENIALS, reason=f"{span} passed without such a denial")


def denials_since(now: ModeRecord, at: datetime, limits: SignalLimits) -> datetime:
    """Return from when on denials count: those before the mode was entered have led to it."""
    begins = at - limits.window
    return max(begins, now.since) if now.since else begins


def pause(asked: Sequence[ModelQuestion], limits: SignalLimits) -> timedelta:
    """Return how long to wait before a mail is tried again; ``asked`` is newest first."""
    unanswered = _unanswered(asked)
    if not unanswered:
        return timedelta()
    return limits.probe * (1 << min(unanswered - 1, limits.doublings))


def _step_back(now: ModeRecord) -> ModeStep | None:
    """Return the step out of the degraded mode, if a signal began it."""
    looser = now.before in NEXT[now.mode] and not stricter(now.mode, now.before)
    if now.mode is not Mode.DEGRADED or not now.by_itself or not looser:
        return None
    signal = Signal(now.by.removeprefix(SIGNAL))
    return ModeStep(mode=now.before, signal=signal, reason=_OVER[signal])


_OVER: Mapping[Signal, str] = {
    Signal.MODEL: "a model answers again",
    Signal.DISK: "there is room on the disk again",
    Signal.MEMORY: "there is memory again",
    Signal.DENIALS: "it is over",
    Signal.INTRUSION: "it is over",
}


def _raised(now: ModeRecord, seen: Seen, limits: SignalLimits) -> Iterator[ModeStep]:
    if _unanswered(seen.asked) >= limits.unanswered:
        words = f"no model answered {limits.unanswered} times in a row"
        yield ModeStep(mode=Mode.DEGRADED, signal=Signal.MODEL, reason=words)
    need = now.mode is Mode.DEGRADED
    for signal, free, limit in (
        (Signal.DISK, seen.disk, limits.disk),
        (Signal.MEMORY, seen.memory, limits.memory),
    ):
        if free is not None and free < limit * (AMPLE if need else 1):
            words = f"{free // 2**20} MiB of {signal} are free; {limit // 2**20} are needed"
            yield ModeStep(mode=Mode.DEGRADED, signal=signal, reason=words)
    if seen.denials >= limits.denials:
        minutes = limits.window.total_seconds() / 60
        words = f"{seen.denials} denials within {minutes:g} minutes of what others' words led to"
        yield ModeStep(mode=Mode.ALERT, signal=Signal.DENIALS, reason=words)


def _unanswered(asked: Sequence[ModelQuestion]) -> int:
    """Count how many of the newest questions in a row got no answer."""
    return next((n for n, question in enumerate(asked) if question.answered), len(asked))
