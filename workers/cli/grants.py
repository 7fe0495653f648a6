"""``assistant grants``: the yeses that cover more than one call, what they cover, and their end."""

from typing import Annotated, Any

import typer

from assistant.domain.grants import Grant, say
from assistant.domain.moments import say_moment
from assistant.flows.granting import revoke as end
from workers.cli.approvals import actor
from workers.cli.output import (
    EXIT_STALE,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, existing

app = typer.Typer(no_args_is_help=True)
Handle = Annotated[str, typer.Argument(help="Such as G3.")]


@app.command("list")
def list_(
    *,
    every: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What runs without asking, because you once said so."""
    with existing(data) as opened:
        found = granted(opened, ended=every)
        if as_json:
            print_json([facts(grant, opened) for grant in found])
            return
        zone = opened.settings.timezone
        print_table(
            ("id", "tool", "used", "last", "until", ""),
            [
                (
                    grant.handle,
                    grant.tool,
                    f"{grant.used} of {grant.uses}",
                    say_moment(grant.last_used, zone) if grant.last_used else "never",
                    say_moment(grant.expires, zone),
                    state_of(grant, opened),
                )
                for grant in found
            ],
            empty="Nothing is granted: what asks, asks each time.",
        )


@app.command()
def show(id: Handle, *, data: Data = None, as_json: AsJson = False) -> None:
    """One grant: everything that it covers."""
    with existing(data) as opened:
        grant = _named(opened, id)
        if as_json:
            print_json(facts(grant, opened))
            return
        zone = opened.settings.timezone
        first, *rest = say(grant, zone)
        print_fields(
            {
                grant.handle: first,
                "Where": "\n".join(rest),
                "Granted": f"{say_moment(grant.created, zone)} by {grant.by}",
                "State": state_of(grant, opened),
            }
        )


@app.command()
def revoke(id: Handle, *, data: Data = None, as_json: AsJson = False) -> None:
    """End a grant: what it covered asks again, and what has not begun is not done."""
    with existing(data) as opened:
        assistant = opened.assistant
        said = end(id, by=actor(), cause=assistant.cause(), ctx=assistant.ctx)
        if as_json:
            print_json({**facts(_named(opened, id), opened), **said.model_dump()})
        elif said.accepted:
            typer.echo(said.text)
        else:
            complain(said.text)
    if not said.accepted:
        raise typer.Exit(EXIT_STALE)


def granted(opened: Session, *, ended: bool = False) -> list[Grant]:
    """The newest first."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return list(tx.grants(ended=ended))


def state_of(grant: Grant, opened: Session) -> str:
    if grant.revoked is not None:
        return "revoked"
    if grant.used >= grant.uses:
        return "used up"
    return "expired" if opened.assistant.clock.now() >= grant.expires else "in force"


def facts(grant: Grant, opened: Session) -> dict[str, Any]:
    return {
        **grant.model_dump(mode="json", exclude={"id", "number", "owner"}),
        "id": grant.handle,
        "grant": grant.id,
        "covers": list(say(grant, opened.settings.timezone)),
        "state": state_of(grant, opened),
    }


def _named(opened: Session, id: str) -> Grant:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return tx.grant_named(id)
