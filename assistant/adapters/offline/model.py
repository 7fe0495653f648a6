"""The offline model: answers by a grammar, and leaves a mail to code, which excerpts it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.adapters.offline.grammar import Reader, Reading
from assistant.adapters.offline.outcomes import said_of
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
from assistant.domain.time.said.almanac import Almanac

_NO_MODEL = """\
I did not understand that, without a language model (ASSISTANT_MODEL). `help` shows what I know.
Try: newest mails · what is on tomorrow? · create "Lunch" friday 12:00-13:00"""

_WITHHELD = (
    "Nothing was done: {tool} is not on offer. In lockdown only reading goes on, until you leave "
    "it: /mode set normal. /mode show says which mode it is."
)
_OF_MAIL = frozenset({"search_emails", "read_email"})
_LISTED = re.compile(r"^id: ([0-9a-f]{4,64})$", re.MULTILINE)
_DATED = re.compile(
    r"^id: ([0-9a-f]{4,64})\nFrom: .*\nSubject: .*\nDate: (\d{4}-\d\d-\d\d \d\d:\d\d)$",
    re.MULTILINE,
)
_READ = re.compile(r"Mail ([0-9a-f]{4,64}),")


class OfflineModel:
    """Reads the owner's last words by a grammar, and repeats outcomes.

    Obeys only what the owner typed, and only once: what is not answered yet, each message in its
    order, or else the newest entry. Keeps no state, so equal views give equal turns. Claims
    nothing: the outcome of a call says what was done.
    """

    name = "offline"

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        entries = [entry for entry in view.entries if entry.role is not Role.NOTE]
        said = [entry.text for entry in entries if entry.unanswered]
        if not said and entries and entries[-1].role is Role.OWNER:
            said = [entries[-1].text]
        if not said:
            return Turn(text=_news(entries))
        almanac = Almanac(now=view.now, zone=zone_of(view.zone))
        reader = Reader(almanac=almanac, last_mail=_last_mail(entries), listed=_listed(entries))
        readings = [_offered(reading, tools) for reading in _read(said, reader)]
        told = [reading.text for reading in readings]
        if entries[-1].role is not Role.OWNER and (news := _news(entries, repeats=False)):
            told = [news, *told]
        return Turn(
            text="\n\n".join(told),
            wants=tuple(want for reading in readings for want in reading.wants),
            tells=next((one.tells for one in reversed(readings) if one.tells), None),
        )

    def check(self) -> None:
        """Do nothing, as the offline model needs nothing."""

    def summarise(self, view: View) -> Summary:
        """Say nothing of the mail: without a model, its own sentences tell what it says."""
        del view
        return Summary(extractive=True)


def _read(said: Sequence[str], reader: Reader) -> Iterator[Reading]:
    """Read messages of the owner that came before the first was answered, each by itself.

    Behind one that looks at mail, ``it`` and a place in the list are not known yet.
    """
    for words in said:
        reading = reader.read(words) or Reading(_NO_MODEL)
        yield reading
        if any(want.tool in _OF_MAIL for want in reading.wants):
            reader = replace(reader, last_mail="", listed=())


def _offered(reading: Reading, tools: Sequence[ToolSchema]) -> Reading:
    """Propose nothing of a message for which a tool is not available, and say so."""
    here = {tool.name for tool in tools}
    withheld = next((want.tool for want in reading.wants if want.tool not in here), "")
    if not withheld:
        return reading
    return Reading(f"{reading.text} {_WITHHELD.format(tool=withheld)}")


def _news(entries: Sequence[ViewEntry], *, repeats: bool = True) -> str:
    """Return what happened since the assistant last spoke, with each call's newest outcome only.

    Leaves out what a card or a receipt tells; returns no words where that is all. ``repeats``: asks
    the owner to say again what was not read.
    """
    asked, since = _since_spoken(entries)
    calls = [(call, call.outcome) for call in asked if call.outcome]
    words: dict[str, str] = {}
    for place, entry in enumerate(since):
        if entry.role is not Role.OUTCOME:
            continue
        calls += [(call, call.outcome or entry.text) for call in entry.calls]
        if not entry.calls:
            words[f"entry {place}"] = unfence(entry.text)
    words |= {call.id: "" if call.shown else said_of(call, text) for call, text in calls}
    told = [text for text in words.values() if text]
    unheard = [entry.text for entry in since if entry.role is Role.OWNER]
    if not repeats:
        return "\n\n".join(told)
    if unheard:
        # The order may be old: an order is obeyed only while it is the newest entry.
        told.append(f'I have done nothing about "{unheard[-1][:80]}"; please say it again.')
    silent = any(call.shown for call, _ in calls)
    return "\n\n".join(told) or ("" if silent else "Nothing has come of it yet.")


def _since_spoken(
    entries: Sequence[ViewEntry],
) -> tuple[tuple[ViewCall, ...], Sequence[ViewEntry]]:
    """Return the calls of the assistant's last entry, and the entries after it."""
    for place in reversed(range(len(entries))):
        if entries[place].role is Role.ASSISTANT:
            return entries[place].calls, entries[place + 1 :]
    return (), entries


def _last_mail(entries: Sequence[ViewEntry]) -> str:
    """Return the id of the mail that ``it`` means: the one read last, or the newest listed last."""
    for call, outcome in _outcomes(reversed(entries)):
        if not outcome:
            continue
        if call.tool == "read_email" and (read := _READ.match(outcome)):
            return read[1]
        if call.tool == "search_emails":
            return _newest(call, outcome)
    return ""


def _listed(entries: Sequence[ViewEntry]) -> Sequence[str]:
    """Return the ids of the mails that were listed last, in their order."""
    found = (text for call, text in _outcomes(reversed(entries)) if call.tool == "search_emails")
    return _LISTED.findall(next(found, ""))


def _newest(call: ViewCall, outcome: str) -> str:
    """Return the id of the newest mail in a list. Only a search by words sorts otherwise."""
    dated = _DATED.findall(outcome)
    if dated and call.args.get("query"):
        return str(max(dated, key=lambda one: one[1])[0])
    listed = _LISTED.search(outcome)
    return listed[1] if listed else ""


def _outcomes(entries: Iterator[ViewEntry]) -> Iterator[tuple[ViewCall, str]]:
    for entry in entries:
        for call in reversed(entry.calls):
            yield call, call.outcome or (entry.text if entry.role is Role.OUTCOME else "")
