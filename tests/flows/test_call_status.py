"""What became of a call: its card, its receipt, its details and a late press all tell the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.reminders import Later
from assistant.domain.calls.states import ASKED_AGAIN, HAPPENED, CallState, state_name
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Shown, ShownKind, Tone
from assistant.domain.errors import Denied, LeaseLost, NotFound, Stale, Unsure
from assistant.domain.governance.modes import Mode
from assistant.flows.approvals.answers import REASON
from assistant.flows.approvals.reproposal import ask_again
from assistant.flows.render.call_status import describe, lookup_status
from tests.discord_world import Discord, buttons, said
from tests.flows.test_batches import DAY, booking, note
from tests.flows.test_moved import DENIES
from tests.flows.test_plans import deletions
from tests.operations import enters, leaves
from tests.world import ZONE, World
from workers.discord.interaction import Reply, Way

THEN = "Mon 23 Nov 2026, 09:01 (Europe/Berlin)"
TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}
RULES = """
version: 1
rules:
  - {tool: write_file, action: ask, message: look first}
"""
DENIED = (
    "rules[0], for create_event, says deny: no more events; "
    "the owner would have to change rules[0] of the policy"
)


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    return made


def asked(discord: Discord, *wants: Want) -> str:
    """Something is asked about; the id of the first call."""
    discord.world.model.will(Turn(wants=wants or (booking("Rent"),)), Turn(text="So be it."))
    discord.says("do it")
    return discord.world.call("A1").id


def card(discord: Discord, handle: str = "A1") -> Shown:
    return discord.world.far.shown[f"owner:card-{discord.world.call(handle).id}"]


# What ends a call, each a minute after it was asked about


def approved(discord: Discord) -> None:
    discord.presses(Verb.APPROVE, discord.world.call().id)


def denied(discord: Discord) -> None:
    more = discord.presses(Verb.MORE, discord.world.call().id)
    discord.submits(discord.follows(more, "Deny and say why"), text="not that day")


def edited(discord: Discord) -> None:
    form = discord.presses(Verb.EDIT, discord.world.call().id)
    discord.submits(form, title="Rent for December", **TIMES)


def expired(discord: Discord) -> None:
    discord.world.clock.passes(hours=73, minutes=-1)
    discord.world.settle()


def voided_by_lockdown(discord: Discord) -> None:
    discord.slash("lockdown")


def voided_by_policy(discord: Discord) -> None:
    discord.world.writes_policy(DENIES)
    approved(discord)


def superseded(discord: Discord) -> None:
    enters(discord.world, Mode.ALERT)
    approved(discord)


def failed(discord: Discord) -> None:
    discord.world.calendar.fail_next(Denied("the calendar is full"))
    approved(discord)


def unknown(discord: Discord) -> None:
    discord.world.calendar.fail_next(Unsure("no answer"), happened=True)
    approved(discord)


def cancelled(discord: Discord) -> None:
    with discord.world.store.begin(discord.world.cause) as tx:
        tx.ask_stop(discord.world.call())
    approved(discord)


def undone(discord: Discord) -> None:
    approved(discord)
    discord.world.clock.passes(minutes=1)
    discord.presses(Verb.UNDO, discord.world.call().id)
    discord.world.settle()


@dataclass(frozen=True)
class End:
    """How an end is told."""

    state: CallState
    late: str
    """To whoever presses too late."""
    title: str = ""
    """On the card."""
    small: str = ""
    """Of the card, after its handle."""
    tone: Tone = Tone.DENIED
    text: str = ""
    """In the details."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Of the card, but for those of the event, the audit and the trace."""
    buttons: tuple[Verb, ...] = ()


