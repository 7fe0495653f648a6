"""What an older revision left to be done and to be gone by: jobs, rows, grants, policy, audit."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import func, select
from sqlmodel import SQLModel

from assistant.adapters.sql.driver import Engines
from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token, hashed
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Shown
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import MailQuery, MailState
from assistant.domain.messages import KINDS, Expire, parse
from assistant.domain.policy.decide import WORD
from assistant.flows.operations.audit_chain import chain_all, verify_stored
from assistant.flows.operations.upkeep import Interval, LeaseWatch, tick
from tests.discord_world import Discord, WorldParts, buttons, said
from tests.operations import enters
from tests.upgrade.left import WHERES, Left, on_both, rows_of, sqlite_left
from tests.world import OWNER
from workers import migrate, revision
from workers.discord.interaction import MARK, Kind, Reply, Way

_S = CallState
OTHER = Cause(owner="other", trace="d" * 32)


# Rows


def test_the_database_that_was_left_is_brought_to_the_newest_schema(tmp_path: Path) -> None:
    engines = sqlite_left(tmp_path)
    before = {name: rows_in(engines, name) for name in ("call", "approval", "token", "job")}
    migrate.upgrade(engines)
    assert revision.current(engines) == revision.head()
    migrate.check(engines)
    assert {name: rows_in(engines, name) for name in before} == before
    engines.dispose()


@on_both
def test_every_call_binds_what_it_bound(left: Left) -> None:
    """The binding on record was computed by the older revision, this one's is computed now."""
    calls = {call.id: call for call in all_calls(left)}
    approvals = rows_of(left.engines, "approval")
    assert len(approvals) > 80
    for approval in approvals:
        assert calls[approval["call"]].is_bound_by(approval["binding"])
        assert not calls[approval["call"]].is_bound_by(f"2:{approval['binding']}")


def test_every_card_that_waits_has_the_digest_it_had(left: Left) -> None:
    waiting = [call for call in all_calls(left) if call.state is _S.PARKED]
    assert len(waiting) > 50
    for call in waiting:
        card, approval = left.card(call), left.approval(call)
        assert card.wanted.digest == card.shown == approval.card
        if card.channel == "terminal":
            assert left.world.card_of(call.handle) == approval.card


def test_all_that_was_shown_has_the_digest_it_had(left: Left) -> None:
    for row in rows_of(left.engines, "delivery"):
        assert Shown.model_validate(row["wanted"]).digest == row["digest"]


def test_every_stored_button_of_a_card_that_waits_carries_the_digest_of_that_card(
    left: Left,
) -> None:
    of_cards = {Verb.APPROVE, Verb.EDIT, Verb.DENY, Verb.DETAILS, Verb.MORE}
    found = []
    with left.world.store.read(left.world.cause) as tx:
        for (verb, subject), word in left.world.far.tokens.items():
            token = tx.token(hashed(word))
            assert (token.verb, token.subject) == (verb, subject)
            if verb in of_cards and tx.call(subject).state is _S.PARKED:
                assert token.card == tx.approval(subject).card
                found.append(token)
    assert len(found) > 100


SINCE = frozenset(
    {
        Verb.UNDO_ALL,
        Verb.DENY_WHY,
        Verb.ASK_ABOUT,
        Verb.SCHEDULE,
        Verb.TITLES,
        Verb.DENY_ALL,
        Verb.TAKE,
        Verb.REMIND_LATER,
        Verb.REMINDER_DONE,
    }
)
"""Buttons that came after the dump."""


NEWER = frozenset({"sync_calendar", "follow_invitation", "make_brief"})
"""Kinds of jobs of later versions."""


def test_there_is_a_button_and_a_job_of_every_kind(left: Left) -> None:
    """So that what is proved here is proved of each of them."""
    tokens = [Token.model_validate(row) for row in rows_of(left.engines, "token")]
    assert {token.verb for token in tokens} == set(Verb) - SINCE
    assert {parse(row["id"]).kind for row in rows_of(left.engines, "job")} == set(KINDS) - NEWER
    assert {row["state"] for row in rows_of(left.engines, "mail")} == set(MailState)


