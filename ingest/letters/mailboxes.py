"""Read the writer of a message as mail programs show it: a name, an address, or both."""

from typing import NamedTuple

from ingest.text import ADDRESS, NAME, line

_READ = 1_000
_LINKED = 4_000
_BRACKETS = str.maketrans("[](){}", "<><><>")
_AROUND = " \t\"'`*_|«»„“”\u201a\u2018\u2019,;:<>()[]"


class LetterWriter(NamedTuple):
    shown: str
    """``Name <address>``, without brackets in the name, so that it cannot look like one."""
    address: str
    others: bool
    """Whether more than one address was named."""


def writer(words: str) -> LetterWriter:
    """Read ``Ann <ann@x>``, ``"Ann" [mailto:ann@x]``, ``ann@x`` or a name alone.

    Takes the first address in brackets, or else the first: a name can have the form of an address.
    A link that was made of one (``[ann@x](mailto:ann@x)``) is read as it.
    """
    said = line(words, _READ).replace("mailto:", " ").replace("\\", "")
    plain = said.translate(_BRACKETS).replace("<", " <").replace(">", "> ").split()
    bare = [word.strip(_AROUND) for word in plain]
    named = [place for place, word in enumerate(bare) if is_address(word)]
    in_brackets = [place for place in named if plain[place].startswith("<")]
    at = next(iter(in_brackets or named), len(plain))
    address = line(bare[at], ADDRESS) if named else ""
    name = [word for word, core in zip(plain[:at], bare, strict=False) if core]
    called = line(" ".join(name).replace("<", "").replace(">", ""), NAME).strip(_AROUND)
    if not address:
        return LetterWriter(called, "", others=False)
    if called.casefold() == address.casefold():
        called = ""
    others = len({bare[place].casefold() for place in named}) > 1
    return LetterWriter(f"{called} <{address}>" if called else address, address, others)


def without_links(words: str) -> str:
    """Take the links off addresses: ``[ann@x](mailto:ann@x)`` and ``<ann@x<mailto:ann@x>>``."""
    for opening, closing in (("](mailto:", ")"), ("<mailto:", ">")):
        parts = words[:_LINKED].split(opening)
        shown = [parts[0]]
        for part in parts[1:]:
            before = shown[-1]
            if opening.startswith("]") and "[" in before:
                at = before.rindex("[")
                shown[-1] = before[:at] + before[at + 1 :]
            kept = part.partition(closing)
            # "Ann <mailto:ann@x>" has no other address: it is the link.
            is_all = not opening.startswith("]") and "@" not in before.rpartition(",")[2]
            shown.append(f"<{kept[0]}>{kept[2]}" if is_all else kept[2])
        words = "".join(shown)
    return words


def is_address(word: str) -> bool:
    """Return whether a word has the form of an address: one @ with something on both sides."""
    local, at, domain = word.partition("@")
    return bool(at and local and domain) and "@" not in domain and not domain.startswith(".")


def address_of(words: str) -> str:
    """Return the first address in the words, or empty."""
    return writer(words).address
