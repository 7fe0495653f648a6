"""The gateway and the HTTP interactions endpoint lead to one desk: what people do, through each.

All of it is real but Discord: the store, the calendar, the model that needs none. Nobody else works
meanwhile, so what was set going is done in the test's own thread.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from assistant.adapters.discord.api import point_at
from assistant.domain.calendar.events import When
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.governance.modes import Mode
from tests.servers.discord import Channel, DiscordServer, Interaction, Message, User
from tests.servers.discord.clients import Rest
from tests.workers.test_bot_gateway import Running
from tests.workers.test_endpoint import running
from workers.cli.session import Session
from workers.discord.commands.registration import registration
from workers.discord.desk import make_desk
from workers.discord.endpoint import Endpoint
from workers.settings import only

MARCH = When(start=datetime(2031, 3, 1, tzinfo=UTC), end=datetime(2031, 4, 1, tzinfo=UTC))
Tells = Callable[[Interaction], object]


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        point_at(server.api_base, server.gateway_url)
        rest = Rest(server)
        commands = registration()
        rest.do(rest.http.bulk_upsert_global_commands(int(server.application_id), commands))
        rest.end()
        yield server


@contextmanager
def by_gateway(discord: DiscordServer, session: Session) -> Iterator[Tells]:
    with Running(discord, make_desk(session.assistant)):
        yield discord.dispatch


@contextmanager
def by_http(discord: DiscordServer, session: Session) -> Iterator[Tells]:
    """The gateway is not listened to."""
    with running(Endpoint(session.assistant)) as url:
        yield lambda it: discord.post(url, it).raise_for_status()


Door = Callable[[DiscordServer, Session], AbstractContextManager[Tells]]


@dataclass
class Scene:
    """Ann, who is listened to and has installed the bot for herself, and others."""

    discord: DiscordServer
    session: Session
    tells: Tells
    ann: User
    mallory: User

    @property
    def direct(self) -> Channel:
        return self.discord.dm(self.ann)

    def acts(self, kind: str, *what: Any) -> Interaction:
        """What somebody does is told at this door, answered, and carried out by the workers."""
        it = self.discord.raw_interaction(kind, *what)
        self.tells(it)
        it.wait_for_answer()
        self.session.settle("")
        return it

    def slash(
        self, command: str, /, *, place: Channel | None = None, **options: Any
    ) -> Interaction:
        return self.acts("slash", self.ann, place, command, options)

    def asks(self, title: str) -> Message:
        """Ann wants an event; the card that asks her."""
        words = f'create "{title}" 2031-03-04 10:00-10:30'
        self.slash("ask", words=words).wait_for_words("the answer comes here")
        return self.card(title)

    def card(self, title: str) -> Message:
        [found] = [one for one in self.said if one.labels and title in one.words]
        return found

    @property
    def said(self) -> list[Message]:
        """What the bot says to Ann directly."""
        return self.discord.answers(self.direct)

    def call(self) -> Call:
        """The newest."""
        with self.session.assistant.store.read(self.session.assistant.cause()) as tx:
            return tx.calls(limit=1)[0]

    def mode(self) -> Mode:
        with self.session.assistant.store.read(self.session.assistant.cause()) as tx:
            return tx.mode().mode

    def events(self) -> list[str]:
        return [one.title for one in self.session.assistant.calendar.between(MARCH)]


@pytest.fixture(scope="module", params=[by_gateway, by_http], ids=["gateway", "http"])
def scene(
    request: pytest.FixtureRequest,
    discord: DiscordServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Scene]:
    ann, mallory = discord.user("ann", installed=True), discord.user("mallory")
    session = Session(
        only(
            data_dir=tmp_path_factory.mktemp("doors"),
            timezone="UTC",
            discord_token=discord.token,
            discord_owner_ids=ann.id,
            discord_public_key=discord.public_key,
            discord_api_base=discord.api_base,
            discord_gateway=discord.gateway_url,
        )
    )
    session.open()
    door: Door = request.param
    with door(discord, session) as tells:
        yield Scene(discord, session, tells, ann, mallory)
    session.assistant.close()


def test_a_card_is_approved_and_becomes_its_receipt(scene: Scene) -> None:
    card = scene.asks("Pay the rent")
    pressed = scene.acts("press", scene.ann, card, "Approve")
    pressed.wait_for_words("is approved and runs as soon as a worker does")
    assert pressed.ephemeral
    assert scene.events() == ["Pay the rent"]
    receipt = scene.discord.message(card.id)
    assert receipt.labels == ["Undo", "More"]
    assert "Created" in receipt.words


def test_a_card_is_denied_by_one_press(scene: Scene) -> None:
    card = scene.asks("Tea with Mallory")
    scene.acts("press", scene.ann, card, "Deny").wait_for_words("is denied")
    assert scene.call().state is CallState.DENIED
    assert scene.call().result == "denied: the owner said no"
    assert "Tea with Mallory" not in scene.events()
    assert "Approve" not in scene.discord.message(card.id).labels


def test_a_card_is_denied_with_a_reason(scene: Scene) -> None:
    card = scene.asks("Tea with Mallory")
    denied = scene.slash("deny", call=scene.call().handle, why="not with her")
    denied.wait_for_words("is denied")
    assert scene.call().state is CallState.DENIED
    assert scene.call().result == "denied: not with her"
    assert "Tea with Mallory" not in scene.events()
    assert "Approve" not in scene.discord.message(card.id).labels


def test_lockdown_is_left_by_the_word_that_is_typed(scene: Scene) -> None:
    scene.slash("lockdown").wait_for_words("Only reading goes on")
    leaves_lockdown(scene, None)


def test_a_stranger_is_refused_in_private_and_it_is_noted(scene: Scene) -> None:
    card = scene.asks("Pay the piper")
    asked = scene.acts("slash", scene.mallory, None, "pending", {})
    pressed = scene.acts("press", scene.mallory, card, "Approve")
    for refused in (asked, pressed):
        refused.wait_for_words("I do not know you")
        assert refused.ephemeral
    assert scene.call().state is CallState.PARKED
    with scene.session.assistant.store.read(scene.session.assistant.cause()) as tx:
        noted = [entry.subject for entry in tx.audit(kind="person.refused")]
    assert f"discord:{scene.mallory.id}" in noted
    assert scene.mode() is Mode.ALERT
    scene.slash("mode set", mode="normal")


# Where the bot is no member: Ann brings it along


def in_a_server(scene: Scene) -> Channel:
    guild = scene.discord.guild("elsewhere", scene.ann, scene.mallory, with_bot=False)
    return scene.discord.channel(guild, "general")


def in_a_thread(scene: Scene) -> Channel:
    return scene.discord.thread(in_a_server(scene), "plans", scene.mallory)


def in_private(scene: Scene) -> Channel:
    return scene.discord.private_channel(scene.ann, scene.mallory)


foreign = pytest.mark.parametrize("found", [in_a_server, in_a_thread, in_private])
Found = Callable[[Scene], Channel]


@foreign
def test_what_is_asked_elsewhere_is_answered_directly(scene: Scene, found: Found) -> None:
    place, before = found(scene), len(scene.said)
    asked = scene.slash("ask", place=place, words="what is on 2031-03-04")
    asked.wait_for_words("the answer comes in our direct messages")
    assert asked.ephemeral
    answer = "\n".join(one.words for one in scene.said[before:])
    assert "Tue 4 Mar 2031" in answer
    assert scene.discord.answers(place) == []


@foreign
def test_stop_elsewhere_stops_what_goes_on_directly(scene: Scene, found: Found) -> None:
    place, before = found(scene), len(scene.said)
    asked = scene.discord.raw_interaction("slash", scene.ann, None, "ask", {"words": "free today?"})
    scene.tells(asked)
    asked.wait_for_words("I am on it")
    stopped = scene.slash("stop", place=place)
    stopped.wait_for_words("Stopped")
    assert stopped.ephemeral
    answers = [one.words for one in scene.said[before:] if "No worker has moved" not in one.words]
    assert answers == []
    assert scene.discord.answers(place) == []


@foreign
def test_a_form_is_filled_in_elsewhere(scene: Scene, found: Found) -> None:
    place = found(scene)
    scene.slash("lockdown", place=place).wait_for_words("Only reading goes on")
    leaves_lockdown(scene, place)
    assert scene.discord.answers(place) == []


def leaves_lockdown(scene: Scene, place: Channel | None) -> None:
    form = scene.slash("mode set", place=place, mode="normal")
    assert form.modal is not None
    [label] = [row["label"] for row in form.modal["components"]]
    wrong = scene.acts("submit", form, {label: "LEAVE-LOCKDOWN-000000"})
    wrong.wait_for_words("lockdown")
    assert scene.mode() is Mode.LOCKDOWN
    form = scene.slash("mode set", place=place, mode="normal")
    assert form.modal is not None
    [label] = [row["label"] for row in form.modal["components"]]
    right = scene.acts("submit", form, {label: label.removeprefix("Type ")})
    right.wait_for_words("Back to normal")
    assert right.ephemeral
    assert scene.mode() is Mode.NORMAL