def test_every_tool_that_a_call_names_is_there_in_the_version_that_was_approved(left: Left) -> None:
    for call in all_calls(left):
        tool = left.world.toolbox.get(call.tool)
        assert tool is not None
        assert tool.version == call.version


_NEWER = re.compile(r"'of_creation': 'bool', |'beside': {.*?}, (?='command')|'lapses': '\w+', ")


@pytest.mark.parametrize("name", ["to_delete_again", "to_restore_event", "to_recreate"])
@pytest.mark.parametrize("where", WHERES)
def test_a_call_is_stored_in_the_words_in_which_one_was_stored(
    left: Left, name: str, where: str
) -> None:
    """The older revision carried out another one with these arguments."""
    left.settles_for(hours=1)  # what was deleted before counts for an hour
    old = left.call(f"{name}/{where}")
    args = dict(old.asked)
    if "event" in args:
        args["event"] = "anew"
        left.calendar.put(left.calendar.get(f"look-{where}").model_copy(update={"uid": "anew"}))
    left.asks(Want(tool=old.tool, args=args), far="dm:42" if where == "discord" else "")
    new = left.newest()
    if where == "terminal":
        assert left.world.presses(Verb.APPROVE, new.handle).accepted
    else:
        left.discord.presses(Verb.APPROVE, new.id)
        enters(left.world, Mode.RECOVERY)
        left.discord.presses(Verb.UNDO, new.id)
        assert left.follower(left.world.call(new.handle)).state is _S.PARKED
    assert left.world.call(new.handle).state is _S.DONE
    before = stored_of(left, old.id)
    if where == "terminal":  # its card has become the receipt since, as on Discord
        before = [
            row.replace("receipt-: ", "card-: ", 1)
            for row in before
            if not row.startswith("card-: ")
        ]
    rows = [row for row in stored_of(left, new.id) if f"'{Verb.TAKE}'" not in row]
    now = [_NEWER.sub("", row) for row in rows]
    assert sorted(now) == sorted(before), "but for what is written down since then"


# Jobs


@on_both
def test_everything_that_waited_for_a_worker_is_carried_out(left: Left) -> None:
    a_tick_after_the_lease(left)
    left.settles_for(minutes=5)
    assert {parse(name).kind for name in left.jobs()} == {"expire", "erase_mail"}
    assert [name for name in left.jobs() if "FAILED" in name] == []
    for name in ("stored", "read", "summarised"):
        with left.world.store.read(left.world.cause) as tx:
            mail = tx.mail(left.known["names"][f"mail.{name}"])
        assert mail.state is MailState.ANNOUNCED
        assert "mail." + name in left.world.far.shown[f"{OWNER}:mail-{mail.id}"].title
    with left.world.store.read(left.world.cause) as tx:
        conversation = tx.conversation(left.known["names"]["to think of"])
    assert conversation.thought == conversation.heard


@pytest.mark.parametrize(
    "name",
    [
        "approved/terminal",
        "approved/discord",
        "lost before the effect",
        "lost after the effect",
        "unknown before the effect",
        "unknown after the effect",
    ],
)
def test_a_call_that_was_approved_is_done_once(left: Left, name: str) -> None:
    """Whether its worker had begun, had done it, or knew whether it had."""
    call = left.call(name)
    uid = call.facts.args["uid"]
    before = uid in {event.uid for event in left.events()}
    assert before == ("after" in name)
    a_tick_after_the_lease(left)
    left.settles_for(minutes=5)
    left.settles_for(minutes=5)
    assert left.world.call(call.handle).state is _S.DONE
    assert left.calendar.written.count(uid) == (not before)
    assert left.calendar.get(uid).title == call.facts.args["title"]
    with left.world.store.read(left.world.cause) as tx:
        assert [effect.state for effect in tx.effects(call.id)] == [EffectState.DONE]