YES = f"by you (discord:42), {THEN}"
ANSWERED = "A1 was answered already: it is"
AGAIN = "nothing was done. Ask for it again if you still want it."
ENDS: Mapping[Callable[[Discord], None], End] = {
    approved: End(
        CallState.DONE,
        f"{ANSWERED} done.",
        "Created “Rent”",
        "you, 09:01",
        Tone.DONE,
        lines={"Approved": YES, "Done": THEN},
        buttons=(Verb.UNDO, Verb.MORE),
    ),
    denied: End(
        CallState.DENIED,
        f"{ANSWERED} denied.",
        "Denied: create “Rent”",
        "you, 09:01 · “not that day”",
        Tone.DENIED,
        "Denied; nothing was done. Reason: not that day",
        {"Denied": YES},
    ),
    edited: End(
        CallState.SUPERSEDED,
        "A1 was edited; nothing was done. A2 is in its place: look at that one.",
        "Edited: create “Rent”",
        "you, 09:01 · A2 is in its place",
        Tone.REPLACED,
        "Edited; nothing was done. A2 is in its place.",
        {"Edited": YES},
    ),
    superseded: End(
        CallState.SUPERSEDED,
        "A1 was replaced; nothing was done. A2 is in its place: look at that one.",
        "Replaced: create “Rent”",
        "09:01 · A2 is in its place",
        Tone.REPLACED,
        "Replaced by A2; nothing was done. Reason: it changed since it was shown",
        {"Replaced": THEN},
    ),
    expired: End(
        CallState.EXPIRED,
        f"A1 has expired; {AGAIN}",
        "Expired: create “Rent”",
        "Thu 10:00 · nothing was done",
        Tone.DENIED,
        "Expired; nothing was done.",
        {"Expired": "Thu 26 Nov 2026, 10:00 (Europe/Berlin)"},
    ),
    voided_by_lockdown: End(
        CallState.VOID,
        f"A1 was cancelled (the assistant went into lockdown); {AGAIN}",
        "Cancelled: create “Rent”",
        "09:01 · nothing was done",
        Tone.DENIED,
        "Cancelled; nothing was done. Reason: the assistant went into lockdown",
        {"Cancelled": THEN},
    ),
    voided_by_policy: End(
        CallState.VOID,
        f"A1 was cancelled ({DENIED}); {AGAIN}",
        "Cancelled: create “Rent”",
        "09:01 · nothing was done",
        Tone.DENIED,
        f"Cancelled; nothing was done. Reason: {DENIED}",
        {"Cancelled": THEN},
        (Verb.ASK_AGAIN,),
    ),
    failed: End(
        CallState.FAILED,
        f"{ANSWERED} failed.",
        "Failed: create “Rent”",
        "you, 09:01",
        Tone.FAILED,
        "Approved, but it failed. That is not allowed: the calendar is full",
        {"Approved": YES, "Failed": THEN},
        (Verb.ASK_AGAIN,),
    ),
    unknown: End(
        CallState.UNKNOWN,
        f"{ANSWERED} unknown.",
        "Finding out: create “Rent”",
        "you, 09:01",
        Tone.WAITS,
        "Approved; finding out whether it happened.",
        {"Approved": YES},
    ),
    cancelled: End(
        CallState.CANCELLED,
        "A1 was stopped by you; nothing was done.",
        "Stopped: create “Rent”",
        "you, 09:01 · nothing was done",
        Tone.DENIED,
        "Stopped by you; nothing was done.",
        {"Approved": YES, "Stopped": THEN},
    ),
    undone: End(
        CallState.UNDONE,
        f"{ANSWERED} undone.",
        "Undone: created “Rent”",
        "you, 09:01 · undone by A2",
        Tone.DENIED,
        lines={
            "Approved": YES,
            "Done": THEN,
            "Undone": "by A2, Mon 23 Nov 2026, 09:02 (Europe/Berlin)",
        },
        buttons=(Verb.MORE,),
    ),
}
each_end = pytest.mark.parametrize("ends", ENDS, ids=lambda end: end.__name__)


