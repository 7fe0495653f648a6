"""A message that the gateway tells of: whose words are whose.

What its writer typed is theirs. What they reply to, pass on, attach, and what a page says of itself
in a preview, are others' words, whoever sent them. Reference:
https://docs.discord.com/developers/resources/message.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.adapters.discord.text import shortened
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.text.sound import sound
from workers.discord.said import Said

Json = Mapping[str, Any]

MOST_READ = 64 * 1024
"""Bytes of an attachment that is read."""
MOST_FILES = 5
"""Attachments of a message that are read."""

MOST_POINTED_AT = 12_000
"""Characters of a message that is asked about; Discord's longest, with its embeds, has 10,000."""

UNREAD = "[a message whose words I cannot read]"
"""Without the Message Content intent, of a message that was not written to us."""

_WRITTEN = frozenset({0, 19})
"""Message types: what somebody wrote, and replies. The others are Discord's own."""
_TEXTS = (".txt", ".md", ".csv", ".json")
_NAME = 60
"""Characters of a name in what says where words come from."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """What is known of the channel a message is in."""

    parent: str = ""
    """Of a thread: the channel it hangs on."""
    threadable: bool = False


@dataclass(frozen=True, kw_only=True)
class File:
    """An attachment. ``size`` in bytes."""

    name: str
    kind: str
    size: int
    url: str
    whose: str

    @property
    def source(self) -> str:
        return f"the attachment {shortened(self.name, _NAME)} of {self.whose}"

    @property
    def is_text(self) -> bool:
        text = self.kind.startswith("text/") or self.name.lower().endswith(_TEXTS)
        return text and self.size <= MOST_READ

    def unread(self) -> Quoted:
        kind = f"{shortened(self.kind, _NAME)}, " if self.kind else ""
        return Quoted(source=self.source, text=f"[{kind}{self.size:,} bytes; not read]")

    def read(self, content: bytes) -> Quoted:
        return Quoted(source=self.source, text=content[:MOST_READ].decode("utf-8", "replace"))


def written_to_us(raw: Json, *, me: str) -> bool:
    """Whether a person wrote it, and perhaps to us; in a thread that is for the rows to say."""
    author = raw["author"]
    if author.get("bot") or author.get("system") or raw.get("webhook_id"):
        return False
    if raw.get("type", 0) not in _WRITTEN or str(author["id"]) == me:
        return False
    return bool("guild_id" not in raw or raw.get("content") or _is_mentioned(raw, me))


def read(raw: Json, *, me: str, spot: Spot) -> tuple[Said, Sequence[File]]:
    """A message's value, and the attachments that came along.

    Args:
        raw: MESSAGE_CREATE's JSON.
        me: the bot's user id.
        spot: where it is.
    """
    author: Json = raw["author"]
    answered: Json = raw.get("referenced_message") or {}
    said = Said(
        id=str(raw["id"]),
        user=str(author["id"]),
        channel=str(raw["channel_id"]),
        parent=spot.parent,
        guild=str(raw.get("guild_id") or ""),
        private="guild_id" not in raw,
        text=_without_mention(raw.get("content", ""), me),
        mentioned=_is_mentioned(raw, me),
        threadable=spot.threadable,
        reply_to_us=str(answered.get("author", {}).get("id", "")) == me,
        quoted=tuple(_quoted(raw, me)),
    )
    return said, tuple(_files(raw, me))


def pointed_at(raw: Json) -> Quoted:
    """All that a message says, for whoever asks about it: outside text, whoever wrote it."""
    source = f"a message of {_name(raw)} on Discord"
    others = [*_previews(raw, source), *_forwarded(raw, _name(raw))]
    others += [one.unread() for one in _files(raw, "")]
    parts = [raw.get("content") or "", *(f"[{one.source}]\n{one.text}" for one in others)]
    text = "\n\n".join(filter(None, parts)) or UNREAD
    left = len(text) - MOST_POINTED_AT
    more = f"\n[{left} more characters of this were left out]" if left > 0 else ""
    return Quoted(source=source, text=sound(f"{text[:MOST_POINTED_AT]}{more}"))


def _is_mentioned(raw: Json, me: str) -> bool:
    return any(str(one["id"]) == me for one in raw.get("mentions", ()))


def _without_mention(content: str, me: str) -> str:
    return re.sub(rf"[ \t]?<@!?{me}>", "", content).strip()


def _quoted(raw: Json, me: str) -> Iterator[Quoted]:
    who = _name(raw)
    yield from _previews(raw, f"a message of {who} on Discord")
    yield from _forwarded(raw, who)
    if answered := _answered(raw, me):
        whose = _name(answered)
        source = f"a message of {whose} on Discord"
        if answered["author"]["id"] != raw["author"]["id"]:
            yield Quoted(source=source, text=answered.get("content") or UNREAD)
        yield from _previews(answered, source)
        yield from _forwarded(answered, whose)


def _answered(raw: Json, me: str) -> Json | None:
    """Another person's message, or an own one, that is replied to. What we said we know."""
    answered: Json | None = raw.get("referenced_message")
    return answered if answered and str(answered["author"]["id"]) != me else None


def _forwarded(raw: Json, who: str) -> Iterator[Quoted]:
    """Discord does not tell who wrote what is passed on."""
    source = f"a message that {who} forwarded on Discord"
    for one in _snapshots(raw):
        if one.get("content"):
            yield Quoted(source=source, text=one["content"])
        yield from _previews(one, source)


def _snapshots(raw: Json) -> list[Json]:
    return [one["message"] for one in raw.get("message_snapshots") or ()]


def _previews(raw: Json, source: str) -> Iterator[Quoted]:
    for embed in raw.get("embeds") or ():
        fields = (text for one in embed.get("fields") or () for text in (one["name"], one["value"]))
        parts = (
            (embed.get("author") or {}).get("name"),
            embed.get("title"),
            embed.get("description"),
            *fields,
            (embed.get("footer") or {}).get("text"),
        )
        if text := "\n".join(filter(None, parts)):
            yield Quoted(source=f"an embed in {source}", text=text)


def _files(raw: Json, me: str) -> Iterator[File]:
    answered = _answered(raw, me)
    for message in (raw, *_snapshots(raw), *([answered] if answered else ())):
        whose = _name(message) if "author" in message else f"a message forwarded by {_name(raw)}"
        for one in message.get("attachments") or ():
            yield File(
                name=str(one["filename"]),
                kind=str(one.get("content_type") or "").partition(";")[0],
                size=int(one["size"]),
                url=str(one["url"]),
                whose=whose,
            )


def _name(raw: Json) -> str:
    return shortened(str(raw["author"].get("username", "")), _NAME) or "somebody"
