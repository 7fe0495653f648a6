"""What waited when an older revision was stopped: pressed, answered and carried out by this one."""

from collections.abc import Callable

import pytest

from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import WORD
from assistant.domain.time.moments import say_when
from tests.discord_world import MALLORY, Discord
from tests.operations import enters
from tests.upgrade.left import WHERES, Left, lines_of, on_both
from tests.world import ZONE
from workers.discord.interaction import Way

_S = CallState
everywhere = pytest.mark.parametrize("where", WHERES)
"""Pressed by the digest of the card on the terminal's screen, or by a stored button on Discord."""


# What a yes did, beside what its card said


def created(left: Left, call: Call, shown: dict[str, str]) -> None:
    event = left.calendar.get(call.facts.args["uid"])
    assert (event.title, say_when(event.when, ZONE)) == (shown["Title"], shown["When"])
    assert left.calendar.written.count(event.uid) == 1


def changed(left: Left, call: Call, shown: dict[str, str]) -> None:
    [uid] = call.facts.state
    event = left.calendar.get(uid)
    assert (event.title, say_when(event.when, ZONE)) == (shown["Title"], shown["When"])
    assert b"bring the papers" in left.calendar.raw(uid)
    assert left.calendar.written.count(uid) == 1


def gone(left: Left, call: Call, _shown: dict[str, str]) -> None:
    [uid] = call.facts.state
    assert uid not in {event.uid for event in left.events()}
    assert left.calendar.written.count(uid) == 1


def put_back(left: Left, call: Call, shown: dict[str, str]) -> None:
    [uid] = call.facts.state
    event = left.calendar.get(uid)
    assert f"“{event.title}”, {say_when(event.when, ZONE)}" == shown["Then"]
    assert b"bring the papers" in left.calendar.raw(uid)
    assert left.calendar.written.count(uid) == 1


def holds(content: str | None, versions: int) -> "Check":
    def check(left: Left, _call: Call, shown: dict[str, str]) -> None:
        assert left.content(shown["File"]) == content
        assert left.versions(shown["File"]) == versions
        assert (content or "nothing; it is deleted").strip() in shown["Then"]

    return check


def told(_left: Left, call: Call, shown: dict[str, str]) -> None:
    title = shown["Events"].splitlines()[1]
    assert title.startswith("Look, ")
    assert title in call.result


Check = Callable[[Left, Call, dict[str, str]], None]
KINDS: dict[str, Check] = {
    "create_event": created,
    "judged_before": created,
    "edited_before": created,
    "update_event": changed,
    "delete_event": gone,
    "delete_again": gone,
    "restore_event": put_back,
    "recreate_event": put_back,
    "write_file": holds("new words\n", 1),
    "public_file": holds("for all\n", 1),
    "overwrite_file": holds("other words\n", 2),
    "delete_file": holds(None, 2),
    "restore_file": holds("first words of restore_file\n", 3),
    "get_events_details": told,
}


@on_both
@everywhere
@pytest.mark.parametrize("kind", KINDS)
def test_a_card_that_waits_does_what_it_shows_once_it_is_approved(
    left: Left, kind: str, where: str
) -> None:
    call = left.call(f"{kind}/{where}")
    card = left.card(call)
    assert (call.state, card.channel) == (_S.PARKED, where)
    assert approves(left, call, where)
    call = left.world.call(call.handle)
    assert call.state is _S.DONE
    KINDS[kind](left, call, lines_of(card.wanted))
    done_once(left, call)
    assert not approves(left, call, where)
    left.settles_for(minutes=5)
    KINDS[kind](left, left.world.call(call.handle), lines_of(card.wanted))
    done_once(left, call)


NEWER = {"follow_invitation", "remind_me", "cancel_reminder", "resume_reminder"}
"""Tools that came later, so that no earlier version left a card of theirs."""


def test_every_tool_that_changes_something_has_a_card_among_these(left: Left) -> None:
    pressed = {left.call(f"{kind}/{where}").tool for kind in KINDS for where in WHERES}
    changing = {tool.name for tool in left.world.toolbox.list(internal=True) if tool.change}
    assert changing - NEWER <= pressed


@everywhere
def test_a_card_that_waits_is_denied(left: Left, where: str) -> None:
    call = left.call(f"denied_later/{where}")
    if where == "terminal":
        assert left.world.presses(Verb.DENY, call.handle, reason="not now").accepted
    else:
        more = left.discord.presses(Verb.MORE, call.id)
        form = left.discord.follows(more, "Deny and say why")
        left.discord.submits(form, text="not now")
    assert left.world.call(call.handle).state is _S.DENIED
    assert left.approval(call).reason == "not now"
    assert left.card(call).wanted.actions == ()
    assert not approves(left, call, where)
    left.settles_for(minutes=5)
    assert call.facts.args["uid"] not in left.calendar.written


