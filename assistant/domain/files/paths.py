"""Parse the path of a file: one spelling for each file, in one of three scopes.

A path is written ``scope:/key``; a key without a scope is private. Keys hold only ASCII letters,
digits and ``-_/.``, so that no key leaves its scope, has two readings, or looks like another.

People overlook hidden files, so a segment may begin with a dot in two cases only: the ignore files,
which have these names everywhere, and the folders that are reserved for the assistant.
"""

import re
import unicodedata

from assistant.domain.errors import BadArguments
from assistant.domain.files.version import Scope

LONGEST = 400
"""Characters of a whole path, its scope included."""
LONGEST_SEGMENT = 120
IGNORE_FILES = frozenset({".gitignore", ".ignore"})
"""Searches leave out what these files name, so writing one decides what a search finds."""
RESERVED_FOLDERS = frozenset({".skills", ".results"})
"""Folders in ``private:/`` that only the assistant's code writes; a model may read there."""

_NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9_/.-]")
_MARK = ":/"


def parse_path(given: str) -> str:
    """Return the canonical path of a text: ``notes/a.txt`` becomes ``private:/notes/a.txt``.

    Raises:
        BadArguments: the text is no path; the message says what is wrong and how to mend it.
    """
    scope, key = _split(given)
    path = f"{scope}{_MARK}{key}"
    _check_alphabet(key)
    _check_length(path)
    segments = key.split("/")
    for place, segment in enumerate(segments):
        _check_segment(segment, given)
        if segment.startswith(".") and not _may_hide(scope, segments, place):
            raise _wrong(given, f"{segment!r} begins with a dot; leave the dot out")
    return path


def parse_prefix(given: str) -> str:
    """Return the canonical prefix of the paths to list: a scope, a folder, or part of a name.

    Raises:
        BadArguments: no path begins so.
    """
    scope, key = _split(given)
    path = f"{scope}{_MARK}{key}"
    _check_alphabet(key)
    _check_length(path)
    *folders, _ = key.split("/")
    for segment in folders:
        _check_segment(segment, given)
    return path


def scope_of(path: str) -> Scope:
    """Return the scope of a canonical path."""
    return Scope(path.partition(_MARK)[0])


def folded(path: str) -> str:
    """Return a form that is equal for paths that differ only in case."""
    return path.lower()


def governs(path: str) -> bool:
    """Return whether the file at a canonical path steers the assistant: no model may change it."""
    _, key = _split(path)
    *folders, name = key.split("/")
    return name in IGNORE_FILES or (bool(folders) and folders[0] in RESERVED_FOLDERS)


def _split(given: str) -> tuple[Scope, str]:
    before, mark, after = given.partition(_MARK)
    if not mark:
        return Scope.PRIVATE, given
    try:
        return Scope(before), after
    except ValueError:
        known = ", ".join(f"{scope}{_MARK}" for scope in Scope)
        raise _wrong(given, f"{_said(before)} is no scope; these are: {known}") from None


def _check_alphabet(key: str) -> None:
    odd = _NOT_IN_A_KEY.search(key)
    if odd is None:
        return
    hint = f"; a scope is followed by {_MARK}" if odd[0] == ":" else ""
    raise BadArguments(
        f"path: {_named(odd[0])} at place {odd.start() + 1} of the key is none of"
        f" A-Z a-z 0-9 - _ . /; use those alone{hint}"
    )


def _check_length(path: str) -> None:
    if len(path) > LONGEST:
        raise BadArguments(
            f"path: it has {len(path)} characters; {LONGEST} at the most, its scope included"
        )


def _check_segment(segment: str, given: str) -> None:
    if not segment:
        raise _wrong(given, "between and around slashes there must be a name; leave out a slash")
    if segment in {".", ".."}:
        raise _wrong(given, f"{segment!r} is no name; write out where the file is")
    if segment.endswith("."):
        raise _wrong(given, f"{segment!r} ends with a dot; leave the dot out")
    if len(segment) > LONGEST_SEGMENT:
        raise BadArguments(
            f"path: a name between slashes has {LONGEST_SEGMENT} characters at the most,"
            f" not {len(segment)}"
        )


def _may_hide(scope: Scope, segments: list[str], place: int) -> bool:
    if place == len(segments) - 1:
        return segments[place] in IGNORE_FILES
    return place == 0 and scope is Scope.PRIVATE and segments[0] in RESERVED_FOLDERS


def _wrong(given: str, why: str) -> BadArguments:
    return BadArguments(f"path: {_said(given)}: {why}")


def _said(given: str) -> str:
    """Return the text in ASCII, to be shown: a stranger may have chosen its letters."""
    return ascii(given if len(given) <= LONGEST_SEGMENT else f"{given[:LONGEST_SEGMENT]}...")


def _named(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'without a name')}"
