"""Discord's HTTP interactions endpoint: who is let in, once, and answered in time."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
import uvicorn

from assistant.adapters.discord.api import DiscordApi
from assistant.adapters.discord.message import DiscordMessage
from assistant.domain.errors import Unreachable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Received
from ingest.doors.http import make_app
from tests.servers.discord import DiscordServer, Interaction, Route, User
from workers.discord.commands.registering import missing
from workers.discord.commands.words import say
from workers.discord.endpoint import MOST, Endpoint
from workers.discord.interaction import Interaction as It
from workers.discord.interaction import Kind, Reply, Way
from workers.discord.said import AnswerProgress
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import only

PATIENCE = 10.0
HURRY = 0.3
"""The patience of an endpoint whose desk is to be late."""
"""Seconds that this door waits for the desk."""


def decided(_: It) -> Reply:
    return say("Done.")


@dataclass
class Desk:
    """Says what a test has it say, after as long as it has it wait."""

    says: Callable[[It], Reply] = decided
    takes: float = 0.0
    asked: list[It] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    left: Sequence[str] = ()
    """What was being followed when the door closed last."""
    due: int = 0
    """How often it was to show what is due."""

    def answer(self, it: It) -> Reply:
        self.asked.append(it)
        time.sleep(self.takes)
        return self.says(it)

    def busy(self, _: str) -> AnswerProgress:
        return AnswerProgress(owed=False)

    def progress(self, conversation: str, line: str, *, after: float = 0.0) -> None:  # noqa: ARG002  # the port's
        self.lines.append((conversation, line))

    def following(self) -> Sequence[str]:
        return self.left

    def show_what_is_due(self) -> None:
        self.due += 1


@dataclass
class Door:
    """An endpoint that is open, and a Discord that calls it."""

    discord: DiscordServer
    owner: User
    desk: Desk
    url: str
    endpoint: Endpoint

    @property
    def api(self) -> DiscordApi:
        return DiscordApi(
            self.discord.token, base=self.discord.api_base, gateway=self.discord.gateway_url
        )

    def opens(self) -> bool:
        """Whether it answers Discord's ping."""
        return self.post(self.discord.raw_interaction("ping", self.owner)).ok

    def press(self) -> Interaction:
        """A button, pressed and not told to the door yet."""
        button = {"type": 2, "style": 1, "label": "Approve", "custom_id": "a:token"}
        gateway = self.discord.gateway_url
        api = DiscordApi(self.discord.token, base=self.discord.api_base, gateway=gateway)
        row = {"type": 1, "components": [button]}
        sent = api.send(api.open_dm(self.owner.id), {"content": "Well?", "components": [row]})
        api.close()
        return self.discord.raw_interaction("press", self.owner, sent["id"], "Approve")

    def post(self, interaction: Interaction, *, at: float | None = None) -> requests.Response:
        body = json.dumps(interaction.json).encode()
        return self.send(body, self.discord.sign(body, str(int(at or time.time()))))

    def send(self, body: bytes, headers: dict[str, str]) -> requests.Response:
        return requests.post(self.url, data=body, headers=headers, timeout=10)


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


