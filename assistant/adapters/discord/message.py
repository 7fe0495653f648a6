"""A message for Discord."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SUPPRESS_EMBEDS = 1 << 2
"""The flag against link previews."""
SUPPRESS_NOTIFICATIONS = 1 << 12
"""The flag of a message without a notification."""

_ALT = 1_024
"""Characters of a file's description, at the most."""


@dataclass(frozen=True, kw_only=True)
class DiscordMessage:
    """The content of one message. Its parts are Discord's JSON."""

    content: str = ""
    embeds: tuple[dict[str, Any], ...] = ()
    components: tuple[dict[str, Any], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    """Name and content of each file."""
    alt: Mapping[str, str] = field(default_factory=dict)
    """What a picture shows, in words, by the name of its file."""
    quiet: bool = False
    """True for a message without a notification."""

    def payload(self, *, edit: bool = False) -> dict[str, Any]:
        """Return the JSON that creates the message, or with ``edit`` changes another into it.

        It mentions nobody and unfurls no link. The bytes of files are sent beside it as
        ``files[0]`` and so on.
        """
        parts = {
            "content": self.content,
            "embeds": list(self.embeds),
            "components": list(self.components),
            "attachments": [
                {"id": number, "filename": name, **self._described(name)}
                for number, (name, _) in enumerate(self.files)
            ],
        }
        flags = 0 if self.embeds else SUPPRESS_EMBEDS  # it would hide our embeds too
        if self.quiet and not edit:
            flags |= SUPPRESS_NOTIFICATIONS
        return {
            **{name: part for name, part in parts.items() if edit or part},
            "allowed_mentions": {"parse": []},
            **({"flags": flags} if edit or flags else {}),
        }

    def _described(self, name: str) -> dict[str, str]:
        alt = self.alt.get(name, "")[:_ALT]
        return {"description": alt} if alt else {}