def ended(discord: Discord, ends: Callable[[Discord], None]) -> tuple[str, Reply]:
    """A call that was asked about, and ended a minute later; its id, and its More from before."""
    id = asked(discord)
    more = discord.presses(Verb.MORE, id)
    discord.world.clock.passes(minutes=1)
    ends(discord)
    assert discord.world.call().state is ENDS[ends].state
    return id, more


@each_end
def test_a_card_tells_truly_what_became_of_it(
    discord: Discord, ends: Callable[[Discord], None]
) -> None:
    end, (_, _) = ENDS[ends], ended(discord, ends)
    shown, told = card(discord), discord.world.told("A1")
    assert (shown.title, shown.small) == (end.title, f"A1 · {end.small}")
    assert shown.tone is end.tone
    assert shown.kind is (ShownKind.CARD if end.text else ShownKind.RECEIPT)
    assert {label: told.get(label) for label in end.lines} == end.lines
    assert told["Trace"].endswith("(assistant audit show A1)")
    assert tuple(action.verb for action in shown.actions) == end.buttons


@each_end
def test_a_late_press_is_answered_in_private_with_how_it_stands(
    discord: Discord, ends: Callable[[Discord], None]
) -> None:
    end, (id, more) = ENDS[ends], ended(discord, ends)
    before, writes = discord.world.call(), discord.world.calendar.writes
    for verb in (Verb.APPROVE, Verb.EDIT, Verb.DENY, Verb.MORE):
        reply = discord.presses(verb, id)
        if verb is Verb.MORE and end.state in HAPPENED:
            assert f"How it stands: {end.state}: " in said(reply)
        else:
            assert (reply.way, said(reply)) == (Way.SAY, end.late)
    if end.state is not CallState.EXPIRED:  # its buttons of More are too old by then
        for label in ("Approve such calls", "Deny and say why", *Later):
            assert said(discord.presses_token(buttons(more)[label])) == end.late
    assert (discord.world.call(), discord.world.calendar.writes) == (before, writes)


@each_end
def test_the_details_begin_with_how_it_stands(
    discord: Discord, ends: Callable[[Discord], None]
) -> None:
    end, (id, _) = ENDS[ends], ended(discord, ends)
    first, *rest = said(discord.presses(Verb.DETAILS, id)).split("How it stands")[1].split("\n")
    assert first.startswith(f": {end.text}" if end.text else f": {end.state}: Created “Rent”")
    told = "\n".join(rest)
    for label, value in end.lines.items():
        assert f"{label}: {value}" in told


def test_the_details_of_what_waits_begin_with_until_when(discord: Discord) -> None:
    told = said(discord.presses(Verb.DETAILS, asked(discord)))
    until = "Thu 26 Nov 2026, 09:00 (Europe/Berlin)"
    assert f"How it stands: waiting for your yes or no until {until}" in told


def test_a_form_that_is_sent_too_late_is_told_how_it_stands(discord: Discord) -> None:
    form = discord.presses(Verb.EDIT, asked(discord))
    approved(discord)
    late = said(discord.submits(form, start="whenever"))
    assert late == "A1 was answered already: it is done."


@pytest.mark.parametrize("ends", [failed, voided_by_lockdown])
def test_what_came_to_nothing_is_asked_about_again_by_its_card(
    discord: Discord, ends: Callable[[Discord], None]
) -> None:
    id, _ = ended(discord, ends)
    if ends is voided_by_lockdown:
        assert card(discord).actions == ()  # it would be refused
        leaves(discord.world, Mode.RECOVERY)
        discord.world.settle()
    assert [action.verb for action in card(discord).actions] == [Verb.ASK_AGAIN]
    assert "is looked at again" in said(discord.presses(Verb.ASK_AGAIN, id))
    assert discord.world.call("A2").supersedes == id
    assert card(discord).small.endswith("A2 is in its place")
    assert card(discord).actions == ()
    assert said(discord.presses(Verb.ASK_AGAIN, id)) == "A1 is asked about again already."
    discord.presses(Verb.APPROVE, discord.world.call("A2").id)
    assert discord.world.states("A1", "A2") == [ENDS[ends].state, CallState.DONE]


