"""Call every method of the store, of a transaction and of the screen, with each parameter once."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from assistant.adapters.sql.store import SqlStore, SqlTx
from assistant.adapters.sql_screen import SqlScreen
from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.approvals.tokens import mint
from assistant.domain.audit.cuts import AuditCut
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calendar.copies.changes import CopiedObject
from assistant.domain.calendar.copies.copied import CalendarCopy, CopiedTime
from assistant.domain.calendar.invitations.known import InvitationKey
from assistant.domain.calls.call import Reach
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import ENDED, CallState
from assistant.domain.conversation.conversation import Usage
from assistant.domain.conversation.deliveries import Attempt, Shown, ShownKind
from assistant.domain.conversation.people import Person
from assistant.domain.credentials.credential import Credential
from assistant.domain.files.version import FileVersion
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Job
from assistant.domain.mail.mail import Attachment, MailQuery, MailState
from assistant.domain.mail.understanding.commitments import CommitmentState
from assistant.domain.messages import Queue, ReadMail, Think
from assistant.domain.policy.grants import Grant
from assistant.domain.reminders.due_notices import DueKind, DueNotice
from assistant.domain.reminders.reminder import ReminderState
from tests.bed import (
    START,
    Bed,
    a_call,
    a_delivery,
    a_mail,
    a_reminder,
    an_approval,
    an_ask,
    an_effect,
    said,
)

LATELY = START - timedelta(hours=1)
LONG_AGO = START - timedelta(days=300)
BEFORE_ALL = START - timedelta(days=500)
OLD_CALL = "call2501"
"""A call of long ago, in ``OLD_TALK``."""
OLD_TALK = "talk501"
_LIFECYCLE = {"begin", "finish", "read", "write_notes"}


class Spy:
    """Passes calls on, and notes which methods were called with which parameters."""

    def __init__(self, of: Any, called: set[tuple[str, str]]) -> None:
        self._of = of
        self._called = called

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._of, name)
        if not callable(found):
            return found

        def call(*args: Any, **given: Any) -> Any:
            bound = inspect.signature(found).bind(*args, **given)
            self._called.update((name, parameter) for parameter in bound.arguments)
            self._called.add((name, ""))
            return found(*args, **given)

        return call


def _page(tx: SqlTx, *, everything: bool) -> None:
    tx.copied_objects("private", after="/event7", limit=100, all_of_them=everything)


def _end(job: Job, tx: SqlTx) -> None:
    tx.done(job)


def _old_talks(before: datetime, tx: SqlTx) -> Sequence[str]:
    return tx.old_conversations(before=before, limit=20)


def _search(query: MailQuery, tx: SqlTx) -> None:
    tx.mails(query)


def methods() -> set[tuple[str, str]]:
    """Every public method of the store's parts, with each of its parameters."""
    return {
        (name, parameter)
        for part in (SqlTx, SqlStore, SqlScreen)
        for name, found in inspect.getmembers(part, inspect.isfunction)
        if not name.startswith("_") and name not in _LIFECYCLE
        for parameter in ("", *list(inspect.signature(found).parameters)[1:])
    }