def test_what_had_moved_is_asked_about_as_it_is_now(left: Left) -> None:
    old = left.call("moved")
    left.settles_for(minutes=2)
    new = left.follower(old)
    assert (left.world.call(old.handle).state, new.state) == (_S.SUPERSEDED, _S.PARKED)
    assert left.card(new).wanted.rows[0].was == "“Moved on”"
    assert left.world.presses(Verb.APPROVE, new.handle).accepted
    assert left.calendar.get("moved").title == "Moved away"


def test_what_nobody_answers_expires_when_its_card_said(left: Left) -> None:
    waiting = [call for call in all_calls(left) if call.state is _S.PARKED]
    left.settles_for(days=4)
    ended = {left.world.call(call.handle).state for call in waiting}
    assert ended <= {_S.EXPIRED, _S.SUPERSEDED}
    assert left.calendar.written.count(left.call("create_event/terminal").facts.args["uid"]) == 0
    assert Expire(id=waiting[0].id).name not in left.jobs()


@pytest.mark.parametrize("where", WHERES)
def test_a_reminder_that_was_wanted_comes(left: Left, where: str) -> None:
    call = left.call(f"snoozed/{where}")
    if where == "discord":
        left.discord.presses_token(left.button("more of snoozed/discord", "Remind me later"))
    with left.world.store.read(left.world.cause) as tx:
        remind = tx.approval(call.id).remind
    assert remind is not None
    left.world.clock.time = remind
    left.settles_for(minutes=1)
    told = left.delivery(f"reminder-{call.id}-{int(remind.timestamp())}")
    assert call.handle in told.wanted.text
    assert told.settled


# Mails


def test_mails_are_found_by_their_words_and_forgotten_ones_are_not(left: Left) -> None:
    with left.world.store.read(left.world.cause) as tx:
        assert [mail.subject for mail in tx.mails(MailQuery(words="announced"))] == ["Announced"]
        assert tx.mails(MailQuery(words="forgotten")) == []
    left.settles_for(minutes=2)
    left.settles_for(days=1)
    left.settles_for(days=1)
    assert not [name for name in left.jobs() if name.startswith("erase_mail")]
    kept = "".join(content for content in map(left.blob, left.world.blobs.names()))
    assert "lease is renewed" in kept
    assert "A secret of the lease." not in kept
    assert "It is gone." not in kept


def test_a_mail_is_shown_asked_about_and_forgotten_by_its_buttons(left: Left) -> None:
    id = left.known["names"]["mail.announced"]
    assert "The lease is renewed." in said(left.discord.presses(Verb.SHOW, id))
    left.settles_for(minutes=2)
    left.world.model.will(Turn(text="It is about the lease."))
    form = left.discord.presses(Verb.ASK, id)
    assert form.way is Way.MODAL
    left.discord.submits(form, text="What is it about?")
    assert "It is about the lease." in {shown.text for shown in left.discord.shown()}
    [sure] = buttons(left.discord.presses(Verb.FORGET, id)).values()
    left.discord.presses_token(sure)
    assert "lease" not in said(left.discord.presses(Verb.SHOW, id))
    with left.world.store.read(left.world.cause) as tx:
        assert tx.mail(id).state is MailState.FORGOTTEN


def test_the_buttons_of_an_answer_about_a_mail_count(left: Left) -> None:
    reply = left.discord.presses_token(left.button("show of mail.announced", "Forget"))
    assert set(verbs_of(left, reply)) == {Verb.FORGET}


# Other buttons


def test_a_card_tells_its_details_why_it_asks_and_the_rarer_answers(left: Left) -> None:
    call = left.call("snoozed/discord")
    assert "Snooze me" in said(left.discord.presses(Verb.DETAILS, call.id))
    more = verbs_of(left, left.discord.presses(Verb.MORE, call.id))
    assert set(more) == {Verb.DETAILS, Verb.SIMILAR, Verb.DENY_WHY, Verb.SNOOZE, Verb.WHY}
    word = left.button("more of snoozed/discord", "Why?")
    assert "create_event" in said(left.discord.presses_token(word))


def test_what_could_not_be_shown_to_all_is_shown_to_one_and_approved_there(left: Left) -> None:
    call = left.call("tainted/discord")
    word = left.known["reveals"][f"card-{call.id}"]
    revealed = left.discord.presses_token(word)
    assert "Bring the umbrella" in said(revealed)
    left.discord.presses_token(verbs_of(left, revealed)[Verb.APPROVE])
    assert left.world.call(call.handle).state is _S.DONE


