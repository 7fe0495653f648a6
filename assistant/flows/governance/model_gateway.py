"""Ask the configured model, or the offline model, which costs nothing.

The offline model stands in when the budget of the day is spent or the mode is degraded. Its answers
are marked, so that a model can summarise the mail later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.conversation.conversation import (
    Outcome,
    Summary,
    ToolSchema,
    Turn,
    Usage,
    View,
)
from assistant.domain.conversation.deliveries import Delivery, Home, Shown, moment
from assistant.domain.conversation.ports import Model
from assistant.domain.errors import NotFound, Transient
from assistant.domain.governance.budget import Budget, Silence, Trigger, day_of, silence
from assistant.domain.governance.ports import SpendingTx
from assistant.domain.jobs.job import Job
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.render import cards


@dataclass(frozen=True, kw_only=True)
class ModelGateway:
    """Asks models within mode and budget. Made once in the wiring.

    ``offline`` needs no provider; where no provider is configured, ``model`` is ``offline``.
    """

    store: Store
    model: Model
    offline: Model
    clock: Clock
    budget: Budget
    probe: timedelta
    zone: str
    home: Home

    @property
    def configured(self) -> bool:
        return self.model is not self.offline

    def think(self, view: View, tools: Sequence[ToolSchema], job: Job) -> Turn:
        """Ask for the next turn of a conversation. Raises ``Transient`` or ``Permanent``."""
        if self._must_stand_in(Trigger.CHAT, job):
            return self.offline.think(view, tools).model_copy(update={"stood_in": True})
        try:
            return self.model.think(view, tools)
        except Transient:
            self._record_unanswered(Trigger.CHAT, job)
            raise

    def summarise(self, view: View, job: Job) -> Summary:
        """Ask for the summary of a mail. Raises ``Transient`` or ``Permanent``."""
        if self._must_stand_in(Trigger.MAIL, job):
            return self.offline.summarise(view).model_copy(update={"stood_in": True})
        try:
            return self.model.summarise(view)
        except Transient:
            self._record_unanswered(Trigger.MAIL, job)
            raise

    def silence(self, tx: Tx, trigger: Trigger) -> Silence | None:
        """Say why no model may be asked for this now; None if one may be."""
        now = self.clock.now()
        last = next(iter(tx.asked(last=1)), None)
        return silence(
            trigger,
            mode=tx.mode(),
            spent=spent_today(tx, self.budget, now=now, zone=self.zone),
            budget=self.budget,
            last=last,
            now=now,
            probe=self.probe,
        )

    def _must_stand_in(self, trigger: Trigger, job: Job) -> bool:
        """Whether the offline model stands in. Tells the owner of a spent budget once a day."""
        if not self.configured:
            return False
        with self.store.read(job) as tx:
            silent = self.silence(tx, trigger)
            notice = self._notice(tx, silent.spent) if silent and silent.spent else None
        if notice is not None:
            with self.store.begin(job) as tx:
                tx.want(notice)
        return silent is not None

    def _notice(self, tx: Tx, out: str) -> Delivery | None:
        """Make the notice of a spent budget; None if the owner was told today."""
        now = self.clock.now()
        _, ends = day_of(now, self.zone)
        id = f"budget-{now.astimezone(ends.tzinfo).date()}-{out}"
        try:
            tx.delivery(id)
        except NotFound:
            spent = tx.spent(day_of(now, self.zone)[0])
            zone = tx.zone() or self.zone
            shown = spent_notice(out, spent, self.budget, ends=ends, zone=zone)
            return cards.at(self.home, tx.cause.owner, id, shown)
        return None

    def _record_unanswered(self, trigger: Trigger, job: Job) -> None:
        unanswered = Usage(model=self.model.name, outcome=Outcome.UNANSWERED)
        with self.store.begin(job) as tx:
            tx.used([unanswered], subject=job.message.id, cause=trigger)


def spent_today(tx: SpendingTx, budget: Budget, *, now: datetime, zone: str) -> Mapping[str, int]:
    """Sum the tokens by trigger since the owner's midnight; empty if no budget is set."""
    return tx.spent(day_of(now, zone)[0]) if budget.limited else {}


def spent_notice(
    out: str, spent: Mapping[str, int], budget: Budget, *, ends: datetime, zone: str
) -> Shown:
    """Say which budget is spent, what goes on without models, and until when."""
    if out == "day":
        used = f"{sum(spent.values()):,} of {budget.tokens:,} tokens"
        text = (
            f"Models have used {used} today, so none is asked any more. Until then I only "
            f"understand a few fixed phrases. {_MAIL} {_REST}"
        )
    elif out == Trigger.MAIL:
        text = f"{_share(Trigger.MAIL, spent, budget)} any more. {_MAIL} The chat goes on."
    else:
        text = (
            f"{_share(Trigger.CHAT, spent, budget)} any more. Until then I only understand a "
            f"few fixed phrases. Mails are summarised as usual. {_REST}"
        )
    return cards.notice(
        text,
        title="The model budget of today is spent",
        fields=[moment("Until", ends, zone)],
    )


_MAIL = "Mail is stored and shown in its own sentences, and summarised afterwards."
_REST = "What waits for your yes, and what you approve, goes on as usual."


def _share(trigger: Trigger, spent: Mapping[str, int], budget: Budget) -> str:
    used = f"{spent.get(trigger, 0):,} of {budget.shares[trigger]:,} tokens"
    words = {Trigger.MAIL: "mails", Trigger.CHAT: "the chat"}[trigger]
    return f"Models have used {used} for {words} today, so none is asked for them"
