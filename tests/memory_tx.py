"""A transaction of the store in memory: it changes a copy, which the store takes over."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from assistant.domain import approvals
from assistant.domain.approvals import Approval, ApprovalState
from assistant.domain.audit_entries import (
    approval_settled,
    call_added,
    call_moved,
    effect_written,
    person_added,
    person_forgotten,
)
from assistant.domain.call_states import ENDED, CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Delivery
from assistant.domain.effects import Effect, EffectState
from assistant.domain.errors import (
    AlreadyThere,
    Conflict,
    IllegalStep,
    NotFound,
)
from assistant.domain.ids import new_id
from assistant.domain.mail import Attachment, Mail, MailQuery, MailState
from assistant.domain.messages import Deliver
from assistant.domain.people import Person
from assistant.domain.policy import Verdict
from assistant.domain.sound import sound
from assistant.domain.talk import Conversation, Entry, Role
from assistant.domain.tokens import Token
from tests.memory_audits import MemoryAudits
from tests.memory_files import MemoryFiles
from tests.memory_grants import MemoryGrants
from tests.memory_house import MemoryModes
from tests.memory_jobs import MemoryJobs
from tests.memory_state import Talk, aware, kept


class MemoryTalks(MemoryJobs):
    def first_sight(self, channel: str, event: str) -> bool:
        seen = (self.cause.owner, sound(channel), sound(event))
        first = seen not in self._rows.sightings
        self._state.sightings.add(seen)
        return first

    def conversation_in(
        self, channel: str, place: str, *, idle: float, aside: str = ""
    ) -> Conversation:
        here = (self.cause.owner, channel, place)
        for talk in list(self._rows.talks.values()):
            found = talk.conversation
            if talk.closed or (found.owner, found.channel, found.place) != here:
                continue
            if (self._now - found.spoke).total_seconds() < idle:
                moved = kept(found, {"aside": aside or found.aside})
                self._state.talks[found.id] = replace(talk, conversation=moved)
                return moved
            self.close(found.id)
        made = Conversation(
            id=new_id(),
            owner=self.cause.owner,
            channel=channel,
            place=place,
            aside=aside,
            began=self._now,
            spoke=self._now,
        )
        self._state.talks[made.id] = Talk(kept(made))
        return made

    def talks_in(self, channel: str, place: str) -> bool:
        here = (self.cause.owner, channel, place)
        return any(
            (talk.conversation.owner, talk.conversation.channel, talk.conversation.place) == here
            for talk in self._state.talks.values()
        )

    def conversation(self, id: str, *, lock: bool = False) -> Conversation:
        return self._talk(id, lock=lock).conversation

    def close(self, id: str) -> None:
        talk = self._rows.talks.get(id)
        if talk is not None and talk.conversation.owner == self.cause.owner:
            self._state.talks[id] = replace(talk, closed=True)

    def append(self, conversation: str, entry: Entry, *, answer: bool) -> int:
        talk = self._talk(conversation, lock=True)
        seq = len(talk.entries) + 1
        changes: dict[str, Any] = {"heard": seq} if answer else {}
        if entry.role is Role.OWNER:
            changes |= {"turns": 0, "spoke": self._now}
        line = kept(entry, {"seq": seq, "trace": self.cause.trace, "at": self._now})
        self._state.talks[conversation] = replace(
            talk, conversation=kept(talk.conversation, changes), entries=(*talk.entries, line)
        )
        return seq

    def thought(self, conversation: str, *, seen: int, tainted: bool) -> None:
        talk = self._talk(conversation, lock=True)
        now = talk.conversation
        changes = {"thought": seen, "turns": now.turns + 1, "tainted": now.tainted or tainted}
        self._state.talks[conversation] = replace(talk, conversation=kept(now, changes))

    def entries(self, conversation: str, *, last: int) -> Sequence[Entry]:
        talk = self._state.talks.get(conversation)
        if talk is None or talk.conversation.owner != self.cause.owner:
            return []
        return list(talk.entries[-last:])

    def _talk(self, id: str, *, lock: bool) -> Talk:
        rows = self._rows if lock else self._state
        return self._mine(
            rows.talks.get(id), f"conversation {id}", lambda talk: talk.conversation.owner
        )


class MemoryCalls(MemoryAudits):
    def add_call(self, call: Call) -> Call:
        owner = self.cause.owner
        if owner not in self._rows.owners or call.conversation not in self._state.talks:
            raise NotFound(f"what call {call.id} belongs to")
        if call.id in self._state.calls:
            raise AlreadyThere(f"call {call.id}")
        self._state.owners[owner] += 1
        trace = self.cause.trace
        given = {"number": self._state.owners[owner], "owner": owner, "trace": trace}
        cleared = self._now if call.state is CallState.CLEARED else None
        stored = kept(call, {**given, "created": self._now, "cleared": cleared})
        self._state.calls[call.id] = stored
        self.note(call_added(stored, at=self._now))
        return stored

    def call(self, id: str, *, lock: bool = False) -> Call:
        rows = self._rows if lock else self._state
        return self._mine(rows.calls.get(id), f"call {id}", lambda call: call.owner)

    def call_named(self, handle: str) -> Call:
        name = handle.strip().lstrip("#").upper()
        for call in self.calls(limit=len(self._state.calls)):
            if name in (call.handle, str(call.number)):
                return call
        return self.call(handle.strip())

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        found = [
            call
            for call in self._state.calls.values()
            if call.owner == self.cause.owner
            and conversation in ("", call.conversation)
            and turn in (None, call.turn)
            and (not states or call.state in states)
        ]
        return sorted(found, key=lambda call: call.number, reverse=True)[:limit]

    def calls_since(self, since: datetime, *, after: int = 0, limit: int = 200) -> Sequence[Call]:
        found = [
            call
            for call in self._state.calls.values()
            if call.owner == self.cause.owner
            and call.created
            and call.created >= aware(since)
            and call.number > after
        ]
        return sorted(found, key=lambda call: call.number)[:limit]

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        return Counter(
            call.tool
            for call in self._state.calls.values()
            if call.owner == self.cause.owner
            and call.created
            and call.created >= since
            and call.verdict in (Verdict.ALLOW, Verdict.REPORT, Verdict.ASK)
            and call.state is not CallState.SUPERSEDED
        )

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        if to is CallState.RUNNING:
            changes = {"fence": call.fence + 1, "started": self._now, **changes}
        elif to is CallState.CLEARED and call.state is CallState.PARKED:
            changes = {"cleared": self._now, **changes}
        elif to in ENDED:
            changes = {"ended": self._now, **changes}
        moved = call.step(to, **changes)
        row = self._rows.calls.get(call.id)
        as_said = row and (row.owner, row.state, row.fence)
        if row is None or as_said != (self.cause.owner, call.state, call.fence):
            raise Conflict(f"call {call.handle} is no longer {call.state}")
        self._state.calls[call.id] = kept(row, {"state": to, **changes})
        self.note(call_moved(moved, changes))
        return moved

    def beat_call(self, id: str, *, progress: str) -> bool:
        row = self._rows.calls.get(id)
        if row is None or row.owner != self.cause.owner:
            return False
        self._state.calls[id] = kept(row, {"beat": self._now, "progress": progress})
        return row.stop

    def ask_stop(self, call: Call) -> None:
        row = self._rows.calls.get(call.id)
        if row is not None and row.owner == self.cause.owner:
            self._state.calls[call.id] = kept(row, {"stop": True})

    def intend(self, effect: Effect) -> None:
        self.call(effect.call, lock=True)
        row = self._state.effects.get((effect.call, effect.key), effect)
        changes = {"fence": effect.fence, "state": effect.state, "at": self._now}
        self._state.effects[effect.call, effect.key] = kept(row, changes)
        self.note(effect_written(effect))

    def record(self, effect: Effect) -> None:
        row = self._rows.effects.get((effect.call, effect.key))
        if row is None or row.fence != effect.fence or not self.effects(effect.call):
            raise Conflict(f"effect {effect.key} has another fence")
        changes = effect.model_dump(include={"state", "before", "after"})
        self._state.effects[effect.call, effect.key] = kept(row, {**changes, "at": self._now})
        self.note(effect_written(effect))

    def effects(self, call: str) -> Sequence[Effect]:
        owner = self._state.calls[call].owner if call in self._state.calls else ""
        rows = [row for row in self._state.effects.values() if row.call == call]
        return rows if owner == self.cause.owner else []

    def effects_on(self, keys: Collection[str], *, since: datetime) -> Sequence[Effect]:
        owner = self.cause.owner
        mine = {call.id for call in self._state.calls.values() if call.owner == owner}
        found = [
            effect
            for effect in self._state.effects.values()
            if effect.call in mine
            and effect.key in keys
            and effect.state is EffectState.DONE
            and effect.at
            and effect.at > since
        ]
        return sorted(found, key=lambda effect: (effect.at or since, effect.call))

    def undone(self, call: str, *, by: str) -> None:
        for effect in self.effects(call):
            self._rows.effects[call, effect.key] = kept(effect, {"undone": by})

    def own_uid(self, uid: str, *, calendar: str, call: str) -> None:
        del call
        self._rows.own_uids.add((self.cause.owner, calendar, uid))

    def own_uids(self, calendar: str, uids: Iterable[str]) -> frozenset[str]:
        made = self._state.own_uids
        return frozenset(uid for uid in uids if (self.cause.owner, calendar, uid) in made)

    def add_approval(self, approval: Approval) -> None:
        self.call(approval.call, lock=True)
        if approval.call in self._state.approvals:
            raise AlreadyThere(f"approval of call {approval.call}")
        self._state.approvals[approval.call] = kept(approval, {"owner": self.cause.owner})

    def approval(self, call: str) -> Approval:
        found = self._state.approvals.get(call)
        return self._mine(found, f"approval of call {call}", lambda approval: approval.owner)

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        if to not in approvals.NEXT[approval.state]:
            raise IllegalStep(f"an approval cannot go from {approval.state} to {to}")
        row = self._rows.approvals.get(approval.call)
        if row is None or (row.owner, row.state) != (self.cause.owner, approval.state):
            raise Conflict(f"the approval is no longer {approval.state}")
        settled = kept(row, {"state": to, "by": by, "reason": reason, "decided": at})
        self._state.approvals[approval.call] = settled
        self.note(approval_settled(approval, to, by=by, reason=reason, at=at))
        return settled

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        row = self._rows.approvals.get(approval.call)
        if row is not None and row.owner == self.cause.owner:
            self._state.approvals[approval.call] = kept(row, {"remind": next})

    def high_water(self, now: datetime) -> datetime:
        return max(now, self._state.high_water.get("at", now))


class MemoryMails(MemoryJobs):
    def add_mail(self, mail: Mail) -> Mail | None:
        owner = self.cause.owner
        self._must_write()
        known = self.mail_of(mail.sha256)
        if known is not None:
            return known
        if mail.id in self._state.mails:
            raise AlreadyThere(f"mail {mail.id}")
        given = {"owner": owner, "trace": self.cause.trace, "attachments": ()}
        self._state.mails[mail.id] = kept(mail, given)
        return None

    def mail_of(self, sha256: str) -> Mail | None:
        wanted = (self.cause.owner, sha256)
        mails = self._state.mails.values()
        return next((mail for mail in mails if (mail.owner, mail.sha256) == wanted), None)

    def mail(self, id: str, *, lock: bool = False) -> Mail:
        rows = self._rows if lock else self._state
        mine = [mail for mail in rows.mails.values() if mail.owner == self.cause.owner and id]
        exact = [mail for mail in mine if mail.id == id]
        found = exact or [mail for mail in mine if mail.id.startswith(id)]
        if len(found) != 1:
            raise NotFound(f"mail {id}")
        return found[0]

    def move_mail(self, mail: Mail, to: MailState, **changes: Any) -> Mail:
        moved = mail.step(to, **changes)
        row = self._rows.mails.get(mail.id)
        if row is None or (row.owner, row.state) != (self.cause.owner, mail.state):
            raise Conflict(f"mail {mail.id} is no longer {mail.state}")
        self._state.mails[mail.id] = kept(row, {"state": to, **changes})
        return moved

    def attach(self, mail: str, attachments: Sequence[Attachment]) -> None:
        row = self._rows.mails.get(mail)
        found = self._mine(row, f"mail {mail}", lambda mail: mail.owner)
        parts = tuple(kept(part) for part in attachments)
        self._state.mails[mail] = kept(found, {"attachments": parts})

    def mails(self, query: MailQuery) -> Sequence[Mail]:
        return self._found(query)[: query.limit]

    def count_mails(self, query: MailQuery) -> int:
        return len(self._found(query))

    def earlier_mails(self, mail: Mail) -> int:
        return sum(
            bool(mail.sender_address)
            and (other.owner, other.sender_address) == (self.cause.owner, mail.sender_address)
            and other.received < mail.received
            for other in self._state.mails.values()
        )

    def erase(self, naming: str, *, instead: str) -> None:
        owner = self.cause.owner
        for id, talk in self._rows.talks.items():
            if talk.conversation.owner == owner:
                erased = tuple(_erased(entry, naming, instead) for entry in talk.entries)
                self._state.talks[id] = replace(talk, entries=erased)
        for id, call in self._rows.calls.items():
            if call.owner == owner and naming in call.result:
                self._state.calls[id] = kept(call, {"result": instead})

    def _found(self, query: MailQuery) -> list[Mail]:
        wanted = _words(query.words)
        if query.words.strip() and not wanted:
            return []
        newest = list(reversed(self._state.mails.values()))
        mine = [mail for mail in newest if mail.owner == self.cause.owner and _fits(mail, query)]
        if not wanted:
            return mine
        ranked = [(rank, mail) for mail in mine if (rank := _rank(mail, wanted))]
        return [mail for _, mail in sorted(ranked, key=lambda hit: hit[0], reverse=True)]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _erased(entry: Entry, naming: str, instead: str) -> Entry:
    names = naming in entry.text or naming in entry.source
    return kept(entry, {"text": instead}) if entry.role is Role.OUTCOME and names else entry


def _fits(mail: Mail, query: MailQuery) -> bool:
    return (
        query.sender.casefold() in mail.sender.casefold()
        and (query.after is None or mail.received >= aware(query.after))
        and (query.before is None or mail.received < aware(query.before))
        and (query.state or mail.state) is mail.state
        and (query.state is MailState.FORGOTTEN or mail.state is not MailState.FORGOTTEN)
        and query.bundle in ("", mail.bundle)
        and (mail.provisional or not query.provisional)
    )


def _rank(mail: Mail, wanted: Sequence[str]) -> int:
    """How often the wanted words begin words of the mail; 0 unless each of them does."""
    there = _words(f"{mail.subject} {mail.sender} {mail.summary}")
    hits = [sum(word.startswith(want) for word in there) for want in wanted]
    return sum(hits) if all(hits) else 0


class MemoryTx(
    MemoryTalks,
    MemoryCalls,
    MemoryModes,
    MemoryGrants,
    MemoryFiles,
    MemoryMails,
    MemoryAudits,
):
    """One transaction; see ``assistant.ports.Tx``."""

    def want(self, delivery: Delivery, *, due: datetime | None = None) -> None:
        owner = self.cause.owner
        row = self._rows.deliveries.get((owner, delivery.id))
        if row is None:
            given = {"owner": owner, "trace": self.cause.trace, "created": self._now}
            row = kept(delivery, {**given, "shown": "", "handle": "", "revision": 1})
        elif row.wanted.digest != delivery.wanted.digest:
            row = kept(row, {"wanted": delivery.wanted, "revision": row.revision + 1})
        self._state.deliveries[owner, delivery.id] = row
        if not row.settled:
            self.emit(Deliver(id=delivery.id), due=due)

    def delivery(self, id: str, *, lock: bool = False) -> Delivery:
        rows = self._rows if lock else self._state
        found = rows.deliveries.get((self.cause.owner, id))
        return self._mine(found, f"delivery {id}", lambda delivery: delivery.owner)

    def deliveries(
        self,
        *,
        channel: str = "",
        prefix: str = "",
        settled: bool | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Delivery]:
        found = [
            row
            for (owner, id), row in self._state.deliveries.items()
            if owner == self.cause.owner
            and channel in ("", row.channel)
            and id.startswith(prefix)
            and settled in (None, row.settled)
            and (since is None or (row.created is not None and row.created >= aware(since)))
        ]
        by_id = sorted(found, key=lambda row: row.id)
        return sorted(by_id, key=lambda row: row.created or self._now, reverse=True)[:limit]

    def trying(self, delivery: Delivery) -> Delivery:
        row = self.delivery(delivery.id, lock=True)
        tried = kept(row, {"tried": row.tried or self._now})
        self._state.deliveries[self.cause.owner, delivery.id] = tried
        return tried

    def shown(self, delivery: Delivery, *, handle: str, note: str = "") -> None:
        key = (self.cause.owner, delivery.id)
        row = self._rows.deliveries.get(key)
        if row is not None:
            changes: dict[str, Any] = {"shown": delivery.wanted.digest, "handle": handle}
            changes |= {"note": note, "tried": None}
            self._state.deliveries[key] = kept(row, changes)

    def refused(self, delivery: Delivery, *, note: str) -> None:
        row = self.delivery(delivery.id, lock=True)
        self._state.deliveries[self.cause.owner, delivery.id] = kept(row, {"note": note})

    def add_tokens(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.hash in self._rows.tokens:
                raise AlreadyThere("this button")
            self._state.tokens[token.hash] = kept(token, {"owner": self.cause.owner})

    def token(self, hash: str) -> Token:
        return self._mine(self._state.tokens.get(hash), "this button", lambda token: token.owner)

    def use_token(self, token: Token, *, by: str, at: datetime) -> None:
        row = self._rows.tokens.get(token.hash)
        if row is None or row.owner != self.cause.owner or row.used:
            raise Conflict("this button was used already")
        self._state.tokens[token.hash] = kept(row, {"used": at, "by": by})

    def tokens_of(self, delivery: str) -> frozenset[str]:
        return frozenset(
            token.hash
            for token in self._state.tokens.values()
            if (token.owner, token.delivery) == (self.cause.owner, delivery)
        )

    def add_person(self, person: Person) -> None:
        known = self._rows.people.get((person.channel, person.id))
        if known is None:
            made = kept(person, {"owner": self.cause.owner, "at": self._now})
            self._state.people[person.channel, person.id] = made
            self.note(person_added(person))
        elif known.owner != self.cause.owner:
            raise Conflict(f"{person.id} is known as somebody else's")

    def people(self, channel: str) -> Sequence[Person]:
        found = [
            person
            for person in self._state.people.values()
            if (person.owner, person.channel) == (self.cause.owner, channel)
        ]
        return sorted(found, key=lambda person: (person.at or self._now, person.id))

    def forget_person(self, person: Person) -> bool:
        known = self._rows.people.get((person.channel, person.id))
        if known is None or known.owner != self.cause.owner:
            return False
        del self._state.people[person.channel, person.id]
        self.note(person_forgotten(person))
        return True
