"""What a stored button gives: a command with its arguments, and what was shown with it.

A button is stored as a verb, what it is about, the digest of a card and terms
(``assistant.domain.approvals.tokens``). Each verb is a row of the table here. The verbs and the
terms are stored: they keep their names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.commands.answer import Button
from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token
from assistant.domain.errors import Denied

SURE = {"sure": "yes"}
"""Terms of the button that forgets a mail, the second of two."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A verb's row."""

    command: str
    about: str = "call"
    """The argument that the button's subject is."""
    yes: bool = False
    """True where the button is the yes to what was shown."""
    all: bool = False
    """True where the button means all that was done together with its subject."""
    term: str = ""
    """The argument that the button's terms hold, by the same name; empty for none."""


STORED: Mapping[Verb, Stored] = {
    Verb.APPROVE: Stored(command="approve"),
    Verb.DENY: Stored(command="deny"),
    Verb.DENY_WHY: Stored(command="deny why"),
    Verb.EDIT: Stored(command="edit"),
    Verb.TAKE: Stored(command="edit", term="changes"),
    Verb.DETAILS: Stored(command="details"),
    Verb.MORE: Stored(command="more"),
    Verb.SIMILAR: Stored(command="similar", yes=True),
    Verb.TITLES: Stored(command="titles"),
    Verb.PLAN: Stored(command="plan", yes=True),
    Verb.DENY_ALL: Stored(command="deny", all=True),
    Verb.SNOOZE: Stored(command="snooze", term="when"),
    Verb.REMIND_LATER: Stored(command="reminder later", about="reminder", term="when"),
    Verb.REMINDER_DONE: Stored(command="reminder done", about="reminder"),
    Verb.WHY: Stored(command="why"),
    Verb.ASK_AGAIN: Stored(command="again"),
    Verb.UNDO: Stored(command="undo"),
    Verb.UNDO_ALL: Stored(command="undo", all=True),
    Verb.MODE: Stored(command="mode", about="mode"),
    Verb.SHOW: Stored(command="read", about="mail"),
    Verb.ASK: Stored(command="ask", about="mail"),
    Verb.ASK_ABOUT: Stored(command="ask", about="message"),
    Verb.FORGET: Stored(command="forget", about="mail"),
    Verb.SCHEDULE: Stored(command="schedule", about="mail"),
    Verb.REVEAL: Stored(command="show", about="delivery"),
}


def command_of(verb: str) -> str:
    """The name of the command that a stored button with this verb gives."""
    return STORED[Verb(verb)].command


def typed_of(verb: str) -> str:
    """What is typed instead of a stored button with this verb, before what it is about."""
    row = STORED[Verb(verb)]
    return f"{row.command} all" if row.all else row.command


def scope_name(call: str) -> str:
    """The name under which a channel remembers the scope of a grant that it showed for a call."""
    return f"scope {call}"


def plan_name(call: str) -> str:
    """The name under which a channel remembers which calls it showed together with a call."""
    return f"plan {call}"


def source_name(message: str) -> str:
    """The name under which a channel remembers whose message was pointed at."""
    return f"source {message}"


def text_name(message: str) -> str:
    """The name under which a channel remembers what that message says."""
    return f"text {message}"


def given_by(token: Token) -> tuple[str, dict[str, Any]]:
    """The command and its arguments. Raises ``Denied`` for what is no button: a pairing code."""
    row = STORED.get(token.verb)
    if row is None:
        raise Denied("that is no button")
    subject = [token.subject] if row.command == "undo" else token.subject
    sure = row.yes or dict(token.terms) == SURE
    more = {"yes": sure, "all": row.all, row.term: token.terms.get(row.term)}
    return row.command, {row.about: subject, **{name: it for name, it in more.items() if it}}


def shown_with(token: Token) -> dict[str, str]:
    """What whoever presses was shown: see ``Context.shown``."""
    shown = {token.subject: token.card} if token.card else {}
    if token.verb is Verb.SIMILAR:
        return {**shown, scope_name(token.subject): token.terms["scope"]}
    if token.verb in {Verb.PLAN, Verb.DENY_ALL, Verb.UNDO_ALL}:
        return {**token.terms, plan_name(token.subject): " ".join(token.terms)}
    if token.verb is Verb.ASK_ABOUT:
        names = (source_name(token.subject), text_name(token.subject))
        return dict(zip(names, (token.terms["source"], token.terms["text"]), strict=True))
    return shown


def terms_of(button: Button, shown: Mapping[str, str]) -> Mapping[str, str]:
    """What a press will agree to beside its card, out of all that is shown."""
    if button.verb is Verb.SIMILAR:
        return {"scope": shown[scope_name(button.subject)]}
    if button.verb is Verb.PLAN:
        return {id: shown.get(id, "") for id in shown[plan_name(button.subject)].split()}
    if button.verb is Verb.ASK_ABOUT:
        return {
            "source": shown[source_name(button.subject)],
            "text": shown[text_name(button.subject)],
        }
    row = STORED.get(button.verb) if button.verb else None
    if row and row.term in button.args:
        return {row.term: str(button.args[row.term])}
    return SURE if button.verb is Verb.FORGET and button.args.get("yes") else {}
