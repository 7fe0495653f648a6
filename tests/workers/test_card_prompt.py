"""The prompt below a card: which letters are answers, to which card, and when they are not."""

from dataclasses import dataclass, field, replace

import pytest

from assistant.commands.answer import Card
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Shown, ShownKind
from workers.cli.terminal.card_prompt import (
    PLAIN,
    CardPrompt,
    NotCounted,
    PromptedCard,
    PromptReply,
    asked_below,
    asked_below_all,
)

A4 = PromptedCard(call="id4", handle="A4", digest="four")
A5 = PromptedCard(call="id5", handle="A5", digest="five")
PLAN = PromptedCard(call="id4", handle="A4", steps={"id4": "four", "id5": "five"}, names="A4–A5")


@dataclass
class Screen:
    """A prompt, and the seconds that pass before it."""

    seconds: float = 100.0
    prompt: CardPrompt = field(init=False)

    def __post_init__(self) -> None:
        self.prompt = CardPrompt(monotonic=lambda: self.seconds)

    def prints(self, asked: PromptedCard | None, *, read: bool = True) -> None:
        self.prompt.printed(asked)
        self.prompt.label()
        self.seconds += 5 if read else 0.1

    def types(self, text: str) -> tuple[str, PromptedCard] | NotCounted | PromptReply:
        self.prompt.begun()
        return self.prompt.command(text)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("y", "/approve A4"),
        ("Yes", "/approve A4"),
        ("n", "/deny A4"),
        ("e", "/edit A4"),
        ("/approve", "/approve A4"),
        ("/deny", "/deny A4"),
        ("/deny because it is too late", "/deny A4 because it is too late"),
        ("/deny --why no", "/deny A4 --why no"),
        ("/edit title=Tea", "/edit A4 title=Tea"),
        ("/approve CONFIRM", "/approve A4 CONFIRM"),
        ("CONFIRM", "/approve A4 CONFIRM"),
    ],
)
def test_a_letter_at_a_card_answers_that_card(typed: str, command: str) -> None:
    screen = Screen()
    screen.prints(A4)
    assert screen.prompt.label() == "A4 [y/n/e] "
    assert screen.types(typed) == (command, A4)


@pytest.mark.parametrize("typed", ["y", "n", "e", "/approve", "CONFIRM"])
def test_anywhere_else_letters_are_words(typed: str) -> None:
    screen = Screen()
    screen.prints(None)
    assert screen.prompt.label() == PLAIN
    assert screen.types(typed) is PromptReply.WORDS


@pytest.mark.parametrize(
    "typed",
    [
        "yes please",
        "not now",
        "/approve A5",
        "/approve now",
        "/deny A5 too late",
        "/deny 5 too late",
        "/deny all A5",
        "/edit a5 title=Tea",
        "/details of it",
        "confirm",
        "move it",
    ],
)
def test_other_words_at_a_card_are_words(typed: str) -> None:
    screen = Screen()
    screen.prints(A4)
    assert screen.types(typed) is PromptReply.WORDS


@pytest.mark.parametrize("newer", [A5, None, PromptedCard(call="id4", handle="A4", digest="other")])
def test_what_is_printed_while_a_letter_stands_there_makes_it_void(
    newer: PromptedCard | None,
) -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prompt.begun()
    screen.prints(newer)
    assert screen.prompt.command("y") == NotCounted(asked=A4, early=False)


def test_a_letter_that_was_begun_before_the_card_came_is_words() -> None:
    screen = Screen()
    screen.prints(None)
    screen.prompt.begun()
    screen.prints(A4)
    assert screen.prompt.command("y") is PromptReply.WORDS


def test_a_card_that_was_printed_but_whose_prompt_was_not_drawn_yet_is_not_answered() -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prompt.printed(A5)
    assert isinstance(screen.types("y"), NotCounted)


def test_a_letter_typed_before_anybody_could_read_the_card_is_no_answer() -> None:
    screen = Screen()
    screen.prints(A4, read=False)
    assert screen.types("y") == NotCounted(asked=A4, early=True)
    screen.seconds += 5
    assert screen.types("y") == ("/approve A4", A4)


def test_a_line_is_answered_once() -> None:
    screen = Screen()
    screen.prints(A4)
    assert screen.types("y") == ("/approve A4", A4)
    assert screen.prompt.command("y") is PromptReply.WORDS


def test_the_word_of_a_second_step_is_typed_at_the_prompt() -> None:
    screen = Screen()
    asked = PromptedCard(call="id4", handle="A4", digest="four", word="CONFIRM")
    screen.prints(asked)
    assert screen.prompt.label() == "A4 [CONFIRM/n] "
    assert screen.types("CONFIRM") == ("/approve A4 CONFIRM", asked)
    assert screen.types("n") == ("/deny A4", asked)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("y", "/plan A4 yes"),
        ("N", "/deny all A4"),
        ("/approve", "/plan A4 yes"),
        ("/deny", "/deny all A4"),
        ("CONFIRM", "/plan A4 yes CONFIRM"),
    ],
)
def test_a_letter_at_a_plan_answers_the_steps_that_were_printed(typed: str, command: str) -> None:
    screen = Screen()
    screen.prints(PLAN)
    assert screen.prompt.label() == "A4–A5 [y/n] "
    assert screen.types(typed) == (command, PLAN)
    assert PLAN.shown == {"id4": "four", "id5": "five", "plan id4": "id4 id5"}


