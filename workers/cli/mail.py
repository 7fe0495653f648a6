"""``assistant mail``: add, list, show, search, retry, forget."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from assistant.domain.decisions import one_line
from assistant.domain.errors import BadArguments, Denied, NotFound, TooLarge
from assistant.domain.mail import Mail, MailQuery, MailState, Received
from assistant.domain.moments import say_moment
from ingest.forget import forget_mail
from ingest.receive import receive
from ingest.stages import retry_mail
from workers.cli.output import (
    EXIT_FAILED,
    AsJson,
    complain,
    plain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, actor, existing, session
from workers.settings import OWNER

app = typer.Typer(no_args_is_help=True)

_SENDER, _SUBJECT, _SUMMARY = 40, 60, 120
"""Characters of a list's columns; ``--json`` and ``show`` have all of it."""

Id = Annotated[str, typer.Argument(help="The mail's id, or enough of its beginning.")]
Limit = Annotated[int, typer.Option(min=1, max=1000, help="How many at the most.")]


@app.command()
def add(
    file: Annotated[str, typer.Argument(help="A raw message (.eml), or - for standard input.")],
    *,
    data: Data = None,
    wait: Annotated[bool, typer.Option(help="Wait until it is read and summarised.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add one mail, as if it had been forwarded."""
    with session(data) as opened:
        assistant = opened.assistant
        cause = assistant.cause()
        received = receive(
            _raw(file, assistant.mail_limits.message),
            owner=OWNER,
            door="file",
            trace=cause.trace,
            store=assistant.store,
            blobs=assistant.blobs,
            clock=assistant.clock,
            limits=assistant.mail_limits,
        )
        if wait:
            opened.settle(cause.trace)
        mail = _mail(opened, received.id)
        if as_json:
            print_json({**_facts(mail), "known": received.known})
        else:
            print_fields({_kept(received, mail): mail.id, **_fields(mail, opened)})
        if mail.state is MailState.HELD:
            raise typer.Exit(EXIT_FAILED)


@app.command("list")
def list_(
    *,
    data: Data = None,
    state: Annotated[MailState | None, typer.Option(help="Only mails in this state.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """The newest mails."""
    _list(MailQuery(state=state, limit=limit), data, as_json=as_json)


@app.command()
def search(
    words: Annotated[str, typer.Argument(help="Words in subject, sender and summary.")],
    *,
    data: Data = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Find mails; all words must occur."""
    _list(MailQuery(words=words, limit=limit), data, as_json=as_json)


@app.command()
def show(id: Id, *, data: Data = None, as_json: AsJson = False) -> None:
    """One mail: what is known of it, its summary and its text."""
    with existing(data) as opened:
        mail = _mail(opened, id)
        text = opened.assistant.blobs.get(mail.body).decode() if mail.body else ""
        if as_json:
            print_json({**_facts(mail), "text": text})
            return
        print_fields(_fields(mail, opened))
        if text:
            Console().print(plain(f"\n{text}"))


@app.command()
def retry(id: Id, *, data: Data = None, as_json: AsJson = False) -> None:
    """Try once more to read a mail that is held."""
    with existing(data) as opened:
        cause = opened.assistant.cause()
        mail = retry_mail(id, cause=cause, store=opened.assistant.store)
        opened.settle(cause.trace)
        mail = _mail(opened, mail.id)
        if as_json:
            print_json(_facts(mail))
        else:
            print_fields(_fields(mail, opened))
        if mail.state is MailState.HELD:
            raise typer.Exit(EXIT_FAILED)


@app.command()
def forget(
    id: Id,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing more.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take a mail's words away for good: subject, text, attachments, summary."""
    with existing(data) as opened:
        cause = opened.assistant.cause()
        mail = _mail(opened, id)
        if not yes:
            _make_sure(mail, opened)
        forget_mail(mail.id, by=actor(), cause=cause, store=opened.assistant.store)
        if not opened.settle(cause.trace):
            complain("its words are gone; its bytes are deleted as soon as their store answers")
        mail = _mail(opened, mail.id)
        if as_json:
            print_json(_facts(mail))
        else:
            print_fields(_fields(mail, opened))


def _make_sure(mail: Mail, opened: Session) -> None:
    """Ask on a terminal; anywhere else only ``--yes`` is a yes."""
    if not sys.stdin.isatty():
        raise BadArguments("nobody can be asked here: say --yes if it is to be forgotten for good")
    print_fields(_fields(mail, opened))
    if not typer.confirm("Forget this mail? Its words cannot be had back."):
        raise Denied("nothing was forgotten")


def _kept(received: Received, mail: Mail) -> str:
    if mail.state is MailState.FORGOTTEN:
        return "Known, not kept"
    return "Known already" if received.known else "Kept as"


def _raw(file: str, limit: int) -> bytes:
    if file == "-":
        raw = sys.stdin.buffer.read(limit + 1)
    else:
        try:
            with Path(file).open("rb") as stream:
                raw = stream.read(limit + 1)
        except OSError as error:
            raise NotFound(f"{file}: {error.strerror}") from error
    if len(raw) > limit:
        raise TooLarge(f"a message has {limit} bytes at the most; nothing was kept")
    return raw


def _list(query: MailQuery, data: Path | None, *, as_json: bool) -> None:
    with existing(data) as opened:
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            mails = tx.mails(query)
        if as_json:
            print_json([_facts(mail) for mail in mails])
            return
        held = [mail for mail in mails if mail.state is MailState.HELD]
        rows = [
            (
                mail.id[:8],
                mail.state,
                one_line(mail.sender, _SENDER),
                one_line(mail.subject, _SUBJECT),
                one_line(mail.summary or mail.reason, _SUMMARY),
            )
            for mail in mails
        ]
        print_table(("id", "state", "from", "subject", "summary"), rows, empty="No mail.")
        if held:
            complain(f"{len(held)} held; `assistant mail retry ID` tries one again")


def _mail(opened: Session, id: str) -> Mail:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return tx.mail(id)


def _facts(mail: Mail) -> dict[str, Any]:
    return mail.model_dump(mode="json", exclude={"owner", "raw", "body", "bundle"})


def _fields(mail: Mail, opened: Session) -> dict[str, str]:
    zone = opened.settings.timezone
    by = " (its own sentences; no model read it)" if mail.summarised_by == "extract" else ""
    return {
        "Id": mail.id,
        "State": f"{mail.state}{f': {mail.reason}' if mail.reason else ''}",
        "From": mail.sender,
        "To": mail.recipients,
        "Subject": mail.subject,
        "Date": say_moment(mail.sent, zone) if mail.sent else "",
        "Received": f"{say_moment(mail.received, zone)} by {mail.door}",
        "Attached": ", ".join(f"{part.name} ({part.size} bytes)" for part in mail.attachments),
        "Odd": "; ".join(mail.defects),
        "Summary": f"{mail.summary}{by}" if mail.summary else "",
    }
