"""The file ``.env``: what it sets, which of its lines are broken, and how a setting is put in."""

import logging
import os
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from assistant.domain.errors import Misconfigured
from workers.configuration.prefix import PREFIX

_NAMED = re.compile(rf"\b{PREFIX}\w+", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_@%+:,./-]*")
"""A value that every reader of such files takes as it is, without quotes."""


def read(file: Path) -> Mapping[str, str | None]:
    """Return what the file sets, by name; nothing if there is no file.

    Raises:
        Misconfigured: it cannot be read, or a line that names a setting is broken.
    """
    text = _text(file)
    broken = [
        f"line {number} of {file} cannot be read{_about(line)}; "
        f"write {_name(line) or f'{PREFIX}NAME'}=value, in quotes if it has spaces, quotes or #"
        for number, line in _broken(text)
    ]
    if broken:
        raise WrongLines(broken)
    with without_warnings():
        return dotenv_values(stream=StringIO(text))


class WrongLines(Misconfigured):
    """Lines of a file of settings cannot be read."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("; ".join(lines))
        self.lines = lines


@contextmanager
def without_warnings() -> Generator[None]:
    """Keep the library quiet: it tells of broken lines without the name of their file."""
    log = logging.getLogger("dotenv.main")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def with_settings(text: str, values: Mapping[str, str]) -> str:
    """Return the text of such a file with these values set; all other lines stay as they are.

    A name that is set already is changed in its last place, which is the one that counts. One that
    is there as a comment, as in the example, is set below it.
    """
    lines = text.splitlines()
    for name, value in values.items():
        line = f"{name}={quoted(value)}"
        if (at := _last_line(lines, rf"\s*(?:export\s+)?{name}\s*=")) is not None:
            lines[at] = line
        elif (at := _last_line(lines, rf"#\s*{name}\s*=")) is not None:
            lines.insert(at + 1, line)
        else:
            lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def quoted(value: str) -> str:
    """Write a value so that it is read back as it is."""
    if _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def write(file: Path, text: str) -> None:
    """Write the file whole or not at all, for this user alone.

    Raises:
        Misconfigured: it cannot be written.
    """
    draft = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise Misconfigured(f"{file} was not written: {error.strerror}") from error


def text_of(file: Path) -> str:
    """Return the file's text, empty if there is none. Raises ``Misconfigured``."""
    return _text(file)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise Misconfigured(f"{file} is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise Misconfigured(f"{file} cannot be read: {error.strerror}") from error


def _broken(text: str) -> list[tuple[int, str]]:
    """Return the broken lines that name a setting, with their numbers.

    Other programs may read lines that this library does not.
    """
    return [
        (one.original.line, one.original.string)
        for one in parse_stream(StringIO(text))
        if one.error and _name(one.original.string)
    ]


def _name(line: str) -> str:
    found = _NAMED.search(line)
    return found.group().upper() if found else ""


def _about(line: str) -> str:
    """Say which setting a line is about. Its value may be a secret, and is not told."""
    return f" ({_name(line)})"


def _last_line(lines: Sequence[str], pattern: str) -> int | None:
    found = [at for at, line in enumerate(lines) if re.match(pattern, line, re.IGNORECASE)]
    return found[-1] if found else None
