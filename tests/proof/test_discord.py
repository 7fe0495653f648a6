"""What is promised of Discord: of its buttons, of who is heard, and of what is said to whom."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.adapters.discord.embeds import MOST
from assistant.adapters.discord.message import DiscordMessage
from assistant.adapters.discord.render import render
from assistant.adapters.discord.split import LIMIT
from assistant.adapters.discord.text import legible, units
from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Quoted, Turn, Want
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown, ShownKind
from assistant.domain.errors import Permanent
from assistant.domain.text.sound import sound
from tests.discord_markdown import kinds, nasty
from tests.discord_world import MALLORY, ME, Discord, buttons, said
from tests.proof.conftest import TIMES
from tests.proof.stage import Stage
from tests.proof.witness import nothing_is_wrong
from tests.stores import Fresh
from tests.world import MONDAY, Wall, World
from workers.discord.commands.words import LATE
from workers.discord.interaction import MARK, Interaction, Kind, Reply, Way

SECRET = "dentist"
POINTER = "My answer rests on what only you should read; it is in our direct messages."
MORNING = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}
NOON = {"start": "2026-11-30T12:00:00+01:00", "end": "2026-11-30T12:30:00+01:00"}
WEEK = {"start": "2026-11-23T00:00:00+01:00", "end": "2026-11-30T00:00:00+01:00"}
BOOK = Want(tool="create_event", args={"title": SECRET, **MORNING})
TEA = Want(tool="create_event", args={"title": "Tea", **NOON})
NOTE = Want(tool="write_file", args={"path": f"private:/{SECRET}.txt", "content": SECRET})
READ = Want(tool="get_events_details", args=WEEK)
MADE_UP = Want(tool=f"record: Done: A1, {SECRET}")
THREAD = "100"
APPOINTMENT = Event(uid="x", title=SECRET, when=When(start=MONDAY, end=MONDAY + timedelta(hours=1)))

few = settings(max_examples=12 * TIMES)


def a_stage(fresh: Fresh) -> Stage:
    stage = Stage(fresh(), me=f"discord:{ME}")
    stage.calendar.put(APPOINTMENT)
    return stage


# Buttons


@dataclass
class Pressing:
    """Somebody who has got hold of every token there ever was, and what came of their presses."""

    stage: Stage
    tokens: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.discord = Discord(self.stage)
        self.discord.works()
        self.desks = [self.discord.make_desk() for _ in range(2)]

    def keep(self, reply: Reply | None = None) -> None:
        found = list(self.stage.far.tokens.values())
        if reply is not None and reply.message is not None and reply.message.components:
            found += buttons(reply).values()
        self.tokens += [token for token in found if token not in self.tokens]

    def asks(self, *wants: Want) -> None:
        self.stage.model.will(Turn(wants=wants), Turn(text="So be it."))
        self.discord.says("do it", settle=False)

    def presses(self, n: int, **given: Any) -> Reply | None:
        if not self.tokens:
            return None
        custom_id = f"{MARK}{self.tokens[-1 - n % len(self.tokens)]}"
        desk = self.desks[n % 2]
        reply = desk.answer(Interaction(id=str(n), custom_id=custom_id, **given))
        self.keep(reply)
        return reply

    def policy_context(self) -> list[tuple[str, CallState]]:
        return [(call.id, call.state) for call in self.stage.calls_made()]


forms = st.sampled_from(
    [
        {},
        {"text": "yes"},
        {"title": "Other", **NOON},
        {"text": "no", "title": "\ud800", "start": "x" * 5_000},
        {"{...}": "[" * 20_000},
        {"path": "private:/other.txt", "content": "y"},
    ]
)
places = st.sampled_from(["", "1/2", "owner:card", "/"])
wanted = st.sampled_from([(BOOK,), (TEA, BOOK), (NOTE,), (READ,), (NOTE, TEA), (MADE_UP, BOOK)])
steps = st.one_of(
    st.tuples(st.just("ask"), wanted),
    st.tuples(st.just("press"), st.integers(0, 40), st.sampled_from(Kind), forms, places),
    st.tuples(st.just("press"), st.integers(0, 40), st.just(Kind.PRESS), st.just({}), st.just("")),
    st.tuples(st.just("strangers"), st.integers(0, 40), forms, st.sampled_from([MALLORY, "", "4"])),
    st.tuples(st.just("command"), st.sampled_from(["stop", "new", "lockdown", "pending", "undo"])),
    st.tuples(st.just("pass"), st.sampled_from([-30, -1, 1, 13, 40, 80])),
    st.tuples(st.just("settle")),
)


@pytest.mark.slow
@few
@given(script=st.lists(steps, min_size=4, max_size=24), leave=st.booleans())
def test_whatever_is_pressed_nothing_runs_without_its_owner_s_yes_to_just_that(
    fresh: Fresh, script: Sequence[tuple[Any, ...]], *, leave: bool
) -> None:
    """Any token, in any form, from anybody, anywhere, at any time, from two desks."""
    pressing = Pressing(a_stage(fresh))
    stage, discord = pressing.stage, pressing.discord
    pressing.asks(TEA, BOOK)
    stage.settle()
    for what, *how in script:
        pressing.keep()
        if what == "ask":
            pressing.asks(*how[0])
        elif what == "press":
            which, kind, fields, place = how
            pressing.presses(which, kind=kind, user=ME, fields=fields, message=place)
        elif what == "strangers":
            before = pressing.policy_context()
            reply = pressing.presses(how[0], kind=Kind.PRESS, user=how[2], fields=how[1])
            assert reply is None or "do not know you" in said(reply)
            assert pressing.policy_context() == before
        elif what == "command":
            discord.slash(how[0], call="A1")
        elif what == "pass":
            stage.clock.passes(hours=how[0])
            stage.store.raise_high_water()
        if what != "press" or leave:
            stage.settle()
        nothing_is_wrong(stage)
    stage.settle()
    nothing_is_wrong(stage)


def test_of_all_answers_to_one_card_at_the_same_time_one_counts(fresh: Fresh) -> None:
    """Approve, deny, edit, plan and similar, from two bots with ten threads."""
    for _ in range(2 * TIMES):
        pressing = Pressing(Stage(fresh(), me=f"discord:{ME}"))
        stage, discord = pressing.stage, pressing.discord
        pressing.asks(BOOK, TEA)
        stage.settle()
        call = stage.call("A1")
        looked = discord.looks_at(call.id)
        more = buttons(discord.presses_token(looked[Verb.MORE]))
        ways: list[tuple[str, Kind, dict[str, str]]] = [
            (looked[Verb.APPROVE], Kind.PRESS, {}),
            (looked[Verb.DENY], Kind.MODAL, {"text": "no"}),
            (looked[Verb.EDIT], Kind.MODAL, {"title": "Other", **NOON}),
            (more["Approve all 2"], Kind.PRESS, {}),
            (more["Approve such calls"], Kind.PRESS, {}),
        ]

        def answers(n: int, pressing: Pressing = pressing, ways: Any = ways) -> str:
            token, kind, fields = ways[n % len(ways)]
            it = Interaction(
                id=str(n), kind=kind, user=ME, custom_id=f"{MARK}{token}", fields=fields
            )
            return said(pressing.desks[n // len(ways) % 2].answer(it))

        with ThreadPoolExecutor(10) as pool:
            told = list(pool.map(answers, range(20)))
        counted = [one for one in told if _counted(one)]
        assert len(counted) == 1, told
        assert all(one for one in told)
        stage.settle()
        nothing_is_wrong(stage)
        [approval] = filter(None, [stage.approval(stage.call("A1"))])
        assert approval.state is not ApprovalState.OPEN


def _counted(told: str) -> bool:
    return any(words in told for words in ("is approved and", "is denied;", "is replaced by"))


# What others can read


class Remembering(Wall):
    """Keeps all that was ever shown where others read."""

    def __init__(self) -> None:
        super().__init__("discord", far=True)
        self.public: list[Shown] = []

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if not place.startswith("dm:") and place != "home":
            self.public.append(shown)
        return super().show(place, shown, attempt=attempt)


@dataclass
class Shared:
    """A talk in a thread that others read, of which what the model says knows what it saw."""

    world: World
    private: bool = False
    spoken: list[str] = field(default_factory=list)
    """What was said of nothing private, and is to be read there."""

    def __post_init__(self) -> None:
        self.discord = Discord(self.world)
        self.discord.works()

    def says(
        self, *wants: Want, quoted: bool = False, failing: bool = False, times: int = 1
    ) -> None:
        self.private = self.private or bool(wants) or quoted
        words = f"the {SECRET} at ten" if self.private else f"hello {len(self.spoken)}"
        if failing:
            self.world.model.will(*[Permanent(SECRET)] * 5)
        elif wants:
            asking = [Turn(wants=wants, text=f"see {SECRET}")] * times
            self.world.model.will(*asking, Turn(text=words))
        else:
            self.world.model.will(Turn(text=words))
        if not (self.private or failing):
            self.spoken.append(words)
        order = Quoted(source=SECRET, text=f"{SECRET}!")
        heard = self.discord.says(
            "and?", thread=THREAD, mentioned=True, quoted=(order,) * quoted, settle=False
        )
        desk = self.discord.desk
        while self.world.queue.bells:
            self.world.answer_next()
            desk.progress(heard.conversation, desk.busy(heard.conversation).line)
        self.world.settle()
        desk.progress(heard.conversation, "")
        self.world.settle()
        self.world.model._turns.clear()

    def answers(self, verb: Verb) -> None:
        found = [about for one, about in self.world.far.tokens if one == verb]
        if not found:
            return
        reply = self.discord.presses(verb, found[-1])
        if reply.way is Way.MODAL:
            title = {"title": f"{SECRET}s"} if verb is Verb.EDIT else {}
            self.discord.submits(reply, **title)

    def begins_anew(self) -> None:
        self.discord.slash("new", thread=THREAD)
        self.private = False


scenes = st.one_of(
    st.tuples(st.just("talk")),
    st.tuples(st.just("talk")),
    st.tuples(st.just("ask"), st.sampled_from([BOOK, READ, NOTE, MADE_UP])),
    st.tuples(st.just("quote")),
    st.tuples(st.just("fail")),
    st.tuples(st.just("loop")),
    st.tuples(st.just("press"), st.sampled_from([Verb.APPROVE, Verb.DENY, Verb.EDIT, Verb.UNDO])),
    st.tuples(st.just("pass"), st.sampled_from([1, 9, 37, 73])),
    st.tuples(st.just("command"), st.sampled_from(["stop", "lockdown", "pending", "status"])),
    st.tuples(st.just("new")),
)


def allowed_there(shown: Shown, spoken: Sequence[str]) -> bool:
    """The pointer, the neutral progress line, or words that rest on what was said there."""
    match shown.kind:
        case ShownKind.WORDS:
            return shown.text in spoken and not shown.ledger and not shown.actions
        case ShownKind.PROGRESS:
            return shown.text in ("", "Working on it…", LATE)
        case ShownKind.NOTICE:
            leads = [(one.verb, one.subject.partition("-")[0]) for one in shown.actions]
            pointing = not (shown.title or shown.fields) and leads in ([], [("reveal", "words")])
            return shown.text == POINTER and pointing
        case _:
            return False


@pytest.mark.slow
@few
@given(script=st.lists(scenes, min_size=3, max_size=14))
def test_nothing_private_is_ever_posted_where_others_read(
    fresh: Fresh,
    script: Sequence[tuple[Any, ...]],
) -> None:
    """Reads, cards, ends, reminders, failures, loops, modes, progress; small talk goes there."""
    wall = Remembering()
    world = World(fresh(), far=wall)
    world.calendar.put(APPOINTMENT)
    shared = Shared(world)
    silent = False
    for what, *how in script:
        if what == "pass":
            world.clock.passes(hours=how[0])
            silent = how[0] > 8 or silent
            world.settle()
            shared.discord.works()
        elif what == "press":
            shared.answers(how[0])
        elif what == "command":
            shared.discord.slash(how[0], thread=THREAD)
            silent = silent and how[0] != "stop"  # which is something said
        elif what == "new":
            shared.begins_anew()
        else:
            shared.private = shared.private and not silent
            silent = False
            wants = {"ask": how, "loop": [READ]}.get(what, [])
            shared.says(
                *wants,
                quoted=what == "quote",
                failing=what == "fail",
                times=20 if what == "loop" else 1,
            )
    assert SECRET not in repr(wall.public)
    for shown in wall.public:
        assert allowed_there(shown, shared.spoken), shown
    assert {one.text for one in wall.public if one.kind is ShownKind.WORDS} == set(shared.spoken)


# Others' words


OURS = {"text", "emphasis", "timestamp", "quote", "strong"}
"""What code writes itself: *empty*, *… 7 more characters*, moments, and others' words set apart."""


