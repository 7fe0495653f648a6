"""What people read says what the glossary says for people, whatever a state is stored as."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.commands.carry_out import bound
from assistant.commands.channel import CommandChannel
from assistant.commands.index import COMMANDS, given_in
from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import NEXT, STATES, CallState, state_name, states_called
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import AssistantError
from assistant.domain.mail.mail import MAIL_NAMES, MailQuery, MailState, mail_state_called
from assistant.flows.render.outcomes import show_card
from tests.process.command import run
from tests.proposing import proposed
from workers.cli.session import Session, context_of
from workers.cli.terminal.slash import command, on_screen
from workers.discord.commands.words import told
from workers.settings import only

PRIVATE = re.compile(
    r"\b(parked|voids?|voided|superseded|held|extract|extractive|cleared|the model)\b",
    re.IGNORECASE,
)
TIMES = {"start": "2031-03-04T10:00:00+00:00", "end": "2031-03-04T10:30:00+00:00"}


def way_to(state: CallState) -> list[CallState]:
    """The steps from a call that waits."""
    ways = [[CallState.PARKED]]
    while ways:
        way = ways.pop(0)
        if way[-1] is state:
            return way[1:]
        ways += [[*way, one] for one in sorted(NEXT[way[-1]]) if one not in way]
    return []


class Furnished:
    """An installation with a call in every state that a call can come to, and mails."""

    def __init__(self, opened: Session, data: Path) -> None:
        self.opened, self.data = opened, data
        for state in CallState:
            [call] = proposed(
                opened, Want(tool="create_event", args={"title": f"{len(state)} guests", **TIMES})
            )
            self._move(call, state)
        for subject in ("Rent", "Boiler"):
            (data / subject).write_text(f"From: ada@example.org\nSubject: {subject}\n\nPay.\n")
            run("mail", "add", str(data / subject), data=data)
        with opened.assistant.store.begin(opened.assistant.cause()) as tx:
            mails = tx.mails(MailQuery())
            tx.move_mail(mails[0], MailState.HELD, reason="it ended too early")
            self.mails = [mail.id for mail in mails]

    def _move(self, call: Call, to: CallState) -> None:
        if call.state is not CallState.PARKED:
            return
        assistant = self.opened.assistant
        with assistant.store.begin(assistant.cause()) as tx:
            way = way_to(to)
            if way and way[0] is not CallState.CLEARED:
                as_void = ApprovalState.VOID
                tx.settle(
                    tx.approval(call.id), as_void, by="x", reason="", at=assistant.clock.now()
                )
            for state in way:
                call = tx.move(call, state, told="it was so")
            show_card(tx, call, toolbox=assistant.ctx.toolbox, zone="UTC")

    @property
    def handles(self) -> list[str]:
        with self.opened.assistant.store.read(self.opened.assistant.cause()) as tx:
            return [call.handle for call in tx.calls()]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    data = tmp_path_factory.mktemp("furnished")
    opened = Session(only(data_dir=data, timezone="UTC"))
    opened.open()
    yield Furnished(opened, data)
    opened.assistant.close()


def private_words(of: str, said: str) -> dict[str, str]:
    """The first one, with what stands around it."""
    found = PRIVATE.search(said)
    return {of: said[max(0, found.start() - 60) : found.end() + 40]} if found else {}


_ABOUT = {"call": "handles", "mail": "mails"}


_CHANGES = {
    "lockdown",
    "keep",
    "new",
    "stop",
    "forget",
    "mail retry",
    "mail reread",
    "pairing code",
}
"""Commands that would leave another installation behind."""


def lines_of(
    furnished: Furnished, channel: CommandChannel, *, most: int | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """Each command with arguments that it takes; what needs a file or a word is left out."""
    for name, one in given_in(channel, pressed=True).items():
        fields = one.load().args.model_fields
        needed = [field for field, info in fields.items() if info.is_required()]
        about = next((field for field in needed if field in _ABOUT), "")
        if needed not in ([], [about]) or name in _CHANGES:
            continue
        for value in getattr(furnished, _ABOUT[about])[:most] if about else [""]:
            yield name, {about: value} if about else {}


@pytest.mark.slow
@pytest.mark.parametrize("channel", [CommandChannel.TERMINAL, CommandChannel.DISCORD])
def test_no_chat_says_a_private_word(furnished: Furnished, channel: CommandChannel) -> None:
    opened = furnished.opened
    found: dict[str, str] = {}
    for name, given in lines_of(furnished, channel):
        ctx = context_of(opened, channel, cause=opened.assistant.cause(), shown=on_screen(opened))
        try:
            if channel is CommandChannel.DISCORD:
                said = str(told(bound(ctx, name, given).run(ctx)))
            else:
                typed = " ".join((f"/{name}", *given.values()))
                said = command(opened, typed, cause=opened.assistant.cause())
        except AssistantError as error:
            said = str(error)
        found |= private_words(name, said)
    assert not found


def shell_lines(furnished: Furnished) -> Iterator[list[str]]:
    for name, given in lines_of(furnished, CommandChannel.COMMAND_LINE, most=3):
        if name not in _CHANGES:
            yield [*COMMANDS[name].line.split(), *given.values()]
    for one in given_in(CommandChannel.COMMAND_LINE).values():
        yield [*one.line.split(), "--help"]
    for handle in furnished.handles:
        yield ["approvals", "show", handle, "--details"]
    for handle in furnished.handles[:3]:
        yield ["policy", "explain", handle]
        yield ["audit", "show", handle]
    yield ["audit", "list", "--kind", "nothing"]
    yield ["calls", "list", "--state", "nothing"]
    yield ["doctor"]
    yield ["--help"]


@pytest.mark.slow
def test_no_command_line_says_a_private_word(furnished: Furnished) -> None:
    found: dict[str, str] = {}
    for line in shell_lines(furnished):
        ended = run(*line, data=furnished.data)
        said = f"{ended.out}\n{ended.err}"
        found |= private_words(" ".join(line), said)
    assert not found


def test_people_may_type_the_word_that_they_read(furnished: Furnished) -> None:
    for state in CallState:
        name = state_name(state)
        assert state in states_called(name)
        assert state in states_called(name.replace(" ", "-").upper())
        assert state in states_called(state.value)
        read = run("calls", "list", "--state", name, "--json", data=furnished.data).value
        stored = run("calls", "list", "--state", state.value, "--json", data=furnished.data).value
        assert {one["state"] for one in stored} <= {state.value}
        assert stored == [one for one in read if one["state"] == state.value] or name == "cancelled"
    for mail, name in MAIL_NAMES.items():
        assert mail_state_called(name) is mail_state_called(mail.value) is mail
    args = ("mail", "list", "--json", "--state")
    assert [one["state"] for one in run(*args, "could-not-be-read", data=furnished.data).value] == [
        "held"
    ]
    kinds = [
        run("audit", "list", "--json", "--kind", kind, data=furnished.data).value
        for kind in ("call.waiting", "call.parked")
    ]
    assert kinds[0] == kinds[1] != []


def test_a_word_that_is_no_state_is_told_those_there_are(furnished: Furnished) -> None:
    ended = run("calls", "list", "--state", "lost", data=furnished.data)
    assert ended.code == 2
    assert "there is no state lost; there are not decided, waiting, queued" in ended.err


def test_a_program_is_told_a_state_by_its_stored_name(furnished: Furnished) -> None:
    told = run("calls", "list", "--json", data=furnished.data).value
    states = {one["state"] for one in told}
    assert {"void", "superseded"} <= states
    assert not {"replaced", "stopped"} & states


def test_each_state_has_a_name_of_its_own() -> None:
    names = [row.name for row in STATES.values()]
    assert len(names) == len(set(names))
