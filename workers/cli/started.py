"""Commands that are no verb of an owner's: a chat, a demonstration, a look at every part.

Each is loaded when it is given.
"""

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
    from workers.cli import chat  # noqa: PLC0415 (heavy)

    chat.chat(data, once=once, as_json=as_json)


def doctor(*, data: Data = None, as_json: AsJson = False) -> None:
    """Try every part and say what is wrong with it, and what to do."""
    from workers.cli import doctor  # noqa: PLC0415 (heavy)

    doctor.doctor(data, as_json=as_json)


def demo() -> None:
    """Forward a mail, talk, approve: the whole path, in under a minute, on a scratch directory."""
    from workers.cli import demo  # noqa: PLC0415 (heavy)

    demo.demo()
