"""What the assistant needs from the world. Adapters and fakes both fit these shapes.

Every implementation raises the errors of ``assistant.domain.errors`` and no vendor's: ``Transient``
ones are worth another try, ``Permanent`` ones are not.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from assistant.domain.approvals import Approval, ApprovalState
from assistant.domain.audit import AuditEntry
from assistant.domain.audit_chain import Extent, Head
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Attempt, Delivery, Posted, Shown
from assistant.domain.effects import Effect
from assistant.domain.events import Event, When
from assistant.domain.files import FileVersion
from assistant.domain.grants import Grant
from assistant.domain.jobs import Cause, Doorbell, Job, JobFacts
from assistant.domain.mail import Attachment, Mail, MailQuery, MailState
from assistant.domain.messages import Message, Queue
from assistant.domain.modes import ModeRecord
from assistant.domain.people import Person
from assistant.domain.policies import PolicyText
from assistant.domain.talk import (
    Asked,
    Conversation,
    Entry,
    Summary,
    ToolSchema,
    Turn,
    Usage,
    View,
)
from assistant.domain.tokens import Token


class Clock(Protocol):
    def now(self) -> datetime:
        """The time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only grow, within one process."""
        ...


class Bell(Protocol):
    def ring(self, bells: Sequence[Doorbell]) -> None:
        """Tell the workers, in one batch. Raises ``Unreachable``: the relay rings again later."""
        ...


class Jobs(Protocol):
    """The queue of record, seen from a transaction."""

    def emit(self, message: Message, *, due: datetime | None = None) -> None:
        """See that this gets done: now, or at ``due``. Rung after the commit.

        Emitting what is already waiting adds nothing, but never delays it; emitting what a worker
        holds has it done once more afterwards; emitting what had failed gives it a fresh start.
        """
        ...

    def done(self, job: Job) -> None:
        """Strike the job off with this commit; it raises ``LeaseLost`` if it is another's now."""
        ...

    def hold(self, job: Job) -> None:
        """Beat for this job in this transaction. Raises ``LeaseLost`` when it is another's now."""
        ...

    def fail(self, job: Job, error: str) -> None:
        """Give the job up with this commit; its row stays and says why. ``LeaseLost`` as above."""
        ...


class Talks(Protocol):
    def first_sight(self, channel: str, event: str) -> bool:
        """True the first time this event of this channel is seen."""
        ...

    def conversation_in(
        self, channel: str, place: str, *, idle: float, aside: str = ""
    ) -> Conversation:
        """The open conversation there, locked; a new one after ``idle`` seconds of silence.

        ``aside`` is where the owner alone reads, for a place where others can. Where one is given,
        it is the conversation's from now on.
        """
        ...

    def talks_in(self, channel: str, place: str) -> bool:
        """Whether there ever was a conversation there."""
        ...

    def conversation(self, id: str, *, lock: bool = False) -> Conversation: ...

    def close(self, id: str) -> None:
        """End a conversation: what is said there next begins a new one."""
        ...

    def append(self, conversation: str, entry: Entry, *, answer: bool) -> int:
        """Add an entry to a locked conversation; its seq. ``answer``: it deserves one."""
        ...

    def thought(self, conversation: str, *, seen: int, tainted: bool) -> None:
        """The model has answered what was said up to ``seen``."""
        ...

    def entries(self, conversation: str, *, last: int) -> Sequence[Entry]:
        """The newest ``last`` entries, oldest first."""
        ...


