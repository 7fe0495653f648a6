"""Notice by itself: the tick looks at the signals, and whoever meets an intruder tells it."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from assistant.domain.conversation.deliveries import Delivery, Home
from assistant.domain.errors import AssistantError, Conflict, Transient
from assistant.domain.governance.budget import Trigger
from assistant.domain.governance.modes import SIGNAL, Mode, ModeRecord
from assistant.domain.governance.signals import (
    ModeStep,
    Seen,
    Signal,
    SignalLimits,
    denials_since,
    pause,
    step,
    stricter,
)
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import Mail, MailQuery, MailState
from assistant.domain.messages import SummariseMail
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.governance.model_gateway import ModelGateway
from assistant.flows.governance.modes import TRIES, announce_mode
from assistant.flows.render import cards

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Mails that are given to a model again in one look."""


@dataclass(kw_only=True)
class Senses:
    """One ticker's look at how the assistant fares. Two that look at once do what one would."""

    store: Store
    clock: Clock
    asking: ModelGateway
    limits: SignalLimits
    home: Home
    zone: str
    disk: Callable[[], int]
    """Free bytes where data is kept. Raises ``OSError``."""
    memory: Callable[[], int]
    monotonic: Callable[[], float]
    every: float = 3.0
    """Seconds between two looks."""
    _looked: float = field(default=float("-inf"), init=False)

    def look(self, cause: Cause) -> None:
        """Enter or leave a mode if what is seen calls for it; make up for what was put off.

        Looks once in ``every`` seconds at the most, and raises nothing: the tick has other work.
        """
        if self.monotonic() - self._looked < self.every:
            return
        self._looked = self.monotonic()
        try:
            self._step(cause)
            self._make_up(cause)
        except Transient as error:  # another ticker was first, or the next look sees to it
            log.info("the assistant is looked at again later: %s", error)
        except AssistantError:
            log.exception("the assistant could not be looked at")

    def _step(self, cause: Cause) -> None:
        with self.store.read(cause) as tx:
            now = tx.mode()
            wanted = step(now, self._seen(tx, now), self.limits)
        if wanted is not None:
            with self.store.begin(cause) as tx:
                _enter(tx, now, wanted, home=self.home, zone=self.zone)

    def _seen(self, tx: Tx, now: ModeRecord) -> Seen:
        since = denials_since(now, self.clock.now(), self.limits)
        return Seen(
            asked=tuple(tx.asked(last=self.limits.unanswered)) if self.asking.configured else (),
            disk=_free(self.disk) if self.limits.disk else None,
            memory=_free(self.memory) if self.limits.memory else None,
            denials=tx.denials(since),
        )

    def _make_up(self, cause: Cause) -> None:
        """Have mails summarised whose own sentences stand in, once a model may be asked again.

        After a question that got no answer one mail is tried, and the others once it is answered.
        """
        if not self.asking.configured:
            return
        with self.store.read(cause) as tx:
            mails = self._put_off(tx)
        for mail in mails:
            with suppress(Conflict):  # another ticker has seen to this one
                self._ask_again(mail)

    def _put_off(self, tx: Tx) -> Sequence[Mail]:
        """The mails to give to a model now."""
        now = self.clock.now()
        asked = tx.asked(last=self.limits.doublings + 1)
        trying = bool(asked) and not asked[0].answered
        if trying and now - asked[0].at < pause(asked, self.limits):
            return ()
        if self.asking.silence(tx, Trigger.MAIL) is not None:
            return ()
        return tx.mails(
            MailQuery(
                state=MailState.ANNOUNCED,
                provisional=True,
                after=now - self.limits.make_up,
                limit=1 if trying else AT_ONCE,
            )
        )

    def _ask_again(self, mail: Mail) -> None:
        with self.store.begin(Cause(owner=mail.owner, trace=mail.trace)) as tx:
            tx.move_mail(mail, MailState.READ, provisional=False)
            tx.emit(SummariseMail(id=mail.id))


def signal_intrusion(what: str, *, cause: Cause, store: Store, home: Home, zone: str) -> None:
    """Somebody else pressed, or a press was played back: the assistant becomes alert.

    Not to be called inside a transaction that holds a conversation: the mode's row comes first.

    Args:
        what: what happened, in code's own words; it enters the audit.
        cause: whose assistant it is.
        store: where the rows are.
        home: where the owner is told.
        zone: the owner's.
    """
    wanted = ModeStep(mode=Mode.ALERT, signal=Signal.INTRUSION, reason=what)
    for _ in range(TRIES):
        with store.read(cause) as tx:
            now = tx.mode()
        try:
            with store.begin(cause) as tx:
                if stricter(now.mode, wanted.mode):
                    _enter(tx, now, wanted, home=home, zone=zone)
                else:
                    tx.want(_warning(tx, now, what, home))
                return
        except Conflict:
            continue  # the mode changed meanwhile
    log.error("the assistant could not be made alert: %s", what)


def _enter(tx: Tx, now: ModeRecord, wanted: ModeStep, *, home: Home, zone: str) -> None:
    changes = {
        "mode": wanted.mode,
        "by": f"{SIGNAL}{wanted.signal}",
        "reason": wanted.reason,
        "review": None,
    }
    record = tx.set_mode(now.model_copy(update=changes))
    announce_mode(tx, record, home=home, zone=zone)
    log.warning("the assistant is in %s now: %s", record.mode, record.reason)


def _warning(tx: Tx, now: ModeRecord, what: str, home: Home) -> Delivery:
    """For an assistant that is on its guard already: told once in each mode."""
    shown = cards.notice(
        f"{what.capitalize()}. The assistant is in {now.mode} and stays so.",
        title="Somebody else was at it",
    )
    return cards.at(home, tx.cause.owner, f"intrusion-{now.revision}", shown)


def _free(look: Callable[[], int]) -> int | None:
    try:
        return look()
    except OSError as error:
        log.warning("what is free cannot be told: %s", error)
        return None