@pytest.mark.parametrize("typed", ["e", "/edit", "/details", "yes to the first"])
def test_nothing_else_answers_a_plan(typed: str) -> None:
    screen = Screen()
    screen.prints(PLAN)
    assert screen.types(typed) is PromptReply.WORDS


def test_a_plan_that_was_printed_anew_makes_the_letter_void() -> None:
    screen = Screen()
    screen.prints(PLAN)
    screen.prompt.begun()
    screen.prints(replace(PLAN, steps={"id4": "four", "id5": "other"}))
    assert screen.prompt.command("y") == NotCounted(asked=PLAN, early=False)


def plan(*covered: str) -> Shown:
    """The message of a plan of two steps whose yes covers these."""
    steps = {"id4": "four", "id5": "five"}
    actions = [
        Action(
            verb=verb,
            label=verb,
            subject="id4",
            handle="A4",
            terms={id: steps[id] for id in some},
        )
        for verb, some in ((Verb.DENY_ALL, tuple(steps)), (Verb.PLAN, covered))
    ]
    return Shown(kind=ShownKind.CARD, small="A4–A5 · can be undone", actions=tuple(actions))


def test_the_prompt_asks_about_a_plan_whose_yes_covers_all_of_it() -> None:
    assert asked_below("", plan("id4", "id5")) == PLAN
    assert asked_below("", plan("id4")) is None


def step(handle: str, *, within: str = "plan-id4") -> Card:
    action = Action(verb=Verb.APPROVE, label="Approve", subject=handle, handle=handle)
    shown = Shown(kind=ShownKind.CARD, actions=(action,), within=within)
    return Card(call=f"id of {handle}", handle=handle, shown=shown)


def test_the_prompt_asks_about_the_cards_of_one_plan_together() -> None:
    asked = asked_below_all([step("A4"), step("A6")])
    assert asked is not None
    assert (asked.handle, asked.names, list(asked.steps)) == (
        "A4",
        "A4, A6",
        ["id of A4", "id of A6"],
    )
    assert asked_below_all([step("A4"), step("A6", within="plan-other")]) is None
    assert asked_below_all([step("A4", within=""), step("A6", within="")]) is None
    assert asked_below_all([]) is None
    lone = asked_below_all([step("A4")])
    assert lone is not None
    assert not lone.steps


def test_what_does_not_count_says_why_and_what_to_type() -> None:
    late = NotCounted(asked=A4, early=False).why("y")
    assert late.startswith("“y” did not count: something newer was printed below A4's card.")
    assert "/look A4" in late
    early = NotCounted(asked=A4, early=True).why("y")
    assert "as A4's card came" in early
    assert "type it again" in early


@pytest.mark.parametrize("typed", ["/approve", "/deny", "/details", "/edit"])
def test_a_command_alone_means_the_one_card_on_the_screen(typed: str) -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prints(None)
    assert screen.types("y") is PromptReply.WORDS
    assert screen.types(typed) == (f"{typed} A4", A4)
    assert screen.types("/deny too late") == ("/deny A4 too late", A4)
    assert screen.types("/deny A5 too late") is PromptReply.WORDS


def test_a_command_alone_means_none_of_two_cards_and_no_plan() -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prints(A5)
    screen.prints(None)
    assert screen.types("/approve") is PromptReply.WORDS
    screen.prompt.holds({"id4": None})
    assert screen.types("/approve") == ("/approve A5", A5)
    screen.prompt.holds({"plan": PromptedCard(call="plan", handle="", digest="p")})
    assert screen.types("/approve") is PromptReply.WORDS
    screen.prompt.holds({"id5": None})
    assert screen.types("/approve") is PromptReply.WORDS


def test_a_card_whose_call_was_answered_elsewhere_is_on_the_screen_no_more() -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prints(A5)
    screen.prints(None)
    screen.prompt.only_waiting(["id5"])
    assert screen.types("/deny") == ("/deny A5", A5)


def test_a_card_that_comes_while_a_command_is_typed_is_not_the_one_that_was_meant() -> None:
    screen = Screen()
    screen.prints(A4)
    screen.prints(None)
    screen.prompt.begun()
    screen.prints(A5)
    screen.prompt.holds({"id4": None})
    assert screen.prompt.command("/approve") == NotCounted(asked=A4, early=False)
    screen.prints(None)
    screen.prompt.begun()
    screen.prompt.holds({"id5": PromptedCard(call="id5", handle="A5", digest="other")})
    assert screen.prompt.command("/approve") == NotCounted(asked=A5, early=False)


def test_a_command_alone_means_the_one_plan_on_the_screen() -> None:
    screen = Screen()
    screen.prompt.printed(PLAN, name="owner:plan-id4")
    screen.prints(None)
    assert screen.types("/approve") == ("/plan A4 yes", PLAN)
    assert screen.types("/deny") == ("/deny all A4", PLAN)
    assert screen.types("/edit") is PromptReply.WORDS
    screen.prompt.holds({"owner:plan-id4": None})
    assert screen.types("/approve") is PromptReply.WORDS