def test_in_lockdown_no_new_card_is_promised(discord: Discord) -> None:
    id, _ = ended(discord, voided_by_lockdown)
    told = said(discord.slash("again", call="A1"))
    assert "A1 cannot be asked about again in lockdown" in told
    with pytest.raises(NotFound):
        discord.world.call("A2")
    assert card(discord).actions == ()
    leaves(discord.world, Mode.RECOVERY)
    discord.world.settle()
    assert [action.verb for action in card(discord).actions] == [Verb.ASK_AGAIN]
    assert "is looked at again" in said(discord.presses(Verb.ASK_AGAIN, id))


def test_each_sentence_of_an_ended_card_has_its_full_stop(discord: Discord) -> None:
    id, _ = ended(discord, voided_by_lockdown)
    leaves(discord.world, Mode.RECOVERY)
    discord.presses(Verb.ASK_AGAIN, id)
    reason = "Reason: the assistant went into lockdown."
    again = "It was asked about again as A2."
    told = said(discord.presses(Verb.DETAILS, id))
    assert f"Cancelled; nothing was done. {reason} {again}" in told
    assert card(discord).text == "the assistant went into lockdown"


def test_what_cannot_be_asked_about_again_is_told_what_can(discord: Discord) -> None:
    ended(discord, denied)
    told = ask_again("A1", cause=discord.world.cause, ctx=discord.world.ctx)
    assert told.text == (
        "A1 is denied. Only what expired, failed or was cancelled can be asked about again; "
        "otherwise say once more what you want."
    )


def test_what_may_not_be_asked_about_again_is_offered_still(discord: Discord) -> None:
    id, _ = ended(discord, voided_by_policy)
    discord.presses(Verb.ASK_AGAIN, id)
    assert discord.world.call("A2").state is CallState.REFUSED
    assert any("cannot be asked about again" in one.text for one in discord.shown())
    assert [action.verb for action in card(discord).actions] == [Verb.ASK_AGAIN]


def test_what_is_unknown_is_done_once_that_is_found_out(discord: Discord) -> None:
    ended(discord, unknown)
    discord.world.clock.passes(minutes=1)
    discord.world.settle()
    assert card(discord).kind is ShownKind.RECEIPT
    assert discord.world.told("A1")["Done"] == "Mon 23 Nov 2026, 09:02 (Europe/Berlin)"
    assert discord.world.calendar.writes == 1


def test_what_did_not_happen_says_that_it_runs_once_that_is_found_out(discord: Discord) -> None:
    asked(discord)
    discord.world.calendar.fail_next(Unsure("no answer"))
    discord.world.calendar.fail_next(LeaseLost("the job"))  # and the next one is lost in it
    discord.world.clock.passes(minutes=1)
    approved(discord)
    assert card(discord).title == "Finding out: create “Rent”"
    discord.world.clock.passes(minutes=1)
    discord.world.settle()
    assert discord.world.call().state is CallState.RUNNING
    assert card(discord).title == "Approved: create “Rent”"


def test_what_was_stale_names_the_call_that_asks_anew(discord: Discord) -> None:
    asked(discord, *deletions(discord.world, 1))
    discord.world.calendar.fail_next(Stale("it was changed"))
    approved(discord)
    assert discord.world.states("A1", "A2") == [CallState.FAILED, CallState.PARKED]
    assert card(discord).small.endswith("A2 is in its place")
    assert card(discord).actions == ()


def test_a_receipt_of_what_nobody_was_asked_about_says_why_it_ran(discord: Discord) -> None:
    asked(discord, note("a"))
    receipt = discord.world.far.shown[f"owner:receipt-{discord.world.call().id}"]
    assert receipt.small == "A1 · without asking, 09:00"
    told = discord.world.told("A1")
    assert told["Ran without asking"] == (
        "It may run without asking, and you are told: it changes your files."
    )
    assert told["Done"] == "Mon 23 Nov 2026, 09:00 (Europe/Berlin)"


