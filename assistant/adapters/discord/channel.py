"""The port ``Channel`` on Discord: shows each delivery once, whichever requests are lost."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar

from assistant.adapters.discord.api import (
    Archived,
    DiscordApi,
    File,
    NoDirectMessages,
    ThreadExists,
    UnknownChannel,
    UnknownMessage,
)
from assistant.adapters.discord.message import SUPPRESS_NOTIFICATIONS, DiscordMessage
from assistant.adapters.discord.places import Direct, Place, Room, Thread, parse_place
from assistant.adapters.discord.render import PRESSED, pointer, render
from assistant.adapters.discord.text import legible, one_line, shortened
from assistant.domain.approvals.tokens import hashed
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown, ShownKind
from assistant.domain.errors import (
    AssistantError,
    Busy,
    Denied,
    Misconfigured,
    NotFound,
    Permanent,
)
from assistant.domain.time.clock import Clock

Json = dict[str, Any]
T = TypeVar("T")

REFUSED = "direct messages are refused"
"""Begins the note of every delivery that direct messages refuse."""
ELSEWHERE = f"{REFUSED}; the channel tells that something waits, with a button to see it"
UNSEEN = f"{REFUSED}; what is being done is shown nowhere"
AWAY = "where it belongs is gone, or closed to the assistant"
"""Begins the note of every delivery that is shown in direct messages for that reason."""
WAITS = "Something for you waits here: your direct messages are closed to me."
DEALT_WITH = "What waited for you here was dealt with."

_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_NONCE = 25
"""Characters of a nonce, the most that Discord accepts."""
_DELETED = 3
"""How many nonces of deleted messages to skip."""
_LATER = 300.0
"""Seconds after which Discord certainly has forgotten a nonce."""
_SKEW = timedelta(minutes=2)
"""How far Discord's clock may be behind this machine's."""
_PAGES, _PAGE = 5, 100
_THREAD_NAME = 100
_WHY = 200
_LEFT = 20
_UNTITLED = "Conversation"
_STAND_IN = "…"
_MENTION = re.compile(r"<(?:@[!&]?|#)[0-9]{1,20}>")


class NobodyKnown(Permanent):
    """Nobody is paired on Discord yet: `assistant pair` makes a code."""


class Forgotten(Permanent):
    """The person this was for is no longer paired, and sees nothing."""


class NoThread(Denied):
    """Discord does not let the assistant start a thread there."""


_CLOSED = (NotFound, Denied)
"""The errors of a place that is gone, or where the assistant may not write."""


@dataclass(frozen=True)
class Handle:
    """The messages that show a delivery: ``<channel>/<message>,<message>``.

    Messages that are gone follow with a minus, ``<channel>/<message>,-<message>``: what is posted
    in their place needs another nonce, as Discord still knows the old one. Messages left behind in
    another channel, where they may still be, follow with that channel: ``-<channel>:<message>``.
    """

    channel: str = ""
    messages: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Handle":
        channel, _, slots = text.partition("/")
        ids = [slot for slot in slots.split(",") if slot]
        return cls(
            channel,
            tuple(id for id in ids if not id.startswith("-")),
            tuple(id[1:] for id in ids if id.startswith("-") and ":" not in id),
            tuple(id[1:] for id in ids if id.startswith("-") and ":" in id),
        )

    def __str__(self) -> str:
        slots = ",".join((*self.messages, *(f"-{id}" for id in (*self.gone, *self.left))))
        return f"{self.channel}/{slots}" if self.channel else ""

    def leaving(self) -> tuple[str, ...]:
        """Return the messages that are left behind when the delivery moves to another channel."""
        here = (f"{self.channel}:{id}" for id in (*self.messages, *self.gone))
        return (*self.left, *here)[-_LEFT:]

    def before(self, part: int) -> str:
        """Return the earlier message of a part, if there was one."""
        return ((*self.messages, *self.gone)[part:] or ("",))[0]


class DiscordChannel:
    """Implements ``assistant.domain.conversation.ports.Channel``; places are as in ``parse_place``.

    Repeats a post without a response with its nonce, while Discord remembers that: a few minutes.
    After that, searches the channel for the message first.

    Args:
        api: the REST API.
        people: the owner's user ids, in the order they were paired.
        channel: where notices go, and where the assistant says that something waits, without a word
            of it, if direct messages are refused; empty for nowhere.
        clock: compared with ``Attempt.since``.
        known: returns those of the messages, each ``<channel>/<message>``, that handles of
            deliveries name.
        nonce_seconds: how long to rely on a nonce.

    Raises:
        BadArguments: there is no such place.
        NobodyKnown: the delivery is for the owner, who has no user on Discord yet.
        AssistantError: an error of ``DiscordApi``.
    """

    name = "discord"
    far = True

    def __init__(
        self,
        api: DiscordApi,
        *,
        people: Callable[[], Sequence[str]],
        channel: str = "",
        clock: Clock,
        known: Callable[[Collection[str]], Collection[str]],
        nonce_seconds: float = 60.0,
    ) -> None:
        self._api = api
        self._people = people
        self._notices = channel
        self._clock = clock
        self._known = known
        self._nonce_seconds = nonce_seconds

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        spot = parse_place(place, notices=self._notices)
        handle = Handle.of(attempt.handle)
        if shown.kind is ShownKind.PROGRESS and not shown.text:
            return Posted(handle=str(self._taken_away(spot, handle, attempt)))
        messages, left = render(shown, tokens=attempt.tokens), handle.left
        if handle.channel:
            try:
                if attempt.note == ELSEWHERE or self._is_elsewhere(spot, handle):
                    return self._pointed(handle, shown, attempt)
                note = attempt.note if attempt.note.startswith(AWAY) else ""
                return Posted(handle=str(self._fit(handle, messages, attempt)), note=note)
            except _CLOSED:
                left = handle.leaving()  # only another place can show it
        posted = self._shown_at(spot, shown, messages, attempt)
        if not (left and posted.handle):
            return posted
        here = replace(Handle.of(posted.handle), left=left)
        return posted.model_copy(update={"handle": str(here)})

    def _shown_at(
        self, spot: Place, shown: Shown, messages: Sequence[DiscordMessage], attempt: Attempt
    ) -> Posted:
        def at(channel: str) -> Posted:
            return Posted(handle=str(self._fit(Handle(channel), messages, attempt)))

        if isinstance(spot, Direct):
            return self._directly(spot, at, shown, attempt)
        try:
            return at(spot.channel) if isinstance(spot, Room) else self._in_thread(spot, at, shown)
        except _CLOSED as closed:
            if shown.kind is ShownKind.PROGRESS:
                return Posted(handle="")
            return self._away(closed, at, shown, attempt)

    def _away(
        self, closed: AssistantError, at: Callable[[str], Posted], shown: Shown, attempt: Attempt
    ) -> Posted:
        """Show it to the owner alone, as its place cannot show it."""
        posted = self._directly(Direct(""), at, shown, attempt)
        why = shortened(str(closed), _WHY)
        return posted if posted.note else Posted(handle=posted.handle, note=f"{AWAY}: {why}")

    # Direct messages, and where they are refused

    def _directly(
        self, spot: Direct, at: Callable[[str], Posted], shown: Shown, attempt: Attempt
    ) -> Posted:
        try:
            return self._first_reached(spot, at)
        except NoDirectMessages as refused:
            return self._refused(refused, shown, attempt)

    def _first_reached(self, spot: Direct, at: Callable[[str], T]) -> T:
        """Show it in the direct messages of the first person who accepts them.

        Raises:
            NoDirectMessages: nobody accepts them; names each person.
        """
        refusals: list[str] = []
        for user in self._whose(spot):
            try:
                return at(self._api.open_dm(user))
            except NoDirectMessages as refused:
                refusals.append(f"user {user}: {refused.args[0]}")
        raise NoDirectMessages("; ".join(refusals))

    def _whose(self, spot: Direct) -> Sequence[str]:
        known = self._people()
        if not known:
            raise NobodyKnown
        if not spot.user:
            return known
        if spot.user not in known:
            raise Forgotten
        return (spot.user,)

    def _refused(self, refused: NoDirectMessages, shown: Shown, attempt: Attempt) -> Posted:
        if shown.kind is ShownKind.PROGRESS:
            return Posted(handle="", note=UNSEEN)
        if not self._notices:
            raise NoDirectMessages(f"{refused.args[0]}; no channel is set for notices")
        return self._pointed(Handle(self._notices), shown, attempt)

    def _is_elsewhere(self, spot: Place, handle: Handle) -> bool:
        """Return whether a delivery for direct messages is shown where others may read it."""
        if not isinstance(spot, Direct) or not spot.user:
            return False
        if handle.channel == self._notices:
            return True
        try:
            return handle.channel != self._api.open_dm(spot.user)
        except NoDirectMessages:
            return True

    def _pointed(self, handle: Handle, shown: Shown, attempt: Attempt) -> Posted:
        """Say where others may read that something waits, without a word of it."""
        done = bool(handle.messages) and shown.kind is ShownKind.RECEIPT
        message = pointer(DEALT_WITH if done else WAITS, token=attempt.reveal)
        return Posted(handle=str(self._fit(handle, [message], attempt)), note=ELSEWHERE)

    # Threads and progress

    def _in_thread(self, spot: Thread, at: Callable[[str], T], shown: Shown) -> T:
        try:
            return at(spot.id)
        except UnknownChannel:
            self._start(spot.parent, spot.id, _thread_name(shown))
            return at(spot.id)

    def _start(self, parent: str, id: str, untitled: str) -> None:
        try:
            self._api.start_thread(parent, id, self._question(parent, id) or untitled)
        except ThreadExists:
            return  # the thread exists already
        except (Misconfigured, *_CLOSED):
            raise
        except Permanent as refused:
            raise NoThread(str(refused)) from refused

    def _question(self, channel: str, id: str) -> str:
        """Return the words of a message as the name of its thread, if they can be read."""
        try:
            said = str(self._api.message(channel, id).get("content") or "")
        except AssistantError:
            return ""  # only the name is missing; other errors come again with the thread
        return _name(_MENTION.sub(" ", said))

    def _taken_away(self, spot: Place, handle: Handle, attempt: Attempt) -> Handle:
        try:
            if attempt.since and not handle.messages:
                handle = self._perhaps_posted(spot, handle, attempt)
            return self._fit(handle, (), attempt) if handle.channel else handle
        except _CLOSED:
            return Handle()

    def _perhaps_posted(self, spot: Place, handle: Handle, attempt: Attempt) -> Handle:
        """Find what an attempt without a known result has posted.

        While its nonce is valid, sends a placeholder with that nonce: Discord returns the earlier
        message, or posts the placeholder, which is then deleted like it.
        """
        handle = Handle(handle.channel or self._channel_of(spot), gone=handle.gone)
        if self._forgotten(attempt):
            return replace(handle, messages=tuple(self._earlier(handle, (), attempt)))
        payload = {**DiscordMessage(content=_STAND_IN).payload(), "flags": SUPPRESS_NOTIFICATIONS}
        try:
            there = self._send(handle.channel, payload, f"{_seed(attempt, handle, 0)}\n0", ())
        except (UnknownMessage, NoDirectMessages):
            return handle
        return replace(handle, messages=(str(there["id"]),))

    def _channel_of(self, spot: Place) -> str:
        match spot:
            case Room(channel):
                return channel
            case Direct():
                return self._first_reached(spot, str)
            case Thread(_, id):
                return id

    # Make what is there equal to what is wanted

    def _fit(self, handle: Handle, messages: Sequence[DiscordMessage], attempt: Attempt) -> Handle:
        """Edit, post and delete until the channel shows these messages, in this order.

        After a missing message, the later ones are posted again, as they would be above it.
        """
        channel = handle.channel
        now = self._edited(channel, handle.messages, messages)
        extra = set(handle.messages)
        if len(now) < len(messages):
            missing = messages[len(now) :]
            earlier = self._earlier(handle, missing, attempt)
            now += self._edited(channel, earlier, missing)
            extra.update(earlier)
        for id in sorted(extra.difference(now), key=int):
            self._delete(channel, id)
        for part in range(len(now), len(messages)):
            now.append(self._post(channel, messages[part], _seed(attempt, handle, part)))
        gone = (*handle.messages, *handle.gone)[len(now) :]
        return Handle(channel, tuple(now), gone, handle.left)

    def _edited(
        self, channel: str, ids: Sequence[str], messages: Sequence[DiscordMessage]
    ) -> list[str]:
        """Edit the messages up to the first that is gone; return those that are right now."""
        now: list[str] = []
        for id, message in zip(ids, messages, strict=False):
            try:
                self._edit(channel, id, message)
            except UnknownMessage:
                break
            now.append(id)
        return now

    def _edit(self, channel: str, id: str, message: DiscordMessage) -> None:
        def edit() -> None:
            self._api.edit(channel, id, message.payload(edit=True), message.files)

        self._awake(channel, edit)

    def _delete(self, channel: str, id: str) -> None:
        try:
            self._awake(channel, lambda: self._api.delete(channel, id))
        except UnknownMessage:
            return

    def _awake(self, channel: str, change: Callable[[], None]) -> None:
        """Make a change; unarchive the thread first if need be, as archived ones refuse changes."""
        try:
            change()
        except Archived:
            self._api.unarchive(channel)
            change()

    def _post(self, channel: str, message: DiscordMessage, seed: str) -> str:
        for again in range(_DELETED):
            try:
                there = self._send(channel, message.payload(), f"{seed}\n{again}", message.files)
                if not shows(there, message):
                    self._edit(channel, str(there["id"]), message)
            except UnknownMessage:
                continue  # the message of this nonce was posted, and somebody deleted it
            return str(there["id"])
        error = Busy("Discord remembers these messages as deleted")
        error.after = _LATER
        raise error

    def _send(self, channel: str, payload: Json, seed: str, files: Sequence[File]) -> Json:
        nonce = sha256(seed.encode()).hexdigest()[:_NONCE]
        return self._api.send(channel, {**payload, "nonce": nonce, "enforce_nonce": True}, files)

    # What an earlier attempt may have left

    def _forgotten(self, attempt: Attempt) -> bool:
        """Return whether Discord may have forgotten the nonces of an earlier attempt."""
        long = timedelta(seconds=self._nonce_seconds)
        return attempt.since is not None and self._clock.now() - attempt.since > long

    def _earlier(
        self, handle: Handle, messages: Sequence[DiscordMessage], attempt: Attempt
    ) -> Sequence[str]:
        """Return messages of this delivery that the handle does not name, oldest first."""
        found: list[str] = []
        if attempt.since is None or not self._forgotten(attempt):
            return found
        me = self._api.me()["id"]
        for there in self._since(handle.channel, attempt.since - _SKEW):
            if there["author"]["id"] != me or there["id"] in handle.messages:
                continue
            if self._is_it(there, handle.channel, messages, attempt):
                found.append(str(there["id"]))
                if len(found) == len(messages):
                    break
        return found

    def _is_it(
        self, there: Json, channel: str, messages: Sequence[DiscordMessage], attempt: Attempt
    ) -> bool:
        if tokens := _tokens(there):
            return not attempt.minted.isdisjoint(map(hashed, tokens))
        same = any(shows(there, message) for message in messages)
        return same and not self._known([f"{channel}/{there['id']}"])

    def _since(self, channel: str, moment: datetime) -> Iterator[Json]:
        """Yield the messages of a channel since a moment, oldest first, up to a limit."""
        after = str(max(0, (moment - _EPOCH) // timedelta(milliseconds=1)) << 22)
        for _ in range(_PAGES):
            page = self._api.history(channel, after=after, limit=_PAGE)
            page.sort(key=lambda message: int(message["id"]))
            yield from page
            if len(page) < _PAGE:
                return
            after = str(page[-1]["id"])


def _seed(attempt: Attempt, handle: Handle, part: int) -> str:
    """Return the seed of a nonce: equal in every attempt, but new where a message is gone."""
    return f"{attempt.key}\n{handle.channel}\n{part}\n{handle.before(part)}"


def _tokens(there: Json) -> list[str]:
    """Return the tokens of a message's buttons, and of the choices of its lists."""
    parts = [part for row in there.get("components", ()) for part in row.get("components", ())]
    ids = [str(part.get("custom_id", "")) for part in parts]
    ids += [str(one.get("value", "")) for part in parts for one in part.get("options", ())]
    return [id.removeprefix(PRESSED) for id in ids if id.startswith(PRESSED)]


def shows(there: Json, message: DiscordMessage) -> bool:
    """Return whether a message on Discord already shows what is wanted."""
    wanted = message.payload(edit=True)
    return all(
        _alike(wanted[part], there.get(part)) for part in ("content", "embeds", "components")
    )


def _alike(wanted: object, there: object) -> bool:
    """Compare leniently: Discord adds fields, leaves out empty ones, and strips white space."""
    match wanted, there:
        case dict(), dict():
            return all(_alike(value, there.get(name)) for name, value in wanted.items())
        case ((list() | tuple()), list()):
            return len(wanted) == len(there) and all(map(_alike, wanted, there))
        case str(), str():
            return wanted.strip() == there.strip()
        case _:
            return wanted == there or not (wanted or there)


def _thread_name(shown: Shown) -> str:
    said = "" if shown.kind is ShownKind.PROGRESS else shown.title or shown.text
    return _name(said) or _UNTITLED


def _name(said: str) -> str:
    return shortened(one_line(legible(said)), _THREAD_NAME)