@pytest.fixture(scope="module")
def assistant(discord: DiscordServer, tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    settings = only(
        data_dir=tmp_path_factory.mktemp("endpoint"),
        timezone="UTC",
        discord_token=discord.token,
        discord_public_key=discord.public_key,
        discord_api_base=discord.api_base,
        discord_gateway=discord.gateway_url,
    )
    made = silent_assistant(settings)
    prepare_database(made)
    return made


@pytest.fixture(scope="module")
def opened(discord: DiscordServer, assistant: Assistant) -> Iterator[Door]:
    desk = Desk()
    endpoint = Endpoint(assistant, desk, patience=PATIENCE)
    with running(endpoint) as url:
        yield Door(discord, discord.user("ann"), desk, url, endpoint)
    assistant.close()


@pytest.fixture
def late(door: Door, monkeypatch: pytest.MonkeyPatch) -> Door:
    """The desk takes longer than the endpoint waits for it."""
    monkeypatch.setattr(door.endpoint._answering, "_patience", HURRY)
    door.desk.takes = HURRY * 2
    return door


@pytest.fixture
def door(opened: Door) -> Door:
    opened.desk.__init__()  # type: ignore[misc]  # the endpoint keeps this one
    opened.discord.faults.clear()
    return opened


@contextmanager
def running(endpoint: Endpoint) -> Iterator[str]:
    """The address of a door that is open."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = make_app(
        accept=lambda *_: Received(id="", known=False),
        token="",
        limits=MailLimits(),
        ready=lambda: (),
        live=lambda: (),
        more=[endpoint.route],
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))

    async def serve() -> None:
        endpoint.start()
        await server.serve(sockets=[listener])
        await endpoint.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/discord"
    server.should_exit = True
    thread.join(10)
    listener.close()


def test_it_answers_discords_ping(door: Door) -> None:
    answered = door.post(door.discord.raw_interaction("ping", door.owner))
    assert (answered.status_code, answered.json()) == (200, {"type": 1})


def test_a_press_is_answered_to_the_one_who_pressed(door: Door) -> None:
    press = door.press()
    assert door.discord.post(door.url, press).status_code == 200
    assert (press.text, press.ephemeral) == ("Done\\.", True)
    [it] = door.desk.asked
    assert (it.kind, it.token, it.user, it.private) == (Kind.PRESS, "token", door.owner.id, True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Signature-Ed25519": "zz", "X-Signature-Timestamp": "zz"},
        {"X-Signature-Ed25519": "00" * 64, "X-Signature-Timestamp": str(int(time.time()))},
    ],
    ids=["none", "not one", "another's"],
)
def test_who_has_no_signature_is_not_let_in(door: Door, headers: dict[str, str]) -> None:
    body = json.dumps(door.press().json).encode()
    assert door.send(body, headers).status_code == 401
    assert door.desk.asked == []


def test_a_signature_counts_for_the_very_bytes_and_moment_alone(door: Door) -> None:
    body = json.dumps(door.press().json).encode()
    now = str(int(time.time()))
    headers = door.discord.sign(body, now)
    later = {**headers, "X-Signature-Timestamp": str(int(now) + 1)}
    assert door.send(body + b" ", headers).status_code == 401
    assert door.send(body, later).status_code == 401
    assert door.desk.asked == []


@pytest.mark.parametrize("apart", [-360, 360], ids=["six minutes ago", "in six minutes"])
def test_what_was_not_signed_now_is_not_let_in(door: Door, apart: float) -> None:
    assert door.post(door.press(), at=time.time() + apart).status_code == 401
    assert door.desk.asked == []


def test_the_same_request_twice_is_carried_out_once(door: Door) -> None:
    press = door.press()
    assert [door.post(press).status_code for _ in range(3)] == [200, 409, 409]
    assert len(door.desk.asked) == 1


def test_another_process_does_not_carry_it_out_again(door: Door, assistant: Assistant) -> None:
    press, other = door.press(), Desk()
    door.post(press)
    there = Endpoint(assistant, other)
    with running(there) as url:
        assert Door(door.discord, door.owner, other, url, there).post(press).status_code == 409
    assert (len(door.desk.asked), other.asked) == (1, [])


def test_what_takes_longer_is_acknowledged_and_told_when_it_is_there(late: Door) -> None:
    press = late.press()
    late.discord.post(late.url, press)
    assert press.deferred
    press.wait_for_words("Done")


def test_what_takes_very_long_says_so_until_it_is_there(late: Door) -> None:
    late.desk.takes = HURRY * 10
    press = late.press()
    late.discord.post(late.url, press)
    press.wait_for_words("does not answer just now")
    press.wait_for_words("Done")


def test_a_form_cannot_come_later(late: Door) -> None:
    late.desk.says = lambda _: Reply(way=Way.MODAL, modal={"title": "Why?"})
    press = late.press()
    late.discord.post(late.url, press)
    press.wait_for_words("Press it again")


def test_files_go_with_an_answer(door: Door) -> None:
    whole = DiscordMessage(content="All of it:", files=(("details.txt", b"all of it"),))
    door.desk.says = lambda _: Reply(way=Way.SAY, message=whole)
    press = door.press()
    door.discord.post(door.url, press)
    press.wait_for_words("All of it")
    assert press.message is not None
    assert [one.content for one in press.message.attachments] == [b"all of it"]


def test_a_picture_goes_with_its_alternative_text(door: Door) -> None:
    week = DiscordMessage(
        content="This week:", files=(("week.png", b"PNG"),), alt={"week.png": "It is free. " * 100}
    )
    door.desk.says = lambda _: Reply(way=Way.SAY, message=week)
    press = door.press()
    door.discord.post(door.url, press)
    press.wait_for_words("This week")
    assert press.message is not None
    [file] = press.message.attachments
    assert file.filename == "week.png"
    assert file.description.startswith("It is free.")


def test_whatever_breaks_at_the_desk_becomes_words(door: Door) -> None:
    def broken(_: It) -> Reply:
        raise RuntimeError

    door.desk.says = broken
    press = door.press()
    door.discord.post(door.url, press)
    assert "Something went wrong" in press.text


def test_choices_that_come_late_are_none(late: Door) -> None:
    asked = {"type": 4, "id": "1", "token": "t", "application_id": "2", "user": {"id": "3"}}
    body = json.dumps(asked | {"data": {"name": "read", "options": []}}).encode()
    answered = late.send(body, late.discord.sign(body, str(int(time.time()))))
    assert answered.json() == {"type": 8, "data": {"choices": []}}


def test_without_a_database_nothing_is_carried_out(
    door: Door, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(_: object) -> Any:
        raise Unreachable("the database")

    monkeypatch.setattr(assistant.store, "begin", down)
    press = door.press()
    door.discord.post(door.url, press)
    assert "Nothing was done" in press.text
    assert door.desk.asked == []


@pytest.mark.parametrize("body", [b"{}", b"[]", b"not JSON", b'{"type": 99, "id": "1"}'])
def test_what_is_no_interaction_is_refused(door: Door, body: bytes) -> None:
    answered = door.send(body, door.discord.sign(body, str(int(time.time()))))
    assert answered.status_code == 400


def test_too_much_is_not_read(door: Door) -> None:
    assert door.send(b" " * (MOST + 1), {}).status_code == 413


def test_when_it_opens_what_was_going_on_is_taken_up(door: Door, assistant: Assistant) -> None:
    desk = Desk(left=("talk-1",))
    with running(Endpoint(assistant, desk)):
        door.discord.wait_until(lambda: desk.lines and desk.due, what="the line and what is due")
    assert (desk.lines, desk.due) == ([("talk-1", "")], 1)


def test_when_it_opens_discord_is_told_the_commands_however_often_that_takes(
    door: Door, assistant: Assistant
) -> None:
    door.discord.wait_until(lambda: assistant.data_folder.commands_told, what="the commands")
    assert missing(door.api) == []
    before = len(door.discord.requests(Route.UPSERT_COMMANDS))
    there = Endpoint(assistant, Desk())
    with running(there) as url:
        assert Door(door.discord, door.owner, Desk(), url, there).opens()
    assert len(door.discord.requests(Route.UPSERT_COMMANDS)) == before
    assistant.data_folder.tell_commands("of another version")
    door.discord.world.commands = []
    door.discord.faults.fail(Route.UPSERT_COMMANDS, 400, code=50035, times=1_000)
    there = Endpoint(assistant, Desk(), again=0.05)
    with running(there) as url:
        assert Door(door.discord, door.owner, Desk(), url, there).opens()
        assert missing(door.api)[0] == "pending"
        door.discord.faults.clear()
        door.discord.wait_until(lambda: door.discord.commands, what="the commands")
    assert missing(door.api) == []


def test_without_a_key_there_is_no_such_door(tmp_path: Path) -> None:
    from workers.doors import Doors  # noqa: PLC0415 (only here)

    assert Doors(silent_assistant(only(data_dir=tmp_path)))._discord() is None
