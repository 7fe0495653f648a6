"""What commands answer: a yes covers what its own channel showed, a button is a command."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from assistant.commands.answer import Answer, CommandOutcome, Fields
from assistant.commands.buttons import command_of
from assistant.commands.carry_out import bound, bound_words, carry_out, offered
from assistant.commands.channel import PEOPLE, CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import BadArguments, NotFound
from tests.process.command import run
from tests.proposing import proposed
from workers.cli.session import Session, context_of
from workers.settings import only


class Scene:
    """An owner who gives commands in any channel, and workers that are this test."""

    def __init__(self, opened: Session) -> None:
        self.opened = opened

    def ctx(
        self, channel: CommandChannel, shown: Mapping[str, str] | None = None
    ) -> CommandContext:
        cause = self.opened.assistant.cause()
        return context_of(self.opened, channel, cause=cause, shown=shown or {})

    def says(self, channel: CommandChannel, text: str) -> Answer:
        ctx = self.ctx(channel)
        answer = bound_words(ctx, text).run(ctx)
        self.opened.settle("")
        return answer

    def asks(self, *titles: str) -> None:
        """Calls for events, each of which waits for a yes."""
        for title in titles:
            self.plans(title)

    def plans(self, *titles: str) -> None:
        """The same, of one turn."""
        times = {"start": "2031-03-04T10:00:00+00:00", "end": "2031-03-04T10:30:00+00:00"}
        wants = (Want(tool="create_event", args={"title": title, **times}) for title in titles)
        proposed(self.opened, *wants)

    def call(self, handle: str) -> Call:
        with self.opened.assistant.store.read(self.opened.assistant.cause()) as tx:
            return tx.call_named(handle)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield Scene(made)
    made.assistant.close()


@pytest.mark.parametrize("channel", sorted(PEOPLE))
def test_a_yes_to_a_card_that_this_channel_has_not_shown_counts_for_nothing(
    scene: Scene, channel: CommandChannel
) -> None:
    scene.asks("Rent")
    unseen = carry_out(scene.ctx(channel), "approve", {"call": "A1"})
    assert (unseen.outcome, scene.call("A1").state) == (CommandOutcome.STALE, "parked")
    assert unseen.text == "Look at A1 first."
    other = scene.ctx(channel, {scene.call("A1").id: "0" * 64})
    assert carry_out(other, "approve", {"call": "A1"}).outcome is CommandOutcome.STALE
    shown = carry_out(scene.ctx(channel), "pending", {}).digests
    seen = carry_out(scene.ctx(channel, shown), "approve", {"call": "A1"})
    assert (seen.outcome, scene.call("A1").state != "parked") == (CommandOutcome.DONE, True)


@pytest.mark.parametrize("channel", sorted(PEOPLE))
@pytest.mark.parametrize("seen", [None, "0" * 64])
def test_a_typed_no_counts_wherever_its_card_was_shown_and_keeps_its_reason(
    scene: Scene, channel: CommandChannel, seen: str | None
) -> None:
    scene.asks("Rent", "Tax")
    shown = {scene.call("A1").id: seen} if seen else {}
    no = carry_out(scene.ctx(channel, shown), "deny", {"call": "A1", "why": "not this week"})
    assert no.outcome is CommandOutcome.DONE
    told = [line for block in no.blocks if isinstance(block, Fields) for line in block.lines]
    assert [line.value[:13] for line in told] == ["Create “Rent”"], "what was denied unseen is told"
    assert (scene.call("A1").state, scene.call("A1").told) == ("denied", "not this week")
    assert scene.call("A2").state == "parked"
    late = carry_out(scene.ctx(channel), "deny", {"call": "A1"})
    assert (late.outcome, scene.call("A2").state) == (CommandOutcome.STALE, "parked")


@pytest.mark.parametrize("channel", sorted(PEOPLE))
def test_a_typed_no_is_none_to_the_call_that_took_the_place_of_the_named_one(
    scene: Scene, channel: CommandChannel
) -> None:
    scene.asks("Rent")
    terminal = scene.ctx(CommandChannel.TERMINAL)
    shown = carry_out(terminal, "pending", {}).digests
    carry_out(terminal.having_shown(shown), "edit", {"call": "A1", "changes": "title=Tax"})
    scene.opened.settle("")
    assert (scene.call("A1").state, scene.call("A2").state) == ("superseded", "parked")
    late = carry_out(scene.ctx(channel), "deny", {"call": "A1", "why": "no"})
    assert (late.outcome, scene.call("A2").state) == (CommandOutcome.STALE, "parked")


@pytest.mark.parametrize("verb", ["approve", "deny"])
def test_what_a_shell_prints_first_is_what_its_answer_is_bound_to(scene: Scene, verb: str) -> None:
    scene.asks("Rent")
    ctx = scene.ctx(CommandChannel.COMMAND_LINE)
    preview = bound(ctx, verb, {"call": "A1"}).preview(ctx)
    assert preview is not None
    [card] = preview.cards
    assert card.shown.title == "Create “Rent”"
    assert dict(preview.digests) == {scene.call("A1").id: card.shown.digest}


def test_the_one_plan_that_waits_need_not_be_named_to_be_looked_at(scene: Scene) -> None:
    ctx = scene.ctx(CommandChannel.TERMINAL)
    scene.plans("Lone")
    with pytest.raises(BadArguments, match="No plan waits"):
        carry_out(ctx, "plan", {})
    scene.plans("Rent", "Tax")
    shown = bound_words(ctx, "/plan").run(ctx)
    assert [card.handle for card in shown.cards] == ["A2", "A3"]
    assert shown.next is not None
    assert shown.next.args == {"call": "A2", "yes": True}
    with pytest.raises(BadArguments, match=r"'yes' is no call.* Type: /plan A"):
        bound_words(ctx, "/plan yes")
    assert [scene.call(one).state for one in ("A1", "A2", "A3")] == ["parked"] * 3
    scene.plans("Tea", "Walk")
    with pytest.raises(BadArguments, match=r"which one\? A2, A4\. Type: /plan A2"):
        carry_out(ctx, "plan", {})


def test_a_plan_is_what_was_shown_and_nothing_that_came_later(scene: Scene) -> None:
    scene.asks("Rent", "Tax")
    ctx = scene.ctx(CommandChannel.TERMINAL)
    shown = carry_out(ctx, "plan", {"call": "A1"}).digests
    carry_out(ctx.having_shown(shown), "deny", {"call": "A1"})
    late = carry_out(ctx.having_shown(shown), "plan", {"call": "A1", "yes": True})
    assert late.outcome is CommandOutcome.STALE


def test_a_grant_is_what_was_shown(scene: Scene) -> None:
    scene.asks("Rent")
    ctx = scene.ctx(CommandChannel.TERMINAL)
    cards = carry_out(ctx, "pending", {}).digests
    shown = carry_out(ctx.having_shown(cards), "similar", {"call": "A1"})
    seen = {**shown.digests, **cards}
    name = f"scope {scene.call('A1').id}"
    forged = ctx.having_shown({**seen, name: "0" * 64})
    no = carry_out(forged, "similar", {"call": "A1", "yes": True})
    assert (no.outcome, "not what was shown" in no.text) == (CommandOutcome.STALE, True)
    yes = carry_out(ctx.having_shown(seen), "similar", {"call": "A1", "yes": True})
    assert (yes.outcome, "G1 covers" in yes.text) == (CommandOutcome.DONE, True)


def test_every_button_is_a_command_with_arguments_that_fit(scene: Scene, tmp_path: Path) -> None:
    scene.asks("Rent")
    mail = tmp_path / "mail.eml"
    mail.write_text("From: ada@example.org\nSubject: Rent\n\nPay.\n")
    run("mail", "add", str(mail), data=tmp_path)
    [found] = carry_out(scene.ctx(CommandChannel.DISCORD), "search", {"words": "rent"}).data()
    buttons = [
        *scene.says(CommandChannel.DISCORD, "/pending").buttons,
        *carry_out(scene.ctx(CommandChannel.DISCORD), "read", {"mail": found["id"]}).buttons,
    ]
    assert {one.command for one in buttons} == {"show", "ask", "forget"}
    for one in buttons:
        more = {"words": "when is it due?"} if one.command == "ask" else {}
        assert bound(scene.ctx(CommandChannel.DISCORD), one.command, {**one.args, **more})
        assert one.verb
        assert command_of(one.verb) == one.command
        assert one.subject


def test_what_destroys_a_mail_is_said_first_and_done_after_a_yes(
    scene: Scene, tmp_path: Path
) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_text("From: ada@example.org\nSubject: Rent\n\nPay.\n")
    id = run("mail", "add", str(mail), "--json", data=tmp_path).value["id"]
    first = scene.says(CommandChannel.TERMINAL, f"/forget {id}")
    assert first.next is not None
    assert "Nobody can bring them back" in first.text
    assert run("mail", "show", id, "--json", data=tmp_path).value["state"] == "announced"
    scene.says(CommandChannel.TERMINAL, f"/forget {id} yes")
    assert run("mail", "show", id, "--json", data=tmp_path).value["state"] == "forgotten"


def test_what_is_typed_is_offered(scene: Scene) -> None:
    scene.asks("Rent", "Tax")
    found = offered(scene.ctx(CommandChannel.DISCORD), "approve", "call", "tax")
    assert [value for _, value in found] == ["A2"]
    assert [
        value for _, value in offered(scene.ctx(CommandChannel.DISCORD), "why", "call", "")
    ] == [
        "A2",
        "A1",
    ]


def test_when_one_is_free_is_answered_at_once_in_a_chat(tmp_path: Path) -> None:
    said = run("chat", "--once", "/free tomorrow afternoon", data=tmp_path)
    assert (said.code, "Free: nothing is on" in said.out) == (0, True)
    said = run("chat", "--once", "/free for 45 minutes", data=tmp_path)
    assert "I understood: the next free times of 45 minutes." in said.out
    assert "Next free for 45 minutes within working hours (Mon–Fri 09:00–17:00):" in said.out
    odd = run("chat", "--once", "/free mimsy", data=tmp_path)
    assert (odd.code, "try: /free tomorrow afternoon" in odd.err) == (2, True)


def test_other_commands_are_named_as_they_are_given_where_one_asks(scene: Scene) -> None:
    chat, shell = scene.ctx(CommandChannel.TERMINAL), scene.ctx(CommandChannel.COMMAND_LINE)
    assert (chat.typed("keep", "A1"), shell.typed("keep", "A1")) == (
        "/keep A1",
        "assistant mode keep A1",
    )
    assert chat.typed("calls list") == "assistant calls list", "it is no command of a chat"
    assert shell.typed("why", "A1") == "/why A1", "it is none of the command line"
    carry_out(chat, "mode", {"mode": "alert"})
    told = {
        CommandChannel.TERMINAL: "/mode show",
        CommandChannel.DISCORD: "/mode show",
        CommandChannel.COMMAND_LINE: "assistant mode show",
    }
    for channel, words in told.items():
        [block, *_] = carry_out(scene.ctx(channel), "status", {}).blocks
        assert isinstance(block, Fields)
        assert next(one.value for one in block.lines if one.label == "Mode").endswith(words)


def refusal(scene: Scene, typed: str) -> str:
    with pytest.raises(BadArguments) as error:
        scene.says(CommandChannel.TERMINAL, typed)
    return str(error.value)


def test_words_in_the_place_of_a_handle_are_told_which_card_and_the_form(scene: Scene) -> None:
    none = refusal(scene, "/deny too late")
    assert none == ("'too' is no call, such as A17. There is none now. Type: /deny A17 too late")
    scene.asks("Rent")
    assert refusal(scene, "/deny too late").endswith("Which one? A1. Type: /deny A1 too late")
    assert refusal(scene, "/approve please").endswith("Which one? A1. Type: /approve A1")
    scene.asks("Tax")
    assert "Which one? A1, A2." in refusal(scene, "/deny too late")
    assert scene.call("A1").state == "parked"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("/log 0", "days is 1 or more, not '0'. Type: /log [DAYS]"),
        ("/log 400", "days is 366 or less, not '400'. Type: /log [DAYS]"),
        ("/log soon", "days is a whole number, not 'soon'. Type: /log [DAYS]"),
    ],
)
def test_an_argument_that_does_not_fit_is_told_what_would(
    scene: Scene, typed: str, said: str
) -> None:
    assert refusal(scene, typed) == said


def test_a_card_that_is_approved_in_a_shell_is_not_said_to_wait(
    scene: Scene, tmp_path: Path
) -> None:
    scene.asks("Rent")
    ended = run("approvals", "approve", "A1", data=tmp_path)
    assert "Create “Rent”" in ended.out
    assert "waits for you" not in ended.out


@pytest.mark.parametrize("typed", ["A1 A2", "A1, a2", "A1 and A2", "A1 A1 #A2"])
def test_a_typed_no_that_names_several_calls_denies_each_and_says_so(
    scene: Scene, typed: str
) -> None:
    scene.asks("Rent", "Tax", "Tea")
    answer = scene.says(CommandChannel.TERMINAL, f"/deny {typed}")
    assert [scene.call(one).state for one in ("A1", "A2", "A3")] == ["denied", "denied", "parked"]
    assert answer.text == "A1 is denied; nothing was done.\nA2 is denied; nothing was done."
    assert scene.call("A1").told == "", "a handle is no reason"


def test_a_no_to_several_counts_for_those_that_wait_and_none_is_denied_for_a_wrong_name(
    scene: Scene,
) -> None:
    scene.asks("Rent", "Tax")
    with pytest.raises(NotFound, match="A9"):
        scene.says(CommandChannel.TERMINAL, "/deny A1 A9")
    assert scene.call("A1").state == "parked"
    scene.says(CommandChannel.TERMINAL, "/deny A1")
    answer = scene.says(CommandChannel.TERMINAL, "/deny A1 A2")
    assert (answer.outcome, scene.call("A2").state) == (CommandOutcome.STALE, "denied")
    assert "A1 was answered already" in answer.text
    assert "A2 is denied" in answer.text


def test_a_reason_that_is_said_to_be_one_or_that_says_more_names_no_call(scene: Scene) -> None:
    scene.plans("Rent", "Tax")
    scene.says(CommandChannel.TERMINAL, "/deny A1 --why A2")
    assert (scene.call("A1").told, scene.call("A2").state) == ("A2", "parked")
    scene.plans("Tea", "Cake")
    assert refusal(scene, "/deny all A3 A4") == "With all, name one call. Type: /deny all A3"
