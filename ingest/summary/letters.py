"""The letters of a mail for a model: each in a fence of its own, what was forwarded first."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from assistant.domain.mail.forward import HowForwarded
from assistant.domain.mail.letter import FORWARDS, Letter, LetterKind
from assistant.domain.mail.mail import Mail, forwarded_letter
from assistant.domain.text.fence import fence

SHOWN = 20_000
"""The most characters of a mail that a model sees."""
NOTE = 4_000
"""The characters of a forwarder's note that are shown, however long the forwarded letter is."""
_ATTACHED = 20
_APART = "\n\n\N{PILCROW SIGN}\n\n"
"""Divides the letters in a text where quotes are looked for, so that no quote spans two."""


class SeenMail(NamedTuple):
    """A mail as it is summarised."""

    fences: tuple[str, ...]
    """A letter each, as a model sees it."""
    text: str
    """All that the model saw, subjects included."""
    own: str
    """What of it the owner wrote, as far as the mail says so; empty where it does not."""
    at_first_hand: str
    """What of that stands in no letter of anybody else, who could have made it up."""
    subject: str
    """Of the letter that the mail is about."""
    about: str
    """The words of that letter, uncut."""
    sent: datetime | None
    """When that letter was sent; None where it does not say."""
    writer: str
    """The address of the first who wrote in it and is not its owner. Not verified."""


class _Placed(NamedTuple):
    """A letter, its place among the letters of the mail, and its label."""

    place: int
    letter: Letter
    label: str


def seen_mail(mail: Mail, letters: Sequence[Letter]) -> SeenMail:
    """Return what a model sees of a mail, and what it is compared with.

    What was forwarded comes first, the note of whoever forwarded it next, quoted letters last. The
    words of two authors are never in one fence.

    Args:
        mail: its row.
        letters: its letters with their words, as ``letters_of`` returns them.
    """
    placed = _in_order(mail, letters)
    main = placed[0].letter
    fences, seen = _shown(mail, placed)
    mine = _own_addresses(mail)
    own = (words_of(one) for one in letters if one.sender_address.lower() in mine)
    at_first_hand = (words_of(one) for one in _at_first_hand(letters, mine))
    others = (one.letter.sender_address for one in placed)
    return SeenMail(
        fences=fences,
        text=_APART.join(seen),
        own=_APART.join(own),
        at_first_hand=_APART.join(at_first_hand),
        subject=main.subject,
        about=next(filter(None, (words_of(one.letter).strip() for one in placed)), ""),
        sent=main.sent,
        writer=next((one for one in others if one and one.lower() not in mine), ""),
    )


def words_of(letter: Letter) -> str:
    """Return all words of a letter, with the signature."""
    return "\n\n".join(filter(None, (letter.text, letter.signature)))


def _in_order(mail: Mail, letters: Sequence[Letter]) -> list[_Placed]:
    """Return the letters as they are shown. The first is what the mail is about."""
    own, *_ = letters
    by_hand = forwarded_letter(letters, mail.forward) is not None
    forwards = [
        _Placed(place, one, f"mail {mail.id}, forwarded, from {_writer(one)}")
        for place, one in enumerate(letters)
        if one.kind in FORWARDS
    ]
    quoted = [
        _Placed(place, one, f"earlier letter of {_writer(one)}, quoted in mail {mail.id}")
        for place, one in enumerate(letters)
        if one.kind is LetterKind.QUOTED_REPLY
    ]
    if not by_hand:
        return [_Placed(0, own, f"mail {mail.id} from {_writer(own)}"), *forwards, *quoted]
    note = [_Placed(0, own, f"note of {_writer(own)}, who forwarded mail {mail.id}")]
    return [*forwards, *(note if words_of(own).strip() else []), *quoted]


def _shown(mail: Mail, placed: Sequence[_Placed]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fences, and the words in each, of at most ``SHOWN`` characters in all."""
    noted = sum(min(NOTE, len(words_of(one.letter))) for one in placed[1:] if one.place == 0)
    room, lost = SHOWN - noted, 0
    kept: list[tuple[_Placed, str, str, int]] = []
    for one in placed:
        head, words = _head(mail, one, main=one is placed[0]), words_of(one.letter)
        is_note = one.place == 0 and bool(kept)
        if room <= 0 and not is_note:
            lost += len(words)
            continue
        cut = words[: NOTE if is_note else room]
        room -= 0 if is_note else len(cut) + (len(head) if kept else 0)
        kept.append((one, head, cut, len(words) - len(cut)))
    fences = []
    for one, head, cut, less in kept:
        missing = less + (lost if one is kept[-1][0] else 0)
        said = f"{head}\n\n{cut or '(no text)'}"
        if missing:
            said += f"\n[{missing} more characters of this mail were left out]"
        # The label is outside the fence: so it holds an address, not a name that anyone may choose.
        fences.append(fence(said, source=one.label))
    return tuple(fences), tuple(f"{one.letter.subject}\n\n{cut}" for one, _, cut, _ in kept)


def _head(mail: Mail, one: _Placed, *, main: bool) -> str:
    letter = one.letter
    places = {0, one.place} if main else {one.place} - {0}
    attached = [part.name for part in mail.attachments if part.letter in places]
    facts = (
        ("Subject", letter.subject),
        ("From", letter.sender),
        ("Date", letter.sent.isoformat() if letter.sent else letter.sent_words),
        ("Attachments", ", ".join(attached[:_ATTACHED])),
    )
    return "\n".join(f"{label}: {value}" for label, value in facts if value)


def _writer(letter: Letter) -> str:
    return letter.sender_address or "nobody named"


def _own_addresses(mail: Mail) -> frozenset[str]:
    """Return the addresses of whoever forwarded the mail by hand: its owner, as it says."""
    if mail.forward.how is not HowForwarded.BY_HAND:
        return frozenset()
    return _lowered((mail.sender_address, mail.forward.forwarder))


def _at_first_hand(letters: Sequence[Letter], mine: frozenset[str]) -> list[Letter]:
    """Return the letters of these addresses that stand in letters of these alone."""
    places: set[int] = set()
    for place, one in enumerate(letters):
        if one.sender_address.lower() in mine and (place == 0 or max(one.inside, 0) in places):
            places.add(place)
    return [letters[place] for place in sorted(places)]


def _lowered(addresses: Iterable[str]) -> frozenset[str]:
    return frozenset(address.lower() for address in addresses if address)
