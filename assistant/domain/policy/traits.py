"""The traits that a tool declares and that a policy goes by."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from assistant.domain.governance.modes import Mode

EVERY_MODE = frozenset(Mode)
UNLOCKED = EVERY_MODE - {Mode.LOCKDOWN}


class Group(StrEnum):
    """The kind of work that a tool does for a model."""

    SEARCH = "search"
    """Reads, and changes nothing."""
    EDIT = "edit"
    EXEC = "exec"
    SUBTASK = "subtask"
    META = "meta"
    """Works on the assistant itself: skills, memory, todos."""


class Category(StrEnum):
    """The kinds of tools that a policy names together. A third party may add its own."""

    READ_ONLY = "read_only"
    SYSTEM_WRITE = "system_write"
    NETWORK = "network"
    EXECUTION = "execution"


class Confirmation(StrEnum):
    """When a tool wants approval, whatever its risk."""

    NEVER = "never"
    """Never; only the risk counts."""
    IF_DESTRUCTIVE = "if_destructive"
    """When the call would delete or overwrite something (``Facts.destructive``)."""
    ALWAYS = "always"


@dataclass(frozen=True, kw_only=True)
class Scopes:
    """The most that a tool may touch, as patterns. Where none is given it may touch nothing."""

    paths: tuple[str, ...] = ()
    """Globs over the locations of files: ``private:/**``."""
    apps: tuple[str, ...] = ()
    """Services, and programs of a desktop: ``calendar`` covers the location ``calendar:1a2b``."""
    network: tuple[str, ...] = ()
    """Hosts: ``example.org``, ``*.example.org`` for all below it, ``*`` for any public one."""


@dataclass(frozen=True, kw_only=True)
class ToolTraits:
    """The traits of a tool that a decision rests on; each call's facts say what it touches."""

    name: str
    known: bool = True
    """False when there is no such tool."""
    category: str = Category.EXECUTION
    group: Group = Group.EXEC
    confirmation: Confirmation = Confirmation.NEVER
    enforced: bool = False
    """True when no rule, grant or autorun lets the tool run without asking."""
    allowed_modes: frozenset[Mode] = UNLOCKED
    rate_per_hour: int | None = None
    """The most calls within an hour; None for no limit."""
    remembers: bool = False
    """True when what the tool writes enters later conversations."""
    free_args: tuple[str, ...] = ()
    """Arguments in which similar calls may differ: a grant leaves them open."""
    made_args: tuple[str, ...] = ()
    """Arguments that code sets for each call, never a model: a grant does not bind them."""
    version: str = "1"

    @classmethod
    def unknown(cls, name: str) -> Self:
        """Return the traits of a tool that does not exist."""
        return cls(
            name=name,
            known=False,
            confirmation=Confirmation.ALWAYS,
            enforced=True,
            allowed_modes=frozenset(),
            version="",
        )
