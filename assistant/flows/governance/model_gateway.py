"""Which model is asked: the one that is configured, or the offline one that costs nothing.

The offline one stands in when the budget of the day is spent or the mode is degraded. What it
said is marked, so that a mail's summary can be made up for later.
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
from assistant.domain.jobs.job import Job
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.render import cards


@dataclass(frozen=True, kw_only=True)
class ModelGateway:
    """What asking a model needs, bound once in the wiring.

    ``offline`` is the model that needs no provider; where none is configured, ``model`` is that
    very one.
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
        """The next step of a conversation. Raises ``Transient`` or ``Permanent``."""
        if self._silenced(Trigger.CHAT, job):
            return self.offline.think(view, tools).model_copy(update={"stood_in": True})
        try:
            return self.model.think(view, tools)
        except Transient:
            self._note_silence(Trigger.CHAT, job)
            raise

    def summarise(self, view: View, job: Job) -> Summary:
        """A mail in a few sentences. Raises ``Transient`` or ``Permanent``."""
        if self._silenced(Trigger.MAIL, job):
            return self.offline.summarise(view).model_copy(update={"stood_in": True})
        try:
            return self.model.summarise(view)
        except Transient:
            self._note_silence(Trigger.MAIL, job)
            raise

    def silence(self, tx: Tx, trigger: Trigger) -> Silence | None:
        """Why no model may be asked for this now; None if one may."""
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

    def _silenced(self, trigger: Trigger, job: Job) -> bool:
        """Whether the offline model stands in. That money is the reason is told once a day."""
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
        """What the owner is told of a budget that has run out; None if they were told today."""
        now = self.clock.now()
        _, ends = day_of(now, self.zone)
        id = f"budget-{now.astimezone(ends.tzinfo).date()}-{out}"
        try:
            tx.delivery(id)
        except NotFound:
            spent = tx.spent(day_of(now, self.zone)[0])
            shown = spent_notice(out, spent, self.budget, ends=ends, zone=self.zone)
            return cards.at(self.home, tx.cause.owner, id, shown)
        return None

    def _note_silence(self, trigger: Trigger, job: Job) -> None:
        silent = Usage(model=self.model.name, outcome=Outcome.UNANSWERED)
        with self.store.begin(job) as tx:
            tx.used([silent], subject=job.message.id, cause=trigger)


def spent_today(tx: Tx, budget: Budget, *, now: datetime, zone: str) -> Mapping[str, int]:
    """Tokens by trigger since the owner's midnight; nobody counts where nothing is limited."""
    return tx.spent(day_of(now, zone)[0]) if budget.limited else {}


def spent_notice(
    out: str, spent: Mapping[str, int], budget: Budget, *, ends: datetime, zone: str
) -> Shown:
    """What has run out, what goes on without it, and when there is more."""
    if out == "day":
        used = f"{sum(spent.values()):,} of {budget.tokens:,} tokens"
        text = (
            f"Models have used {used} today, so none is asked any more. A small grammar "
            f"answers you meanwhile. {_MAIL} {_REST}"
        )
    elif out == Trigger.MAIL:
        text = f"{_share(Trigger.MAIL, spent, budget)} any more. {_MAIL} The chat goes on."
    else:
        text = (
            f"{_share(Trigger.CHAT, spent, budget)} any more. A small grammar answers you "
            f"meanwhile. Mails are summarised as ever. {_REST}"
        )
    return cards.notice(
        text,
        title="The model budget of today is spent",
        fields=[moment("Until", ends, zone)],
    )


_MAIL = "Mail is stored and shown in its own sentences; its summaries are made up for afterwards."
_REST = "What waits for your yes, and what you approve, goes on as ever."


def _share(trigger: Trigger, spent: Mapping[str, int], budget: Budget) -> str:
    used = f"{spent.get(trigger, 0):,} of {budget.shares[trigger]:,} tokens"
    words = {Trigger.MAIL: "mails", Trigger.CHAT: "the chat"}[trigger]
    return f"Models have used {used} for {words} today, so none is asked for them"