def texts_of(message: DiscordMessage) -> Iterator[str]:
    """All that Discord reads as markdown."""
    yield message.content
    for one in message.embeds:
        parts = (one.get("title", ""), one.get("description", ""))
        fields = ((field["name"], field["value"]) for field in one.get("fields", ()))
        yield from (*parts, *chain.from_iterable(fields))


def is_harmless(message: DiscordMessage) -> None:
    """Nothing in it is markup that code did not write, hidden, or too long."""
    for text in texts_of(message):
        assert kinds(text) <= OURS, text
        assert legible(text) == text
    assert units(message.content) <= LIMIT
    for embed in message.embeds:
        assert sum(map(units, texts_of(DiscordMessage(embeds=(embed,))))) <= MOST
    for _, content in message.files:
        assert legible(content.decode()) == content.decode()


def a_mail(subject: str, sender: str, text: str) -> bytes:
    """With any characters in its headers, line breaks too, as only a stranger would write it."""
    mail = EmailMessage()
    mail.set_content(sound(text))
    mail.add_attachment(b"x", maintype="text", subtype="plain", filename="a.txt")
    headers = f"From: {_encoded(sender)}\r\n <eve@example.org>\r\nSubject: {_encoded(subject)}\r\n"
    name = f"=?utf-8?b?{b64encode(sound(subject)[:40].encode()).decode()}?="
    return headers.encode() + mail.as_bytes().replace(b"a.txt", name.encode())