class Calls(Protocol):
    def add_call(self, call: Call) -> Call:
        """Store a call; it comes back with its number."""
        ...

    def call(self, id: str, *, lock: bool = False) -> Call: ...
    def call_named(self, handle: str) -> Call:
        """The call people call ``A17`` (in any case), or by its id. Raises ``NotFound``."""
        ...

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        """Newest first by number. Without ``states``, in any state."""
        ...

    def calls_since(self, since: datetime, *, after: int = 0, limit: int = 200) -> Sequence[Call]:
        """What was asked for since then, by number: those with a greater one than ``after``."""
        ...

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        """How many calls of each tool were asked for since then, not refused and not replaced."""
        ...

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        """One step on, by compare-and-set on state and fence.

        Raises:
            IllegalStep: ``NEXT`` has no such step.
            Conflict: the row is no longer as ``call`` says.
        """
        ...

    def beat_call(self, id: str, *, progress: str) -> bool:
        """Say that a running call goes on, and how far it is; whether it is to stop."""
        ...

    def ask_stop(self, call: Call) -> None:
        """Have a call that runs hear that it is to stop."""
        ...

    def intend(self, effect: Effect) -> None:
        """Write an intent; the same call's later attempt takes it over."""
        ...

    def record(self, effect: Effect) -> None:
        """Write what became of an intent of the same fence; ``Conflict`` when it moved on."""
        ...

    def effects(self, call: str) -> Sequence[Effect]: ...
    def effects_on(self, keys: Collection[str], *, since: datetime) -> Sequence[Effect]:
        """What was done to these objects after a time, the oldest first."""
        ...

    def undone(self, call: str, *, by: str) -> None:
        """Mark the effects of a call as taken back by another call."""
        ...

    def own_uid(self, uid: str, *, calendar: str, call: str) -> None:
        """Remember that the assistant made the event of this UID. Twice is once."""
        ...

    def own_uids(self, calendar: str, uids: Iterable[str]) -> frozenset[str]:
        """Those of ``uids`` that the assistant made."""
        ...


class Approvals(Protocol):
    def add_approval(self, approval: Approval) -> None: ...
    def approval(self, call: str) -> Approval:
        """The approval of a call. Raises ``NotFound``."""
        ...

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        """Leave the state it is in, once. Raises ``IllegalStep`` or ``Conflict``."""
        ...

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        """Somebody was reminded of it, or wants to be later: at ``next``, or never again."""
        ...

    def high_water(self, now: datetime) -> datetime:
        """The latest time ever seen here, ``now`` included: a clock that never goes back."""
        ...


class Modes(Protocol):
    """How careful the house is. Its row is locked first, before any conversation."""

    def mode(self) -> ModeRecord:
        """The mode; in a writing transaction held under a shared lock until its end."""
        ...

    def set_mode(self, record: ModeRecord) -> ModeRecord:
        """Enter a mode, holding its row alone; writes its audit entry.

        ``record.revision`` is that of the row this was decided on; the new row's is one more.

        Raises:
            IllegalStep: ``modes.NEXT`` has no such step.
            Conflict: the row has another revision by now.
        """
        ...

    def give_word(self, record: ModeRecord) -> None:
        """Keep ``record.word``, in the place of any other, given out at ``record.asked``, or now.

        Raises ``Conflict`` when the row has another revision by now.
        """
        ...

    def take_word(self) -> ModeRecord:
        """The mode, its row held alone, with its word; which is struck off: it is tried once."""
        ...

    def denials(self, since: datetime) -> int:
        """How often the owner has said no since then."""
        ...

    def done_since(self, since: datetime) -> Sequence[Effect]:
        """What was changed in the world since then and not taken back, in that order."""
        ...


class Policies(Protocol):
    def policy(self) -> PolicyText:
        """The newest version; version 0 without text where none was ever saved."""
        ...

    def policy_version(self, version: int) -> PolicyText:
        """Raises ``NotFound``."""
        ...

    def add_policy(self, policy: PolicyText) -> PolicyText:
        """Save as the version after ``policy.version``, which must be the newest.

        Its digest and time are given here. Writes its audit entry. Raises ``Conflict`` when another
        was newer.
        """
        ...


class Grants(Protocol):
    def add_grant(self, grant: Grant) -> Grant:
        """Save it; it comes back with its number. Writes its audit entry."""
        ...

    def grants(self, *, ended: bool = False) -> Sequence[Grant]:
        """The newest first: those that cover something still, or with ``ended`` all."""
        ...

    def grant_named(self, handle: str) -> Grant:
        """The grant people call ``G3`` (in any case), or by its id. Raises ``NotFound``."""
        ...

    def use_grant(self, id: str, *, at: datetime) -> None:
        """Count one ctx. Raises ``Conflict`` where it covers nothing any more."""
        ...

    def revoke_grants(self, ids: Collection[str] | None = None, *, by: str, at: datetime) -> int:
        """End these, or all there are; how many ended by this. Writes an audit entry for each."""
        ...