def test_a_button_of_an_older_answer_counts_as_long_as_that_does(left: Left) -> None:
    call = left.call("tainted/discord")
    word = left.button("reveal of tainted/discord", "Approve")
    left.discord.presses_token(word)
    assert left.world.call(call.handle).state is _S.DONE


def test_a_button_that_was_used_is_not_used_again(left: Left) -> None:
    call, before = left.call("undoable_create/discord"), left.jobs()
    left.discord.presses_token(left.known["buttons"][f"approve {call.handle}"])
    assert left.world.call(call.handle) == call
    assert left.jobs() == before


# Modes


def test_the_word_that_was_given_out_leads_out_of_lockdown(left: Left) -> None:
    """Its form was open while the upgrade went on."""
    theirs = Discord(left.world, named=frozenset({"77"}))
    parts = replace(cast("WorldParts", theirs.desk.parts), owner="other")
    theirs.desk = replace(theirs.desk, parts=parts)
    form = left.button("mode of the other owner", "Enter recovery")
    word = left.handle("word out of lockdown")
    theirs._acts(Kind.MODAL, user="77", custom_id=f"{MARK}{form}", fields={"text": word})
    with left.world.store.read(OTHER) as tx:
        assert tx.mode().mode is Mode.RECOVERY


def test_lockdown_voids_what_waited_before_the_upgrade(left: Left) -> None:
    waiting = [call for call in all_calls(left) if call.state is _S.PARKED]
    assert enters(left.world, Mode.LOCKDOWN).accepted
    with left.world.store.read(left.world.cause) as tx:
        assert tx.grants() == []
    assert {left.world.call(call.handle).state for call in waiting} <= {_S.VOID}
    assert left.calendar.written.count(left.call("approved/terminal").facts.args["uid"]) == 0


# Grants, policy, taint


def test_the_grant_covers_what_it_covered_and_nothing_else(left: Left) -> None:
    old = left.call("covered")
    left.asks(Want(tool="create_event", args={**old.asked, "end": "2026-12-10T13:00:00+01:00"}))
    new = left.newest()
    assert (new.state, new.grant, new.layer) == (_S.DONE, old.grant, old.layer)
    left.asks(Want(tool="create_event", args={**old.asked, "title": "Sitdown"}))
    assert left.newest().state is _S.PARKED
    with left.world.store.read(left.world.cause) as tx:
        [grant] = tx.grants()
    assert (grant.handle, grant.used) == ("G1", 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("refused", {}),
        ("allowed", {"path": "private:/open/b.txt"}),
        ("create_event/terminal", {}),
        ("delete_event/terminal", {}),
        ("write_file/terminal", {}),
        ("public_file/terminal", {}),
        ("overwrite_file/terminal", {}),
        ("delete_file/terminal", {}),
        ("get_events_details/terminal", {}),
    ],
)
def test_the_policy_decides_as_it_did(left: Left, name: str, changes: dict[str, str]) -> None:
    old = left.call(name)
    left.settles_for(hours=1)  # what was deleted before counts for an hour
    left.asks(Want(tool=old.tool, args={**old.asked, **changes}))
    new = left.newest()
    assert new.number > old.number
    decided = {"verdict", "layer", "rule", "risk", "reach", "policy", "mode", "word", "state"}
    assert new.model_dump(include=decided) == old.model_dump(include=decided)


def test_what_was_overwritten_and_deleted_before_the_upgrade_counts_after_it(left: Left) -> None:
    old = left.call("delete_file/terminal")
    left.asks(Want(tool=old.tool, args=old.asked))
    new = left.newest()
    assert (new.conversation, new.state, new.word) == (old.conversation, _S.PARKED, WORD)


