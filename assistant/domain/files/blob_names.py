"""What a blob may be called: the same everywhere, so that a store can be changed for another."""

import re

from assistant.domain.errors import BadArguments

LONGEST = 512
LONGEST_SEGMENT = 200
"""File systems keep 255 bytes for a directory entry; a store may add a little of its own."""

_ALPHABET = re.compile(r"[A-Za-z0-9_/.-]+")


def check_name(name: str) -> str:
    """The name itself, if it is one: ``raw/3f/9a0c.eml``.

    Raises:
        BadArguments: it is empty or too long, holds another character than ``A-Z a-z 0-9 - _ / .``,
            or one of the segments between its slashes is empty, ``.``, ``..`` or too long.
    """
    if len(name) > LONGEST:
        raise BadArguments(f"a blob's name has at most {LONGEST} characters, not {len(name)}")
    if not _ALPHABET.fullmatch(name):
        raise BadArguments(f"a blob's name is made of A-Z a-z 0-9 - _ / . alone, not {name!r}")
    for segment in name.split("/"):
        if segment in {"", ".", ".."}:
            raise BadArguments(f"a blob's name has no segment {segment!r}: {name!r}")
        if len(segment) > LONGEST_SEGMENT:
            raise BadArguments(
                f"a blob's name has at most {LONGEST_SEGMENT} characters between slashes: {name!r}"
            )
    return name
