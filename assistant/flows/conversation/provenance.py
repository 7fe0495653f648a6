"""Find out what influenced a model, and what it knows by name: from the texts in its view."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from assistant.domain.calls.call import Call, Influence
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Entry, Origin, Role
from assistant.domain.errors import NotFound
from assistant.domain.mail.ports import MailTx
from assistant.domain.text.invisible import without_invisible
from assistant.flows.calls.led_calls import influence_of
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox

MOST = 5
"""The most influences that a card names."""
_MAIL = re.compile(r"mail ([0-9a-f]{4,64})\b")


def influenced_by(tx: MailTx, entries: Sequence[Entry]) -> tuple[Influence, ...]:
    """Return the outside texts among these entries, newest first."""
    outside = (entry.source for entry in reversed(entries) if entry.origin is Origin.OUTSIDE)
    sources = list(dict.fromkeys(filter(None, outside)))
    return tuple(_influence(tx, source) for source in sources[:MOST])


def _influence(tx: MailTx, source: str) -> Influence:
    """Grade a mail's writer by the earlier mails from that address; others stay unknown."""
    found = _MAIL.match(source)
    if found is None:
        return Influence(source=source)
    try:
        mail = tx.mail(found[1])
    except NotFound:
        return Influence(source=source)
    return influence_of(tx, mail)


class KnownNames:
    """What a model knows by name without a stranger: what the owner said, and what it was shown.

    Shown is what a finished call of an app found or made. The words of others in other texts, and
    the model's own, make nothing known.
    """

    def __init__(self, entries: Sequence[Entry], calls: Sequence[Call], toolbox: Toolbox) -> None:
        done = {call.id: call.tool for call in calls if call.state is CallState.DONE}
        self._said = _joined(
            entry.text
            for entry in entries
            if entry.role is Role.OWNER and entry.origin is Origin.OWNER
        )
        found: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            tool = toolbox.get(done.get(entry.call, ""))
            for app in tool.scopes.apps if tool and entry.role is Role.OUTCOME else ():
                found[app].append(entry.text)
        self._shown = {app: _joined(texts) for app, texts in found.items()}

    def by(self, tool: Tool[Any], name: str) -> bool:
        """Return whether a tool may look for a thing of this name."""
        texts = (self._said, *(self._shown.get(app, "") for app in tool.scopes.apps))
        wanted = re.compile(rf"(?<!\w){re.escape(_plain(name))}(?!\w)")
        return any(wanted.search(text) for text in texts)


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(map(_plain, texts))


def _plain(text: str) -> str:
    return " ".join(without_invisible(text).split()).casefold()
