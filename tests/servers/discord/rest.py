"""Requests about people, channels and messages: each a function of the world and what was asked."""

from collections.abc import Callable
from typing import Any

from tests.servers.discord.limits import Form, check_commands, check_message, check_not_empty
from tests.servers.discord.payloads import (
    application_json,
    channel_json,
    deletion_event,
    message_event,
    message_json,
    readable,
    sent_json,
    user_json,
    without_content,
)
from tests.servers.discord.state import (
    DEFAULT,
    DM,
    HAS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    REPLY,
    Asked,
    Attachment,
    Channel,
    Event,
    Json,
    Message,
    Refused,
    World,
    mentioned,
    pinged,
)

Handler = Callable[[World, Asked], Any]


def gateway(world: World, _: Asked) -> Json:
    return {"url": gateway_url(world)}


def gateway_bot(world: World, _: Asked) -> Json:
    starts = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
    return {"url": gateway_url(world), "shards": 1, "session_start_limit": starts}


def gateway_url(world: World) -> str:
    return world.origin.replace("http://", "ws://") + "/gateway/"


def me(world: World, _: Asked) -> Json:
    return user_json(world.bot)


def user(world: World, asked: Asked) -> Json:
    found = world.users.get(asked.params["user_id"])
    if found is None:
        raise Refused(404, 10013, "Unknown User")
    return user_json(found)


def application(world: World, _: Asked) -> Json:
    return application_json(world)


def open_dm(world: World, asked: Asked) -> Json:
    """Opening works with whoever exists; it is sending that is refused."""
    found = world.users.get(str(asked.body.get("recipient_id")))
    if found is None or found.bot:
        raise Refused(400, 50033, "Invalid Recipient(s)")
    return channel_json(world, world.dm_with(found))


def channel(world: World, asked: Asked) -> Json:
    return channel_json(world, _channel(world, asked))


def edit_channel(world: World, asked: Asked) -> Json:
    place = _channel(world, asked)
    place.name = asked.body.get("name", place.name)
    place.archived = asked.body.get("archived", place.archived)
    data = channel_json(world, place)
    world.tell(Event("THREAD_UPDATE" if place.is_thread else "CHANNEL_UPDATE", data, needs=1))
    return data


def typing(world: World, asked: Asked) -> None:
    world.typings.append((_channel(world, asked).id, asked.at))


