"""Calls as a model proposes them, judged and recorded as one turn, on a real installation."""

from collections.abc import Sequence
from pathlib import Path

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Want
from assistant.flows.calls.judge import draft_for
from assistant.flows.calls.owner_calls import ask_all
from tests.logs import own_logging
from workers.cli.session import Session
from workers.settings import OWNER, only


def proposed(opened: Session, *wants: Want) -> Sequence[Call]:
    """The calls of a turn in the terminal; what clears runs."""
    cause = opened.assistant.cause()
    drafts = [draft_for(want, cause=cause, tainted=False) for want in wants]
    calls = ask_all(drafts, channel="terminal", place=OWNER, cause=cause, ctx=opened.assistant.ctx)
    opened.settle("")
    return calls


def proposed_in(data: Path, *wants: Want) -> Sequence[Call]:
    """The same in the installation of a data directory that nothing else has opened."""
    opened = Session(only(data_dir=data, timezone="UTC"))
    with own_logging():
        opened.open()
        try:
            return proposed(opened, *wants)
        finally:
            opened.assistant.close()
