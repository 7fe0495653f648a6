"""Split a text into letters: own words, forwarded messages, quoted earlier messages.

Each line is looked at once. The letters that are open form a stack; a line that is quoted less
often than a letter ends it, and a heading opens one inside the letter where it stands.
"""

from collections.abc import Sequence
from datetime import tzinfo
from typing import NamedTuple

from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.text.subjects import SubjectKind, subject_kind
from ingest.letters.dates import moment
from ingest.letters.headers import LetterHeading
from ingest.letters.inline import forward_heading
from ingest.letters.letter import TOP, LetterPiece, Letters, PieceKind
from ingest.letters.lines import MOST_LINES, TextLine, lines_of, unquoted
from ingest.letters.mailboxes import without_links, writer
from ingest.letters.replies import reply_heading, signature_start
from ingest.letters.tables import CC, FROM, SENT, SUBJECT, TO
from ingest.text import RECIPIENTS
from ingest.text import SUBJECT as SUBJECT_CHARACTERS
from ingest.text import line as one_line

MOST_LETTERS = 50
SENT_WORDS = 200
TOO_MANY_LETTERS = f"more than {MOST_LETTERS} letters: the rest was not told apart"
TOO_MANY_LINES = f"only its first {MOST_LINES:,} lines were searched for other letters"
SEVERAL_SENDERS = "more than one address is named as its sender; the first was taken"


def split_letters(text: str, top: Letter = TOP, zone: tzinfo | None = None) -> Letters:
    """Split a text into all letters in it. Never raises; the pieces add up to the text.

    Args:
        text: the text of a mail, or of a message attached to one.
        top: what is known of the mail or message itself. The first letter has these facts and its
            own words; for a mail that was forwarded by hand they are the forwarder's note. Its
            subject says whether a message below a bare header is forwarded or quoted.
        zone: the zone of dates that name none; without it such dates are words only.
    """
    return _Splitter(text, top, zone).split()


class _Run(NamedTuple):
    """Lines of one letter and one kind that follow each other."""

    letter: int
    kind: PieceKind
    start: int
    end: int


