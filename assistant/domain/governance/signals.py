"""What the assistant notices by itself, and how careful that makes it. Pure: facts in, step out.

A signal only ever leads to a stricter mode. One mode alone ends by itself, and only if a signal
began it: degraded, once nothing speaks for it any more. All others are left by the owner.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.conversation.conversation import ModelQuestion
from assistant.domain.governance.modes import NEXT, SIGNAL, Mode, ModeRecord


class Signal(StrEnum):
    MODEL = "model"
    """No model answers any more."""
    DISK = "disk"
    MEMORY = "memory"
    DENIALS = "denials"
    """The owner says no again and again: whatever asks is not what they want."""
    INTRUSION = "intrusion"
    """Somebody else pressed, or a press was played back."""


STRICTNESS: Mapping[Mode, int] = {
    Mode.NORMAL: 0,
    Mode.DEGRADED: 1,
    Mode.ALERT: 2,
    Mode.RECOVERY: 3,
    Mode.LOCKDOWN: 4,
}


class SignalLimits(BaseModel):
    """When something is a signal. Sizes in bytes; 0 looks at none."""

    model_config = ConfigDict(frozen=True)
    unanswered: int = 3
    """Questions in a row that no model answered."""
    denials: int = 5
    window: timedelta = timedelta(minutes=10)
    """In which so many denials are a burst."""
    disk: int = 0
    """Free bytes where data is kept, below which the assistant is degraded."""
    memory: int = 0
    probe: timedelta = timedelta(minutes=1)
    """After a question that no model answered, a degraded assistant asks none for so long."""
    doublings: int = 4
    """How often that time doubles for mails that are to be summarised after all."""
    make_up: timedelta = timedelta(days=7)
    """Mails that came longer ago are not given to a model any more."""


AMPLE = 1.25
"""How much more than its limit must be free before the assistant counts as out of need."""


class Seen(BaseModel):
    """What there was to notice. None where nobody looked."""

    model_config = ConfigDict(frozen=True)
    asked: tuple[ModelQuestion, ...] = ()
    """How the newest questions to models went, the newest first."""
    disk: int | None = None
    memory: int | None = None
    denials: int = 0
    """In the window, and since the mode was entered."""


class ModeStep(BaseModel):
    """A mode to enter, and what for."""

    model_config = ConfigDict(frozen=True)
    mode: Mode
    signal: Signal
    reason: str


def step(now: ModeRecord, seen: Seen, limits: SignalLimits) -> ModeStep | None:
    """Where what was seen leads from here; None where the assistant stays as it is."""
    raised = list(_raised(now, seen, limits))
    strictest = max(raised, key=lambda to: STRICTNESS[to.mode], default=None)
    if strictest is not None and stricter(now.mode, strictest.mode):
        return strictest
    return None if strictest is not None else _way_back(now)


def stricter(now: Mode, then: Mode) -> bool:
    """Whether a signal may lead from one mode to the other."""
    return then in NEXT[now] and STRICTNESS[then] > STRICTNESS[now]


def denials_since(now: ModeRecord, at: datetime, limits: SignalLimits) -> datetime:
    """From when on denials count. Those before the mode was entered have had their say."""
    begins = at - limits.window
    return max(begins, now.since) if now.since else begins


def pause(asked: Sequence[ModelQuestion], limits: SignalLimits) -> timedelta:
    """How long to wait after these questions, the newest first, until a mail is tried again."""
    unanswered = _unanswered(asked)
    if not unanswered:
        return timedelta()
    return limits.probe * (1 << min(unanswered - 1, limits.doublings))


def _way_back(now: ModeRecord) -> ModeStep | None:
    """Out of what a signal began, once that is over."""
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
        words = f"{seen.denials} denials within {limits.window.total_seconds() / 60:g} minutes"
        yield ModeStep(mode=Mode.ALERT, signal=Signal.DENIALS, reason=words)


def _unanswered(asked: Sequence[ModelQuestion]) -> int:
    """How many of the newest questions in a row got no answer."""
    return next((n for n, question in enumerate(asked) if question.answered), len(asked))
