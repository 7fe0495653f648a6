"""Limits that a policy sets for one tool, beside its rules. They can only forbid or ask."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    model_validator,
)

from assistant.domain.calls.call import Facts
from assistant.domain.governance.modes import Mode
from assistant.domain.limits import MiB
from assistant.domain.policy.decisions import one_line
from assistant.domain.policy.problems import wrong
from assistant.domain.text.hosts import is_host, plain_host
from assistant.domain.text.patterns import BadPattern, shared_glob

IN_MEBIBYTES = "max_file_size_mb"
"""Another name for ``max_size``, in MiB."""
MOST = 1_000
"""The most entries of one list."""
_RESERVED = ("{", "!", "if", "then", "elif", "else", "while", "until", "do")
_BEFORE = frozenset(
    (*_RESERVED, "time", "env", "sudo", "doas", "nohup", "exec", "command", "nice", "xargs")
)
"""Words that may precede the actual command in a shell line."""


def _glob(text: str) -> str:
    try:
        shared_glob(text)
    except BadPattern as error:
        raise wrong(f"the path {error}", "write it like private:/notes/**") from error
    return text


def _command(text: str) -> str:
    if not text.split() or _parts(text) != [text.split()]:
        raise wrong("is no plain command", "write its first words, such as git status")
    return text


def _host(text: str) -> str:
    name = plain_host(text.removeprefix("*."))
    if not name or not all(char.isalnum() or char in ".-_:[]" for char in name):
        raise wrong("is no host", "write it like example.org, or *.example.org")
    return text


def _small(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


Modes = tuple[Annotated[Mode, BeforeValidator(_small)], ...]
Paths = Annotated[tuple[Annotated[str, AfterValidator(_glob)], ...], Field(max_length=MOST)]
Commands = Annotated[tuple[Annotated[str, AfterValidator(_command)], ...], Field(max_length=MOST)]
Hosts = Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], Field(max_length=MOST)]


class Governance(BaseModel):
    """The limits of one tool. A list of allowed entries forbids everything else."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    enabled: StrictBool = True
    enforced: StrictBool = False
    """Makes the tool always ask. False does not change a tool that declares it."""
    allowed_in_modes: Modes | None = None
    forbidden_in_modes: Modes = ()
    requires_approval_in_modes: Modes = ()
    allowed_paths: Paths | None = None
    """Globs over the locations that a call affects."""
    forbidden_paths: Paths = ()
    max_size: Annotated[StrictInt, Field(ge=0)] | None = None
    """Bytes that a call may store; ``max_file_size_mb`` says it in MiB."""
    allowed_commands: Commands | None = None
    """First words of command lines; each command of a line must have them."""
    forbidden_commands: Commands = ()
    allowed_hosts: Hosts | None = None
    """``example.org`` is one host, ``*.example.org`` all hosts below it."""
    forbidden_hosts: Hosts = ()
    rate_per_hour: Annotated[StrictInt, Field(ge=0)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_bytes(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or IN_MEBIBYTES not in given:
            return given
        size = given[IN_MEBIBYTES]
        if "max_size" in given:
            raise wrong(f"max_size and {IN_MEBIBYTES} set one limit twice", "keep one of them")
        if isinstance(size, bool) or not isinstance(size, int | float) or not 0 <= size < MiB:
            raise wrong(f"{IN_MEBIBYTES} is no size", "write a number of MiB, such as 10")
        kept = {name: value for name, value in given.items() if name != IN_MEBIBYTES}
        return {**kept, "max_size": int(size * MiB)}


class Violation(NamedTuple):
    """Why a call is denied, and the fix."""

    words: str
    fix: str


class Limits:
    """The limits of one tool, compiled for checking calls."""

    __slots__ = ("_allowed", "_forbidden", "governance")

    def __init__(self, governance: Governance) -> None:
        self.governance = governance
        allowed = governance.allowed_paths
        self._allowed = None if allowed is None else [shared_glob(one) for one in allowed]
        self._forbidden = [shared_glob(one) for one in governance.forbidden_paths]

    def violations(self, facts: Facts, mode: Mode) -> list[Violation]:
        """Return every limit that a call violates in this mode."""
        if not self.governance.enabled:
            return [Violation("the policy has switched it off", "set enabled: true in the policy")]
        return [
            *self._of_mode(mode),
            *self._of_paths(facts.locations),
            *self._of_size(facts.size),
            *self._of_command(facts.command),
            *self._of_hosts(facts.hosts),
        ]

    def _of_mode(self, mode: Mode) -> Iterator[Violation]:
        allowed, forbidden = self.governance.allowed_in_modes, self.governance.forbidden_in_modes
        if mode in forbidden or (allowed is not None and mode not in allowed):
            among = tuple(Mode) if allowed is None else allowed
            yield not_in_mode(mode, [one for one in Mode if one in among and one not in forbidden])

    def _of_paths(self, locations: Sequence[str]) -> Iterator[Violation]:
        if self._allowed is None and not self._forbidden:
            return
        if self._allowed is not None and not locations:
            yield _unnamed("location", "path")
        for location in locations:
            yield from self._of_path(location)

    def _of_path(self, location: str) -> Iterator[Violation]:
        name = one_line(location, 120)
        if not is_plain(location):
            yield Violation(f"{name} is no plain path", "name it without empty steps, . or ..")
        elif any(glob.fits(location) for glob in self._forbidden):
            yield Violation(f"{name} is a forbidden path", "choose another one")
        elif self._allowed is not None and not any(one.fits(location) for one in self._allowed):
            allowed = ", ".join(one.glob for one in self._allowed)
            yield Violation(f"{name} is no allowed path", f"choose one in {allowed or 'none'}")

    def _of_size(self, size: int) -> Iterator[Violation]:
        most = self.governance.max_size
        if most is not None and size > most:
            yield Violation(f"it would store {size} bytes", f"store at most {most}")

    def _of_command(self, command: str) -> Iterator[Violation]:
        allowed, forbidden = self.governance.allowed_commands, self.governance.forbidden_commands
        if allowed is None and not (forbidden and command):
            return
        if not command:
            yield _unnamed("command", "command")
            return
        parts = _parts(command)
        if not parts:
            words = "what the command line would run cannot be told"
            yield Violation(words, "write plain commands, without $, backquotes or substitutions")
        for part in parts:
            if _is_hidden(part[0]):
                yield Violation("what a command stands for cannot be told", "write its name out")
            elif any(_begins(_inner(part), one) for one in forbidden):
                yield Violation(f"{one_line(part[0], 60)} is a forbidden command", "use another")
            elif allowed is not None and not any(_begins(part, one) for one in allowed):
                fix = f"use one of {', '.join(allowed) or 'none'}"
                yield Violation(f"{one_line(part[0], 60)} is no allowed command", fix)

    def _of_hosts(self, hosts: Sequence[str]) -> Iterator[Violation]:
        allowed, forbidden = self.governance.allowed_hosts, self.governance.forbidden_hosts
        if allowed is not None and not hosts:
            yield _unnamed("host", "host")
        for host in hosts:
            name = one_line(host, 120)
            if any(is_host(host, one) for one in forbidden):
                yield Violation(f"{name} is a forbidden host", "use another one")
            elif allowed is not None and not any(is_host(host, one) for one in allowed):
                fix = f"use one of {', '.join(allowed) or 'none'}"
                yield Violation(f"{name} is no allowed host", fix)


def not_in_mode(mode: Mode, good: Sequence[Mode]) -> Violation:
    fix = f"ask again in mode {' or '.join(good)}" if good else "the policy allows it in no mode"
    return Violation(f"it is not allowed in mode {mode}", fix)


def _unnamed(what: str, kind: str) -> Violation:
    words = f"it names no {what}, so the allowed {kind}s cannot be kept"
    return Violation(words, f"take allowed_{kind}s out of the policy, or use another tool")


def is_plain(location: str) -> bool:
    """Return False for a path that could lead somewhere else than it seems."""
    rest = location.removeprefix("https://").removeprefix("http://")
    steps = rest.rstrip("/").split("/")
    return not any(step in (".", "..") for step in steps) and "" not in steps[1:]


def _parts(line: str) -> list[list[str]]:
    """Return the words of each command of a shell line; empty when they are not certain."""
    if any(char in line for char in "`$\0") or "<(" in line or ">(" in line:
        return []
    lexer = shlex.shlex(line.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    parts: list[list[str]] = [[]]
    try:
        for word in lexer:
            if word and set(word) <= set("();<>|&"):
                parts.append([])
            else:
                parts[-1].append(word)
    except ValueError:
        return []
    return [part for part in parts if part]


def _is_hidden(word: str) -> bool:
    return len(word) > 1 and any(char in word for char in "*?[{~\\")


def _inner(words: Sequence[str]) -> Sequence[str]:
    """Return the actual command, without words before it such as ``sudo``, ``A=b``, ``then``."""
    for place, word in enumerate(words):
        before = word in _BEFORE or "=" in word or (place > 0 and word.startswith("-"))
        if not before:
            return words[place:]
    return words


def _begins(words: Sequence[str], entry: str) -> bool:
    """Return whether a command begins with these words. ``/bin/rm`` counts as ``rm``."""
    first = entry.split()
    name = words[0] if "/" in first[0] else words[0].rpartition("/")[2]
    return [name, *words[1 : len(first)]] == first