class Audits(Protocol):
    """What was decided and done. ``move``, ``settle`` and the like write entries by themselves."""

    def note(self, entry: AuditEntry) -> None:
        """Append an entry with this transaction's owner, trace and time, at its end."""
        ...

    def audit(
        self,
        *,
        subject: str = "",
        trace: str = "",
        kind: str = "",
        since: datetime | None = None,
        after: int = 0,
        newest: bool = False,
        limit: int = 200,
    ) -> Sequence[AuditEntry]:
        """Entries by number, those with a greater number than ``after``.

        A ``kind`` stands for all that begin with it and a dot. Where there are more than ``limit``,
        the oldest come, or the ``newest``.
        """
        ...

    def audit_entry(self, id: str) -> AuditEntry:
        """Raises ``NotFound``."""
        ...

    def audit_kinds(self) -> Sequence[str]:
        """Every kind that there is an entry of, in order."""
        ...

    def chained(
        self, *, after: int = 0, since: datetime | None = None, limit: int = 500
    ) -> Sequence[AuditEntry]:
        """Entries by place, those in later places than ``after``."""
        ...

    def chain_extent(self, *, after: int = 0) -> Extent:
        """How many entries stand in later places than ``after``, the last of them, and the rest."""
        ...


class Files(Protocol):
    """What paths hold. Bytes are in blobs; here are their names, versions and origins."""

    def file(self, path: str) -> FileVersion:
        """The newest version. Raises ``NotFound`` for a path that holds nothing."""
        ...

    def file_versions(self, path: str) -> Sequence[FileVersion]:
        """Every version, the newest first, also of what was deleted. Empty if there was none."""
        ...

    def files(
        self, prefix: str, *, after: str = "", limit: int = 200, deleted: bool = False
    ) -> Sequence[FileVersion]:
        """What paths that begin so hold now, by path, those later than ``after``.

        With ``deleted`` also the newest versions of paths that hold nothing any more.
        """
        ...

    def twin(self, path: str) -> str:
        """The path that holds something and differs from this one in case alone; else empty."""
        ...

    def write_file(self, file: FileVersion) -> FileVersion:
        """The path's next version; ``file.version`` is the one it follows, 0 for none.

        ``deleted`` versions hold nothing. Where a call is named, origin, source and actor are what
        its row says (``file_origins``). Writes its audit entry.

        Raises:
            Stale: the path's newest version is another by now.
            NotFound: what is to be deleted is not there.
            AlreadyThere: the path has a ``twin``, and the two could be taken for each other.
        """
        ...


class Mails(Protocol):
    def mail_of(self, sha256: str) -> Mail | None:
        """The mail that has these bytes; None where none has."""
        ...

    def add_mail(self, mail: Mail) -> Mail | None:
        """Store it; None if it is new, else the mail that has these bytes already."""
        ...

    def mail(self, id: str, *, lock: bool = False) -> Mail:
        """By id, or by a prefix of one that fits no other. Raises ``NotFound``."""
        ...

    def move_mail(self, mail: Mail, to: MailState, **changes: Any) -> Mail:
        """One step on, by compare-and-set on the state. Raises ``IllegalStep`` or ``Conflict``."""
        ...

    def attach(self, mail: str, attachments: Sequence[Attachment]) -> None:
        """Replace what is attached to a mail."""
        ...

    def mails(self, query: MailQuery) -> Sequence[Mail]:
        """Matches, best first where ``words`` are given, else newest first."""
        ...

    def count_mails(self, query: MailQuery) -> int:
        """How many match, whatever ``limit`` says."""
        ...

    def earlier_mails(self, mail: Mail) -> int:
        """How many came from this mail's address before it did; 0 where it names none."""
        ...

    def erase(self, naming: str, *, instead: str) -> None:
        """Put ``instead`` in the place of all that calls found, or that was quoted, naming this."""
        ...


