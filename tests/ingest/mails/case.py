"""A mail, and what must be found in it."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.forward import HowForwarded
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import MailContext, Parsed

MAIL = LetterKind.MAIL
ATTACHED = LetterKind.ATTACHED_FORWARD
INLINE = LetterKind.INLINE_FORWARD
QUOTED = LetterKind.QUOTED_REPLY
NONE: Mapping[str, object] = MappingProxyType({})


class WantedLetter(NamedTuple):
    """One letter: sentences that must be in it, sentences that must not, and other facts of it.

    Spaces and ends of lines are not compared.
    """

    kind: LetterKind = MAIL
    must: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    facts: Mapping[str, object] = NONE

    def misses(self, letter: Letter) -> list[str]:
        said = folded(letter.text)
        found = [
            f"{want!r} is not in {said[:300]!r}" for want in self.must if folded(want) not in said
        ]
        found += [f"{none!r} is in {said[:300]!r}" for none in self.no if folded(none) in said]
        if letter.kind is not self.kind:
            found.append(f"it is {letter.kind}, not {self.kind}")
        for name, want in self.facts.items():
            seen = getattr(letter, name)
            if not _same(seen, want):
                found.append(f"{name} is {seen!r}, not {want!r}")
        return found


class WantedFile(NamedTuple):
    """One attachment. ``said`` is a part of what it is said to be, ``doubt`` one of its doubt."""

    name: str
    said: str = ""
    data: bytes | None = None
    doubt: str | None = ""
    letter: int = 0


class MailCase(NamedTuple):
    name: str
    raw: bytes
    letters: tuple[WantedLetter, ...] | None = None
    """All letters in their order; empty where the mail shows no words, None where any will do."""
    facts: Mapping[str, object] = NONE
    """Attributes of ``Parsed``; a date as ``2026-11-03T10:00:00+01:00``."""
    files: tuple[WantedFile, ...] = ()
    """All that is attached, but for messages: those are letters, and kept as files as well."""
    must: tuple[str, ...] = ()
    """What must be in its text as a whole."""
    hidden: tuple[str, ...] | None = ()
    """What is hidden in it: kept apart, in no text. None: ``hidden_words`` says it."""
    how: HowForwarded | None = HowForwarded.NOT
    forward: Mapping[str, object] = NONE
    confirmation: Mapping[str, str] | None = None
    defects: tuple[str, ...] = ()
    """A part of each defect that must be named. None may be named where this is empty."""
    may_have_defects: bool = False
    envelope: Envelope = Envelope()
    zone: str = "Europe/Berlin"

    @property
    def context(self) -> MailContext:
        return MailContext(envelope=self.envelope, zone=self.zone)


def misses(case: MailCase, found: Parsed) -> list[str]:
    """Return all in which a mail was not read as a person would read it."""
    out: list[str] = []
    for name, want in case.facts.items():
        seen = getattr(found, name)
        if not _same(seen, want):
            out.append(f"{name} is {seen!r}, not {want!r}")
    whole = folded(" ".join([found.text, *(letter.text for letter in found.letters)]))
    out += [f"{must!r} is not in its text" for must in case.must if folded(must) not in whole]
    out += _letter_misses(case, found)
    out += _file_misses(case, found)
    out += _hidden_misses(case, found)
    out += _forward_misses(case, found)
    defects = [*found.defects, *(defect for letter in found.letters for defect in letter.defects)]
    out += [
        f"no defect says {want!r}, only {defects}"
        for want in case.defects
        if not any(want in defect for defect in defects)
    ]
    if found.defects and not case.defects and not case.may_have_defects:
        out.append(f"a sound mail has defects: {found.defects}")
    return out


def letters_in(found: Parsed) -> tuple[Letter, ...]:
    """Return the letters of a mail, of which there is one at the least."""
    return found.letters or (Letter(kind=MAIL, text=found.text),)


def whole_text(found: Parsed) -> str:
    return "".join([found.text, *(letter.text for letter in found.letters)]).strip()


def _letter_misses(case: MailCase, found: Parsed) -> list[str]:
    letters = letters_in(found)
    if case.letters is None:
        return [] if whole_text(found) else ["it shows no words"]
    if not case.letters:
        shown = "".join(letter.text for letter in letters).strip()
        return [f"it shows {shown[:200]!r}"] if shown else []
    out = [
        f"letter {place}: {miss}"
        for place, (want, letter) in enumerate(zip(case.letters, letters, strict=False))
        for miss in want.misses(letter)
    ]
    if len(letters) != len(case.letters):
        kinds = [f"{letter.kind}: {letter.text[:80]!r}" for letter in letters]
        out.append(f"it has {len(letters)} letters, not {len(case.letters)}: {kinds}")
    if any(want.must for want in case.letters) and not found.text.strip():
        out.append("it has no text as a whole")
    return out


def _file_misses(case: MailCase, found: Parsed) -> list[str]:
    kept = [part for part in found.attachments if not part.content_type.startswith("message/")]
    names = [part.name for part in kept]
    out = []
    attached = sum(letter.kind is ATTACHED for letter in found.letters)
    mails = [
        part
        for part in found.attachments
        if part.content_type.startswith("message/") or part.kind.startswith("message/")
    ]
    if len(mails) < attached:
        out.append("an attached message is kept as no file")
    if names != [file.name for file in case.files]:
        return [f"its files are {names}, not {[file.name for file in case.files]}"]
    for want, part in zip(case.files, kept, strict=True):
        if want.said not in part.said:
            out.append(f"{want.name} is said to be {part.said!r}, not {want.said!r}")
        if want.data is not None and want.data != part.data:
            out.append(f"{want.name} has the bytes {part.data[:40]!r}, not {want.data[:40]!r}")
        if want.doubt is not None and bool(want.doubt) != bool(part.doubt):
            out.append(f"{want.name} has the doubt {part.doubt!r}, not {want.doubt!r}")
        if part.letter != want.letter:
            out.append(f"{want.name} came with letter {part.letter}, not {want.letter}")
    return out


def _hidden_misses(case: MailCase, found: Parsed) -> list[str]:
    if case.hidden is None:
        return []
    apart = folded(" ".join(found.hidden))
    shown = folded(" ".join([found.text, *(letter.text for letter in found.letters)]))
    out = [
        f"{words!r} is not kept as hidden" for words in case.hidden if folded(words) not in apart
    ]
    out += [f"{words!r} is shown" for words in case.hidden if folded(words) in shown]
    if bool(found.hidden_words) != bool(case.hidden) and not case.may_have_defects:
        out.append(f"{found.hidden_words} words are hidden: {found.hidden}")
    return out


def _forward_misses(case: MailCase, found: Parsed) -> list[str]:
    out = []
    if case.how is not None and found.forward.how is not case.how:
        out.append(f"it is {found.forward.how!r}, not {case.how!r}: {found.forward.rests_on}")
    for name, want in case.forward.items():
        if (seen := getattr(found.forward, name)) != want:
            out.append(f"forward.{name} is {seen!r}, not {want!r}")
    asked = found.confirmation
    if case.confirmation is None:
        return [*out, f"it is taken for {asked}"] if asked else out
    if asked is None:
        return [*out, "it is not taken for a provider's question"]
    for name, said in case.confirmation.items():
        if (seen := getattr(asked, name)) != said:
            out.append(f"confirmation.{name} is {seen!r}, not {said!r}")
    return out


def folded(words: str) -> str:
    """Return words with one space between two of them."""
    return " ".join(words.split())


def _same(seen: object, want: object) -> bool:
    if isinstance(seen, datetime) and isinstance(want, str):
        return seen == datetime.fromisoformat(want)
    return seen == want
