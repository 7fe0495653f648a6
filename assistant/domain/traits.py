"""What a tool declares about itself: what a policy goes by, and the most that it may touch."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from assistant.domain.modes import Mode

EVERY_MODE = frozenset(Mode)
UNLOCKED = EVERY_MODE - {Mode.LOCKDOWN}


class Group(StrEnum):
    """What kind of work a tool does for a model."""

    SEARCH = "search"
    """Looks; it changes nothing."""
    EDIT = "edit"
    EXEC = "exec"
    SUBTASK = "subtask"
    META = "meta"
    """About the assistant itself: skills, memory, todos."""


class Category(StrEnum):
    """The kinds of tools that a policy names together. A third party may name kinds of its own."""

    READ_ONLY = "read_only"
    SYSTEM_WRITE = "system_write"
    NETWORK = "network"
    EXECUTION = "execution"


class Confirmation(StrEnum):
    """When a tool wants a yes, whatever its risk is."""

    NEVER = "never"
    """It adds nothing: the risk alone says."""
    IF_DESTRUCTIVE = "if_destructive"
    """When this call would make something be gone or overwritten (``Facts.destructive``)."""
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
    """The part of a tool that a decision rests on; what it touches comes with each call's facts."""

    name: str
    known: bool = True
    """False when there is no such tool."""
    category: str = Category.EXECUTION
    group: Group = Group.EXEC
    confirmation: Confirmation = Confirmation.NEVER
    enforced: bool = False
    """True when no rule, no grant and no autorun spares its question."""
    allowed_modes: frozenset[Mode] = UNLOCKED
    rate_per_hour: int | None = None
    """Calls within an hour; None for as many as it takes."""
    remembers: bool = False
    """True when what it writes outlives the talk and enters later ones."""
    free_args: tuple[str, ...] = ()
    """Arguments in which calls that are alike may differ: a grant leaves them open."""
    made_args: tuple[str, ...] = ()
    """Arguments that code makes anew for each call, as nobody can: a grant says nothing of them."""
    version: str = "1"

    @classmethod
    def unknown(cls, name: str) -> Self:
        """What is known of a tool that does not exist."""
        return cls(
            name=name,
            known=False,
            confirmation=Confirmation.ALWAYS,
            enforced=True,
            allowed_modes=frozenset(),
            version="",
        )