class Deliveries(Protocol):
    def want(self, delivery: Delivery, *, due: datetime | None = None) -> None:
        """See that a channel shows this; emits ``Deliver``, for ``due``, when it does not yet."""
        ...

    def delivery(self, id: str, *, lock: bool = False) -> Delivery: ...
    def deliveries(
        self,
        *,
        channel: str = "",
        prefix: str = "",
        settled: bool | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Delivery]:
        """The newest first: of a channel, with ids that begin so, shown as wanted or not.

        ``since``: only those that were first wanted then or later.
        """
        ...

    def trying(self, delivery: Delivery) -> Delivery:
        """Note that the channel is about to be asked; it comes back with ``tried``, the first."""
        ...

    def shown(self, delivery: Delivery, *, handle: str, note: str = "") -> None:
        """The channel shows ``delivery.wanted`` now."""
        ...

    def refused(self, delivery: Delivery, *, note: str) -> None:
        """Whoever should see it does not let it be shown; as ``note`` has it, until it is."""
        ...


class Tokens(Protocol):
    """What buttons carry."""

    def add_tokens(self, tokens: Sequence[Token]) -> None: ...
    def token(self, hash: str) -> Token:
        """Raises ``NotFound``."""
        ...

    def use_token(self, token: Token, *, by: str, at: datetime) -> None:
        """Use it up. Raises ``Conflict`` when somebody has already."""
        ...

    def tokens_of(self, delivery: str) -> frozenset[str]:
        """Hashes of all that were made for a delivery."""
        ...


class People(Protocol):
    """Whom the assistant listens to, beside those whom the settings name."""

    def add_person(self, person: Person) -> None:
        """Twice is once. Writes its audit entry. ``Conflict`` when they are another owner's."""
        ...

    def people(self, channel: str) -> Sequence[Person]:
        """Those of this owner, the first one first."""
        ...

    def forget_person(self, person: Person) -> bool:
        """Whether there was one. Writes its audit entry."""
        ...


class Spending(Protocol):
    def used(self, usage: Sequence[Usage], *, subject: str, cause: str = "") -> None:
        """Record what model calls cost, for which conversation or mail, and what set them off."""
        ...

    def spent(self, since: datetime) -> Mapping[str, int]:
        """Tokens that models took in and gave out since then, by what set them off."""
        ...

    def asked(self, *, last: int) -> Sequence[Asked]:
        """How the newest ``last`` questions to models went, the newest first."""
        ...


class Tx(
    Jobs,
    Talks,
    Calls,
    Approvals,
    Modes,
    Policies,
    Grants,
    Audits,
    Files,
    Mails,
    Deliveries,
    Tokens,
    People,
    Spending,
    Protocol,
):
    """One transaction on behalf of one cause. It sees and makes only rows of that owner.

    Lock order, where several rows are locked: mode, conversation, call, delivery.
    """

    cause: Cause


class Store(Protocol):
    """The database. Nothing outside happens inside a transaction."""

    def whose(self, channel: str, person: str) -> str:
        """The owner whom this person was paired with; empty when nobody knows them."""
        ...

    def begin(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Write. Commits on leaving, rolls back on an exception; then rings what was emitted."""
        ...

    def read(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Look: one consistent view, no locks, writing is refused."""
        ...

    def expect(self, message: Message) -> None:
        """Have a worker wake up for a job that is about to be emitted.

        It waits a moment for the row, and leaves if none comes. Nothing rests on it: what is
        emitted is rung for as ever.
        """
        ...

    def waits(self, job: str) -> bool:
        """Whether this job could be claimed just now. A look, which takes nothing."""
        ...

    def claim(self, job: str, *, worker: str) -> Job | None:
        """Take a job that is due; None when it is gone, not due, failed or held by another."""
        ...

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        """Let go of a job until ``due``. Nothing happens when the lease is lost already."""
        ...

    def beat(self, claims: Sequence[str]) -> None:
        """Say of these claims that their holders live."""
        ...

    def held(self) -> dict[str, tuple[str, int]]:
        """Every claimed job: its claim and how often it has beaten."""
        ...

    def release(self, claims: Sequence[str]) -> int:
        """Take these claims away from holders that are gone; how many there were."""
        ...

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        """What should be rung again, moved on in the same statement so that it is rung once."""
        ...

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]: ...
    def sent_canary(self, queue: Queue) -> Doorbell:
        """Note that a canary goes into this queue now; the bell to ring for it."""
        ...

    def passed_canary(self, bell: str, queue: Queue) -> None:
        """The canary of this bell came out of its queue."""
        ...

    def canaries(self) -> dict[Queue, datetime]:
        """When the last canary came out of each queue; queues that none has crossed are absent."""
        ...

    def chain(self, *, limit: int = 500) -> int:
        """Link committed audit entries to those before them, oldest first; how many were.

        Nobody who writes waits for it, nor it for them: what commits later gets a later place. Of
        two at once one chains, and the other finds nothing to do.
        """
        ...

    def heads(self) -> Mapping[str, Head]:
        """The newest chained entry of each owner who has one."""
        ...

    def drop_tokens(self, *, before: datetime) -> int:
        """Forget the buttons that have been of no use since then, everybody's; how many."""
        ...

    def raise_high_water(self) -> None:
        """Note the time, so that no clock set back makes an expired approval fresh again."""
        ...


