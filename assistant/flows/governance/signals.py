"""Change the mode on signals: at each tick, and at once on a report of an intruder."""

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
    begun_by_denials,
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
from assistant.flows.render.outcomes import delivery_of

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Mails that are given to a model again in one look."""


@dataclass(kw_only=True)
class SignalWatcher:
    """Changes the mode on signals, and retries summaries. Two watchers at once do no harm."""

    store: Store
    clock: Clock
    models: ModelGateway
    limits: SignalLimits
    home: Home
    zone: str
    disk: Callable[[], int]
    """Free bytes where data is kept. Raises ``OSError``."""
    memory: Callable[[], int]
    monotonic: Callable[[], float]
    every: float = 3.0
    """Seconds between two looks."""
    _last_look: float = field(default=float("-inf"), init=False)

    def look(self, cause: Cause) -> None:
        """Enter or leave a mode if the signals call for it; retry postponed summaries.

        Looks once in ``every`` seconds at the most, and raises nothing: the tick has other work.
        """
        if self.monotonic() - self._last_look < self.every:
            return
        self._last_look = self.monotonic()
        try:
            self._change_mode(cause)
            self._retry_summaries(cause)
        except Transient as error:  # another ticker was first, or the next look will succeed
            log.info("could not check the signals; the next tick tries again: %s", error)
        except AssistantError:
            log.exception("could not check the signals")

    def _change_mode(self, cause: Cause) -> None:
        with self.store.read(cause) as tx:
            now = tx.mode()
            wanted = step(now, self._read_signals(tx, now), self.limits)
        if wanted is not None:
            with self.store.begin(cause) as tx:
                _enter(tx, now, wanted, home=self.home, zone=self.zone)

    def _read_signals(self, tx: Tx, now: ModeRecord) -> Seen:
        at = self.clock.now()
        began = now.since if begun_by_denials(now) else None
        denied = tx.denials((began or at) - self.limits.window)
        since = denials_since(now, at, self.limits)
        last = max([*denied, *([began] if began else [])], default=at)
        return Seen(
            asked=tuple(tx.asked(last=self.limits.unanswered)) if self.models.configured else (),
            disk=_free(self.disk) if self.limits.disk else None,
            memory=_free(self.memory) if self.limits.memory else None,
            denials=len([one for one in denied if one >= since]),
            calm=at - last if began else None,
            intruded=delivery_of(tx, _warning_id(now)) is not None,
        )

    def _retry_summaries(self, cause: Cause) -> None:
        """Have mails summarised that were announced without a summary, once a model may be asked.

        After a question that got no answer, tries one mail, and the others once that is answered.
        """
        if not self.models.configured:
            return
        with self.store.read(cause) as tx:
            mails = self._postponed(tx)
        for mail in mails:
            with suppress(Conflict):  # another ticker has ordered this one
                self._summarise_again(mail)

    def _postponed(self, tx: Tx) -> Sequence[Mail]:
        """Return the mails to give to a model now."""
        now = self.clock.now()
        asked = tx.asked(last=self.limits.doublings + 1)
        trying = bool(asked) and not asked[0].answered
        if trying and now - asked[0].at < pause(asked, self.limits):
            return ()
        if self.models.silence(tx, Trigger.MAIL) is not None:
            return ()
        return tx.mails(
            MailQuery(
                state=MailState.ANNOUNCED,
                provisional=True,
                after=now - self.limits.make_up,
                limit=1 if trying else AT_ONCE,
            )
        )

    def _summarise_again(self, mail: Mail) -> None:
        with self.store.begin(Cause(owner=mail.owner, trace=mail.trace)) as tx:
            tx.move_mail(mail, MailState.READ, provisional=False)
            tx.emit(SummariseMail(id=mail.id))


def signal_intrusion(what: str, *, cause: Cause, store: Store, home: Home, zone: str) -> None:
    """Go into alert, as somebody else pressed or a press was replayed; warn if stricter already.

    Do not call it in a transaction that has locked a conversation: the mode's row is locked first.

    Args:
        what: what happened, in code's own words; it enters the audit.
        cause: whose assistant it is.
        store: where the rows are.
        home: where the owner is told.
        zone: the owner's IANA zone.
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
    log.error("could not enter alert after an intrusion: %s", what)


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
    """Warn of an intrusion without a change of mode; once in each mode."""
    shown = cards.notice(
        f"{what.capitalize()}. The assistant stays in {now.mode}.",
        title="Somebody else used your assistant",
    )
    return cards.at(home, tx.cause.owner, _warning_id(now), shown)


def _warning_id(now: ModeRecord) -> str:
    return f"intrusion-{now.revision}"


def _free(look: Callable[[], int]) -> int | None:
    try:
        return look()
    except OSError as error:
        log.warning("could not measure free space: %s", error)
        return None