def test_a_conversation_in_which_others_spoke_stays_tainted(left: Left) -> None:
    with left.world.store.read(left.world.cause) as tx:
        thread = tx.conversation(left.known["names"]["tainted conversation"])
    assert thread.tainted
    covered = left.call("covered")
    left.asks(Want(tool="create_event", args=covered.asked), far=thread.place)
    new = left.newest()
    assert (new.conversation, new.tainted, new.state) == (thread.id, True, _S.PARKED)
    assert left.world.model.views[-1].tainted


# Audit


@on_both
def test_the_audit_goes_on_from_the_head_it_had(left: Left) -> None:
    store = left.world.store
    heads, before = left.known["heads"], {}
    for cause in (left.world.cause, OTHER):
        found = verify_stored(store=store, cause=cause)
        assert (found.fault, found.head.hash) == (None, heads[cause.owner])
        before[cause.owner] = found
    a_tick_after_the_lease(left)
    left.settles_for(minutes=5)
    assert left.world.presses(Verb.APPROVE, left.handle("create_event/terminal")).accepted
    assert chain_all(store, batches=10) > 50
    after = verify_stored(store=store, cause=left.world.cause, held=heads[OWNER])
    assert (after.fault, after.loose) == (None, 0)
    assert after.count > before[OWNER].count + 50


# What several of them do


def rows_in(engines: Engines, name: str) -> int:
    with engines.read.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(SQLModel.metadata.tables[name])
        ).scalar_one()


def all_calls(left: Left) -> list[Call]:
    with left.world.store.read(left.world.cause) as tx:
        return list(tx.calls(limit=1_000))


def verbs_of(left: Left, reply: Reply) -> dict[Verb, str]:
    """What the buttons of an answer carry, by what they are for."""
    with left.world.store.read(left.world.cause) as tx:
        return {tx.token(hashed(word)).verb: word for word in buttons(reply).values()}


def a_tick_after_the_lease(left: Left) -> None:
    """What the stopped workers held is given to others."""
    world = left.world
    watch = LeaseWatch(lease=30.0, monotonic=world.clock.monotonic)
    canaries = Interval(60.0, world.clock.monotonic)
    for _ in range(2):
        tick(store=world.store, bell=world.queue, watch=watch, canaries=canaries, queues=())
        world.clock.passes(seconds=31)
    assert left.claims() == []


OURS = frozenset(
    {"channel", "destination", "kind", "layer", "mode", "origin", "reach", "report", "risk", "role"}
    | {"rule", "state", "tainted", "tool", "verb", "verdict", "version"}
)
"""Columns whose values are words of ours."""
ABOUT = {
    "approval": "call",
    "audit": "subject",
    "call": "id",
    "effect": "call",
    "entry": "call",
    "token": "subject",
}
"""Tables with rows about a call, and the column that names it."""


NEW = frozenset({"made_here", "quiet"})
"""Fields that came after the dump; a row without them is read as it was."""


def stored_of(left: Left, call: str) -> list[str]:
    """What is stored of a call, row by row: the words of ours, and the names of fields."""
    chain_all(left.world.store, batches=10)
    rows = [
        (name, row)
        for name, column in ABOUT.items()
        for row in rows_of(left.engines, name)
        if row[column] == call
    ]
    shown = rows_of(left.engines, "delivery")
    rows += [(row["id"].removesuffix(call), row) for row in shown if row["id"].endswith(call)]
    rows = [(name, row) for name, row in rows if name != "token" or row["verb"] not in _ELSEWHERE]
    return sorted(f"{name}: {words_of(row)}" for name, row in rows)


_ELSEWHERE = frozenset({Verb.DETAILS, Verb.MORE})
"""Buttons that cards and receipts have or lack by their layout."""


def words_of(value: Any, name: str = "") -> Any:
    """The words of ours in it; of all else only what it is."""
    if isinstance(value, list):
        return [words_of(one) for one in value]
    if not isinstance(value, Mapping):
        return str(value) if name in OURS else type(value).__name__
    if name == "wanted":  # how a card is laid out has changed; what kind it is has not
        return {"kind": value["kind"]}
    if name == "state":  # its fields are names of objects
        return [type(one).__name__ for one in value.values()]
    return {field: words_of(one, field) for field, one in sorted(value.items()) if field not in NEW}
