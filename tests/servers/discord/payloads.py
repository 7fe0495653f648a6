"""What Discord knows, as the JSON of its API (version 10)."""

from typing import Any

from tests.servers.discord.state import (
    DM,
    EPHEMERAL,
    Attachment,
    Channel,
    Event,
    Guild,
    Json,
    Message,
    User,
    World,
    iso,
)

GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
GUILD_MEMBERS, PRESENCES, MESSAGE_CONTENT = 1 << 1, 1 << 8, 1 << 15

HAS_CONTENT_INTENT = 1 << 18  # in an application's flags
ALL_PERMISSIONS = str((1 << 50) - 1)
UPLOAD_LIMIT = 10 * 1024 * 1024


def user_json(user: User) -> Json:
    return {
        "id": user.id,
        "username": user.name,
        "discriminator": "0",
        "global_name": user.name.title(),
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def application_json(world: World) -> Json:
    owner = next((u for u in world.users.values() if not u.bot), world.bot)
    return {
        "id": world.application_id,
        "name": world.bot.name,
        "description": "",
        "icon": None,
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": world.public_key,
        "owner": user_json(owner),
        "team": None,
        "flags": HAS_CONTENT_INTENT if world.message_content else 0,
        "integration_types_config": {"0": {}, "1": {}},
        "bot": user_json(world.bot),
    }


def member_json(world: World, user: User, *, within: bool = False) -> Json:
    """``within`` an interaction, a member comes with permissions."""
    member: Json = {
        "user": user_json(user),
        "roles": [],
        "nick": None,
        "avatar": None,
        "joined_at": iso(world.clock.now()),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    return {**member, "permissions": ALL_PERMISSIONS} if within else member


def channel_json(world: World, channel: Channel) -> Json:
    said = [
        int(message.id) for message in world.messages.values() if message.channel_id == channel.id
    ]
    newest = str(max(said)) if said else None
    data: Json = {"id": channel.id, "type": channel.type, "flags": 0, "last_message_id": newest}
    if channel.is_dm:
        recipients = [user_json(world.users[channel.recipient_id])] if channel.recipient_id else []
        return {**data, "recipients": recipients}
    data |= {"guild_id": channel.guild_id, "name": channel.name, "parent_id": None}
    data |= {"position": 0, "permission_overwrites": [], "nsfw": False, "topic": None}
    return data | _thread_json(world, channel) if channel.is_thread else data


def _thread_json(world: World, thread: Channel) -> Json:
    return {
        "parent_id": thread.parent_id,
        "owner_id": thread.owner_id,
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": {
            "archived": thread.archived,
            "auto_archive_duration": 1440,
            "archive_timestamp": iso(world.clock.now()),
            "locked": False,
        },
    }


def guild_json(world: World, guild: Guild) -> Json:
    places = [c for c in world.channels.values() if c.guild_id == guild.id and not c.archived]
    everyone: Json = {
        "id": guild.id,
        "name": "@everyone",
        "permissions": ALL_PERMISSIONS,
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.owner_id,
        "unavailable": False,
        "member_count": len(guild.member_ids) + 1,
        "large": False,
        "joined_at": iso(world.clock.now()),
        "roles": [everyone],
        "emojis": [],
        "stickers": [],
        "features": [],
        "channels": [channel_json(world, c) for c in places if not c.is_thread],
        "threads": [channel_json(world, c) for c in places if c.is_thread],
        "members": [member_json(world, world.bot)],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "preferred_locale": "en-US",
    }


def attachment_json(world: World, channel_id: str, attachment: Attachment) -> Json:
    path = f"/attachments/{channel_id}/{attachment.id}/{attachment.filename}"
    return {
        "id": attachment.id,
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": world.origin + path,
        "proxy_url": world.origin + path,
        "content_type": "application/octet-stream",
        **({"description": attachment.description} if attachment.description else {}),
    }


def message_json(world: World, message: Message) -> Json:
    data: Json = {
        "id": message.id,
        "channel_id": message.channel_id,
        "author": user_json(world.users[message.author_id]),
        "type": message.type,
        "tts": False,
        "pinned": False,
        "flags": message.flags,
        "timestamp": iso(message.at),
        "edited_timestamp": iso(message.edited_at) if message.edited_at else None,
        "mention_everyone": "everyone" in message.pinged,
        "mentions": [user_json(world.users[id]) for id in message.mentions],
        "mention_roles": [],
        **_content_json(world, message),
    }
    if message.reply_to:
        data |= _reference_json(world, message)
    if message.forwarded:
        data |= _forward_json(world, message.forwarded)
    if message.interaction:
        data |= _origin_json(world, message.interaction)
    return data


def sent_json(world: World, message: Message) -> Json:
    """With its nonce, which is told only where it was posted: no later reading brings it back."""
    data = message_json(world, message)
    return {**data, "nonce": message.nonce} if message.nonce else data


def _content_json(world: World, message: Message) -> Json:
    return {
        "content": message.content,
        "embeds": [{"type": "rich", **embed} for embed in message.embeds],
        "components": list(message.components),
        "attachments": [attachment_json(world, message.channel_id, a) for a in message.attachments],
    }


def _reference_json(world: World, message: Message) -> Json:
    told = world.messages.get(message.reply_to)
    place = {"type": 0, "message_id": message.reply_to, "channel_id": message.channel_id}
    return {
        "message_reference": place,
        "referenced_message": message_json(world, told) if told else None,
    }


def _forward_json(world: World, forwarded: Message) -> Json:
    snapshot = {
        "type": forwarded.type,
        "timestamp": iso(forwarded.at),
        "edited_timestamp": None,
        "flags": 0,
        "mentions": [],
        "mention_roles": [],
        **_content_json(world, forwarded),
    }
    reference = {"type": 1, "message_id": forwarded.id, "channel_id": forwarded.channel_id}
    return {"message_reference": reference, "message_snapshots": [{"message": snapshot}]}


def _origin_json(world: World, token: str) -> Json:
    interaction = world.interactions[token]
    return {
        "webhook_id": world.application_id,
        "application_id": world.application_id,
        "interaction_metadata": {
            "id": interaction.id,
            "type": interaction.type,
            "user": user_json(interaction.user),
            "authorizing_integration_owners": interaction.json["authorizing_integration_owners"],
        },
    }


def readable(world: World, message: Message) -> bool:
    """Whether the application sees the content even without the message content intent."""
    ours = message.author_id == world.bot.id or world.bot.id in message.mentions
    return ours or world.channels[message.channel_id].type == DM


def without_content(data: Json) -> Json:
    """As an application without the intent sees other people's message."""
    emptied: dict[str, Any] = {"content": "", "embeds": [], "components": [], "attachments": []}
    kept = {key: value for key, value in data.items() if key != "message_snapshots"}
    return kept | emptied


def message_event(world: World, name: str, message: Message) -> Event | None:
    """None where the gateway says nothing: ephemeral messages, places without the bot."""
    channel = world.channels[message.channel_id]
    if message.flags & EPHEMERAL or not channel.bot_here:
        return None
    data = (sent_json if name == "MESSAGE_CREATE" else message_json)(world, message)
    if channel.guild_id:
        data["guild_id"] = channel.guild_id
        member = member_json(world, world.users[message.author_id])
        data["member"] = {key: value for key, value in member.items() if key != "user"}
    needs = DIRECT_MESSAGES if channel.is_dm else GUILD_MESSAGES
    plain = None if readable(world, message) else without_content(data)
    return Event(name, data, needs, plain)


def deletion_event(world: World, message: Message) -> Event:
    channel = world.channels[message.channel_id]
    data = {"id": message.id, "channel_id": channel.id}
    if channel.guild_id:
        data["guild_id"] = channel.guild_id
    return Event("MESSAGE_DELETE", data, needs=DIRECT_MESSAGES if channel.is_dm else GUILD_MESSAGES)
