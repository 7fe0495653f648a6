"""``assistant approvals``: what waits for a yes, and the yes or no."""

import getpass
from typing import Annotated, Any

import typer

from assistant.domain.approvals import Answer, Approval, Verb
from assistant.domain.calls import Call, CallState
from assistant.domain.deliveries import Shown
from assistant.domain.errors import NotFound
from assistant.domain.moments import say_moment
from assistant.flows.cards import card_id
from assistant.flows.waiting import decide_call
from workers.cli.output import (
    EXIT_FAILED,
    EXIT_STALE,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, session

app = typer.Typer(no_args_is_help=True)
Handle = Annotated[str, typer.Argument(help="Such as A17.")]


def actor() -> str:
    """Who answers in a terminal: the operating system's user, who may read the data."""
    return f"terminal:{getpass.getuser()}"


@app.command("list")
def list_(*, data: Data = None, as_json: AsJson = False) -> None:
    """What waits for you."""
    with session(data) as opened:
        waiting = pending(opened)
        if as_json:
            print_json([_facts(call, approval, opened) for call, approval in waiting])
            return
        zone = opened.settings.timezone
        rows = [
            (call.handle, _asks(shown_card(call, opened)), say_moment(approval.expires, zone))
            for call, approval in waiting
        ]
        print_table(("id", "asks", "until"), rows, empty="Nothing waits for you.")


@app.command()
def show(id: Handle, *, data: Data = None, as_json: AsJson = False) -> None:
    """Everything that a yes would cover."""
    with session(data) as opened:
        call, approval = _find(opened, id)
        if as_json:
            print_json(_facts(call, approval, opened))
        else:
            _print_card(call, opened)


@app.command()
def approve(id: Handle, *, data: Data = None, as_json: AsJson = False) -> None:
    """Say yes to exactly what is shown, once."""
    _decide(id, Verb.APPROVE, "", data, as_json=as_json)


@app.command()
def deny(
    id: Handle,
    *,
    reason: Annotated[str, typer.Option(help="What the model is told of why.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Say no; nothing is done."""
    _decide(id, Verb.DENY, reason, data, as_json=as_json)


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
        use=assistant.deciding,
    )


def _decide(id: str, verb: Verb, reason: str, data: Any, *, as_json: bool) -> None:
    with session(data) as opened:
        call, approval = _find(opened, id)
        if not as_json and call.state is CallState.PARKED:
            _print_card(call, opened)
        said = answer(opened, call, verb, card=approval.card, reason=reason)
        if said.accepted:
            opened.settle(call.trace)
        call, approval = _find(opened, id)
        if as_json:
            print_json({**_facts(call, approval, opened), **said.model_dump()})
        else:
            complain(said.text) if not said.accepted else print_fields(
                {call.handle: said.text, "Now": f"{call.state}. {call.told}"}
            )
        if not said.accepted:
            raise typer.Exit(EXIT_STALE)
        if verb is Verb.APPROVE and call.state is CallState.FAILED:
            raise typer.Exit(EXIT_FAILED)


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


def _asks(shown: Shown) -> str:
    """A card in one line: ``Create an event: Dentist, Mon 30 Nov 2026, ...``."""
    title = shown.title.partition(": ")[2].rstrip("?")
    named = [line.value for line in shown.fields if line.label in ("Title", "When", "Between")]
    return f"{title}: {', '.join(named)}" if named else title


def _print_card(call: Call, opened: Session) -> None:
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
        "result": call.told,
        "card": approval.card,
        "trace": call.trace,
    }
