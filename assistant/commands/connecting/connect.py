"""``assistant calendar connect``: find the owner's calendars, prove one, and keep it.

The password comes from a terminal, where it is not shown, or from a file. It is never an argument,
which other users of the machine and the shell's history would see.
"""

import shlex
from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, say
from assistant.commands.body import Args, Body, Option, Stream
from assistant.commands.calls.lookups import usable_tools
from assistant.commands.connecting.proof import prove
from assistant.commands.context import CommandContext
from assistant.commands.prompts import Prompts
from assistant.domain.calendar.connecting.connection import (
    CalendarAccount,
    CalendarConnection,
    CalendarThere,
    Login,
)
from assistant.domain.calendar.connecting.providers import PROVIDERS, Provider, provider_of, unknown
from assistant.domain.calendar.connecting.stored import sealed
from assistant.domain.calendar.recurrence_words import joined
from assistant.domain.calls.call import Call
from assistant.domain.errors import BadArguments, Denied, Misconfigured, NotFound, WrongPassword
from assistant.flows.calendar.moving import ask_for_another_calendar

OTHER = "other"
NEW = "new"
OURS = "Assistant"
"""The name of a calendar that is made."""
_TRIES = 3
_LONGEST = 4096
WHY_OWN = (
    "We recommend a calendar of its own: the assistant then reads and changes what you put there, "
    "and nothing else."
)


class _Wanted(Args):
    provider: str = Field("", description=f"{', '.join(PROVIDERS)}, or {OTHER}.")
    url: str = Field("", description="The server's address, where the provider has not one.")
    username: str = Field("", description="The account's user name.")
    password_file: Annotated[
        Stream | None,
        Field(description="A file that holds the password, or - for standard input."),
        Option(file=True),
    ] = None
    calendar: str = Field("", description="The calendar's name, number or id.")
    create: str = Field("", description=f"Make a calendar of this name, such as {OURS}.")


def _connect(ctx: CommandContext, args: _Wanted) -> Answer:
    # A password on standard input leaves nobody there who could be asked.
    prompts = ctx.prompts
    provider = _provider(args, prompts)
    login = _login(provider, args, prompts)
    account, password, found = _logged_in(ctx, provider, login, args)
    chosen = _chosen(account, found, args, prompts)
    _tell(prompts, f"Trying {chosen.name} with a test event, which is removed again.")
    calendar = account.open(chosen.id)
    prove(calendar, now=ctx.now())
    connection = CalendarConnection(login=login, calendar=chosen.id, name=chosen.name)
    kept = sealed(
        connection, password, owner=ctx.cause.owner, box=ctx.parts.secret_box, at=ctx.now()
    )
    with ctx.store.begin(ctx.cause) as tx:
        tx.keep_credential(kept, by=ctx.by)
        anew: Sequence[Call] = ()
        if not ctx.parts.calendar_settings.named:
            tools = usable_tools(ctx)
            anew = ask_for_another_calendar(tx, tools, address=calendar.address())
    return _connected(ctx, connection, provider, anew)


def _connected(
    ctx: CommandContext, connection: CalendarConnection, provider: Provider, anew: Sequence[Call]
) -> Answer:
    setting = ctx.parts.calendar_settings
    if setting.named:
        then = (
            f"It is not used yet: {setting.setting} is set and counts before. Remove it and start "
            "the assistant again."
        )
    else:
        then = (
            "From now on only this calendar is read and changed; what runs already needs no new "
            f"start.{say_asked_anew(anew)}"
        )
    login = connection.login
    return say(
        f"Connected: {connection.name} of {login.username} at {provider.title} "
        f"({provider.standing}).",
        "A test event was made, read, changed and deleted. The password is stored encrypted.",
        then,
        data=lambda: {
            "provider": login.provider,
            "url": login.url,
            "username": login.username,
            "calendar": connection.name,
            "id": connection.calendar,
            "tried": provider.tried,
            "used": not setting.named,
        },
    )


def say_asked_anew(calls: Sequence[Call]) -> str:
    """Say, behind what was connected, which cards no longer count; empty for none."""
    if not calls:
        return ""
    named = joined([call.handle for call in calls])
    return f" For another calendar was {named}: asked anew, with a new card each."


# Provider and account


def _provider(args: _Wanted, prompts: Prompts | None) -> Provider:
    name = args.provider.strip().lower()
    if not name and args.url:
        name = OTHER
    while True:
        if not name:
            asking = _asking(prompts, "--provider")
            for one in PROVIDERS.values():
                asking.say(f"  {one.name:<10} {one.title}: {one.standing}")
            name = asking.ask(f"Provider, or {OTHER}").lower()
        if name in PROVIDERS:
            return PROVIDERS[name]
        if name == OTHER:
            return provider_of("")
        if args.provider or prompts is None:
            raise BadArguments(f"{unknown(name)}; `{OTHER}` is any CalDAV server")
        prompts.say(unknown(name))
        name = ""


