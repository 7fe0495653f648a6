"""What every channel promises, and what Discord's must bear."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest

from assistant.adapters.discord.api import DiscordApi, NoDirectMessages, UnknownChannel
from assistant.adapters.discord.channel import (
    AWAY,
    DEALT_WITH,
    ELSEWHERE,
    UNSEEN,
    WAITS,
    DiscordChannel,
    Forgotten,
    Handle,
    NobodyKnown,
    shows,
)
from assistant.adapters.discord.message import Message
from assistant.adapters.sql_screen import SqlScreen
from assistant.adapters.system_clock import SystemClock
from assistant.domain.approvals import Verb
from assistant.domain.deliveries import Action, Attempt, Line, Posted, Shown, ShownKind
from assistant.domain.errors import BadArguments, Busy, Transient, Unreachable
from assistant.domain.tokens import hashed
from assistant.ports import Channel
from tests.servers.discord import Channel as Room
from tests.servers.discord import DiscordServer, Route, User
from tests.servers.discord import Message as Said
from tests.servers.discord.state import Asked
from tests.stores import sqlite_engines

LONG = "\n".join(f"line {number} of a long answer" for number in range(250))


def words(text: str) -> Shown:
    return Shown(kind=ShownKind.WORDS, text=text)


def progress(text: str) -> Shown:
    return Shown(kind=ShownKind.PROGRESS, text=text)


def notice(text: str) -> Shown:
    return Shown(kind=ShownKind.NOTICE, title="Notice", text=text)


CARD = Shown(
    kind=ShownKind.CARD,
    title="Move the meeting?",
    actions=(
        Action(verb=Verb.APPROVE, label="Approve", subject="call-1"),
        Action(verb=Verb.DENY, label="Deny", subject="call-1"),
    ),
)
RECEIPT = Shown(kind=ShownKind.RECEIPT, title="The meeting was moved")
MAIL = Shown(
    kind=ShownKind.MAIL,
    title=" Re:  Thursday",
    text="See you\n\nthere, at https://example.org ",
    fields=(Line(label="From", value="Ada <ada@example.org> "), Line(label="Files", value="")),
)


@dataclass
class Stage:
    """A channel, a place of it, and what is to be read there, the oldest first."""

    channel: Channel
    place: str
    read: Callable[[], Sequence[str]]


@pytest.fixture(scope="module")
def server() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


@pytest.fixture
def discord(server: DiscordServer) -> Iterator["Discord"]:
    """Each test has people and places of its own."""
    server.faults.clear()
    discord = Discord(server, server.user("owner"))
    server.faults.fail(Route.SEND, 404, code=10008, times=1_000, which=discord.is_a_deleted_ones)
    yield discord
    discord.api.close()


@pytest.fixture(params=["terminal", "discord"])
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    if request.param == "discord":
        discord: Discord = request.getfixturevalue("discord")
        yield Stage(discord.channel(), "home", lambda: [said.words for said in discord.said()])
        return
    engines = sqlite_engines(tmp_path)
    screen = SqlScreen(engines=engines, clock=SystemClock())
    yield Stage(
        screen,
        "owner",
        lambda: [line.shown.text for line in screen.lines("owner") if line.shown.text],
    )
    engines.dispose()


@dataclass
class Discord:
    """A loopback Discord, its one person, and the time as it is there."""

    server: DiscordServer
    owner: User
    nobody: bool = False
    others: set[str] = field(default_factory=set)
    """What other deliveries show."""

    def __post_init__(self) -> None:
        self.guild = self.server.guild("home", self.owner)
        self.room = self.server.channel(self.guild, "notices")
        self.api = DiscordApi(self.server.token, base=self.server.api_base, timeout=5)

    def is_a_deleted_ones(self, asked: Asked) -> bool:
        """As Discord has it: https://github.com/discord/discord-api-docs/pull/6647."""
        posted = self.server.world.nonces.get((self.server.bot.id, asked.body.get("nonce", "")))
        return posted is not None and posted[0] not in self.server.world.messages

    def is_direct(self, asked: Asked) -> bool:
        return asked.params["channel_id"] == self.server.dm(self.owner).id

    def is_notice(self, asked: Asked) -> bool:
        return asked.params["channel_id"] == self.room.id

    def channel(self, *, notices: bool = False, people: Sequence[str] = ()) -> DiscordChannel:
        known = people or [self.owner.id, "42", self.server.bot.id]
        return DiscordChannel(
            self.api,
            people=lambda: [] if self.nobody else known,
            channel=self.room.id if notices else "",
            clock=self,
            known=self.others.intersection,
            nonce_seconds=60,
        )

    def monotonic(self) -> float:
        return self.now().timestamp()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.server.world.clock.now(), UTC)

    def passes(self, **span: float) -> None:
        self.server.move_clock(timedelta(**span).total_seconds())

    def said(self, room: Room | None = None) -> list[Said]:
        return self.server.answers(room or self.server.dm(self.owner))

    def words(self, room: Room | None = None) -> list[str]:
        return [said.words for said in self.said(room)]


