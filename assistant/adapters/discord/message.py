"""A message as Discord takes it."""

from dataclasses import dataclass
from typing import Any

SUPPRESS_EMBEDS = 1 << 2
"""No previews of addresses."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """What one message shows. Parts are Discord's own JSON."""

    content: str = ""
    embeds: tuple[dict[str, Any], ...] = ()
    components: tuple[dict[str, Any], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    """Name and content each."""

    def payload(self, *, edit: bool = False) -> dict[str, Any]:
        """The JSON to create it with, or to make of another message what this one shows.

        Nobody is ever notified by it, and it unfurls no address. The bytes of files go beside it
        as ``files[0]`` and so on.
        """
        parts = {
            "content": self.content,
            "embeds": list(self.embeds),
            "components": list(self.components),
            "attachments": [
                {"id": number, "filename": name} for number, (name, _) in enumerate(self.files)
            ],
        }
        flags = 0 if self.embeds else SUPPRESS_EMBEDS  # it would take ours away too
        return {
            **{name: part for name, part in parts.items() if edit or part},
            "allowed_mentions": {"parse": []},
            **({"flags": flags} if edit or flags else {}),
        }
