"""Answers to interactions: the callback within three seconds, then edits and follow-ups."""

import time
from dataclasses import replace
from enum import IntEnum
from typing import Any

from tests.servers.discord import interaction as kinds
from tests.servers.discord.interaction import Answer, Interaction
from tests.servers.discord.limits import (
    Form,
    check_choices,
    check_message,
    check_modal,
    check_not_empty,
)
from tests.servers.discord.payloads import message_json
from tests.servers.discord.rest import change, post, remove
from tests.servers.discord.state import (
    COMMAND,
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    REPLY,
    Asked,
    Json,
    Message,
    Refused,
    World,
)


class Way(IntEnum):
    """How a callback answers."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


FOLLOWUPS_WITHOUT_BOT = 5  # where only the user has the application

_ALLOWED = {
    kinds.COMMAND: {Way.MESSAGE, Way.DEFERRED_MESSAGE, Way.MODAL},
    kinds.COMPONENT: {
        Way.MESSAGE,
        Way.DEFERRED_MESSAGE,
        Way.DEFERRED_UPDATE,
        Way.UPDATE,
        Way.MODAL,
    },
    kinds.AUTOCOMPLETE: {Way.CHOICES},
    kinds.MODAL: {Way.MESSAGE, Way.DEFERRED_MESSAGE, Way.DEFERRED_UPDATE, Way.UPDATE},
}


def callback(world: World, asked: Asked) -> Json | None:
    interaction = world.interactions.get(asked.params["token"])
    if interaction is None or interaction.id != asked.params["interaction_id"]:
        raise Refused(404, 10062, "Unknown interaction")
    accept(world, interaction, asked)
    return _with_response(world, interaction) if asked.query.get("with_response") == "1" else None


def accept(world: World, interaction: Interaction, asked: Asked) -> None:
    """Take a callback's body (``type`` and ``data``), over REST or as an HTTP endpoint's answer.

    Raises:
        Refused: 10062 after three seconds, 40060 the second time, 50035 for what does not fit.
    """
    try:
        _check(world, interaction, asked)
        _check_data(asked)
        _carry_out(world, interaction, asked)
    except Refused as refused:
        interaction.refused.append(refused.code)
        raise
    took = (time.monotonic() - interaction.began) * 1000
    interaction.edits_seen = len(interaction.message.earlier) if interaction.message else 0
    interaction.answer = Answer(asked.body["type"], asked.body.get("data") or {}, took)
    world.changed.notify_all()


def _check(world: World, interaction: Interaction, asked: Asked) -> None:
    if interaction.answer is not None:
        raise Refused(400, 40060, "Interaction has already been acknowledged.")
    late = world.clock.now() - interaction.created > world.acknowledge_within
    if world.late_callbacks > 0:
        world.late_callbacks -= 1
        late = True
    if late:
        raise Refused(404, 10062, "Unknown interaction")
    allowed = set(_ALLOWED.get(interaction.type, ()))
    if interaction.type == kinds.MODAL and not interaction.source_id:
        allowed -= {Way.DEFERRED_UPDATE, Way.UPDATE}
    if asked.body.get("type") not in allowed:
        form = Form()
        form.wrong("type", "BASE_TYPE_CHOICES", f"Value must be one of {sorted(allowed)}.")
        form.done()


def _check_data(asked: Asked) -> None:
    data = asked.body.get("data") or {}
    kind = asked.body["type"]
    if kind in (Way.MESSAGE, Way.UPDATE):
        check_message(data, asked.files)
    if kind == Way.MESSAGE:
        check_not_empty(data, asked.files)
    if kind == Way.MODAL:
        check_modal(data)
    if kind == Way.CHOICES:
        check_choices(data.get("choices") or [])


def _carry_out(world: World, interaction: Interaction, asked: Asked) -> None:
    inner = replace(asked, body=asked.body.get("data") or {})
    match asked.body["type"]:
        case Way.MESSAGE:
            interaction.original_id = _say(world, interaction, inner).id
        case Way.DEFERRED_MESSAGE:
            hidden = (inner.body.get("flags") or 0) & EPHEMERAL
            waiting = replace(inner, body={})
            said = _say(world, interaction, waiting, flags=LOADING | hidden)
            interaction.original_id = said.id
        case Way.DEFERRED_UPDATE:
            interaction.original_id = interaction.source_id
        case Way.UPDATE:
            interaction.original_id = interaction.source_id
            change(world, _known(world, interaction.source_id), inner)


def _say(world: World, interaction: Interaction, asked: Asked, **what: Any) -> Message:
    flags: int = what.pop("flags", asked.body.get("flags") or 0)
    return post(
        world,
        world.channels[interaction.channel_id],
        asked,
        type=COMMAND if interaction.type == kinds.COMMAND else REPLY,
        interaction=interaction.token,
        visible_to=interaction.user.id if flags & EPHEMERAL else "",
        flags=flags,
    )


def _with_response(world: World, interaction: Interaction) -> Json:
    told: Json = {"id": interaction.id, "type": interaction.type}
    answer: Json = {"interaction": told}
    message = interaction.message
    if message is not None:
        told["response_message_id"] = message.id
        told["response_message_loading"] = message.loading
        told["response_message_ephemeral"] = message.ephemeral
    assert interaction.answer is not None
    if interaction.answer.type in (Way.MESSAGE, Way.UPDATE) and message is not None:
        data = message_json(world, message)
        answer["resource"] = {"type": interaction.answer.type, "message": data}
    return answer


def followup(world: World, asked: Asked) -> Json:
    """After a defer, the first one fills the deferred message."""
    interaction = _alive(world, asked)
    if interaction.deferred:
        return message_json(world, _fill(world, interaction, asked))
    check_message(asked.body, asked.files)
    check_not_empty(asked.body, asked.files)
    here = world.channels[interaction.channel_id].bot_here
    if not here and len(interaction.followup_ids) >= FOLLOWUPS_WITHOUT_BOT:
        reached = "This interaction has reached its maximum number of follow up messages"
        raise Refused(400, 40094, reached)
    sent = _say(world, interaction, asked)
    interaction.followup_ids.append(sent.id)
    world.changed.notify_all()
    return message_json(world, sent)


def answer(world: World, asked: Asked) -> Json:
    return message_json(world, _own(world, asked))


def edit_answer(world: World, asked: Asked) -> Json:
    """``@original`` or a follow-up."""
    message = _own(world, asked)
    if message.loading:
        interaction = _alive(world, asked)
        return message_json(world, _fill(world, interaction, asked))
    return message_json(world, change(world, message, asked))


def delete_answer(world: World, asked: Asked) -> None:
    remove(world, _own(world, asked))


def _fill(world: World, interaction: Interaction, asked: Asked) -> Message:
    """The deferred message gets its words; whether all can see it stays as it was deferred."""
    waiting = _known(world, interaction.original_id)
    kept = (waiting.flags & ~LOADING) | ((asked.body.get("flags") or 0) & COMPONENTS_V2)
    return change(world, waiting, asked, flags=kept)


def _own(world: World, asked: Asked) -> Message:
    interaction = _alive(world, asked)
    id = asked.params["message_id"]
    if id == "@original":
        return _known(world, interaction.original_id)
    if id not in (*interaction.followup_ids, interaction.original_id):
        raise Refused(404, 10008, "Unknown Message")
    return _known(world, id)


def _known(world: World, id: str) -> Message:
    if id not in world.messages:
        raise Refused(404, 10008, "Unknown Message")
    return world.messages[id]


def _alive(world: World, asked: Asked) -> Interaction:
    """The answered interaction of a token, for fifteen minutes."""
    interaction = world.interactions.get(asked.params["token"])
    if interaction is None or world.clock.now() - interaction.created > world.token_life:
        raise Refused(401, 50027, "Invalid Webhook Token")
    if interaction.answer is None:
        raise Refused(404, 10015, "Unknown Webhook")
    return interaction