@dataclass
class Delivering:
    """One delivery and its tries, as the flow makes them: a token a button, new at each try."""

    channel: DiscordChannel
    place: str
    clock: Discord
    key: str = "owner:it"
    handle: str = ""
    note: str = ""
    since: datetime | None = None
    tokens: tuple[str, ...] = ()
    minted: frozenset[str] = frozenset()
    tries: int = 0
    made: int = 0

    def show(self, shown: Shown) -> Posted:
        minted = self.minted
        self.tokens = tuple(f"word-{self.made + n}" for n in range(len(shown.actions)))
        self.made += len(self.tokens)
        reveal = f"show-{self.tries}" if shown.kind is not ShownKind.PROGRESS else ""
        self.tries += 1
        self.minted = minted | set(map(hashed, (*self.tokens, *filter(None, [reveal]))))
        since, self.since = self.since, self.since or self.clock.now()
        posted = self.channel.show(
            self.place,
            shown,
            attempt=Attempt(
                key=self.key,
                handle=self.handle,
                tokens=self.tokens,
                reveal=reveal,
                since=since,
                minted=minted,
                note=self.note,
            ),
        )
        self.handle, self.note, self.since = posted.handle, posted.note, None
        return posted

    def fails_to_show(self, shown: Shown) -> Transient:
        with pytest.raises(Transient) as failed:
            self.show(shown)
        return failed.value


@pytest.fixture
def delivering(discord: Discord) -> Delivering:
    return Delivering(discord.channel(), "home", discord)


# Every channel


def test_the_same_key_twice_shows_once(stage: Stage) -> None:
    attempt = Attempt(key="owner:1")
    first = stage.channel.show(stage.place, words("good morning"), attempt=attempt)
    again = stage.channel.show(stage.place, words("good morning"), attempt=attempt)
    assert first == again
    assert stage.read() == ["good morning"]


def test_what_is_shown_is_edited_by_its_handle(stage: Stage) -> None:
    posted = stage.channel.show(stage.place, words("one"), attempt=Attempt(key="owner:1"))
    edited = stage.channel.show(
        stage.place, words("two"), attempt=Attempt(key="owner:1", handle=posted.handle)
    )
    assert edited.handle == posted.handle
    assert stage.read() == ["two"]


def test_other_keys_show_the_same_words_again_and_in_order(stage: Stage) -> None:
    for key, text in (("owner:1", "yes"), ("owner:2", "no"), ("owner:3", "yes")):
        stage.channel.show(stage.place, words(text), attempt=Attempt(key=key))
    assert stage.read() == ["yes", "no", "yes"]


def test_no_word_of_a_long_answer_is_lost(stage: Stage) -> None:
    stage.channel.show(stage.place, words(LONG), attempt=Attempt(key="owner:1"))
    assert "\n".join(stage.read()).split() == LONG.split()


def test_progress_is_taken_away_and_comes_back(stage: Stage) -> None:
    def shown(text: str, handle: str) -> str:
        attempt = Attempt(key="owner:1", handle=handle)
        return stage.channel.show(stage.place, progress(text), attempt=attempt).handle

    handle = shown("reading mail", "")
    handle = shown("reading the calendar", handle)
    assert [text.removeprefix("-# ") for text in stage.read()] == ["reading the calendar"]
    handle = shown("", handle)
    assert stage.read() == []
    assert shown("", handle) == handle
    shown("reading mail", handle)
    assert [text.removeprefix("-# ") for text in stage.read()] == ["reading mail"]


# Discord: once, whatever gets lost