def test_a_receipt_of_what_a_grant_covers_names_the_grant(discord: Discord) -> None:
    more = discord.presses(Verb.MORE, asked(discord))
    discord.follows(more, "Approve such calls")
    discord.world.model.will(Turn(wants=(booking("Rent", 12),)), Turn(text="So be it."))
    discord.says("do it again")
    receipt = discord.world.far.shown[f"owner:receipt-{discord.world.call('A2').id}"]
    assert receipt.small == "A2 · without asking, 09:00"
    ran = discord.world.told("A2")["Ran without asking"]
    assert ran == "It may run without asking: you said yes to such calls with G1."


def test_what_ran_on_into_lockdown_says_that_its_yes_was_taken_away(discord: Discord) -> None:
    ended(discord, unknown)
    discord.slash("lockdown")
    discord.world.clock.passes(minutes=1)
    discord.world.settle()
    approved_ = discord.world.told("A1")["Approved"]
    assert approved_ == f"yes, but that was cancelled (lockdown) before it had ended: {THEN}"


def test_the_details_tell_the_risk_and_that_nobody_else_led_there(discord: Discord) -> None:
    asked(discord)
    told = discord.world.told("A1")
    assert told["Risk"] == "high (writes)"
    assert told["Words of others"] == "were not in view"
    assert card(discord).warning == ""


def test_the_details_tell_the_risk_whatever_layer_asks(discord: Discord) -> None:
    discord.world.writes_policy(RULES)
    asked(discord, note("a"))
    told = discord.world.told("A1")
    assert told["Risk"] == "medium (writes)"
    assert "It asks, as your policy says in rules[0]: look first. (rule)" in told["Reasons"].split(
        "\n"
    )


def test_a_look_at_titles_names_the_first_ones(discord: Discord) -> None:
    deletions(discord.world, 7)
    asked(discord, Want(tool="get_events_details", args=DAY))
    assert card(discord).title == "Read 7 titles in your calendar"
    assert card(discord).rows[1].text == "“Lunch 0”, “Lunch 1” and 5 more"
    first, *titles, rest = discord.world.told("A1")["Events"].split("\n")
    assert (first, rest) == ("7 that you made yourself", "and 2 more")
    assert titles == [f"Lunch {n}" for n in range(5)]
    assert "Lunch" not in str(discord.world.model.views[-1])


def test_a_reason_that_is_too_long_cannot_be_typed(discord: Discord) -> None:
    form = discord.follows(discord.presses(Verb.MORE, asked(discord)), "Deny and say why")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["max_length"] == REASON


def test_a_reason_that_is_cut_is_said_to_be(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    said = world.presses(Verb.DENY, "A1", reason="n" * (REASON + 1)).text
    assert said.startswith("A1 is denied; nothing was done. Reason: “nnn")
    assert said.endswith(f"...”. Your reason was cut to {REASON} characters.")
    assert world.presses(Verb.DENY, "A2", reason="n" * REASON).text.endswith("nnn...”.")


def test_what_ran_without_asking_is_not_said_to_be_approved(world: World) -> None:
    world.writes_policy("version: 1\nrules: [{tool: create_event, action: allow}]\n")
    world.calendar.fail_next(Denied("the calendar is full"))
    world.asks(booking("Rent"))
    with world.store.read(world.cause) as tx:
        status = lookup_status(tx, world.call())
    assert status.call.state is CallState.FAILED
    assert status.approval is None
    assert describe(status, ZONE).startswith("It failed. ")


def test_whoever_asks_again_too_late_is_told_all_that_can_be_asked_about_again(
    discord: Discord,
) -> None:
    ended(discord, denied)
    told = ask_again("A1", cause=discord.world.cause, ctx=discord.world.ctx)
    assert [state for state in ASKED_AGAIN if state_name(state) not in told.text] == []
