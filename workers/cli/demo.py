"""``assistant demo``: the main job, every line it prints read from the running system."""

import smtplib
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import TypeVar

import typer

from assistant.domain.calendar.events import When
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import OWED, state_name
from assistant.domain.errors import Unreachable
from assistant.domain.mail.mail import Mail, MailQuery, MailState
from assistant.domain.text.fence import unfence
from assistant.domain.time.moments import say_when, zone_of
from assistant.flows.conversation.hear import hear
from assistant.flows.render.call_status import said_by_layer
from assistant.tools.calendar.agenda import events_on
from workers.cli.session import Session
from workers.cli.terminal.chat import pending
from workers.cli.terminal.render import as_lines
from workers.cli.terminal.slash import command
from workers.settings import OWNER, only

T = TypeVar("T")
SUBJECT = "Rent for December"
BODY = """\
Dear tenant,

the rent of 850 EUR for December is due on 30 November. Please pay it by 10:00 on that day.
The boiler will be serviced on 3 December between 8:00 and 12:00, so somebody should be at home.

Kind regards,
Ada Lovelace, Example Housing
"""


def demo() -> None:
    """Play the whole path on a scratch directory. Mail, talk, approve: in under a minute."""
    from workers import logs  # noqa: PLC0415 (heavy)
    from workers.processes.supervisor import Supervisor  # noqa: PLC0415

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="assistant-demo-") as folder:
        # Nothing of yours is touched: no setting of this environment counts but those named here.
        settings = only(data_dir=Path(folder), smtp_port=0, http_port=0)
        logs.configure(settings.model_copy(update={"log_level": "error"}), process="demo")
        supervisor = Supervisor(settings, say=_line)
        supervisor.catch_signals()
        try:
            _head("Starting everything in a scratch directory")
            endpoints = supervisor.start()
            opened = Session(settings)
            opened.open()
            _play(opened, endpoints.smtp_port)
            opened.assistant.close()
        finally:
            supervisor.stop()
    _head(f"That was the whole path, in {time.monotonic() - began:.0f} s")


def _play(opened: Session, smtp_port: int) -> None:
    _head("A mail is forwarded to the private address, over SMTP")
    _line("smtp", _send(opened, smtp_port))
    mail = _until(lambda: _announced(opened), "the mail was not announced")
    _line("from", mail.sender)
    _line("subject", mail.subject)
    _line("summary", f"{mail.summary}  [by {mail.summarised_by}]")
    opened.settle(mail.trace, seconds=20)
    _show_new(opened)

    _head("The assistant is asked about it")
    _say(opened, "search rent")

    _head("It is asked to change the calendar; the change waits for a yes")
    day = (opened.assistant.clock.now().astimezone(zone_of(opened.settings.timezone))).date()
    day += timedelta(days=9)
    _say(opened, f'create "Pay the rent" {day} 10:00-10:30')
    [call] = _until(lambda: pending(opened), "nothing waits for an approval")
    _line("calls", f"{call.handle} {call.tool} is {state_name(call.state)}. {said_by_layer(call)}")
    _line("calendar", _agenda(opened, call) or "(still empty)")

    _head("The owner says yes")
    said = command(opened, f"/approve {call.handle}", cause=opened.assistant.cause())
    _line("approval", said)
    done = _until(lambda: _done(opened, call), "the approved call did not run")
    _line("calls", f"{done.handle} is {state_name(done.state)}: {done.told}")
    _show_new(opened)
    _line("caldav", _agenda(opened, call))


def _send(opened: Session, port: int) -> str:
    message = EmailMessage()
    message["From"] = "Ada Lovelace <ada@example.org>"
    message["To"] = opened.settings.inbox_address
    message["Subject"] = SUBJECT
    message.set_content(BODY)
    with smtplib.SMTP(opened.settings.bind_host, port, timeout=10) as smtp:
        smtp.ehlo()
        smtp.mail("ada@example.org")
        smtp.rcpt(opened.settings.inbox_address)
        code, words = smtp.data(message.as_bytes())
    return f"{code} {words.decode()}"


def _say(opened: Session, text: str) -> None:
    _line("you", text)
    cause = opened.assistant.cause()
    hear(
        text,
        channel="terminal",
        place=OWNER,
        event=cause.trace,
        cause=cause,
        store=opened.assistant.store,
        limits=opened.assistant.conversation_limits,
    )
    opened.settle(cause.trace, seconds=20)
    _show_new(opened)


def _show_new(opened: Session) -> None:
    """What the terminal shows that was not drawn yet."""
    time.sleep(0.3)
    screen = opened.assistant.screen
    fresh = [line for line in screen.lines(OWNER) if line.fresh]
    for line in fresh:
        said = line.shown.model_copy(update={"text": unfence(line.shown.text)})
        _line("shown", as_lines(said))
    screen.drawn(fresh)


def _announced(opened: Session) -> Mail | None:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        mails = tx.mails(MailQuery(limit=1))
    return mails[0] if mails and mails[0].state is MailState.ANNOUNCED else None


def _done(opened: Session, call: Call) -> Call | None:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        now = tx.call(call.id)
    return now if now.state not in OWED else None


def _agenda(opened: Session, call: Call) -> str:
    """What the CalDAV server has around the event, read back over the wire."""
    when = When(start=call.facts.args["start"], end=call.facts.args["end"])
    zone = opened.settings.timezone
    found = events_on(opened.assistant.calendar, when, zone, now=opened.assistant.clock.now())
    return "; ".join(f"{say_when(event.when, zone)}: {event.title}" for event in found.events)


def _until(look: Callable[[], T | None], trouble: str, *, seconds: float = 20.0) -> T:
    give_up = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > give_up:
            raise Unreachable(trouble)
        time.sleep(0.1)
    return found


def _head(text: str) -> None:
    typer.echo(f"\n{text}")


def _line(label: str, text: str) -> None:
    first, *rest = text.splitlines() or [""]
    typer.echo(f"  {label:<9} {first}")
    for line in rest:
        typer.echo(f"  {'':<9} {line}")
