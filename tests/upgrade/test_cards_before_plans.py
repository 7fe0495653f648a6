"""Two cards of one turn, from when each had a message of its own: both go on being answered."""

from collections.abc import Iterator

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from tests.upgrade.left import BEFORE_PLANS, WHERES, Left, opened_left, upgraded_sqlite
from tests.world import Weather
from workers.discord.interaction import Way

_S = CallState
everywhere = pytest.mark.parametrize("where", WHERES)


@pytest.fixture
def left() -> Iterator[Left]:
    """Every message is delivered twice."""
    with upgraded_sqlite(BEFORE_PLANS) as engines:
        yield opened_left(engines, weather=Weather(deliveries=2), dump=BEFORE_PLANS)


def both(left: Left, name: str) -> list[str]:
    return [left.handle(name), left.handle(f"{name}.2")]


def presses(left: Left, verb: Verb, handle: str, where: str) -> None:
    call = left.world.call(handle)
    if where == "terminal":
        left.world.presses(verb, handle)
    else:
        left.discord.presses(verb, call.id)


def plans(left: Left) -> list[str]:
    with left.world.store.read(left.world.cause) as tx:
        return [one.id for one in tx.deliveries(prefix="plan-")]


@everywhere
def test_both_cards_keep_what_they_show_their_digests_and_their_buttons(
    left: Left, where: str
) -> None:
    before = [left.card(left.world.call(handle)) for handle in both(left, f"each/{where}")]
    left.settles_for(minutes=5)
    for handle, old in zip(both(left, f"each/{where}"), before, strict=True):
        call = left.world.call(handle)
        assert left.card(call) == old
        assert left.approval(call).card == old.wanted.digest == old.shown
        assert [one.label for one in old.wanted.actions] == ["Approve", "Edit", "Deny", "More"]
    assert plans(left) == []


@everywhere
def test_each_is_answered_by_itself_and_becomes_what_came_of_it(left: Left, where: str) -> None:
    first, second = both(left, f"each/{where}")
    presses(left, Verb.APPROVE, first, where)
    presses(left, Verb.DENY, second, where)
    assert [left.world.call(one).state for one in (first, second)] == [_S.DONE, _S.DENIED]
    shown = [left.card(left.world.call(one)).wanted for one in (first, second)]
    assert [one.kind for one in shown] == [ShownKind.RECEIPT, ShownKind.CARD]
    assert shown[0].title.startswith("Created “First, each/")
    assert shown[1].title.startswith("Denied: create “Second, each/")
    assert plans(left) == []


@everywhere
def test_one_yes_to_all_still_covers_both(left: Left, where: str) -> None:
    handles = both(left, f"all/{where}")
    if where == "terminal":
        assert left.world.plan(handles[0]).accepted
    else:
        left.discord.presses_token(left.button("more of all/discord", "Approve all 2"))
    calls = [left.world.call(one) for one in handles]
    assert [call.state for call in calls] == [_S.DONE, _S.DONE]
    assert left.written_of(calls) == [call.facts.args["uid"] for call in calls]


def test_the_menu_of_such_a_card_still_offers_a_yes_to_all(left: Left) -> None:
    handles = both(left, "none/discord")
    more = left.discord.presses(Verb.MORE, left.world.call(handles[1]).id)
    left.discord.follows(more, "Approve all 2")
    assert [left.world.call(one).state for one in handles] == [_S.DONE, _S.DONE]


def test_a_typed_no_to_all_covers_both(left: Left) -> None:
    handles = both(left, "none/discord")
    left.discord.slash("deny", call=handles[0], all=True)
    assert [left.world.call(one).state for one in handles] == [_S.DENIED, _S.DENIED]


@everywhere
def test_one_that_is_edited_has_a_card_of_its_own_again(left: Left, where: str) -> None:
    first, second = both(left, f"edited/{where}")
    if where == "terminal":
        assert left.world.edits(second, title="Edited since").accepted
    else:
        form = left.discord.presses(Verb.EDIT, left.world.call(second).id)
        assert form.way is Way.MODAL
        left.discord.submits(form, title="Edited since")
    new = left.follower(left.world.call(second))
    assert left.card(new).wanted.title == "Create “Edited since”"
    assert left.card(new).wanted.within == ""
    presses(left, Verb.APPROVE, new.handle, where)
    presses(left, Verb.APPROVE, first, where)
    assert [left.world.call(one).state for one in (first, new.handle)] == [_S.DONE, _S.DONE]


@everywhere
def test_they_expire_each_on_its_card(left: Left, where: str) -> None:
    handles = both(left, f"expires/{where}")
    left.settles_for(hours=80)
    for handle in handles:
        call = left.world.call(handle)
        assert call.state is _S.EXPIRED
        assert left.card(call).wanted.title.startswith("Expired: create “")


@everywhere
def test_what_is_asked_for_since_is_one_message(left: Left, where: str) -> None:
    wants = [
        Want(tool="create_event", args={"title": title, "start": "2026-12-11T10:00:00+01:00"})
        for title in ("Rent", "Tax")
    ]
    left.world.model.will(Turn(wants=tuple(wants)), Turn())
    left.world.says("book both", far="dm:42" if where == "discord" else "")
    [id] = plans(left)
    assert left.delivery(id).wanted.title == "Create 2, in this order"
    assert left.delivery(id).channel == where