def _login(provider: Provider, args: _Wanted, prompts: Prompts | None) -> Login:
    url = args.url.strip() or provider.url
    if not url:
        example = f", such as {provider.example}" if provider.example else ""
        url = _asking(prompts, "--url").ask(f"Address of the server{example}")
    if "://" not in url:
        url = f"https://{url}"
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise BadArguments("an address is shown and recorded: leave the password out of it")
    username = args.username.strip() or _asking(prompts, "--username").ask("User name")
    if not username:
        raise BadArguments("a user name is needed: --username")
    return Login(provider=provider.name, url=url, username=username)


def _logged_in(
    ctx: CommandContext, provider: Provider, login: Login, args: _Wanted
) -> tuple[CalendarAccount, str, Sequence[CalendarThere]]:
    """Log in, asking for the password again where it is wrong."""
    hint = f" It wants {provider.password}." if provider.password else ""
    asks = f" ({provider.password})" if provider.password else ""
    for left in reversed(range(_TRIES)):
        password = _password(args, ctx.prompts, asks)
        account = ctx.parts.calendar_accounts.log_in(login, password)
        try:
            return account, password, account.calendars()
        except WrongPassword as wrong:
            said = f"{wrong}.{hint}"
            if args.password_file is not None or ctx.prompts is None or not left:
                raise WrongPassword(said) from wrong
            ctx.prompts.say(said)
    raise AssertionError  # the last try has raised


def _password(args: _Wanted, prompts: Prompts | None, asks: str) -> str:
    if args.password_file is None:
        password = _asking(prompts, "--password-file").ask_hidden(f"Password, not shown{asks}")
    else:
        try:
            password = args.password_file.read(_LONGEST).decode().strip("\r\n")
        except UnicodeDecodeError as error:
            raise BadArguments("the password in the file is no text") from error
    if not password:
        raise BadArguments("the password is empty")
    return password


# The calendar


def _chosen(
    account: CalendarAccount,
    found: Sequence[CalendarThere],
    args: _Wanted,
    prompts: Prompts | None,
) -> CalendarThere:
    if args.create and args.calendar:
        raise BadArguments("give either --calendar or --create")
    if args.create:
        return _made(account, found, args.create.strip())
    if args.calendar:
        return _named(found, args.calendar.strip())
    if prompts is None:
        raise BadArguments(
            f"name the calendar: --calendar with one of {_listing(found)}; or --create {OURS}. "
            f"{WHY_OWN}"
        )
    return _asked_for(account, found, prompts)


def _asked_for(
    account: CalendarAccount, found: Sequence[CalendarThere], prompts: Prompts
) -> CalendarThere:
    for number, one in enumerate(found, 1):
        prompts.say(f"  {number}  {one.name} ({one.holds})")
    if not found:
        prompts.say("The account has no calendar yet.")
    prompts.say(WHY_OWN)
    ours = next((n for n, one in enumerate(found, 1) if one.name == OURS and one.usable), None)
    choice = f"A number or a name, or `{NEW}` to make one called {OURS}"
    while True:
        typed = prompts.ask(choice, default=str(ours) if ours else NEW)
        try:
            if typed.lower() == NEW:
                return _made(account, found, OURS)
            return _named(found, typed)
        except (BadArguments, NotFound, Misconfigured) as wrong:
            prompts.say(str(wrong))


def _made(account: CalendarAccount, found: Sequence[CalendarThere], name: str) -> CalendarThere:
    """Make a calendar; take the one of that name if there is one."""
    same = [one for one in found if one.name == name and one.usable]
    return same[0] if len(same) == 1 else account.make(name)


def _named(found: Sequence[CalendarThere], typed: str) -> CalendarThere:
    """Raises ``NotFound``, or ``BadArguments`` for one that cannot be used."""
    rules: tuple[Callable[[int, CalendarThere], bool], ...] = (
        lambda _, one: one.id == typed,
        lambda _, one: one.name == typed,
        lambda _, one: one.name.casefold() == typed.casefold(),
        lambda number, _: str(number) == typed,
    )
    for rule in rules:
        fitting = [one for number, one in enumerate(found, 1) if rule(number, one)]
        if len(fitting) > 1:
            raise BadArguments(f"{len(fitting)} calendars are called {typed}: give a number")
        if fitting:
            return _usable(fitting[0])
    raise NotFound(
        f"the calendar {typed}; the account has {_listing(found)}. "
        f"To make one: --create {shlex.quote(typed)}"
    )


def _usable(one: CalendarThere) -> CalendarThere:
    if not one.events:
        raise BadArguments(f"{one.name} takes tasks alone: choose one for events")
    if not one.writable:
        raise BadArguments(f"{one.name} is read-only for this account: choose one you may change")
    return one


def _listing(found: Sequence[CalendarThere]) -> str:
    return ", ".join(f"{n} {one.name} ({one.holds})" for n, one in enumerate(found, 1)) or "none"


# Asking


def _asking(prompts: Prompts | None, option: str) -> Prompts:
    if prompts is None:
        raise Denied(f"nobody can be asked here: give {option}")
    return prompts


def _tell(prompts: Prompts | None, line: str) -> None:
    if prompts is not None:
        prompts.say(line)


CONNECT = Body(args=_Wanted, run=_connect)