def test_a_post_whose_answer_was_lost_is_shown_once(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(words("good morning"))
    assert discord.words() == ["good morning"]
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]
    assert Handle.of(delivering.handle).messages == (discord.said()[0].id,)
    assert not asked(discord, Route.HISTORY)


@pytest.mark.parametrize(
    "shown",
    [words("good *morning* <@1>  "), words(" - a\n - b"), notice("it failed"), RECEIPT, MAIL],
)
def test_so_is_one_that_discord_has_forgotten_the_nonce_of(
    discord: Discord, delivering: Delivering, shown: Shown
) -> None:
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(shown)
    discord.passes(minutes=20)
    discord.server.say(discord.owner, None, "good morning")
    delivering.show(shown)
    assert len(discord.said()) == 1
    assert len(asked(discord, Route.SEND)) == 1


def test_a_post_that_never_came_is_made_up_for_however_late(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(words("good morning"))
    discord.passes(minutes=20)
    discord.server.say(discord.owner, None, "good morning")
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]


@pytest.mark.parametrize("minutes", [0, 20])
def test_a_card_whose_answer_was_lost_has_the_buttons_of_the_last_try(
    discord: Discord, delivering: Delivering, minutes: int
) -> None:
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(CARD)
    discord.passes(minutes=minutes)
    delivering.show(CARD)
    [card] = discord.said()
    assert delivering.tokens == ("word-2", "word-3")
    assert carried(card) == ["a:word-2", "a:word-3"]


