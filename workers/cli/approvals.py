"""``assistant approvals``: what waits for a yes, and the yes or no."""

import getpass
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from assistant.domain.approvals import Answer, Approval, Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Line, Shown
from assistant.domain.errors import AssistantError, BadArguments, Denied, NotFound
from assistant.domain.grants import Grant, say
from assistant.domain.moments import say_moment
from assistant.flows.anew import ask_again, edit_call
from assistant.flows.call_status import lookup_status
from assistant.flows.cards import card_id, in_short, second_step
from assistant.flows.details import details
from assistant.flows.granting import approve_similar, draft_similar, scope_digest
from assistant.flows.plans import approve_plan, plan_of
from assistant.flows.waiting import decide_call
from assistant.tools.contract.toolbox import Toolbox
from workers.cli.arguments import json_object
from workers.cli.output import (
    EXIT_FAILED,
    EXIT_STALE,
    EXIT_WAITING,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.render import detail_lines
from workers.cli.session import Data, Session, existing

app = typer.Typer(no_args_is_help=True)
Handle = Annotated[str, typer.Argument(help="Such as A17.")]


def actor() -> str:
    """Who answers in a terminal: the operating system's user, who may read the data."""
    return f"terminal:{getpass.getuser()}"


@app.command("list")
def list_(*, data: Data = None, as_json: AsJson = False) -> None:
    """What waits for you."""
    with existing(data) as opened:
        waiting = pending(opened)
        if as_json:
            print_json([_facts(call, approval, opened) for call, approval in waiting])
            return
        zone = opened.settings.timezone
        rows = [
            (call.handle, in_short(shown_card(call, opened)), say_moment(approval.expires, zone))
            for call, approval in waiting
        ]
        print_table(("id", "asks", "until"), rows, empty="Nothing waits for you.")


@app.command()
def show(
    id: Handle,
    *,
    whole: Annotated[
        bool, typer.Option("--details", help="Also all that the card has no room for, uncut.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What a yes would cover, as the card shows it, or whole."""
    with existing(data) as opened:
        call, approval = _find(opened, id)
        if as_json:
            lines = [line.model_dump(include={"label", "value"}) for line in detailed(call, opened)]
            print_json({**_facts(call, approval, opened), "details": lines})
            return
        print_card(call, opened)
        if whole:
            typer.echo(detail_lines("Details", detailed(call, opened)))


@app.command()
def approve(
    id: Handle,
    *,
    word: Annotated[str, typer.Option(help="The second step, where the card names one.")] = "",
    similar: Annotated[
        bool, typer.Option("--similar", help="Calls like it as well: the scope is shown first.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="All that waits together with it, in order, or nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing more.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Say yes to exactly what is shown, once."""
    if similar and plan:
        raise BadArguments("--similar and --plan do not go together")
    with existing(data) as opened:
        if plan:
            _approve_plan(opened, id, word=word, sure=yes or as_json, as_json=as_json)
        elif similar:
            _approve_similar(opened, id, word=word, sure=yes or as_json, as_json=as_json)
        else:
            _decide(opened, id, Verb.APPROVE, word=word, as_json=as_json)


@app.command()
def deny(
    id: Handle,
    *,
    reason: Annotated[str, typer.Option(help="What the model is told of why.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Say no; nothing is done."""
    with existing(data) as opened:
        _decide(opened, id, Verb.DENY, reason=reason, as_json=as_json)


@app.command()
def edit(
    id: Handle,
    *,
    args: Annotated[str, typer.Option(help="What is to be otherwise, as a JSON object.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Change what a call wants. The new one waits for your yes, so it ends with 6."""
    with existing(data) as opened:
        wanted = json_object(args)
        call, approval = _find(opened, id)
        said = edited(opened, call, wanted, card=approval.card)
        opened.settle(call.trace)
        _tell_new(opened, said, said.call, as_json=as_json)


@app.command()
def again(id: Handle, *, data: Data = None, as_json: AsJson = False) -> None:
    """Be asked once more about what expired, failed or became void. It ends with 6."""
    with existing(data) as opened:
        call, _ = _find(opened, id)
        said = asked_again(opened, call)
        opened.settle(call.trace)
        _tell_new(opened, said, _in_place_of(opened, call), as_json=as_json)


def pending(opened: Session) -> list[tuple[Call, Approval]]:
    """What waits, oldest first."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        calls = tx.calls(states={CallState.PARKED})
        return [(call, tx.approval(call.id)) for call in reversed(calls)]


def answer(
    opened: Session, call: Call, verb: Verb, *, card: str, reason: str = "", word: str = ""
) -> Answer:
    assistant = opened.assistant
    return decide_call(
        call.id,
        verb,
        by=actor(),
        card=card,
        reason=reason,
        word=word,
        cause=assistant.cause(),
        ctx=assistant.ctx,
    )


def edited(opened: Session, call: Call, args: dict[str, Any], *, card: str) -> Answer:
    """Raises ``BadArguments`` where they do not fit: the call then waits on."""
    assistant = opened.assistant
    return edit_call(
        call.id, args, by=actor(), card=card, cause=assistant.cause(), ctx=assistant.ctx
    )


def asked_again(opened: Session, call: Call) -> Answer:
    assistant = opened.assistant
    return ask_again(call.id, cause=assistant.cause(), ctx=assistant.ctx)


def similar_to(opened: Session, call: Call) -> Grant:
    """What would be granted. Raises ``Denied`` where nothing can be."""
    assistant = opened.assistant
    return draft_similar(call.id, by=actor(), cause=assistant.cause(), ctx=assistant.ctx)


def approve_like(opened: Session, call: Call, *, card: str, scope: str, word: str = "") -> Answer:
    assistant = opened.assistant
    return approve_similar(
        call.id,
        by=actor(),
        card=card,
        scope=scope,
        word=word,
        cause=assistant.cause(),
        ctx=assistant.ctx,
    )


def planned(opened: Session, call: Call) -> list[Call]:
    """What waits together with this call, in order."""
    assistant = opened.assistant
    return plan_of(call.id, cause=assistant.cause(), ctx=assistant.ctx)


def approve_all(opened: Session, call: Call, *, cards: dict[str, str], word: str = "") -> Answer:
    assistant = opened.assistant
    return approve_plan(
        call.id,
        by=actor(),
        cards=cards,
        word=word,
        cause=assistant.cause(),
        ctx=assistant.ctx,
    )


def detailed(call: Call, opened: Session) -> Sequence[Line]:
    """How this call stands, and everything that a yes to it covers, whole."""
    tool = toolbox_of(opened).get(call.tool)
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        status = lookup_status(tx, call)
    return details(status, tool, zone=opened.settings.timezone)


def toolbox_of(opened: Session) -> Toolbox:
    """Lockdown, and a look at what waits, do not fail for a calendar that is set up wrongly."""
    try:
        return opened.assistant.toolbox
    except AssistantError:
        return Toolbox()


def _decide(
    opened: Session, id: str, verb: Verb, *, reason: str = "", word: str = "", as_json: bool
) -> None:
    call, approval = _find(opened, id)
    if not as_json and call.state is CallState.PARKED:
        print_card(call, opened)
    said = answer(opened, call, verb, card=approval.card, reason=reason, word=word)
    _tell(opened, [call], said, as_json=as_json)


def _approve_similar(opened: Session, id: str, *, word: str, sure: bool, as_json: bool) -> None:
    call, approval = _find(opened, id)
    grant = similar_to(opened, call)
    if not as_json:
        print_card(call, opened)
        typer.echo("\n".join(say(grant, opened.settings.timezone)))
    step = f"type {call.word} with your yes" if call.word else ""
    word = _make_sure("Grant this?", step, word=word, sure=sure)
    said = approve_like(opened, call, card=approval.card, scope=scope_digest(grant), word=word)
    _tell(opened, [call], said, as_json=as_json)


def _approve_plan(opened: Session, id: str, *, word: str, sure: bool, as_json: bool) -> None:
    call, _ = _find(opened, id)
    plan = planned(opened, call)
    shown = {one.id: _find(opened, one.id)[1].card for one in plan}
    if not as_json:
        for one in plan:
            print_card(one, opened)
    if plan:
        question = f"Approve all {len(plan)}, in this order?"
        word = _make_sure(question, second_step(plan), word=word, sure=sure)
    said = approve_all(opened, call, cards=shown, word=word)
    _tell(opened, plan or [call], said, as_json=as_json)


def _make_sure(question: str, step: str, *, word: str, sure: bool) -> str:
    """Ask on a terminal, for the word where one is wanted and none was given; what was typed.

    Anywhere else only ``--yes`` or ``--json`` is a yes.
    """
    if sure:
        return word
    if not sys.stdin.isatty():
        raise BadArguments("nobody can be asked here: say --yes once you have read what is shown")
    if step and not word:
        asked = f"{question} It takes a second step: {step}"
        word = str(typer.prompt(asked, default="", show_default=False))
        sure = bool(word.strip())
    elif typer.confirm(question):
        sure = True
    if not sure:
        raise Denied("nothing was approved")
    return word


def _tell(opened: Session, calls: list[Call], said: Answer, *, as_json: bool) -> None:
    """Wait for what comes of an answer, say it, and end with the code that says how."""
    if said.accepted or not said.word:
        opened.settle(calls[0].trace)
    found = [_find(opened, call.id) for call in calls]
    if as_json:
        told = [_facts(call, approval, opened) for call, approval in found]
        shown = told[0] if len(told) == 1 else {"calls": told}
        print_json({**shown, **said.model_dump(exclude={"call"})})
    elif said.accepted:
        [(first, _), *more] = found
        now = {call.handle: f"{call.state}. {call.told}" for call, _ in found}
        shown = now if more else {"Now": now[first.handle]}
        print_fields({"Plan" if more else first.handle: said.text, **shown})
    else:
        complain(f"{said.text} Here: --word {said.word}" if said.word else said.text)
    if not said.accepted:
        raise typer.Exit(EXIT_WAITING if said.word else EXIT_STALE)
    if any(call.state is CallState.FAILED for call, _ in found):
        raise typer.Exit(EXIT_FAILED)


def _tell_new(opened: Session, said: Answer, new: str, *, as_json: bool) -> None:
    """Show the call that has taken another's place."""
    if not said.accepted or not new:
        if as_json:
            print_json(said.model_dump())
        else:
            complain(said.text)
        raise typer.Exit(EXIT_STALE)
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        call = tx.call(new)
    if call.state is not CallState.PARKED:
        raise Denied(f"{call.handle} is {call.state}: {call.result}")
    call, approval = _find(opened, new)
    if as_json:
        print_json({**_facts(call, approval, opened), **said.model_dump(exclude={"call"})})
    else:
        typer.echo(said.text)
        print_card(call, opened)
    raise typer.Exit(EXIT_WAITING)


def _in_place_of(opened: Session, old: Call) -> str:
    """Id of the call that took the place of this one; empty if none did."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        turn = tx.calls(conversation=old.conversation, turn=old.turn)
    return next((call.id for call in turn if call.supersedes == old.id), "")


def _find(opened: Session, id: str) -> tuple[Call, Approval]:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        call = tx.call_named(id)
        try:
            return call, tx.approval(call.id)
        except NotFound as error:
            raise NotFound(f"{call.handle} never waited for an answer") from error


def shown_card(call: Call, opened: Session) -> Shown:
    """The card as it was made for the call, or, once answered, what became of it."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return tx.delivery(card_id(call)).wanted


def print_card(call: Call, opened: Session) -> None:
    shown = shown_card(call, opened)
    fields = {line.label: line.value for line in shown.fields}
    state = "waits for you" if call.state is CallState.PARKED else f"{call.state}. {shown.text}"
    print_fields({call.handle: shown.title.partition(": ")[2], **fields, "State": state})


def _facts(call: Call, approval: Approval, opened: Session) -> dict[str, Any]:
    shown = shown_card(call, opened)
    return {
        "id": call.handle,
        "call": call.id,
        "tool": call.tool,
        "title": shown.title,
        "shown": {line.label: line.value for line in shown.fields},
        "arguments": call.facts.args,
        "state": call.state.value,
        "approval": approval.state.value,
        "expires": approval.expires.isoformat(),
        "decided": approval.decided.isoformat() if approval.decided else None,
        "by": approval.by,
        "reason": approval.reason,
        "word": approval.word,
        "result": call.told,
        "card": approval.card,
        "trace": call.trace,
    }
