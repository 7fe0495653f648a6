"""Save the owner's policy file as a new version whenever it changes and is valid.

A policy that is not valid is not saved: the version before stays in force, and the owner is told
why. Deleting the file changes nothing.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.domain.conversation.deliveries import Home
from assistant.domain.errors import AssistantError, Conflict, Permanent, TooLarge, Unreadable
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import BadPolicy, Problem
from assistant.domain.policy.text import LARGEST, PolicyText, digest_of
from assistant.domain.store import Store
from assistant.flows.render import cards

log = logging.getLogger(__name__)

Read = Callable[[str], Policy]


class PolicyFile:
    """The policy file. Each tick checks it, and reads it if it changed.

    Args:
        path: where the file is; it need not exist.
        read: reads a policy from a text; raises ``AssistantError`` with every problem.
        store: where the versions are kept.
        home: where the owner is told of a policy that is not valid.
    """

    def __init__(self, path: Path, *, read: Read, store: Store, home: Home) -> None:
        self._path = path
        self._read = read
        self._store = store
        self._home = home
        self._seen: tuple[int, int, int] | None = None

    def look(self, cause: Cause) -> None:
        """Save the file if it changed. Never raises: the tick has other work."""
        try:
            seen = self._stamp()
            if seen is None or seen == self._seen:
                return
            self.save(cause)
            self._seen = seen
        except AssistantError as error:
            log.warning("the policy file was not saved: %s", error)

    def save(self, cause: Cause) -> PolicyText:
        """Save the file if it is new and valid; return the version in force.

        Raises ``AssistantError``.
        """
        text = read_text(self._path)
        with self._store.read(cause) as tx:
            newest = tx.policy()
        if newest.digest == digest_of(text):
            return newest
        try:
            self._read(text)
        except Permanent as error:
            self._announce(cause, text, error)
            raise
        try:
            with self._store.begin(cause) as tx:
                wanted = PolicyText(version=newest.version, text=text, by=f"file:{self._path.name}")
                saved = tx.add_policy(wanted)
        except Conflict:  # another ticker was first; the next look compares again
            self._seen = None
            return newest
        log.info("policy %d is in force", saved.version)
        return saved

    def standing(self, cause: Cause) -> str:
        """Say in a line which policy is in force, and whether the file differs. Saves nothing.

        Raises:
            BadPolicy: the file is not valid; with its first problem.
            Unreadable: the file cannot be read.
            TooLarge: the file is too large.
        """
        with self._store.read(cause) as tx:
            newest = tx.policy()
        in_force = f"version {newest.version} is in force"
        if not newest.version:
            in_force = "the built-in rules are in force"
        if self._stamp() is None:
            return f"{in_force}; there is no {self._path.name}"
        text = read_text(self._path)
        if newest.digest == digest_of(text):
            return in_force
        try:
            self._read(text)
        except BadPolicy as error:
            many = len(error.problems)
            more = f"; {many - 1} more: assistant policy check {self._path}" if many > 1 else ""
            said = f"{self._path.name} is not valid, {in_force}: {error.problems[0]}{more}"
            raise BadPolicy([Problem(words=said)]) from error
        return f"{in_force}; {self._path.name} is newer, and a worker's next tick saves it"

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _announce(self, cause: Cause, text: str, error: AssistantError) -> None:
        """Tell the owner of a text that is not valid, once."""
        with self._store.read(cause) as tx:
            before = tx.policy().version
        stays = "the policy before stays" if before else "the built-in rules stay in force"
        said = f"{self._path.name} was changed and is not valid; {stays}."
        self._seen = self._stamp()
        with self._store.begin(cause) as tx:
            tx.want(
                cards.at(
                    self._home,
                    cause.owner,
                    f"policy-{digest_of(text)[:16]}",
                    cards.notice(f"{said}\n{error}", title="Policy"),
                )
            )


def read_text(path: Path) -> str:
    """Read the text of a policy file. Raises ``Unreadable`` or ``TooLarge``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from error
    if len(data) > LARGEST:
        raise TooLarge(f"{path} has {len(data)} bytes; a policy has {LARGEST} at the most")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path} is not UTF-8") from error


Schemas = Callable[[], Mapping[str, Mapping[str, Any]]]
"""Returns the JSON Schema of each tool's arguments, by the tool's name."""


def reader(schemas: Schemas) -> Read:
    """Make the function that reads policies for these tools. They are made when it needs them."""

    def read(text: str) -> Policy:
        from assistant.adapters.policy_yaml import read_policy  # noqa: PLC0415 (only when it changed)

        return read_policy(text, tools=schemas())

    return read