@everywhere
def test_a_card_that_waits_is_edited_and_the_new_one_does_what_it_shows(
    left: Left, where: str
) -> None:
    old = left.call(f"edited/{where}")
    if where == "terminal":
        assert left.world.edits(old.handle, title="Edited since").accepted
    else:
        form = left.discord.presses(Verb.EDIT, old.id)
        assert form.way is Way.MODAL
        left.discord.submits(form, title="Edited since")
    new = left.follower(old)
    assert (left.world.call(old.handle).state, new.state) == (_S.SUPERSEDED, _S.PARKED)
    shown = left.world.told(new.handle)
    assert left.card(new).wanted.title == "Create “Edited since”"
    [was] = [row for row in left.card(new).wanted.rows if row.name == f"{old.handle} was:"]
    assert f"Edit me, {where}" in was.text
    assert not approves(left, old, where)
    assert approves(left, new, where)
    created(left, left.world.call(new.handle), shown)


@on_both
@everywhere
def test_a_plan_that_waits_is_approved_by_one_yes_and_done_in_order(left: Left, where: str) -> None:
    calls = [left.after(f"plan/{where}", more) for more in range(3)]
    if where == "terminal":
        assert left.world.plan(calls[0].handle).accepted
    else:
        word = left.button("more of plan/discord", "Approve all 3")
        left.discord.presses_token(word)
    assert [left.world.call(call.handle).state for call in calls] == [_S.DONE] * 3
    assert left.written_of(calls) == [call.facts.args["uid"] for call in calls]


@everywhere
def test_a_plan_that_destroys_many_still_takes_its_word(left: Left, where: str) -> None:
    calls = [left.after(f"many/{where}", more) for more in range(6)]
    word = left.button("more of many/discord", "Approve all 6")
    if where == "terminal":
        answer = left.world.plan(calls[0].handle)
        assert (answer.accepted, answer.word) == (False, WORD)
    else:
        form = left.discord.presses_token(word)
        assert form.way is Way.MODAL
        left.discord.submits(form, text="yes")
    assert {left.world.call(call.handle).state for call in calls} == {_S.PARKED}
    assert left.written_of(calls) == []
    if where == "terminal":
        assert left.world.plan(calls[0].handle, word=WORD).accepted
    else:
        left.discord.submits(left.discord.presses_token(word), text=WORD)
    assert left.written_of(calls) == [uid for call in calls for uid in call.facts.state]


def test_a_card_that_takes_the_word_by_now_is_asked_again_with_it(left: Left) -> None:
    """The sixth thing that a talk deletes within an hour took a press before the upgrade."""
    last = left.after("many/terminal", 5)
    assert left.approval(last).word == ""
    answer = left.world.presses(Verb.APPROVE, last.handle)
    assert not answer.accepted
    assert "needs a second step since it was shown" in answer.text
    again = left.follower(last)
    assert (again.state, again.word) == (_S.PARKED, WORD)


@everywhere
def test_a_card_with_a_second_step_still_takes_its_word(left: Left, where: str) -> None:
    call = left.call(f"word/{where}")
    assert left.approval(call).word == WORD
    if where == "terminal":
        assert left.world.presses(Verb.APPROVE, call.handle).word == WORD
    else:
        form = left.discord.presses(Verb.APPROVE, call.id)
        assert form.way is Way.MODAL
        left.discord.submits(form, text=WORD.lower())
    assert left.world.call(call.handle).state is _S.PARKED
    if where == "terminal":
        assert left.world.presses(Verb.APPROVE, call.handle, word=WORD).accepted
    else:
        form = left.discord.presses(Verb.APPROVE, call.id)
        left.discord.submits(form, text=WORD)
    assert left.calendar.written.count(call.facts.args["uid"]) == 1


@everywhere
def test_a_card_that_waits_is_approved_with_those_like_it_in_the_scope_that_was_shown(
    left: Left, where: str
) -> None:
    call = left.call(f"similar/{where}")
    if where == "terminal":
        scope = left.known["names"]["scope of similar/terminal"]
        assert left.world.similar(call.handle, scope=scope).accepted
    else:
        word = left.button("more of similar/discord", "Approve such calls")
        left.discord.presses_token(word)
    assert left.world.call(call.handle).state is _S.DONE
    left.asks(Want(tool=call.tool, args={**call.asked, "end": "2026-12-10T11:00:00+01:00"}))
    assert left.newest().state is _S.DONE
    with left.world.store.read(left.world.cause) as tx:
        assert {grant.handle for grant in tx.grants()} == {"G1", "G2"}


