"""Check the name of a blob. Every store has these rules, so that one can replace another."""

import re

from assistant.domain.errors import BadArguments

LONGEST = 512
LONGEST_SEGMENT = 200
"""File systems allow 255 bytes for a directory entry; a store may add a suffix."""

_ALPHABET = re.compile(r"[A-Za-z0-9_/.-]+")


def check_name(name: str) -> str:
    """Return a valid name, such as ``raw/3f/9a0c.eml``, unchanged.

    Raises:
        BadArguments: the name is empty or too long, holds another character than
            ``A-Z a-z 0-9 - _ / .``, or a segment between slashes is empty, ``.``, ``..`` or too
            long.
    """
    if len(name) > LONGEST:
        raise BadArguments(f"a blob's name has at most {LONGEST} characters, not {len(name)}")
    if not _ALPHABET.fullmatch(name):
        raise BadArguments(f"a blob's name may hold only A-Z a-z 0-9 - _ / . and not {name!r}")
    for segment in name.split("/"):
        if segment in {"", ".", ".."}:
            raise BadArguments(f"a blob's name may not have a segment {segment!r}: {name!r}")
        if len(segment) > LONGEST_SEGMENT:
            raise BadArguments(
                f"a blob's name has at most {LONGEST_SEGMENT} characters between slashes: {name!r}"
            )
    return name
