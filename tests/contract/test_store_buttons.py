"""What buttons carry, who is listened to, and where a delivery stands: SQLite, Postgres."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import hashed, mint
from assistant.domain.conversation.deliveries import Delivery, Line, Shown, ShownKind
from assistant.domain.conversation.people import Person
from assistant.domain.errors import Conflict, Denied, NotFound
from assistant.domain.jobs.job import Cause
from tests.bed import START, Bed, race

MINE = Cause(owner="owner", trace="a" * 32)
OTHERS = Cause(owner="other", trace="b" * 32)
LATER = START + timedelta(days=90)
ME = Person(channel="discord", id="42", owner="owner", by="paired")


def a_delivery(id: str, text: str = "hello") -> Delivery:
    shown = Shown(kind=ShownKind.NOTICE, text=text, fields=(Line(label="Until", value="x"),))
    return Delivery(id=id, owner="owner", channel="discord", place="home", wanted=shown)


def test_a_button_is_found_by_its_word_and_only_by_its_owner(bed: Bed) -> None:
    word, token = mint(
        Verb.APPROVE, "c1", expires=LATER, card="d", delivery="card-c1", terms={"scope": "s"}
    )
    with bed.store.begin(MINE) as tx:
        tx.add_tokens([token])
    with bed.store.read(MINE) as tx:
        found = tx.token(hashed(word))
        assert found == token.model_copy(update={"owner": "owner"})
        assert tx.tokens_of("card-c1") == {token.hash}
        assert tx.tokens_of("card-c2") == frozenset()
        with pytest.raises(NotFound):
            tx.token(hashed("another word"))
    with bed.store.read(OTHERS) as tx:
        assert tx.tokens_of("card-c1") == frozenset()
        with pytest.raises(NotFound):
            tx.token(hashed(word))


def test_a_button_is_used_once_however_many_press_it(bed: Bed) -> None:
    _, token = mint(Verb.UNDO, "c1", expires=LATER)
    with bed.store.begin(MINE) as tx:
        tx.add_tokens([token])

    def press() -> None:
        with bed.store.begin(MINE) as tx:
            tx.use_token(token, by="discord:42", at=START)

    outcomes = race(*[press] * 5)
    assert [type(outcome) for outcome in outcomes].count(type(None)) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 4
    with bed.store.read(MINE) as tx:
        used = tx.token(token.hash)
    assert (used.used, used.by) == (START, "discord:42")
    with pytest.raises(Conflict), bed.store.begin(OTHERS) as tx:
        tx.use_token(token, by="discord:43", at=START)


def test_a_person_belongs_to_one_owner(bed: Bed) -> None:
    assert bed.store.whose("discord", "42") == ""
    with bed.store.begin(MINE) as tx:
        tx.add_person(ME)
        tx.add_person(ME)
    assert bed.store.whose("discord", "42") == "owner"
    assert bed.store.whose("terminal", "42") == ""
    with pytest.raises(Conflict), bed.store.begin(OTHERS) as tx:
        tx.add_person(ME)
    with bed.store.read(MINE) as tx:
        assert [(one.id, one.by) for one in tx.people("discord")] == [("42", "paired")]
        assert [entry.kind for entry in tx.audit(kind="person")] == ["person.added"]
    with bed.store.begin(OTHERS) as tx:
        assert not tx.forget_person(ME)
    with bed.store.begin(MINE) as tx:
        assert tx.forget_person(ME)
        assert not tx.forget_person(ME)
    assert bed.store.whose("discord", "42") == ""


def test_a_delivery_remembers_when_it_was_first_tried_and_how_it_went(bed: Bed) -> None:
    with bed.store.begin(MINE) as tx:
        tx.want(a_delivery("words-1"))
        wanted = tx.delivery("words-1")
        assert wanted.tried is None
        first = tx.trying(wanted)
        assert first.tried is not None
        assert tx.trying(first).tried == first.tried
        assert [one.id for one in tx.deliveries(settled=False)] == ["words-1"]
        tx.shown(wanted, handle="7/8", note="in the channel: the direct message was refused")
        found = tx.delivery("words-1")
        assert (found.handle, found.note[:14]) == ("7/8", "in the channel")
        assert found.tried is None  # nobody wonders any more
        assert tx.deliveries(settled=False) == []
    with pytest.raises(Denied), bed.store.read(MINE) as tx:
        tx.trying(wanted)


def test_a_delivery_that_is_refused_says_so_until_it_is_shown(bed: Bed) -> None:
    with bed.store.begin(MINE) as tx:
        tx.want(a_delivery("words-1"))
        wanted = tx.delivery("words-1")
        tx.refused(wanted, note="direct messages are refused")
        found = tx.delivery("words-1")
        assert (found.note, found.settled) == ("direct messages are refused", False)
        tx.shown(wanted, handle="7/8")
        assert tx.delivery("words-1").note == ""
    with pytest.raises(Denied), bed.store.read(MINE) as tx:
        tx.refused(wanted, note="no")


def test_deliveries_are_listed_by_channel_and_beginning_of_their_id(bed: Bed) -> None:
    with bed.store.begin(MINE) as tx:
        for id in ("progress-1", "progress_2", "words-1"):
            tx.want(a_delivery(id))
        assert {one.id for one in tx.deliveries(prefix="progress-")} == {"progress-1"}
        assert len(tx.deliveries(channel="discord")) == 3
        assert tx.deliveries(channel="terminal") == []
        assert len(tx.deliveries(limit=2)) == 2
    with bed.store.read(OTHERS) as tx:
        assert tx.deliveries() == []


def test_a_place_where_others_read_has_one_aside_the_newest(bed: Bed) -> None:
    with bed.store.begin(MINE) as tx:
        assert not tx.talks_in("discord", "thread:1/2")
        conversation = tx.conversation_in("discord", "thread:1/2", idle=60, aside="dm:42")
        assert conversation.aside == "dm:42"
        assert tx.conversation(conversation.id).aside == "dm:42"
        assert tx.conversation_in("discord", "dm:42", idle=60).aside == ""
        assert tx.conversation_in("discord", "thread:1/2", idle=60).aside == "dm:42"
        moved = tx.conversation_in("discord", "thread:1/2", idle=60, aside="dm:43")
        assert (moved.id, moved.aside) == (conversation.id, "dm:43")
        assert tx.conversation(conversation.id).aside == "dm:43"
        assert tx.talks_in("discord", "thread:1/2")
    with bed.store.read(OTHERS) as tx:
        assert not tx.talks_in("discord", "thread:1/2")


def test_buttons_of_the_past_are_dropped(bed: Bed) -> None:
    words = [mint(Verb.UNDO, "c1", expires=START + timedelta(days=days)) for days in (1, 3)]
    with bed.store.begin(MINE) as tx:
        tx.add_tokens([token for _, token in words])
    assert bed.store.drop_tokens(before=START + timedelta(days=2)) == 1
    with bed.store.read(MINE) as tx:
        assert tx.token(words[1][1].hash)
        with pytest.raises(NotFound):
            tx.token(words[0][1].hash)


def test_what_a_place_has_never_shown_is_listed_in_the_order_it_was_wanted(bed: Bed) -> None:
    ids = ("words-2", "card-9", "card-1")
    with bed.store.begin(MINE) as tx:
        for id in (*ids, "mail-3", "card-4", "refused-5"):
            tx.want(a_delivery(id))
        tx.want(a_delivery("elsewhere-6").model_copy(update={"place": "there"}))
        tx.shown(a_delivery("card-4"), handle="7/8")
        tx.refused(a_delivery("refused-5"), note="not here")
    with bed.store.read(MINE) as tx:
        last = tx.delivery("card-1")
        assert last.created is not None
        assert tx.unshown(last, since=last.created - timedelta(seconds=1)) == list(ids)
        assert tx.unshown(last, since=last.created - timedelta(seconds=1), limit=1) == [ids[0]]
        assert tx.unshown(last, since=last.created) == ["card-1"]
    with bed.store.read(MINE.model_copy(update={"owner": "other"})) as tx:
        assert tx.unshown(last, since=last.created - timedelta(seconds=1)) == []
