"""What answers without any model: a little grammar, and a mail's own sentences as its summary."""

import re
from collections.abc import Iterator, Sequence

from assistant.adapters.offline.dates import Almanac
from assistant.adapters.offline.grammar import Reader, Reading
from assistant.adapters.offline.outcomes import said_of
from assistant.adapters.offline.summary import telling
from assistant.domain.conversation.conversation import (
    Role,
    Summary,
    ToolSchema,
    Turn,
    View,
    ViewCall,
    ViewEntry,
)
from assistant.domain.text.fence import unfence
from assistant.domain.time.moments import zone_of

_NO_MODEL = """\
I answer without a language model (ASSISTANT_MODEL names none, or it is out of reach). I understand:
- search WORDS · mail from NAME · read ID · what is on this week? · am I free tomorrow afternoon?
- create "Title" tomorrow at 15:00 · move "Title" to friday 10:00 · rename "Title" to "New title"
- cancel "Title" on friday
`help` shows all of it."""

_WITHHELD = (
    "{tool} is not on offer now: the assistant's mode keeps it back (/mode says which). "
    "Nothing was done."
)
_NO_TEXT = "This mail has no text."
_HEAD = re.compile(r"\A(?:(?:Subject|From|Date|Attachments): .*\n)*(?:\n|\Z)")
_LEFT_OUT = re.compile(r"\[\d+ more characters of this mail were left out\]\Z")
_LISTED = re.compile(r"^id: ([0-9a-f]{4,64})$", re.MULTILINE)
_READ = re.compile(r"Mail ([0-9a-f]{4,64}),")


class OfflineModel:
    """Reads the owner's last words by a grammar, and repeats outcomes.

    Only what the owner typed is read as an order, and only while nothing has followed it. Nothing
    is remembered, so the same view makes the same turn; and nothing is claimed: what was done is
    told by its outcome.
    """

    name = "offline"

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        if not view.entries or view.entries[-1].role is not Role.OWNER:
            return Turn(text=_news(view.entries))
        almanac = Almanac(now=view.now, zone=zone_of(view.zone))
        reader = Reader(almanac=almanac, last_mail=_last_mail(view.entries))
        reading = reader.read(view.entries[-1].text) or Reading(_NO_MODEL)
        here = {tool.name for tool in tools}
        for want in reading.wants:
            if want.tool not in here:
                return Turn(text=f"{reading.text} {_WITHHELD.format(tool=want.tool)}")
        return Turn(text=reading.text, wants=reading.wants)

    def check(self) -> None:
        """It needs nothing."""

    def summarise(self, view: View) -> Summary:
        mail = unfence(view.entries[-1].text) if view.entries else ""
        text = _LEFT_OUT.sub("", _HEAD.sub("", mail, count=1)).strip()
        told = telling(text) if text != "(no text)" else ()
        return Summary(text=" ".join(told) or _NO_TEXT, extractive=True)


def _news(entries: Sequence[ViewEntry]) -> str:
    """What was told since the assistant last spoke, each call's last word only."""
    asked, since = _since_spoken(entries)
    words = {call.id: said_of(call, call.outcome) for call in asked if call.outcome}
    for place, entry in enumerate(since):
        if entry.role is not Role.OUTCOME:
            continue
        for call in entry.calls:
            words[call.id] = said_of(call, call.outcome or entry.text)
        if not entry.calls:
            words[f"entry {place}"] = unfence(entry.text)
    told = [text for text in words.values() if text]
    unheard = [entry.text for entry in since if entry.role is Role.OWNER]
    if unheard:
        # It may be old: an order is acted on when it is the newest thing said, or not at all.
        told.append(f'I have done nothing about "{unheard[-1][:80]}"; please say it again.')
    return "\n\n".join(told) or "Nothing has come of it yet."


def _since_spoken(
    entries: Sequence[ViewEntry],
) -> tuple[tuple[ViewCall, ...], Sequence[ViewEntry]]:
    """The calls of the assistant's last entry, and the entries after it."""
    for place in reversed(range(len(entries))):
        if entries[place].role is Role.ASSISTANT:
            return entries[place].calls, entries[place + 1 :]
    return (), entries


def _last_mail(entries: Sequence[ViewEntry]) -> str:
    """The id that ``it`` stands for: of the mail read last, or the last one listed."""
    for call, outcome in _outcomes(reversed(entries)):
        if not outcome:
            continue
        if call.tool == "read_email" and (read := _READ.match(outcome)):
            return read[1]
        if call.tool == "search_emails":
            listed = _LISTED.findall(outcome)
            return listed[-1] if listed else ""
    return ""


def _outcomes(entries: Iterator[ViewEntry]) -> Iterator[tuple[ViewCall, str]]:
    for entry in entries:
        for call in reversed(entry.calls):
            yield call, call.outcome or (entry.text if entry.role is Role.OUTCOME else "")