class Script:
    """Uses a store as the flows do. ``called`` has what was called by then."""

    def __init__(self, bed: Bed, screen: SqlScreen) -> None:
        self.bed = bed
        self.called: set[tuple[str, str]] = set()
        self.store = cast("SqlStore", Spy(bed.store, self.called))
        self.screen = cast("SqlScreen", Spy(screen, self.called))

    def run(self) -> None:
        for part in self._parts():
            part()

    def _parts(self) -> Iterator[Callable[[], None]]:
        yield self.jobs
        yield self.talking
        yield self.calls
        yield self.approvals
        yield self.governing
        yield self.grants
        yield self.auditing
        yield self.archiving
        yield self.files
        yield self.reminders
        yield self.mails
        yield self.copies
        yield self.deliveries
        yield self.screens
        yield self.retention

    def write(self, act: Callable[[SqlTx], Any]) -> Any:
        with self.bed.store.begin(self.bed.me) as tx:
            return act(cast("SqlTx", Spy(tx, self.called)))

    def look(self, act: Callable[[SqlTx], Any]) -> Any:
        with self.bed.store.read(self.bed.me) as tx:
            return act(cast("SqlTx", Spy(tx, self.called)))

    def jobs(self) -> None:
        store, later = self.store, START + timedelta(hours=1)

        def claimed(name: str) -> Any:
            job = store.claim(name, worker="worker")
            assert job is not None
            return job

        self.write(lambda tx: tx.emit(Think(id="a"), due=START))

        def emit_many(tx: SqlTx) -> None:
            for n in range(6):
                tx.emit(ReadMail(id=str(n)))

        self.write(emit_many)
        store.expect(Think(id="a"))
        assert store.waits("think:a")
        job = claimed("think:a")
        store.beat([job.claim])
        self.write(lambda tx: tx.beat(job))
        assert list(store.held()) == ["think:a"]
        store.holders()
        store.retry(job, due=START, error="again")
        job = claimed("think:a")
        store.postpone(job, due=START, part="the blobs", error="away")
        job = claimed("think:a")
        self.write(lambda tx: tx.emit(Think(id="a")))  # while it is held
        self.write(lambda tx: tx.done(job))
        job = claimed("think:a")
        assert store.release([job.claim]) == 1
        job = claimed("think:a")
        self.write(lambda tx: tx.fail(job, "it cannot be done"))
        for n in range(6):
            self.write(partial(_end, claimed(f"read_mail:{n}")))
        self.write(lambda tx: tx.emit(Think(id="b"), due=later))
        store.raise_high_water()
        store.ticked()
        store.due(limit=200)
        now, self.bed.clock.time = self.bed.clock.time, START - timedelta(hours=1)
        store.due()  # by a clock that was set back
        self.bed.clock.time = now
        store.jobs(trace="t" * 32, failed=True)
        store.jobs()
        store.passed_canary(store.sent_canary(Queue.SLOW).job, Queue.SLOW)
        store.canaries()
        store.drop_tokens(before=START - timedelta(days=365))

    def talking(self) -> None:
        def talk(tx: SqlTx) -> str:
            assert tx.first_sight("discord", "new")
            made = tx.conversation_in("terminal", "here", idle=60.0, aside="there")
            tx.conversation(made.id, lock=True)
            seq = tx.append(made.id, said(), answer=True)
            tx.thought(made.id, seen=seq, tainted=True)
            tx.acted(made.id)
            usage = [Usage(model="m", input_tokens=1)]
            tx.used(usage, subject=made.id, cause="chat")
            return made.id

        id = self.write(talk)
        self.look(lambda tx: tx.conversation(id))
        self.look(lambda tx: tx.entries(OLD_TALK, last=50))
        self.look(lambda tx: tx.talks_in("terminal", "place1"))
        self.look(lambda tx: tx.talks_in("discord", "nowhere"))
        self.look(lambda tx: tx.spent(LATELY))
        self.look(lambda tx: tx.asked(last=20))
        self.write(lambda tx: tx.close(id))
        ann = Person(channel="discord", id="7", owner="owner")
        self.write(lambda tx: tx.add_person(ann))
        self.look(lambda tx: tx.people("discord"))
        assert self.store.whose("discord", "7") == "owner"
        self.write(lambda tx: tx.forget_person(ann))
        self.write(lambda tx: tx.choose_zone("Europe/Lisbon", by="ann"))
        self.look(lambda tx: (tx.zone(), tx.last_acted()))
        kept = Credential(name="calendar", about="{}", sealed="x", created=START)
        self.write(lambda tx: tx.keep_credential(kept, by="ann"))
        self.look(lambda tx: tx.credential("calendar"))
        self.write(lambda tx: tx.forget_credential("calendar", by="ann"))
        self.write(lambda tx: tx.note_act(away=timedelta(days=2), seen=timedelta(minutes=10)))

    def calls(self) -> None:
        talk = self.bed.conversation()

        def lives(tx: SqlTx) -> None:
            call = tx.add_call(a_call(talk))
            tx.call(call.id, lock=True)
            running = tx.move(call, CallState.RUNNING)
            tx.beat_call(call.id, progress="half")
            tx.ask_stop(running)
            effect = an_effect(call)
            tx.intend(effect)
            tx.record(effect.model_copy(update={"state": EffectState.DONE}))
            tx.move(running, CallState.DONE, result="Done.")
            tx.undone(call.id, by="another")
            tx.own_uid("uid", calendar="private", call=call.id)

        self.write(lives)
        for act in (
            lambda tx: tx.call(OLD_CALL),
            lambda tx: tx.call_named("A500"),
            lambda tx: tx.calls(conversation=OLD_TALK, turn=4),
            lambda tx: tx.calls(conversation=talk, turn=2, states={CallState.PARKED}),
            lambda tx: tx.calls(conversation=OLD_TALK),
            lambda tx: tx.calls(conversation=OLD_TALK, states={CallState.DONE, CallState.FAILED}),
            lambda tx: tx.calls(states={CallState.PARKED}),
            lambda tx: tx.calls(states={CallState.PARKED, CallState.CLEARED, CallState.RUNNING}),
            lambda tx: tx.calls(states=ENDED, limit=200),
            lambda tx: tx.calls(),
            lambda tx: tx.calls_since(LATELY, after=0, limit=200),
            lambda tx: tx.calls_since(LATELY, after=500),
            lambda tx: tx.tool_uses(LATELY),
            lambda tx: tx.unclear(LATELY),
            lambda tx: tx.destroyed(OLD_TALK, since=LATELY, before=500, without=OLD_CALL),
            lambda tx: tx.effects(OLD_CALL),
            lambda tx: tx.effects_on(["key7", "key8"], since=LATELY),
            lambda tx: tx.own_uids("private", ["uid7", "none"]),
        ):
            self.look(act)

    def approvals(self) -> None:
        call = self.bed.call(state=CallState.PARKED)
        wanted = an_approval(call)
        self.write(lambda tx: tx.add_approval(wanted))
        self.look(lambda tx: tx.approval(call.id))
        self.look(lambda tx: tx.high_water(START))
        self.write(lambda tx: tx.reminded(wanted, next=START))
        self.write(lambda tx: tx.opened(wanted))
        denied = ApprovalState.DENIED
        self.write(lambda tx: tx.settle(wanted, denied, by="me", reason="", at=START))
        _, token = mint(Verb.APPROVE, call.id, expires=START, delivery="d")
        self.write(lambda tx: tx.add_tokens([token]))
        self.look(lambda tx: tx.token(token.hash))
        self.look(lambda tx: tx.tokens_of("say-500"))
        self.write(lambda tx: tx.use_token(token, by="me", at=START))

    def governing(self) -> None:
        mode = self.look(lambda tx: tx.mode())
        entered = mode.model_copy(update={"mode": Mode.ALERT, "by": "me"})
        alert = self.write(lambda tx: tx.set_mode(entered))
        self.write(lambda tx: tx.give_word(alert.model_copy(update={"word": "w"})))
        self.write(lambda tx: (tx.mode(), tx.take_word()))
        normal = alert.model_copy(update={"mode": Mode.NORMAL})
        self.write(lambda tx: tx.set_mode(normal))
        self.look(lambda tx: tx.denials(LATELY))
        self.look(lambda tx: tx.done_since(LATELY))
        saved = self.look(lambda tx: tx.policy()).model_copy(update={"text": "rules: []"})
        self.write(lambda tx: tx.add_policy(saved))
        self.look(lambda tx: tx.policy_version(1))

    def grants(self) -> None:
        wanted = Grant(
            id="grant",
            owner="owner",
            tool="create_event",
            version="1",
            scope=(),
            destination="",
            reach=Reach.WRITES,
            created=START,
            by="me",
            expires=START + timedelta(days=1),
            uses=3,
        )
        grant = self.write(lambda tx: tx.add_grant(wanted))
        assert len(self.look(lambda tx: tx.grants())) == 1
        self.look(lambda tx: tx.grants(ended=True))
        self.look(lambda tx: tx.grant_named(grant.handle))
        self.look(lambda tx: tx.grant_named(grant.id))
        self.write(lambda tx: tx.use_grant(grant.id, at=START))
        self.write(lambda tx: tx.revoke_grants([grant.id], by="me", at=START))
        self.write(lambda tx: tx.revoke_grants(by="me", at=START))

    def auditing(self) -> None:
        self.write(lambda tx: tx.note(AuditEntry(kind="test.noted", subject="this")))
        for _ in range(5):
            self.write(lambda tx: tx.note(AuditEntry(kind="test.noted")))
        assert self.store.chain(limit=500)
        self.store.heads()
        head = self.look(lambda tx: tx.chain_extent(after=0)).head
        for act in (
            lambda tx: tx.audit(subject=OLD_CALL, newest=True, limit=20),
            lambda tx: tx.audit(subject=OLD_CALL, kind="call.done"),
            lambda tx: tx.audit(trace="trace500"),
            lambda tx: tx.audit(kind="test", since=LATELY),
            lambda tx: tx.audit(newest=True),
            lambda tx: tx.audit(after=500),
            lambda tx: tx.audit_entry("audit500"),
            lambda tx: tx.audit_kinds(),
            lambda tx: tx.chained(after=head.place - 5, since=LATELY, limit=500),
            lambda tx: tx.chained(after=head.place - 5),
            lambda tx: tx.chain_extent(after=head.place),
            lambda tx: tx.placed(after=head.place - 5, limit=500),
            lambda tx: tx.unplaced(limit=500),
            lambda tx: tx.recorded_calls(after=5, limit=500),
            lambda tx: tx.recorded_in_all(),
        ):
            self.look(act)

    def files(self) -> None:
        file = FileVersion(path="private:/notes/new.txt", sha256="s", blob="b", call=OLD_CALL)
        made = self.write(lambda tx: tx.write_file(file))
        self.write(lambda tx: tx.write_file(made.model_copy(update={"sha256": "t"})))
        for act in (
            lambda tx: tx.file("private:/notes/new.txt"),
            lambda tx: tx.file_versions("private:/notes/new.txt"),
            lambda tx: tx.files("private:/notes/7/", limit=200),
            lambda tx: tx.files("private:/no/such/folder/"),
            lambda tx: tx.files("", after="private:/notes/7/", limit=200, deleted=True),
            lambda tx: tx.twin("private:/notes/NEW.txt"),
        ):
            self.look(act)

    def invitations(self, mail: str) -> None:
        key = InvitationKey("uid500", "20261201T090000Z", "s7@example.org")

        def live(tx: SqlTx) -> None:
            opened = tx.open_invitation(key, now=START)
            tx.open_invitation(key, now=START)
            tx.keep_invitation(opened.model_copy(update={"mail": mail, "wanted": True}))
            tx.invitation(opened.id, lock=True)

        self.write(live)
        self.look(lambda tx: tx.invitations_like(key))
        self.look(lambda tx: tx.wanted_invitations(limit=10))
        [found] = self.look(lambda tx: tx.invitations_by(mail))
        self.write(lambda tx: tx.drop_invitation(found.id))

    def copies(self) -> None:
        """Calendars: the grown one, and then another."""

        def begin(address: str) -> CalendarCopy:
            begun = self.write(lambda tx: tx.begin_sync(address, source="here", zone="UTC"))
            assert isinstance(begun, CalendarCopy)
            return begun

        copy = begin("private")
        one = CopiedObject(name="/event7", etag="new", uid="uid7")
        time = CopiedTime(begin=LATELY, end=START, title="Tea")
        self.write(lambda tx: tx.hold_sync(copy))
        self.write(lambda tx: tx.keep_copied(copy, one, [time]))
        self.write(lambda tx: tx.drop_copied(copy, {"/event8"}))
        self.write(lambda tx: tx.move_window(copy, LONG_AGO, START, zone="UTC"))
        self.write(lambda tx: tx.pause_sync(copy))
        self.write(lambda tx: tx.end_sync(copy, token="next", kind="listing", synced=START, seen=0))
        self.write(lambda tx: tx.fail_sync("here", "away", fence=copy.fence))
        self.write(lambda tx: tx.calendar_written("here"))
        self.look(lambda tx: tx.calendar_copy(source="here"))
        self.look(lambda tx: tx.calendar_defects("private"))
        self.look(lambda tx: tx.copied_events(copy, LATELY, START))
        self.look(lambda tx: tx.copied_times(copy, LATELY, START))
        self.look(lambda tx: tx.copied_named("private", {"/event7"}))
        self.look(lambda tx: tx.copied_uids("private", {"uid7"}))
        for everything in (False, True):
            page = partial(_page, everything=everything)
            self.look(page)
        self.look(lambda tx: tx.copied_etags("private"))
        self.look(lambda tx: tx.own_event_gone("private", "uid8"))
        begin("another")

    def reminders(self) -> None:
        made = self.write(lambda tx: tx.add_reminder(a_reminder("new")))
        told = made.model_copy(update={"state": ReminderState.TOLD, "told": START})
        notice = DueNotice(id="remind-new", kind=DueKind.REMINDER, due=START, made=START)
        self.look(lambda tx: tx.reminder("R500"))
        self.look(lambda tx: tx.reminders(limit=50))
        self.look(lambda tx: tx.reminders(state=None, limit=50))
        self.look(lambda tx: tx.due_reminders(START, limit=50))
        self.look(lambda tx: tx.waiting_reminders())
        self.write(lambda tx: tx.move_reminder(made, told))
        self.write(lambda tx: tx.expect_notice(notice))
        self.write(lambda tx: tx.notice_shown("remind-new"))
        self.look(lambda tx: tx.notices_missing(due_before=START))
        self.look(lambda tx: tx.notices_late())
        self.write(lambda tx: tx.note_lateness(["remind-new"]))
        self.look(lambda tx: tx.last_notice(DueKind.BRIEF, skip=1))
        self.write(lambda tx: tx.take_turn("heartbeat", every=timedelta(minutes=5)))
        self.write(lambda tx: tx.take_turn("heartbeat", every=timedelta(minutes=5)))

    def mails(self) -> None:
        mail = a_mail("A subject that nothing else has", sender_address="s7@example.org")
        part = Attachment(name="a", content_type="text/plain", size=1, sha256="s", blob="b")

        def lives(tx: SqlTx) -> None:
            tx.add_mail(mail)
            tx.attach(mail.id, [part])
            read = tx.move_mail(tx.mail(mail.id, lock=True), MailState.READ, provisional=True)
            tx.move_mail(read, MailState.SUMMARISED, bundle="mails-1", summary="Unheard of")

        self.write(lives)
        assert self.write(lambda tx: tx.add_mail(mail))
        self.write(lambda tx: tx.keep_commitments(mail.id, [an_ask("a", mail.id)]))
        self.write(lambda tx: tx.keep_commitments(mail.id, [an_ask("b", mail.id)]))
        self.look(lambda tx: tx.commitments(limit=50))
        self.look(lambda tx: tx.commitments(settled=True, limit=50))
        asked = self.look(lambda tx: tx.commitment(500))
        self.write(lambda tx: tx.move_commitment(asked, CommitmentState.DONE))
        self.write(lambda tx: tx.forget_commitments(mail.id))
        self.invitations(mail.id)
        recently = START - timedelta(days=2)
        for query in (
            MailQuery(),
            MailQuery(limit=200),
            MailQuery(words="unheard"),
            MailQuery(words="happened day", limit=5),
            MailQuery(sender="somebody"),
            MailQuery(after=recently),
            MailQuery(after=recently, before=START),
            MailQuery(before=START - timedelta(days=300)),
            MailQuery(state=MailState.HELD),
            MailQuery(provisional=True),
            MailQuery(provisional=True, state=MailState.ANNOUNCED),
            MailQuery(bundle="mails-1", state=MailState.SUMMARISED),
            MailQuery(bundle="mails-1"),
        ):
            self.look(partial(_search, query))
        self.look(lambda tx: tx.count_mails(MailQuery(bundle="mails-1")))
        self.look(lambda tx: tx.count_mails(MailQuery(state=MailState.HELD)))
        self.look(lambda tx: tx.held_mails(after=0, limit=100))
        self.look(lambda tx: tx.held_mails(after=9_000, limit=100))
        self.look(lambda tx: tx.held_reasons())
        self.look(lambda tx: tx.held_reasons(before=START))
        self.look(lambda tx: tx.old_mails(before=LONG_AGO, limit=20))
        self.look(lambda tx: tx.old_mails(before=BEFORE_ALL, limit=20))
        self.look(lambda tx: tx.quoted(mail.id))
        self.look(lambda tx: tx.mail_of("sha500"))
        self.look(lambda tx: tx.mail(mail.id))
        self.look(lambda tx: tx.mail(mail.id[:10]))
        self.look(lambda tx: tx.earlier_mails(mail))
        self.write(lambda tx: tx.erase(mail.id, instead="Forgotten."))

    def deliveries(self) -> None:
        wanted = a_delivery(id="card-new")
        self.write(lambda tx: tx.want(wanted, due=START))
        self.write(lambda tx: tx.trying(tx.delivery(wanted.id, lock=True)))
        self.write(lambda tx: tx.refused(wanted, note="not now"))
        for act in (
            lambda tx: tx.delivery("card-3"),
            lambda tx: tx.unshown(tx.delivery("card-3"), since=LATELY, limit=50),
            lambda tx: tx.deliveries(channel="terminal", limit=300),
            lambda tx: tx.deliveries(channel="terminal", settled=False),
            lambda tx: tx.deliveries(channel="discord", settled=False, limit=30),
            lambda tx: tx.deliveries(channel="terminal", settled=True),
            lambda tx: tx.deliveries(channel="terminal", prefix="progress-"),
            lambda tx: tx.deliveries(channel="terminal", prefix="mails-", since=LATELY),
        ):
            self.look(act)
        self.write(lambda tx: tx.shown(wanted, handle="h", note=""))

    def retention(self) -> None:
        for before in (BEFORE_ALL, LONG_AGO):
            self.store.drop_shown("owner", before=before, limit=50)
            self.store.drop_ended("owner", before=before, limit=50)
            old = self.look(partial(_old_talks, before))
        assert old
        self.write(lambda tx: tx.empty_conversation(old[0], before=LONG_AGO, instead="Gone."))
        self.store.sizes("owner")

    def archiving(self) -> None:
        """The first of the grown entries go. Their hashes are made up, as in the rows."""
        cut = AuditCut(place=300, hash="hash300", count=300, newest=LONG_AGO, file="f")
        assert self.write(lambda tx: tx.cut_audit(cut, after=0))
        assert self.look(lambda tx: tx.audit_cuts())
        self.look(lambda tx: tx.entries_of_cuts())

    def screens(self) -> None:
        shown = Shown(kind=ShownKind.WORDS, text="Hello")
        self.screen.show("owner", shown, attempt=Attempt(key="owner:new"))
        self.screen.drawn(self.screen.lines("owner", last=100))
        self.screen.drawn(self.screen.named(["owner:new"]))
