"""Commands that are no verb of an owner's: a chat, a demonstration, a look at every part.

Each is loaded when it is given.
"""

from pathlib import Path
from typing import Annotated

import typer

from workers.cli.options import AsJson, Data


def chat(
    *,
    once: Annotated[str, typer.Option(help="Say one thing, print the answer and end.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Talk with the assistant. With --once it exits with 6 when something now waits for you."""
    from workers.cli.terminal import chat  # noqa: PLC0415 (heavy)

    chat.chat(data, once=once, as_json=as_json)


def doctor(*, data: Data = None, as_json: AsJson = False) -> None:
    """Try every part, and say what is wrong and what to do."""
    from workers.cli.doctor import doctor  # noqa: PLC0415 (heavy)

    doctor.doctor(data, as_json=as_json)


def demo() -> None:
    """Play the whole path on a scratch directory. Mail, talk, approve: in under a minute."""
    from workers.cli import demo  # noqa: PLC0415 (heavy)

    demo.demo()


def init(
    *,
    zone: Annotated[str | None, typer.Option(help="Your time zone, such as Europe/Berlin.")] = None,
    name: Annotated[str | None, typer.Option(help="Your name, as the assistant uses it.")] = None,
    address: Annotated[
        str | None, typer.Option(help="The address that your mail is forwarded to.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="provider:name; empty: offline.")] = None,
    model_url: Annotated[
        str | None, typer.Option(help="A server of your own that speaks OpenAI's chat API.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the model's key, or - for standard input.")
    ] = None,
    discord_token_file: Annotated[
        Path | None, typer.Option(help="A file with a Discord bot's token, or -.")
    ] = None,
    discord_owner: Annotated[str | None, typer.Option(help="Your user id on Discord.")] = None,
    test: Annotated[
        bool, typer.Option("--test/--no-test", help="Try the model and the token.")
    ] = True,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing; what is not given keeps its default.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask for the first settings, try them, and write .env."""
    from workers.cli.setup.init import init  # noqa: PLC0415 (heavy)

    given = {
        "timezone": zone,
        "owner_name": name,
        "inbox_address": address,
        "model": model,
        "model_base_url": model_url,
        "discord_owner_ids": discord_owner,
    }
    secrets = {"model_api_key": key_file, "discord_token": discord_token_file}
    init(given, secrets, yes=yes, test=test, as_json=as_json)


def backup(
    to: Annotated[Path, typer.Argument(help="A folder that is new or empty.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Copy everything that is kept into a new folder. It may run or not."""
    from workers.cli.backups import backup  # noqa: PLC0415 (heavy)

    backup(to, data, as_json=as_json)


def restore(
    backup: Annotated[Path, typer.Argument(help="A folder that `assistant backup` made.")],
    *,
    digest: Annotated[
        str, typer.Option(help="What `assistant backup` printed: refuse any other backup.")
    ] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check a backup and put it into an empty data folder."""
    from workers.cli.backups import restore  # noqa: PLC0415 (heavy)

    restore(backup, data, digest=digest, as_json=as_json)
