"""What is said at a glance of a change to a file: what it replaces, who can read it, how it begins.

The whole content, or the whole difference, is in the details.
"""

from datetime import datetime

from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.files.paths import scope_of
from assistant.domain.files.version import Scope
from assistant.domain.text.rows import cells, cut_to, one_row
from assistant.tools.files.bytes import lines_of, said_size
from assistant.tools.files.card import writer_of

_EXCERPT = 2
"""Lines of a content that stand on a card."""
_SHORT = 35
"""Columns of a line that is shown whole: it fits in a row of a phone."""
_READERS = {
    Scope.PRIVATE: "",
    Scope.SHARED: "others can read it",
    Scope.PUBLIC: "anybody can read it",
}


def writing(facts: Facts, zone: str, now: datetime) -> Glance:
    del zone, now
    replaces = bool(facts.before["version"])
    content = lines_of(facts.args["content"])
    begins = [
        f"“{cut_to(one_row(line), _SHORT)[0]}”" for line in content[:_EXCERPT] if line.strip()
    ]
    whole = len(content) <= _EXCERPT and all(cells(line) <= _SHORT for line in content)
    readers = _readers(facts)
    size = f"{len(content)} line{'' if len(content) == 1 else 's'}, {said_size(facts.size)}"
    one = whole and len(content) == len(begins) == 1
    first, *others = [*begins, readers] if one else [_joined(size, readers), *begins]
    was = _there(facts) if replaces else ""
    rows = (Row(was=was, text=first), *(Row(text=text) for text in others if text))
    return Glance(
        verb="Overwrite file" if replaces else "Write file",
        did="Overwrote file" if replaces else "Wrote file",
        name=facts.args["path"],
        rows=rows,
        shows=dict.fromkeys(("path", "overwrite", "content"), ""),
        more=0 if whole else 1,
    )


def deleting(facts: Facts, zone: str, now: datetime) -> Glance:
    del zone, now
    return Glance(
        verb="Delete file",
        did="Deleted file",
        name=facts.args["path"],
        rows=(Row(text=_there(facts)),),
        shows={"path": ""},
        gone=True,
        press="Delete",
    )


def restoring(facts: Facts, zone: str, now: datetime) -> Glance:
    """Say to which version a file goes back; to none, if there was none before."""
    del zone, now
    path, shows = facts.args["path"], dict.fromkeys(("path", "version", "current"), "")
    if facts.before["gone"]:
        return Glance(
            verb="Delete file",
            did="Deleted file",
            name=path,
            after=" again",
            rows=(Row(text=f"{_there(facts)}; it was not there before"),),
            shows=shows,
            gone=True,
            press="Delete",
        )
    back = f"version {facts.args['version']}, {said_size(facts.size)}"
    return Glance(
        verb="Put back file",
        did="Put back file",
        name=path,
        rows=(
            Row(text=_joined(back, _readers(facts))),
            *([Row(text=f"in place of {_there(facts)}")] if facts.before["version"] else []),
        ),
        shows=shows,
    )


def _there(facts: Facts) -> str:
    return f"{said_size(facts.before['size'])} written by {writer_of(facts.before)}"


def _readers(facts: Facts) -> str:
    return _READERS[scope_of(facts.args["path"])]


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