def history(world: World, asked: Asked) -> list[Json]:
    """Newest first, at most 100 (50 unless told)."""
    limit = int(asked.query.get("limit", 50))
    if not 1 <= limit <= 100:
        form = Form()
        form.wrong("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
        form.done()
    place = _channel(world, asked)
    found = [m for m in world.messages.values() if m.channel_id == place.id and not m.ephemeral]
    found.sort(key=lambda message: int(message.id))
    return [_as_read(world, m) for m in reversed(_page(found, asked.query, limit))]


def _page(found: list[Message], query: Any, limit: int) -> list[Message]:
    if "before" in query:
        return [m for m in found if int(m.id) < int(query["before"])][-limit:]
    if "after" in query:
        return [m for m in found if int(m.id) > int(query["after"])][:limit]
    if "around" in query:
        middle = int(query["around"])
        older = [m for m in found if int(m.id) < middle][-(limit // 2) :]
        return older + [m for m in found if int(m.id) >= middle][: limit - len(older)]
    return found[-limit:]


def _as_read(world: World, message: Message) -> Json:
    data = message_json(world, message)
    if world.message_content or readable(world, message):
        return data
    return without_content(data)


def message(world: World, asked: Asked) -> Json:
    return _as_read(world, _message(world, asked))


def send(world: World, asked: Asked) -> Json:
    place = _channel(world, asked)
    check_message(asked.body, asked.files)
    check_not_empty(asked.body, asked.files)
    _check_dm_open(world, place)
    if known := _by_nonce(world, asked.body):
        return sent_json(world, known)
    place.archived = False  # whoever speaks in a thread opens it again
    sent = post(world, place, asked, reply_to=_replied(world, place, asked.body))
    _remember_nonce(world, asked.body, sent)
    return sent_json(world, sent)


def post(world: World, place: Channel, asked: Asked, **what: Any) -> Message:
    """A new message of the bot's from a request's body."""
    reply_to = what.pop("reply_to", "")
    content = content_of(asked.body)
    sent = world.add_message(
        channel_id=place.id,
        author_id=world.bot.id,
        content=content,
        embeds=tuple(asked.body.get("embeds") or ()),
        components=tuple(asked.body.get("components") or ()),
        attachments=attachments_of(world, asked),
        flags=what.pop("flags", asked.body.get("flags") or 0),
        nonce=str(asked.body.get("nonce") or ""),
        reply_to=reply_to,
        type=what.pop("type", REPLY if reply_to else DEFAULT),
        mentions=mentioned(world, content),
        pinged=pinged(world, content, asked.body.get("allowed_mentions")),
        **what,
    )
    tell(world, "MESSAGE_CREATE", sent)
    return sent


def content_of(body: Json) -> str:
    """As Discord keeps it: without the white space around it."""
    return (body.get("content") or "").strip()


def attachments_of(world: World, asked: Asked) -> tuple[Attachment, ...]:
    """The files, each with what the body tells of it by its number."""
    told = asked.body.get("attachments") or []
    said = {f"files[{one.get('id')}]": one.get("description") or "" for one in told}
    return tuple(
        Attachment(world.new_id(), name, content, said.get(part, ""))
        for part, (name, content) in asked.files.items()
    )


def tell(world: World, name: str, message: Message) -> None:
    event = message_event(world, name, message)
    if event is not None:
        world.tell(event)
    world.changed.notify_all()


def edit(world: World, asked: Asked) -> Json:
    found = _message(world, asked)
    if found.author_id != world.bot.id:
        raise Refused(403, 50005, "Cannot edit a message authored by another user")
    if world.channels[found.channel_id].archived:
        raise Refused(400, 50083, "Thread is archived")
    return message_json(world, change(world, found, asked))


def change(world: World, message: Message, asked: Asked, **more: Any) -> Message:
    """An edit: only what the body names, and ``more``."""
    check_message(asked.body, asked.files)
    changes: Json = dict(more)
    if "content" in asked.body:
        changes["content"] = content_of(asked.body)
        changes["mentions"] = mentioned(world, changes["content"])
    for part in ("embeds", "components"):
        if part in asked.body:
            changes[part] = tuple(asked.body[part] or ())
    if "attachments" in asked.body or asked.files:
        changes["attachments"] = _kept(message, asked) + attachments_of(world, asked)
    shown = {"content": message.content, "embeds": message.embeds} | changes
    shown.setdefault("components", message.components)
    check_not_empty(shown, {a.id: ("", b"") for a in changes.get("attachments", ())})
    edited = world.edit_message(message, **changes)
    tell(world, "MESSAGE_UPDATE", edited)
    return edited


def _kept(message: Message, asked: Asked) -> tuple[Attachment, ...]:
    if "attachments" not in asked.body:
        return message.attachments
    named = {str(a.get("id")) for a in asked.body["attachments"] or []}
    return tuple(a for a in message.attachments if a.id in named)


def delete(world: World, asked: Asked) -> None:
    found = _message(world, asked)
    if found.author_id != world.bot.id and world.channels[found.channel_id].is_dm:
        raise Refused(403, 50003, "Cannot execute action on a DM channel")
    remove(world, found)


def remove(world: World, message: Message) -> None:
    del world.messages[message.id]
    if not message.ephemeral and world.channels[message.channel_id].bot_here:
        world.tell(deletion_event(world, message))
    world.changed.notify_all()


def thread(world: World, asked: Asked) -> Json:
    place = _channel(world, asked)
    kind = asked.body.get("type", PRIVATE_THREAD)
    return _new_thread(world, place, asked, type=kind)


def thread_of_message(world: World, asked: Asked) -> Json:
    """The thread has its message's id."""
    found = _message(world, asked)
    if found.id in world.channels:
        raise Refused(400, 160004, "A thread has already been created for this message")
    place = _channel(world, asked)
    data = _new_thread(world, place, asked, type=PUBLIC_THREAD, id=found.id)
    world.edit_message(found, flags=found.flags | HAS_THREAD)
    return data


def _new_thread(world: World, place: Channel, asked: Asked, **what: Any) -> Json:
    if place.is_dm or place.is_thread:
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    form = Form()
    form.length("name", asked.body.get("name"), 100, 1)
    form.done()
    made = world.add_channel(
        name=asked.body["name"],
        guild_id=place.guild_id,
        parent_id=place.id,
        owner_id=world.bot.id,
        **what,
    )
    data = channel_json(world, made)
    world.tell(Event("THREAD_CREATE", {**data, "newly_created": True}, needs=1))
    return data


def commands(world: World, _: Asked) -> list[Json]:
    return world.commands


def upsert_commands(world: World, asked: Asked) -> list[Json]:
    """All global commands at once; those with a known name keep their id."""
    wanted: list[Json] = asked.body["list"]
    check_commands(wanted)
    known = {command["name"]: command["id"] for command in world.commands}
    own = {"application_id": world.application_id, "type": 1, "version": world.new_id()}
    world.commands = [
        {**own, **command, "id": known.get(command["name"]) or world.new_id()} for command in wanted
    ]
    return world.commands


def _channel(world: World, asked: Asked) -> Channel:
    found = world.channels.get(asked.params["channel_id"])
    if found is None:
        raise Refused(404, 10003, "Unknown Channel")
    if not found.bot_here:
        raise Refused(403, 50001, "Missing Access")
    return found


def _message(world: World, asked: Asked) -> Message:
    place = _channel(world, asked)
    found = world.messages.get(asked.params["message_id"])
    if found is None or found.channel_id != place.id or found.ephemeral:
        raise Refused(404, 10008, "Unknown Message")
    return found


def _check_dm_open(world: World, place: Channel) -> None:
    if place.type == DM and not world.users[place.recipient_id].dms_open:
        raise Refused(403, 50007, "Cannot send messages to this user")


def _replied(world: World, place: Channel, body: Json) -> str:
    reference = body.get("message_reference") or {}
    told = world.messages.get(str(reference.get("message_id", "")))
    if told is not None and told.channel_id == place.id:
        return told.id
    if reference and reference.get("fail_if_not_exists", True):
        form = Form()
        form.wrong("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        form.done()
    return ""


def _by_nonce(world: World, body: Json) -> Message | None:
    """The message this nonce has already made within the window.

    Raises:
        Refused: 10008 where it was deleted since; that nonce makes no other (as Discord answered
            at github.com/discord/discord-api-docs/pull/6647).
    """
    if not (body.get("enforce_nonce") and body.get("nonce")):
        return None
    made = world.nonces.get((world.bot.id, str(body["nonce"])))
    if made is None or world.clock.now() - made[1] > world.nonce_window:
        return None
    if made[0] not in world.messages:
        raise Refused(404, 10008, "Unknown Message")
    return world.messages[made[0]]


def _remember_nonce(world: World, body: Json, sent: Message) -> None:
    if body.get("nonce"):
        world.nonces[world.bot.id, str(body["nonce"])] = (sent.id, world.clock.now())