class Blobs(Protocol):
    """Immutable bytes by name. Names are ``[A-Za-z0-9-_/.]``, at most 512 characters."""

    def put(self, name: str, data: bytes) -> None:
        """Durable on return. Putting the same name again changes nothing that can be seen."""
        ...

    def get(self, name: str) -> bytes:
        """Raises ``NotFound`` or ``Unreachable``."""
        ...

    def delete(self, name: str) -> None:
        """Gone on return, also when it was not there."""
        ...

    def names(self, prefix: str = "") -> Iterable[str]:
        """The names that begin so, in order."""
        ...

    def check(self) -> None:
        """Raises ``Unreachable`` or ``Misconfigured`` when it cannot be used."""
        ...


class Calendar(Protocol):
    """One calendar. Errors: ``Unreachable``, ``Misconfigured``, and those each method names."""

    def address(self) -> str:
        """What an approval is bound to: server, account and calendar; no secret in it."""
        ...

    def between(self, when: When) -> Sequence[Event]:
        """Events that touch the range, series expanded, by start."""
        ...

    def get(self, uid: str) -> Event:
        """Raises ``NotFound``."""
        ...

    def create(self, event: Event) -> str:
        """Its etag. Raises ``AlreadyThere`` (the UID is taken) or ``Unsure``."""
        ...

    def update(self, event: Event) -> str:
        """Change title and time of ``event.uid`` if it still is at ``event.etag``; the new etag.

        Everything else the object holds is kept. Raises ``Stale``, ``NotFound`` or ``Unsure``.
        """
        ...

    def delete(self, uid: str, *, etag: str) -> None:
        """Raises ``Stale``, ``NotFound`` or ``Unsure``."""
        ...

    def raw(self, uid: str) -> bytes:
        """The iCalendar object (RFC 5545) with all it holds, in UTF-8. Raises ``NotFound``."""
        ...

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        """Put exactly that object; its new etag. With an empty ``etag`` only if there is none.

        People in it stay in it. Where that would have the server write to them, it is not put.

        Raises:
            AlreadyThere: there is one, and ``etag`` is empty.
            Stale, NotFound: there is none any more that is at ``etag``.
            BadArguments: it is no event, another UID's, or a message (with METHOD).
            Denied: the server would send mail to the people in it (RFC 6638).
            Unsure: as above.
        """
        ...

    def check(self) -> None:
        """Raises what is wrong with it, if anything."""
        ...


class Model(Protocol):
    """A language model, or what stands in for one."""

    name: str

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        """The next step. Raises ``Transient`` or ``Permanent``."""
        ...

    def summarise(self, view: View) -> Summary:
        """The one mail in ``view``, in a few sentences. Raises ``Transient`` or ``Permanent``."""
        ...

    def check(self) -> None:
        """Raises ``Misconfigured`` for what can be told without asking a provider anything."""
        ...


class Channel(Protocol):
    """A way to talk. It is told what to show, never what happened."""

    name: str
    far: bool
    """True where a try may have succeeded without anybody knowing, and buttons carry tokens."""

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        """Show it, or edit what ``attempt.handle`` names. The same key twice shows once.

        A ``PROGRESS`` without text takes away what the handle names.
        """
        ...