def _encoded(text: str) -> str:
    """Encoded words (RFC 2047)."""
    parts = [sound(text)[n : n + 12] for n in range(0, len(text), 12)]
    return "\r\n ".join(f"=?utf-8?b?{b64encode(part.encode()).decode()}?=" for part in parts)


def _subjects(world: World, verb: Verb) -> list[str]:
    return [about for one, about in world.far.tokens if one == verb]


@pytest.mark.slow
@few
@given(words=st.lists(nasty, min_size=5, max_size=5), times=st.sampled_from([1, 1, 200]))
def test_whatever_others_wrote_an_answer_is_harmless(
    fresh: Fresh, words: list[str], times: int
) -> None:
    """Mails, names of files, arguments, reasons, tools that a model made up; typed options."""
    subject, sender, text, reason, typed = (word * times for word in words)
    world = World(fresh())
    discord = Discord(world)
    discord.works()
    world.forwards(a_mail(subject, sender, text))
    wants = (
        Want(tool=text or "x"),
        Want(tool="write_file", args={"path": f"shared:/{subject}", "content": text}),
        Want(tool="write_file", args={"path": "shared:/a.txt", "content": text}),
        Want(tool="create_event", args={"title": subject, **MORNING}),
        Want(tool="create_event", args={"title": "Tea", **NOON}),
    )
    world.model.will(Turn(wants=wants, text=text), Turn(text=text))
    discord.says("do it")
    replies = [
        *(discord.slash(name) for name in ("pending", "grants", "status", "mode", "help")),
        discord.slash("search", words="example"),
        discord.slash("read", mail=world.mails()[0].id),
        *(
            discord.slash(name, **{option: typed})
            for name, option in (("why", "call"), ("read", "mail"), ("undo", "call"))
        ),
        *(discord.slash("why", call=f"A{n}") for n in range(1, 6)),
        discord.slash("mode", mode="alert", reason=reason),
        discord.slash("mode"),
    ]
    for verb in (Verb.MORE, Verb.DETAILS):
        replies += [discord.presses(verb, about) for about in _subjects(world, verb)]
    for about in _subjects(world, Verb.DENY):
        form = discord.follows(discord.presses(Verb.MORE, about), "Deny and say why")
        assert form.modal is not None
        assert units(form.modal["title"]) <= 45
        replies.append(discord.submits(form, text=reason))
    for reply in replies:
        assert reply.message is not None
        assert reply.message.content or reply.message.embeds
        is_harmless(reply.message)
    for shown in [*world.far.shown.values(), *world.wall.shown.values()]:
        if shown.kind not in (ShownKind.WORDS, ShownKind.PROGRESS):
            for message in render(shown, tokens=["t"] * len(shown.actions)):
                is_harmless(message)
    for name, option in (("read", "mail"), ("why", "call"), ("undo", "call")):
        for label, value in discord.types(name, option).choices:
            assert legible(label) == label
            assert "\n" not in label
            assert 0 < units(label) <= 100
            assert 0 < units(value) <= 100
