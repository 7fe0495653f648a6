"""``assistant pair`` and ``assistant people``: whom the assistant listens to on Discord."""

from datetime import timedelta
from typing import Annotated, Any

import typer

from assistant.domain.errors import Denied, Misconfigured, NotFound
from assistant.domain.moments import say_moment
from assistant.flows.people import FRESH, make_code
from assistant.flows.people import forget as no_longer
from workers.cli.output import AsJson, print_json, print_table
from workers.cli.session import Data, Session, actor, existing, session, settings_for
from workers.settings import Settings

app = typer.Typer(no_args_is_help=True)


def pair(*, data: Data = None, as_json: AsJson = False) -> None:
    """A code that makes the one who gives it back on Discord somebody it listens to."""
    _refuse_without_discord(settings_for(data))
    with session(data) as opened:
        _refuse_where_named(opened)
        ctx = opened.assistant.listening
        code = make_code(cause=opened.assistant.cause(), ctx=ctx)
        until = opened.assistant.clock.now() + FRESH
        if as_json:
            print_json({"code": code, "channel": ctx.channel, "expires": until.isoformat()})
            return
        typer.echo(f"/pair {code}")
        minutes = FRESH // timedelta(minutes=1)
        typer.echo(
            f"Give this command to the bot on Discord within {minutes} minutes. It counts once."
        )


@app.command("list")
def list_(*, data: Data = None, as_json: AsJson = False) -> None:
    """Whose messages, presses and commands count there."""
    with existing(data) as opened:
        found = people(opened)
        if as_json:
            print_json(found)
            return
        zone = opened.settings.timezone
        print_table(
            ("id", "by", "since"),
            [(p["id"], p["by"], say_moment(p["at"], zone) if p["at"] else "") for p in found],
            empty="Nobody yet: `assistant pair` makes a code.",
        )


@app.command()
def forget(
    id: Annotated[str, typer.Argument(help="As `people list` has it.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Listen to somebody no longer."""
    with existing(data) as opened:
        _refuse_where_named(opened)
        ctx = opened.assistant.listening
        if not no_longer(id, by=actor(), cause=opened.assistant.cause(), ctx=ctx):
            raise NotFound(f"person {id}")
        if as_json:
            print_json({"id": id, "forgotten": True})
        else:
            typer.echo(f"{id} is not listened to any more.")


def people(opened: Session) -> list[dict[str, Any]]:
    """Those whom the settings name, or those who are paired."""
    ctx = opened.assistant.listening
    if ctx.named:
        named = sorted(ctx.named)
        return [{"id": id, "channel": ctx.channel, "by": "settings", "at": None} for id in named]
    with ctx.store.read(opened.assistant.cause()) as tx:
        return [
            {"id": one.id, "channel": one.channel, "by": one.by, "at": one.at}
            for one in tx.people(ctx.channel)
        ]


def _refuse_without_discord(settings: Settings) -> None:
    """A code lasts minutes: there must be a bot, or an endpoint, to give it to."""
    if not (settings.on_discord or settings.discord_public_key):
        raise Misconfigured("ASSISTANT_DISCORD_TOKEN is not set, so there is no bot to pair with")


def _refuse_where_named(opened: Session) -> None:
    if opened.settings.discord_owners:
        raise Denied(
            "ASSISTANT_DISCORD_OWNER_IDS names whom it listens to on Discord; change it there"
        )