def test_a_card_that_meanwhile_became_a_receipt_is_found_by_its_buttons(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(CARD)
    discord.passes(minutes=20)
    delivering.show(RECEIPT)
    [receipt] = discord.said()
    assert receipt.words == "The meeting was moved"
    assert receipt.buttons == []


def test_cards_that_look_alike_are_told_apart_by_their_buttons(
    discord: Discord, delivering: Delivering
) -> None:
    other = Attempt(key="owner:other", tokens=("other-1", "other-2"))
    delivering.channel.show("home", CARD, attempt=other)
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(CARD)
    discord.passes(minutes=20)
    delivering.show(CARD)
    assert [carried(card)[0] for card in discord.said()] == ["a:other-1", "a:word-2"]


def test_what_another_delivery_shows_is_not_taken_for_this_one(
    discord: Discord, delivering: Delivering
) -> None:
    other = delivering.channel.show("home", words("yes"), attempt=Attempt(key="owner:other"))
    discord.others.add(other.handle)
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(words("yes"))
    discord.passes(minutes=20)
    delivering.show(words("yes"))
    assert discord.words() == ["yes", "yes"]


@pytest.mark.parametrize("minutes", [0, 20])
@pytest.mark.parametrize("lost", [1, 2, 3])
def test_an_answer_of_several_messages_is_completed_and_never_doubled(
    discord: Discord, delivering: Delivering, minutes: int, lost: int
) -> None:
    discord.server.faults.lose_answer(Route.SEND, which=only(lost))
    delivering.fails_to_show(words(LONG))
    assert len(discord.said()) == lost
    discord.passes(minutes=minutes)
    delivering.show(words(LONG))
    assert len(discord.said()) > 3
    assert " ".join(discord.words()).split() == LONG.split()
    assert Handle.of(delivering.handle).messages == tuple(said.id for said in discord.said())


def test_what_is_left_of_an_answer_that_lost_its_beginning_is_taken_away(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_answer(Route.SEND, which=only(2))
    delivering.fails_to_show(words(LONG))
    discord.server.delete(discord.said()[0])
    discord.passes(minutes=20)
    delivering.show(words(LONG))
    assert " ".join(discord.words()).split() == LONG.split()


def test_what_is_deleted_while_it_is_looked_for_is_posted_anew_in_order(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_answer(Route.SEND, which=only(2))
    delivering.fails_to_show(words(LONG))
    discord.passes(minutes=20)
    discord.server.faults.fail(Route.EDIT, 404, code=10008)
    delivering.show(words(LONG))
    assert " ".join(discord.words()).split() == LONG.split()


def test_a_busy_channel_is_looked_through_for_what_was_lost(
    discord: Discord, delivering: Delivering
) -> None:
    for number in range(620):
        if number == 500:
            discord.passes(hours=1)
        discord.server.say(discord.owner, None, f"line {number}")
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(words("good morning"))
    for number in range(100):
        discord.server.say(discord.owner, None, f"more {number}")
    discord.passes(minutes=20)
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]
    assert len(asked(discord, Route.HISTORY)) == 2


def test_the_search_of_a_channel_is_bounded(discord: Discord, delivering: Delivering) -> None:
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(words("good morning"))
    for number in range(600):
        discord.server.say(discord.owner, None, f"line {number}")
    discord.passes(minutes=20)
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]
    assert len(asked(discord, Route.HISTORY)) == 5


@pytest.mark.parametrize("minutes", [0, 20])
def test_progress_whose_answer_was_lost_is_taken_away(
    discord: Discord, delivering: Delivering, minutes: int
) -> None:
    stop = Action(verb=Verb.SNOOZE, label="Stop", subject="talk-1")
    working = Shown(kind=ShownKind.PROGRESS, text="reading mail", actions=(stop,))
    delivering.channel.show("home", words("hello"), attempt=Attempt(key="owner:other"))
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(working)
    assert len(discord.said()) == 2
    discord.passes(minutes=minutes)
    delivering.show(progress(""))
    assert discord.words() == ["hello"]
    delivering.show(progress("reading the calendar"))
    assert discord.words() == ["hello", "-# reading the calendar"]


def test_nobody_is_notified_where_there_was_no_progress_to_take_away(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(progress("reading mail"))
    delivering.show(progress(""))
    assert discord.said() == []
    assert asked(discord, Route.SEND)[-1].body["flags"] == 1 << 12


def test_a_message_is_known_again_in_discords_spelling() -> None:
    field = {"name": "From ", "value": "Ada", "inline": False}
    ours = Message(content=" one\n", embeds=({"color": 0, "title": "x", "fields": [field]},))
    there = {
        "id": "1",
        "content": "one",
        "embeds": [{"type": "rich", "title": "x", "fields": [{"name": "From", "value": "Ada"}]}],
        "components": [],
    }
    assert shows(there, ours)
    changes: tuple[dict[str, object], ...] = (
        {"content": "two"},
        {"embeds": []},
        {"components": [{"type": 1}]},
    )
    for change in changes:
        assert not shows({**there, **change}, ours)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_lost_whenever_everything_is_shown_once_and_in_order(
    discord: Discord, seed: int
) -> None:
    random = Random(seed)
    for key, story in enumerate(
        ([words(LONG), words(LONG[:2_500]), words(LONG)], [CARD, RECEIPT, CARD], [words("short")])
    ):
        delivering = Delivering(discord.channel(), "home", discord, key=f"owner:{key}")
        for shown in story:
            while True:
                loses_something(discord, random)
                discord.passes(minutes=random.choice([0, 0, 0.5, 3, 20]))
                with suppress(Transient):
                    delivering.show(shown)
                    break
        handle = Handle.of(delivering.handle)
        discord.others.update(f"{handle.channel}/{id}" for id in handle.messages)
    expected = f"{LONG} {CARD.title} short"
    assert " ".join(discord.words()).split() == expected.split()


def loses_something(discord: Discord, random: Random) -> None:
    """A request or an answer, of one of the next four to a route."""
    faults = discord.server.faults
    for route in (Route.SEND, Route.EDIT, Route.DELETE, Route.HISTORY):
        if random.random() < 0.5:
            lose = random.choice((faults.lose_request, faults.lose_answer))
            lose(route, which=only(random.randrange(1, 5)))


# Discord: what is shown changes


def test_buttons_carry_their_tokens(discord: Discord, delivering: Delivering) -> None:
    delivering.show(CARD)
    [card] = discord.said()
    assert card.labels == ["Approve", "Deny"]
    assert carried(card) == ["a:word-0", "a:word-1"]


def test_an_answer_grows_and_shrinks(discord: Discord, delivering: Delivering) -> None:
    for text in ("short", LONG, "short again", LONG, LONG[:3_000], LONG):
        delivering.show(words(text))
        assert " ".join(discord.words()).split() == text.split()
        assert Handle.of(delivering.handle).messages == tuple(said.id for said in discord.said())
    assert {request.status for request in asked(discord, Route.SEND)} == {200}


def test_growing_is_completed_too(discord: Discord, delivering: Delivering) -> None:
    delivering.show(words("short"))
    discord.passes(hours=5)
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(words(LONG))
    discord.passes(minutes=20)
    delivering.show(words(LONG))
    assert " ".join(discord.words()).split() == LONG.split()


def test_a_part_is_not_taken_for_another_that_says_the_same(
    discord: Discord, delivering: Delivering
) -> None:
    part = "\n".join(["the same line"] * 142) + "\n"
    delivering.show(words(part))
    discord.server.faults.lose_request(Route.SEND)
    delivering.fails_to_show(words(part * 3))
    discord.passes(minutes=20)
    delivering.show(words(part * 3))
    assert " ".join(discord.words()).split() == (part * 3).split()


def test_a_message_that_somebody_deleted_is_posted_anew(
    discord: Discord, delivering: Delivering
) -> None:
    delivering.show(CARD)
    [card] = discord.said()
    discord.server.delete(card)
    delivering.show(RECEIPT)
    [receipt] = discord.said()
    assert receipt.id != card.id
    assert receipt.words == "The meeting was moved"


def test_what_is_posted_anew_is_posted_once(discord: Discord, delivering: Delivering) -> None:
    delivering.show(CARD)
    discord.server.delete(discord.said()[0])
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(RECEIPT)
    delivering.show(RECEIPT)
    assert discord.words() == ["The meeting was moved"]


def test_parts_stay_in_order_when_one_in_the_middle_was_deleted(
    discord: Discord, delivering: Delivering
) -> None:
    delivering.show(words(LONG))
    discord.server.delete(discord.said()[1])
    delivering.show(words(LONG.upper()))
    assert " ".join(discord.words()).split() == LONG.upper().split()


def test_a_post_that_was_lost_and_then_deleted_is_made_anew(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.lose_answer(Route.SEND)
    delivering.fails_to_show(words("good morning"))
    discord.server.delete(discord.said()[0])
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]
    nonces = [request.body["nonce"] for request in asked(discord, Route.SEND)]
    assert nonces[0] == nonces[1] != nonces[2]
    assert {len(nonce) for nonce in nonces} == {25}


def test_it_is_tried_later_when_every_nonce_is_a_deleted_messages(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.fail(Route.SEND, 404, code=10008, times=3)
    assert delivering.fails_to_show(words("good morning")).after == 300


def test_an_edit_reaches_a_thread_that_fell_asleep(
    discord: Discord, delivering: Delivering
) -> None:
    thread = discord.server.thread(discord.room, "the meeting", discord.owner)
    delivering.place = f"channel:{thread.id}"
    delivering.show(CARD)
    thread.archived = True
    discord.server.faults.fail(Route.EDIT, 400, code=50083, message="Thread is archived")
    delivering.show(RECEIPT)
    assert discord.words(thread) == ["The meeting was moved"]
    assert not thread.archived


# Discord: where it goes


def test_home_is_the_notice_channel_where_one_is_set(discord: Discord) -> None:
    discord.channel(notices=True).show("home", notice("x"), attempt=Attempt(key="1"))
    discord.channel(notices=True).show(
        f"dm:{discord.owner.id}", words("psst"), attempt=Attempt(key="2")
    )
    assert discord.words(discord.room) == ["Notice\nx"]
    assert discord.words() == ["psst"]


def test_of_what_direct_messages_refuse_the_notice_channel_shows_no_word(
    discord: Discord,
) -> None:
    discord.server.refuse_dms(discord.owner)
    delivering = Delivering(discord.channel(notices=True), f"dm:{discord.owner.id}", discord)
    delivering.show(CARD)
    assert delivering.note == ELSEWHERE
    [told] = discord.said(discord.room)
    assert (told.words, told.labels, carried(told)) == (WAITS, ["Show"], ["a:show-0"])
    assert told.buttons[0]["style"] == 2
    delivering.show(RECEIPT)
    assert delivering.note == ELSEWHERE
    [still] = discord.said(discord.room)
    assert (still.id, still.words, carried(still)) == (told.id, DEALT_WITH, ["a:show-1"])
    assert discord.said() == []


@pytest.mark.parametrize("minutes", [0, 20])
def test_of_what_was_refused_a_lost_answer_is_told_of_once(discord: Discord, minutes: int) -> None:
    discord.server.refuse_dms(discord.owner)
    delivering = Delivering(discord.channel(notices=True), f"dm:{discord.owner.id}", discord)
    discord.server.faults.lose_answer(
        Route.SEND, which=lambda one: one.params["channel_id"] == discord.room.id
    )
    delivering.fails_to_show(words("psst"))
    discord.passes(minutes=minutes)
    delivering.show(words("psst"))
    assert discord.words(discord.room) == [WAITS]


def test_nor_does_it_once_another_channel_is_set_for_notices(discord: Discord) -> None:
    discord.server.refuse_dms(discord.owner)
    delivering = Delivering(discord.channel(notices=True), f"dm:{discord.owner.id}", discord)
    delivering.show(CARD)
    delivering.channel = discord.channel()
    delivering.show(RECEIPT)
    assert discord.words(discord.room) == [DEALT_WITH]


def test_what_is_refused_later_is_told_of_in_the_notice_channel(discord: Discord) -> None:
    delivering = Delivering(discord.channel(notices=True), f"dm:{discord.owner.id}", discord)
    delivering.show(words("short"))
    discord.server.refuse_dms(discord.owner)
    delivering.show(words(LONG))
    assert delivering.note == ELSEWHERE
    assert discord.words(discord.room) == [WAITS]


def test_what_comes_after_direct_messages_were_opened_again_goes_there(discord: Discord) -> None:
    discord.server.refuse_dms(discord.owner)
    place = f"dm:{discord.owner.id}"
    Delivering(discord.channel(notices=True), place, discord).show(words("one"))
    discord.server.refuse_dms(discord.owner, refused=False)
    later = Delivering(discord.channel(notices=True), place, discord, key="owner:later")
    later.show(words("two"))
    assert (discord.words(), later.note) == (["two"], "")


@pytest.mark.parametrize("notices", [True, False])
def test_what_is_being_done_is_shown_nowhere_where_it_is_refused(
    discord: Discord, *, notices: bool
) -> None:
    discord.server.refuse_dms(discord.owner)
    place = f"dm:{discord.owner.id}"
    delivering = Delivering(discord.channel(notices=notices), place, discord)
    delivering.show(progress("reading the mail of Ada"))
    assert delivering.note == UNSEEN
    delivering.show(progress(""))
    assert discord.said(discord.room) == []


def test_direct_messages_that_cannot_be_opened_are_refused_too(discord: Discord) -> None:
    channel = discord.channel(notices=True)
    posted = channel.show(f"dm:{discord.server.bot.id}", words("psst"), attempt=Attempt(key="1"))
    assert posted.note == ELSEWHERE
    assert discord.words(discord.room) == [WAITS]


def test_home_is_the_first_whom_direct_messages_reach(discord: Discord) -> None:
    closed = discord.server.user("closed")
    discord.server.refuse_dms(closed)
    channel = discord.channel(people=["42", closed.id, discord.owner.id])
    delivering = Delivering(channel, "home", discord)
    delivering.show(CARD)
    delivering.show(RECEIPT)
    assert discord.words() == ["The meeting was moved"]
    assert delivering.note == ""


def test_who_is_reached_by_none_is_named_each(discord: Discord) -> None:
    discord.server.refuse_dms(discord.owner)
    channel = discord.channel(people=["42", discord.owner.id])
    with pytest.raises(NoDirectMessages) as told:
        channel.show("home", words("psst"), attempt=Attempt(key="1"))
    for part in ("user 42: ", "50033", f"user {discord.owner.id}: ", "50007"):
        assert part in str(told.value)


def test_whom_we_listen_to_no_longer_is_shown_nothing(discord: Discord) -> None:
    stranger = discord.server.user("mallory")
    with pytest.raises(Forgotten):
        discord.channel(notices=True).show(
            f"dm:{stranger.id}", words("psst"), attempt=Attempt(key="1")
        )
    assert discord.words(discord.room) == []


def test_where_there_is_no_notice_channel_it_is_told_why_nothing_is_shown(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.refuse_dms(discord.owner)
    with pytest.raises(NoDirectMessages, match="no channel is set for notices"):
        delivering.show(words("psst"))


def test_nobody_is_shown_anything_before_somebody_is_known(
    discord: Discord, delivering: Delivering
) -> None:
    discord.nobody = True
    with pytest.raises(NobodyKnown) as told:
        delivering.show(words("psst"))
    assert str(told.value) == "Nobody is known on Discord yet: `assistant pair` makes a code."


def test_a_thread_is_started_from_the_message_it_hangs_on_and_named_after_it(
    discord: Discord, delivering: Delivering
) -> None:
    me = f"<@{discord.server.bot.id}>"
    asked_for = discord.server.say(
        discord.owner, discord.room, f"{me} what is\u202e on\n**today**? {'x' * 200}"
    )
    delivering.place = f"thread:{discord.room.id}/{asked_for.id}"
    delivering.show(words("**Well**,"))
    [thread] = discord.server.threads(discord.room)
    assert thread.id == asked_for.id
    assert thread.name.startswith("what is\ufffd on **today**? xxx")
    assert len(thread.name) == 100
    assert discord.words(thread)[0].startswith("**Well**")
    delivering.key, delivering.handle = "owner:more", ""
    delivering.show(words("more"))
    assert discord.words(thread)[1] == "more"


@pytest.mark.parametrize("forbidden", [True, False])
def test_a_thread_is_named_after_the_answer_where_the_question_cannot_be_read(
    discord: Discord, delivering: Delivering, *, forbidden: bool
) -> None:
    if forbidden:
        discord.server.faults.fail(Route.MESSAGE, 403, code=50001)
    asked_for = discord.server.say(discord.owner, discord.room, f"<@{discord.server.bot.id}>")
    delivering.place = f"thread:{discord.room.id}/{asked_for.id}"
    delivering.show(words("**Well**,\n" + "x" * 200))
    [thread] = discord.server.threads(discord.room)
    assert thread.name.startswith("**Well**, xxx")
    assert len(thread.name) == 100


def test_a_thread_that_somebody_else_started_meanwhile_is_used(
    discord: Discord, delivering: Delivering
) -> None:
    asked_for = discord.server.say(discord.owner, discord.room, "help", mentions_bot=True)
    discord.api.start_thread(discord.room.id, asked_for.id, "theirs")
    discord.server.faults.fail(Route.SEND, 404, code=10003)
    delivering.place = f"thread:{discord.room.id}/{asked_for.id}"
    delivering.show(words("well"))
    [thread] = discord.server.threads(discord.room)
    assert discord.words(thread) == ["well"]


# Discord: where it should be shown is gone or closed


@pytest.fixture(params=["message", "channel", "room", "closed", "forbidden", "full"])
def gone(request: pytest.FixtureRequest, discord: Discord) -> str:
    """A place of a server where nothing can be shown."""
    faults, room = discord.server.faults, discord.room
    said = discord.server.say(discord.owner, room, "help", mentions_bot=True)
    thread = f"thread:{room.id}/{said.id}"

    def here(asked: Asked) -> bool:
        return asked.params["channel_id"] in {room.id, said.id}

    match request.param:
        case "message":
            discord.server.delete(said)
        case "channel":
            return "thread:12345/678"
        case "room":
            return "channel:12345"
        case "closed":
            faults.fail(Route.SEND, 403, code=50013, times=100, which=here)
            return f"channel:{room.id}"
        case "forbidden":
            faults.fail(Route.THREAD_OF_MESSAGE, 403, code=50001, times=100, which=here)
        case "full":
            faults.fail(Route.THREAD_OF_MESSAGE, 400, code=160006, times=100, which=here)
    return thread


@pytest.mark.parametrize("minutes", [0, 20])
def test_what_its_place_cannot_show_is_shown_directly_once(
    discord: Discord, delivering: Delivering, gone: str, minutes: int
) -> None:
    delivering.place = gone
    discord.server.faults.lose_answer(Route.SEND, which=discord.is_direct)
    delivering.fails_to_show(words("well"))
    discord.passes(minutes=minutes)
    delivering.show(words("well"))
    assert discord.words() == ["well"]
    assert delivering.note.startswith(AWAY)
    delivering.show(words("well, well"))
    assert discord.words() == ["well, well"]
    assert delivering.note.startswith(AWAY)
    assert [one for one in discord.words(discord.room) if "help" not in one] == []


def test_its_progress_line_simply_ends(discord: Discord, delivering: Delivering, gone: str) -> None:
    delivering.place = gone
    delivering.show(progress("reading mail"))
    assert (delivering.handle, delivering.note) == ("", "")
    delivering.show(progress(""))
    assert discord.words() == []


def test_what_was_shown_in_a_thread_that_is_deleted_is_shown_directly_from_then_on(
    discord: Discord, delivering: Delivering
) -> None:
    asked_for = discord.server.say(discord.owner, discord.room, "help", mentions_bot=True)
    delivering.place = f"thread:{discord.room.id}/{asked_for.id}"
    delivering.show(words("well"))
    assert delivering.note == ""
    before = delivering.handle
    discord.server.faults.fail(Route.EDIT, 404, code=10003)
    discord.server.faults.fail(Route.SEND, 404, code=10003)
    discord.server.faults.fail(Route.THREAD_OF_MESSAGE, 404, code=10008)
    delivering.show(words("well, well"))
    assert discord.words() == ["well, well"]
    assert delivering.note.startswith(AWAY)
    left_behind = f",-{before.replace('/', ':')}"
    assert delivering.handle.endswith(left_behind)
    delivering.show(words("well, well, well"))
    assert (discord.words(), delivering.handle.endswith(left_behind)) == (
        ["well, well, well"],
        True,
    )
    assert str(Handle.of(delivering.handle)) == delivering.handle


def test_where_direct_messages_refuse_it_too_the_notice_channel_tells_that_it_waits(
    discord: Discord,
) -> None:
    discord.server.refuse_dms(discord.owner)
    delivering = Delivering(discord.channel(notices=True), "channel:12345", discord)
    delivering.show(words("well"))
    delivering.show(words("well, well"))
    assert (discord.words(discord.room), delivering.note) == ([WAITS], ELSEWHERE)
    delivering = Delivering(discord.channel(), "channel:12345", discord)
    with pytest.raises(NoDirectMessages):
        delivering.show(words("well"))


def test_a_notice_channel_that_is_gone_is_not_asked_twice(discord: Discord) -> None:
    channel = discord.channel(notices=True)
    discord.server.faults.fail(Route.SEND, 404, code=10003, times=100, which=discord.is_notice)
    delivering = Delivering(channel, "home", discord)
    delivering.show(CARD)
    assert (discord.words(), delivering.note.startswith(AWAY)) == (["Move the meeting?"], True)
    delivering.show(RECEIPT)
    assert (discord.words(), delivering.note.startswith(AWAY)) == (["The meeting was moved"], True)
    discord.server.refuse_dms(discord.owner)
    with pytest.raises(UnknownChannel):
        channel.show("home", words("psst"), attempt=Attempt(key="2"))


@pytest.mark.parametrize(
    "place", ["", "dm:", "dm:me", "channel:1 ", "thread:1", "thread:1/", "x:1"]
)
def test_other_places_are_refused(discord: Discord, place: str) -> None:
    with pytest.raises(BadArguments):
        discord.channel().show(place, words("well"), attempt=Attempt(key="1"))


def test_what_is_gone_for_good_needs_no_taking_away(
    discord: Discord, delivering: Delivering
) -> None:
    delivering.show(progress("reading mail"))
    discord.server.delete(discord.said()[0])
    delivering.show(progress(""))
    delivering.handle = "12345/678"
    delivering.show(progress(""))
    assert delivering.handle == ""
    assert discord.said() == []


# Discord: what goes wrong


def test_a_short_rate_limit_is_waited_for(discord: Discord, delivering: Delivering) -> None:
    discord.server.faults.rate_limit(Route.SEND, times=2, retry_after=0.05)
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]


@pytest.mark.parametrize("via", [True, False])
def test_a_long_rate_limit_and_a_ban_put_it_off(
    discord: Discord,
    delivering: Delivering,
    *,
    via: bool,
) -> None:
    discord.server.faults.rate_limit(Route.SEND, retry_after=47.0, via=via)
    limited = delivering.fails_to_show(words("good morning"))
    assert isinstance(limited, Busy)
    assert limited.after == 47.0
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]


def test_a_discord_that_is_unwell_is_asked_again_later(
    discord: Discord, delivering: Delivering
) -> None:
    discord.server.faults.fail(Route.SEND, 503)
    assert isinstance(delivering.fails_to_show(words("good morning")), Unreachable)
    delivering.show(words("good morning"))
    assert discord.words() == ["good morning"]


def asked(discord: Discord, route: Route) -> Sequence[Asked]:
    room = discord.server.dm(discord.owner).id
    return [one for one in discord.server.requests(route) if one.params["channel_id"] == room]


def only(number: int) -> Callable[[object], bool]:
    """Of the requests that it is asked about, that one."""
    turn = count(1)
    return lambda _: next(turn) == number


def carried(said: Said) -> list[str]:
    return [button["custom_id"] for button in said.buttons]
