"""``/calendar`` and ``assistant calendar disconnect``: which calendar is used, and no longer."""

from collections.abc import Sequence
from contextlib import suppress

from assistant.commands.answer import Answer, fields, say
from assistant.commands.body import Args, Body, Nothing
from assistant.commands.calls.lookups import usable_tools
from assistant.commands.connecting.connect import say_asked_anew
from assistant.commands.context import CommandContext
from assistant.domain.calendar.connecting.connection import CREDENTIAL
from assistant.domain.calendar.connecting.providers import provider_of
from assistant.domain.calendar.connecting.stored import connection_of, password_of
from assistant.domain.calls.call import Call
from assistant.domain.credentials.credential import Credential, WrongKey
from assistant.domain.errors import Misconfigured
from assistant.domain.time.moments import say_moment
from assistant.flows.calendar.moving import ask_for_another_calendar

PRIVATE = "the private calendar of this installation"


def _show(ctx: CommandContext, _args: Args) -> Answer:
    setting = ctx.parts.calendar_settings
    with ctx.read() as tx:
        stored = tx.credential(CREDENTIAL)
    if setting.named:
        provider = provider_of(setting.provider)
        used = f"the one that the settings name ({setting.setting})"
        told = {"Used": used, "Provider": f"{provider.title} ({provider.standing})"}
        more = _described(ctx, stored) if stored else {}
        told |= {f"Connected, not used: {label}": value for label, value in more.items()}
        return _told(told, source="settings", stored=stored)
    if stored is None:
        told = {
            "Used": PRIVATE,
            "To change it": "`assistant calendar connect` connects one of yours",
        }
        return _told(told, source="private", stored=None)
    told = {"Used": "the one that you connected", **_described(ctx, stored)}
    return _told(told, source="connected", stored=stored)


def _described(ctx: CommandContext, stored: Credential) -> dict[str, str]:
    connection = connection_of(stored)
    provider = provider_of(connection.login.provider)
    try:
        password_of(stored, owner=ctx.cause.owner, box=ctx.parts.secret_box)
        password = "stored encrypted"  # noqa: S105 (says how it is kept)
    except WrongKey as error:
        password = str(error)
    return {
        "Calendar": connection.name,
        "Account": f"{connection.login.username} at {connection.login.url}",
        "Provider": f"{provider.title} ({provider.standing})",
        "Password": password,
        "Since": say_moment(stored.created, ctx.zone),
    }


def _told(told: dict[str, str], *, source: str, stored: Credential | None) -> Answer:
    connection = connection_of(stored) if stored else None
    data = {
        "source": source,
        "connected": connection.model_dump(mode="json") if connection else None,
    }
    return Answer(blocks=(fields(told),), data=lambda: data)


def _disconnect(ctx: CommandContext, _args: Args) -> Answer:
    whose = _whose(ctx)
    with ctx.store.begin(ctx.cause) as tx:
        gone = tx.forget_credential(CREDENTIAL, by=ctx.by)
        anew: Sequence[Call] = ()
        if gone and not ctx.parts.calendar_settings.named:
            anew = ask_for_another_calendar(tx, usable_tools(ctx))
    data = {"disconnected": gone}
    if not gone:
        return say("No calendar is connected.", data=lambda: data)
    setting = ctx.parts.calendar_settings
    now = f"the one that {setting.setting} names" if setting.named else PRIVATE
    return say(
        f"{whose} is no longer connected, and its password is deleted here. "
        f"Its events stay where they are. Used now: {now}.{say_asked_anew(anew)}",
        notes=("Where it was an app-specific password, revoke it at the provider too.",),
        data=lambda: data,
    )


def _whose(ctx: CommandContext) -> str:
    """Name the connected calendar, also where its row is damaged."""
    with suppress(Misconfigured), ctx.read() as tx:
        if stored := tx.credential(CREDENTIAL):
            connection = connection_of(stored)
            return f"{connection.name} of {connection.login.username}"
    return "The calendar"


SHOW = Body(args=Nothing, run=_show)
DISCONNECT = Body(args=Nothing, run=_disconnect)
