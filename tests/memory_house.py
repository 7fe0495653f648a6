"""The assistant's mode, its policies, and what models cost, in memory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.effects import Effect, EffectState
from assistant.domain.conversation.conversation import ModelQuestion, Outcome, Usage
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.governance.modes import ModeRecord, mode_entered
from assistant.domain.policy.text import PolicyText, policy_saved
from tests.memory_audits import MemoryAudits
from tests.memory_state import Use, aware, kept


class MemoryModes(MemoryAudits):
    """See ``assistant.ports``."""

    def mode(self) -> ModeRecord:
        if self.cause.owner not in self._state.owners:
            raise NotFound(f"owner {self.cause.owner}")
        return self._state.modes.get(self.cause.owner, ModeRecord())

    def set_mode(self, record: ModeRecord) -> ModeRecord:
        entered = kept(self._alone(record.revision).entering(record, at=self._now))
        self._rows.modes[self.cause.owner] = entered
        self.note(mode_entered(entered))
        return entered

    def give_word(self, record: ModeRecord) -> None:
        now = self._alone(record.revision)
        given = {"word": record.word, "asked": record.asked or self._now}
        self._rows.modes[self.cause.owner] = kept(now, given)

    def take_word(self) -> ModeRecord:
        self._must_write()
        now = self.mode()
        self._rows.modes[self.cause.owner] = kept(now, {"word": "", "asked": None})
        return now

    def _alone(self, revision: int) -> ModeRecord:
        self._must_write()
        now = self.mode()
        if now.revision != revision:
            raise Conflict(f"the assistant is in {now.mode} now")
        return now

    def denials(self, since: datetime) -> int:
        return sum(
            approval.owner == self.cause.owner
            and approval.state is ApprovalState.DENIED
            and approval.decided is not None
            and approval.decided >= aware(since)
            for approval in self._state.approvals.values()
        )

    def done_since(self, since: datetime) -> Sequence[Effect]:
        found = [
            effect
            for effect in self._state.effects.values()
            if self._state.calls[effect.call].owner == self.cause.owner
            and effect.state is EffectState.DONE
            and not effect.undone
            and effect.at is not None
            and effect.at >= aware(since)
        ]
        return sorted(found, key=lambda effect: (effect.at, effect.call, effect.key))

    def policy(self) -> PolicyText:
        return self._state.policies.get(self.cause.owner, (PolicyText(),))[-1]

    def policy_version(self, version: int) -> PolicyText:
        for saved in self._state.policies.get(self.cause.owner, (PolicyText(),)):
            if saved.version == version:
                return saved
        raise NotFound(f"policy {version}")

    def add_policy(self, policy: PolicyText) -> PolicyText:
        self._must_write()
        if self.cause.owner not in self._state.owners:
            raise NotFound(f"owner {self.cause.owner}")
        if self.policy().version != policy.version:
            raise Conflict(f"policy {policy.version} is not the newest any more")
        saved = kept(policy.saved(at=self._now))
        before = self._rows.policies.get(self.cause.owner, (PolicyText(),))
        self._state.policies[self.cause.owner] = (*before, saved)
        self.note(policy_saved(saved))
        return saved

    def used(self, usage: Sequence[Usage], *, subject: str, cause: str = "") -> None:
        uses = [Use(self.cause.owner, subject, cause, use, self._now) for use in usage]
        self._rows.usage.extend(uses)

    def spent(self, since: datetime) -> Mapping[str, int]:
        spent: Counter[str] = Counter()
        for use in self._state.usage:
            if use.owner == self.cause.owner and use.at >= aware(since):
                spent[use.cause] += use.usage.input_tokens + use.usage.output_tokens
        return spent

    def asked(self, *, last: int) -> Sequence[ModelQuestion]:
        told = [
            ModelQuestion(at=use.at, answered=use.usage.outcome is Outcome.ANSWERED)
            for use in self._state.usage
            if use.owner == self.cause.owner and use.usage.outcome is not Outcome.FAILED
        ]
        return told[::-1][:last]