class _Splitter:
    def __init__(self, text: str, top: Letter, zone: tzinfo | None) -> None:
        self._lines, self._rest = lines_of(text)
        self._zone = zone
        self._letters = [top]
        self._quoted = [0]
        """By letter, how often its lines are quoted."""
        self._open = [0]
        self._resumable: dict[tuple[int, int], int] = {}
        self._runs: list[_Run] = []
        self._least = _least_quoted(self._lines)

    def split(self) -> Letters:
        place, count = 0, len(self._lines)
        while place < count:
            place = self._take(place)
        if self._rest:
            self._note(self._open[-1], TOO_MANY_LINES)
        return self._finished()

    def _take(self, place: int) -> int:
        """Give the line to a letter, or open one. Return the next line."""
        line = self._lines[place]
        if line.bare:
            self._close(line.depth)
            heading = self._heading(place)
            if heading:
                self._open_below(heading)
                self._add(PieceKind.HEADING, place, heading.end)
                return heading.end
            if line.depth > self._quoted[self._open[-1]]:
                self._open_quote(line.depth)
        self._add(PieceKind.WORDS, place, place + 1)
        return place + 1

    def _close(self, depth: int) -> None:
        while self._quoted[self._open[-1]] > depth:
            closed = self._open.pop()
            self._resumable[self._open[-1], self._quoted[closed]] = closed

    def _heading(self, place: int) -> LetterHeading | None:
        if len(self._letters) > MOST_LETTERS:
            return None
        top = self._letters[self._open[-1]]
        is_inside = top.depth > 0 or top.kind is not LetterKind.MAIL
        otherwise = LetterKind.QUOTED_REPLY if is_inside else LetterKind.INLINE_FORWARD
        found = forward_heading(self._lines, place, top.subject, otherwise=otherwise)
        if found is None:
            found = reply_heading(self._lines, place)
            if found and found.defects and subject_kind(top.subject) is SubjectKind.FORWARD:
                # Outlook for Mac forwards below such a line, without quote marks.
                found = found._replace(kind=LetterKind.INLINE_FORWARD)
        if found and found.ends_one:
            # One that is quoted deeper than the message was written by whoever wrote that.
            ends = top.kind is LetterKind.INLINE_FORWARD
            return found if ends and self._quoted[self._open[-1]] == found.depth else None
        return found

    def _open_below(self, heading: LetterHeading) -> None:
        if heading.ends_one:
            self._open.pop()
        depth = heading.depth
        if (
            heading.kind is LetterKind.INLINE_FORWARD
            and heading.end < len(self._lines)
            and depth < self._least[heading.end] < len(self._lines) + 1
        ):
            # Some programs quote what is below their header. Only where nothing unquoted follows:
            # else whoever wrote the message could make its end look like the forwarder's.
            depth += 1
        self._push(self._letter(heading), depth)

    def _open_quote(self, depth: int) -> None:
        parent = self._open[-1]
        known = self._resumable.get((parent, depth))
        if known is not None:
            self._open.append(known)
        elif len(self._letters) <= MOST_LETTERS:
            inside = self._letters[parent].depth + 1
            kind = LetterKind.QUOTED_REPLY
            self._push(Letter(kind=kind, depth=inside, inside=parent), depth)
        else:
            self._note(parent, TOO_MANY_LETTERS)

    def _push(self, letter: Letter, quoted: int) -> None:
        parent = self._open[-1]
        self._letters.append(letter)
        self._quoted.append(quoted)
        self._open.append(len(self._letters) - 1)
        # What comes at this depth later belongs to the newest letter there.
        self._resumable.pop((parent, quoted), None)
        if len(self._letters) > MOST_LETTERS:
            self._note(self._open[-1], TOO_MANY_LETTERS)

    def _letter(self, heading: LetterHeading) -> Letter:
        parent = self._open[-1]
        fields, defects = heading.fields, list(heading.defects)
        sender = writer(fields.get(FROM, ""))
        if sender.others:
            defects.append(SEVERAL_SENDERS)
        sent = one_line(fields.get(SENT, ""), SENT_WORDS)
        to = ", ".join(found for field in (TO, CC) if (found := fields.get(field, "").strip()))
        return Letter(
            kind=heading.kind,
            depth=self._letters[parent].depth + 1,
            inside=parent,
            sender=sender.shown,
            sender_address=sender.address,
            recipients=one_line(without_links(to), RECIPIENTS),
            subject=one_line(fields.get(SUBJECT, ""), SUBJECT_CHARACTERS),
            sent=moment(sent, self._zone),
            sent_words=sent,
            defects=tuple(defects),
        )

    def _note(self, letter: int, defect: str) -> None:
        known = self._letters[letter]
        if defect not in known.defects:
            changed = {"defects": (*known.defects, defect)}
            self._letters[letter] = known.model_copy(update=changed)

    def _add(self, kind: PieceKind, start: int, end: int) -> None:
        letter = self._open[-1]
        last = self._runs[-1] if self._runs else None
        if last and (last.letter, last.kind) == (letter, kind) and kind is PieceKind.WORDS:
            self._runs[-1] = last._replace(end=end)
        else:
            self._runs.append(_Run(letter, kind, start, end))

    # The end

    def _finished(self) -> Letters:
        runs = [part for run in self._runs for part in self._without_signature(run)]
        pieces = [
            LetterPiece(
                run.letter,
                run.kind,
                "".join(line.raw for line in self._lines[run.start : run.end]),
            )
            for run in runs
        ]
        if self._rest:
            pieces.append(LetterPiece(self._open[-1], PieceKind.WORDS, self._rest))
        words: dict[tuple[int, PieceKind], list[str]] = {}
        for run in runs:
            if shown := self._shown(run):
                words.setdefault((run.letter, run.kind), []).append(shown)
        if self._rest.strip():
            known = words.setdefault((self._open[-1], PieceKind.WORDS), [""])
            known[-1] = f"{known[-1]}\n{self._rest}".strip("\n").rstrip()
        letters = [
            letter.model_copy(
                update={
                    "text": "\n\n".join(words.get((place, PieceKind.WORDS), ())),
                    "signature": "\n\n".join(words.get((place, PieceKind.SIGNATURE), ())),
                }
            )
            for place, letter in enumerate(self._letters)
        ]
        return Letters(tuple(letters), tuple(pieces))

    def _without_signature(self, run: _Run) -> list[_Run]:
        if run.kind is not PieceKind.WORDS:
            return [run]
        if self._rest and run.end == len(self._lines):
            return [run]  # it goes on
        start = run.start + signature_start(
            self._lines[run.start : run.end], self._quoted[run.letter]
        )
        if start == run.end:
            return [run]
        signed = _Run(run.letter, PieceKind.SIGNATURE, start, run.end)
        return [signed] if start == run.start else [run._replace(end=start), signed]

    def _shown(self, run: _Run) -> str:
        """Return the lines without the quote marks of their letter, and without empty ends."""
        depth = self._quoted[run.letter]
        shown = [
            unquoted(line.raw, depth) if line.bare else ""
            for line in self._lines[run.start : run.end]
        ]
        return "\n".join(shown).strip("\n").rstrip()


def _least_quoted(lines: Sequence[TextLine]) -> list[int]:
    """Return for each line how often the least quoted of it and those below is quoted."""
    least = [len(lines) + 1] * (len(lines) + 1)
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        least[place] = min(line.depth, least[place + 1]) if line.bare else least[place + 1]
    return least