def test_another_card_than_the_one_on_the_screen_is_no_yes(left: Left) -> None:
    call = left.call("create_event/terminal")
    other = left.world.card_of(left.handle("edited/terminal"))
    assert not left.world.presses(Verb.APPROVE, call.handle, card=other).accepted
    assert left.world.call(call.handle).state is _S.PARKED


def test_a_stored_button_is_worth_nothing_to_strangers_and_where_it_was_never_shown(
    left: Left,
) -> None:
    call = left.call("create_event/discord")
    word = left.world.far.tokens[Verb.APPROVE, call.id]
    left.discord.presses_token(word, user=MALLORY)
    left.discord.presses_token(word, message="9/1")
    assert left.world.call(call.handle).state is _S.PARKED
    assert left.written_of([call]) == []


def test_a_button_for_one_reader_is_worth_nothing_to_another_whom_the_assistant_knows(
    left: Left,
) -> None:
    both = Discord(left.world, named=frozenset({"42", "43"}))
    word = left.button("more of similar/discord", "Approve such calls")
    both.presses_token(word, user="43")
    assert left.call("similar/discord").state is _S.PARKED


def test_who_was_paired_is_listened_to(left: Left) -> None:
    paired = Discord(left.world, named=frozenset())
    call = left.call("create_event/discord")
    paired.presses(Verb.APPROVE, call.id, user="43")
    assert left.approval(call).by == "discord:43"
    assert left.world.call(call.handle).state is _S.DONE


@everywhere
def test_what_expired_or_failed_is_asked_about_again(left: Left, where: str) -> None:
    for name in ("expired", "failed"):
        old = left.call(f"{name}/{where}")
        if where == "terminal":
            assert left.world.asks_again(old.handle).accepted
        else:
            left.discord.presses(Verb.ASK_AGAIN, old.id)
        left.world.settle()
        new = left.follower(old)
        assert new.state is _S.PARKED
        assert approves(left, new, where)
        assert left.world.call(new.handle).state is _S.DONE
        assert left.calendar.written.count(new.facts.args["uid"]) == 1


@everywhere
@pytest.mark.parametrize("name", ["undoable_create", "undoable_update", "undoable_write"])
def test_what_was_done_is_taken_back(left: Left, name: str, where: str) -> None:
    old = left.call(f"{name}/{where}")
    enters(left.world, Mode.RECOVERY)
    new = undone(left, old, where)
    assert (new.undoes, new.state) == (old.id, _S.PARKED)
    told = left.world.told(new.handle)
    shown = {"File": new.facts.args.get("path", ""), "Then": told.get("Difference", ""), **told}
    assert approves(left, new, where)
    assert left.world.call(old.handle).state is _S.UNDONE
    new = left.world.call(new.handle)
    if name == "undoable_create":
        gone(left, new, shown)
    elif name == "undoable_update":
        put_back(left, new, shown)
    else:
        holds("first words of undo_write\n", 3)(left, new, shown)


@everywhere
@pytest.mark.parametrize("name", ["undoable_create", "undoable_update", "undoable_write"])
def test_what_was_done_is_taken_back_without_a_question(left: Left, name: str, where: str) -> None:
    old = left.call(f"{name}/{where}")
    new = undone(left, old, where)
    left.world.settle()
    assert left.world.call(new.handle).state is _S.DONE
    assert left.world.call(old.handle).state is _S.UNDONE


def undone(left: Left, old: Call, where: str) -> Call:
    """Ask for the undo; the call that is to undo it."""
    if where == "terminal":
        assert [one.accepted for one in left.world.undoes(old.handle)] == [True]
    elif (Verb.UNDO, old.id) in left.world.far.tokens:
        left.discord.presses(Verb.UNDO, old.id)
    else:
        left.discord.slash("undo", call=old.handle)
    return left.follower(old)


# Pressing


def approves(left: Left, call: Call, where: str) -> bool:
    """Press; whether that was the yes which the call waited for."""
    waited = left.approval(call).state is ApprovalState.OPEN
    if where == "terminal":
        said_yes = left.world.presses(Verb.APPROVE, call.handle).accepted
    else:
        left.discord.presses(Verb.APPROVE, call.id)
        said_yes = waited
    return said_yes and waited and left.approval(call).state is ApprovalState.APPROVED


def done_once(left: Left, call: Call) -> None:
    """One effect on record, of one attempt, and one yes."""
    with left.world.store.read(left.world.cause) as tx:
        effects = tx.effects(call.id)
        ran = tx.audit(subject=call.id, kind="call.running")
    assert [effect.state for effect in effects] in ([], [EffectState.DONE])
    assert len(effects) == (call.tool != "get_events_details")
    assert len(ran) == 1
    assert left.approval(call).state is ApprovalState.APPROVED
