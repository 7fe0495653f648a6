"""Tell the owner of mail that could not be read an hour after it came: once for each reason."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from assistant.domain.canonical import digest
from assistant.domain.conversation.deliveries import Delivery, Home, Shown
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.held import HeldGroup, counted, groups_of, retry_line
from assistant.domain.mail.mail import MailQuery, MailState
from assistant.domain.messages import ReadMail
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.operations.upkeep import Interval
from assistant.flows.render import cards

log = logging.getLogger(__name__)

LATE = timedelta(hours=1)
"""How long after it came a mail that is not read is told of."""
MOST = 5
"""Notices that stand at one time; further reasons are told when one of them is over."""
_PREFIX = "held-"
_DIGITS = 12
_OVER = "Over: "
_UNREAD = "not read yet"
"""Stands for a reason where mail waits to be read, and is not held."""
_KEPT = "Each is kept unchanged. To see them: `assistant mail list --state could-not-be-read`."


@dataclass
class HeldMailNotice:
    """Posts a notice for each reason, keeps its count, and says when it is over.

    What was told is in the deliveries, so that a restart tells nothing twice. Two processes may do
    it at once.
    """

    store: Store
    clock: Clock
    home: Home
    every: Interval
    _perhaps_told: bool = field(default=True, init=False)
    """Whether a notice may stand: as long as none does, no deliveries are looked through."""

    def tick(self, cause: Cause) -> None:
        """Look if it is time to. It never raises: a tick has other work."""
        if not self.every.due():
            return
        try:
            self.look(cause)
        except Exception:  # the next look tells it
            log.exception("could not look for mail that was not read")

    def look(self, cause: Cause) -> None:
        """Tell what is to be told now."""
        late = self._late(cause)
        if not late and not self._perhaps_told:
            return
        with self.store.begin(cause) as tx:
            told = tx.deliveries(prefix=_PREFIX)  # in one statement: another process may tell it
            standing = _standing(told)
            wanted = {_key(group.kind): group for group in late}
            for key, before in standing.items():
                if key in wanted:
                    self._want(tx, before.id, _shown(wanted[key]))
                elif key not in _held(tx) and not self._under_way(tx):
                    # One that is read again just now may be held again, and a clock that was set
                    # back says of one that came long ago that it came just now.
                    self._want(tx, before.id, _over(before))
            fresh = [group for key, group in wanted.items() if key not in standing]
            for group in fresh[: max(0, MOST - len(standing))]:
                self._want(tx, _next_id(told, _key(group.kind)), _shown(group))
        self._perhaps_told = bool(standing or late)

    def _late(self, cause: Cause) -> Sequence[HeldGroup]:
        """The groups of mail that came an hour ago and is held, and what waits so long unread."""
        before = self.clock.now() - LATE
        with self.store.read(cause) as tx:
            held = groups_of(tx.held_reasons(before=before))
            stored = tx.count_mails(MailQuery(state=MailState.STORED, before=before))
        waiting = self._waiting(cause, before) if stored else 0
        unread = [HeldGroup(kind=_UNREAD, count=waiting, newest=before)] if waiting else []
        return [*unread, *held]

    def _waiting(self, cause: Cause, before: datetime) -> int:
        """How many mails have waited since then to be read: no worker took them, or a part is away.

        One that is read again has come long ago, and waits since it was asked for.
        """
        kind = f"{ReadMail(id='').kind}:"
        return sum(
            job.id.startswith(kind) and (job.waits_since or job.due) < before
            for job in self.store.jobs(failed=False)
            if job.owner == cause.owner
        )

    def _under_way(self, tx: Tx) -> bool:
        return tx.count_mails(MailQuery(state=MailState.STORED)) > 0

    def _want(self, tx: Tx, id: str, shown: Shown) -> None:
        tx.want(cards.at(self.home, tx.cause.owner, id, shown))


def _held(tx: Tx) -> Collection[str]:
    """The keys of all reasons for which mail is held, however long."""
    return {_key(group.kind) for group in groups_of(tx.held_reasons())}


def _standing(told: Sequence[Delivery]) -> Mapping[str, Delivery]:
    """The notices that are not over, by the key of their reason."""
    return {
        one.id.removeprefix(_PREFIX).partition("-")[0]: one
        for one in told
        if not one.wanted.title.startswith(_OVER)
    }


def _next_id(told: Sequence[Delivery], key: str) -> str:
    """An id that the last notice of this reason does not have: what is held anew is told anew."""
    prefix = f"{_PREFIX}{key}-"
    numbers = [int(one.id.removeprefix(prefix)) for one in told if one.id.startswith(prefix)]
    return f"{prefix}{max(numbers, default=0) + 1}"


def _key(kind: str) -> str:
    return digest({"kind": kind})[:_DIGITS]


def _shown(group: HeldGroup) -> Shown:
    if group.kind == _UNREAD:
        text = (
            "Nothing is lost. `assistant status` says what is away, `assistant doctor` what to do."
        )
        return cards.notice(text, title=f"{counted(group.count)} not read for an hour")
    text = f"Why: {group.kind}\n{_KEPT} To read them again: `{retry_line(group)}`."
    title = f"{counted(group.count)} could not be read for an hour"
    return cards.notice(text, title=title).model_copy(update={"outside": True})


def _over(before: Delivery) -> Shown:
    """The notice once none of its mails is held, which channels show in the place of the first."""
    text = "Each of them was read since, or forgotten."
    return cards.notice(text, title=f"{_OVER}{before.wanted.title}")
