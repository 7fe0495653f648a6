"""Discord's documented limits; whatever breaks one is refused with 400 and code 50035."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers.discord.state import BUTTON, COMPONENTS_V2, TEXT_INPUT, Json, Refused, walk

CONTENT = 2000
EMBEDS_TOGETHER = 6000
FILE_SIZE = 10 * 1024 * 1024
_COMMAND_NAME = re.compile(r"^[-_'\w]{1,32}$")
_LINK = 5


class Form:
    """Collects what is wrong with a body, in the nested shape of Discord's errors."""

    def __init__(self) -> None:
        self._errors: Json = {}

    def wrong(self, path: str, code: str, message: str) -> None:
        place = self._errors
        for step in path.split("."):
            place = place.setdefault(step, {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: str, value: Any, most: int, least: int = 0) -> None:
        if not isinstance(value, str):
            self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not least <= len(value) <= most:
            said = f"Must be between {least} and {most} in length."
            self.wrong(path, "BASE_TYPE_BAD_LENGTH", said)

    def count(self, path: str, values: Sequence[Any], most: int, least: int = 0) -> None:
        if not least <= len(values) <= most:
            said = f"Must be between {least} and {most} in length."
            self.wrong(path, "BASE_TYPE_BAD_LENGTH", said)

    def done(self) -> None:
        if self._errors:
            raise Refused(400, 50035, "Invalid Form Body", self._errors)


def check_message(body: Json, files: Mapping[str, tuple[str, bytes]]) -> None:
    """What a message may hold, new or edited.

    Raises:
        Refused: 50035 for a broken limit, 40005 for a file too large.
    """
    form = Form()
    form.length("content", body.get("content") or "", CONTENT)
    form.length("nonce", str(body.get("nonce") or ""), 25)
    _check_embeds(form, body.get("embeds") or [])
    _check_mentions(form, body.get("allowed_mentions"))
    _check_components(form, body.get("components") or [], body.get("flags") or 0)
    form.count("attachments", list(files), 10)
    for number, one in enumerate(body.get("attachments") or []):
        form.length(f"attachments.{number}.description", one.get("description") or "", 1024)
    if (body.get("flags") or 0) & COMPONENTS_V2 and (body.get("content") or body.get("embeds")):
        form.wrong("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "Not both.")
    form.done()
    if any(len(content) > FILE_SIZE for _, content in files.values()):
        raise Refused(413, 40005, "Request entity too large")


def check_not_empty(body: Json, files: Mapping[str, tuple[str, bytes]]) -> None:
    shown = (body.get("content") or "").strip() or body.get("embeds") or body.get("components")
    if not (shown or files or body.get("sticker_ids") or body.get("poll")):
        raise Refused(400, 50006, "Cannot send an empty message")


def _check_embeds(form: Form, embeds: list[Json]) -> None:
    form.count("embeds", embeds, 10)
    for at, embed in enumerate(embeds):
        path = f"embeds.{at}"
        form.length(f"{path}.title", embed.get("title") or "", 256)
        form.length(f"{path}.description", embed.get("description") or "", 4096)
        form.length(f"{path}.footer.text", (embed.get("footer") or {}).get("text") or "", 2048)
        form.length(f"{path}.author.name", (embed.get("author") or {}).get("name") or "", 256)
        form.count(f"{path}.fields", embed.get("fields") or [], 25)
        for number, part in enumerate(embed.get("fields") or []):
            form.length(f"{path}.fields.{number}.name", part.get("name"), 256, 1)
            form.length(f"{path}.fields.{number}.value", part.get("value"), 1024, 1)
    if sum(map(_embed_length, embeds)) > EMBEDS_TOGETHER:
        form.wrong("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _embed_length(embed: Json) -> int:
    parts = [embed.get("title"), embed.get("description")]
    parts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    for part in embed.get("fields") or []:
        parts += [part.get("name"), part.get("value")]
    return sum(len(part or "") for part in parts)


def _check_mentions(form: Form, allowed: Json | None) -> None:
    kinds = (allowed or {}).get("parse", [])
    if unknown := set(kinds) - {"users", "roles", "everyone"}:
        form.wrong("allowed_mentions.parse", "BASE_TYPE_CHOICES", f"Not one of: {unknown}")
    for kind in ("users", "roles"):
        chosen = (allowed or {}).get(kind) or []
        form.count(f"allowed_mentions.{kind}", chosen, 100)
        if chosen and kind in kinds:
            said = f"parse:[{kind!r}] and {kind}: [ids...] are mutually exclusive."
            form.wrong("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", said)


def _check_components(form: Form, components: list[Json], flags: int) -> None:
    if flags & COMPONENTS_V2:
        form.count("components", walk(components), 40)
    else:
        form.count("components", components, 5)
    for at, row in enumerate(components):
        if row.get("type") == 1:
            form.count(f"components.{at}.components", row.get("components") or [], 5, 1)
        elif not flags & COMPONENTS_V2:
            form.wrong(f"components.{at}.type", "UNION_TYPE_CHOICES", "Must be one of {1}.")
    pressable = [part for part in walk(components) if part.get("type") in (2, 3, 5, 6, 7, 8)]
    for at, part in enumerate(pressable):
        _check_button(form, f"components.{at}", part)
    ids = [part["custom_id"] for part in pressable if "custom_id" in part]
    if len(ids) != len(set(ids)):
        said = "Component custom id cannot be duplicated"
        form.wrong("components", "COMPONENT_CUSTOM_ID_DUPLICATED", said)


def _check_button(form: Form, path: str, part: Json) -> None:
    if part["type"] == BUTTON:
        form.length(f"{path}.label", part.get("label") or "", 80)
        if not (part.get("label") or part.get("emoji")):
            said = "A button needs a label or an emoji"
            form.wrong(f"{path}.label", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", said)
        if part.get("style") == _LINK:
            form.length(f"{path}.url", part.get("url"), 512, 1)
            return
        if part.get("style") not in (1, 2, 3, 4):
            form.wrong(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of {1..6}.")
    else:
        form.length(f"{path}.placeholder", part.get("placeholder") or "", 150)
        form.count(f"{path}.options", part.get("options") or [], 25)
    form.length(f"{path}.custom_id", part.get("custom_id"), 100, 1)


def check_modal(data: Json) -> None:
    form = Form()
    form.length("data.title", data.get("title"), 45, 1)
    form.length("data.custom_id", data.get("custom_id"), 100, 1)
    form.count("data.components", data.get("components") or [], 5, 1)
    inputs = [p for p in walk(data.get("components") or []) if p.get("type") == TEXT_INPUT]
    for at, part in enumerate(inputs):
        path = f"data.components.{at}"
        form.length(f"{path}.custom_id", part.get("custom_id"), 100, 1)
        form.length(f"{path}.label", part.get("label") or "", 45)
        form.length(f"{path}.value", part.get("value") or "", part.get("max_length") or 4000)
        form.length(f"{path}.placeholder", part.get("placeholder") or "", 100)
        if part.get("style") not in (1, 2):
            form.wrong(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
    ids = [part.get("custom_id") for part in inputs]
    if len(ids) != len(set(ids)):
        said = "Component custom id cannot be duplicated"
        form.wrong("data.components", "COMPONENT_CUSTOM_ID_DUPLICATED", said)
    form.done()


def check_choices(choices: list[Json]) -> None:
    form = Form()
    _check_choices(form, "data.choices", choices)
    form.done()


def _check_choices(form: Form, path: str, choices: list[Json]) -> None:
    form.count(path, choices, 25)
    for at, choice in enumerate(choices):
        form.length(f"{path}.{at}.name", choice.get("name"), 100, 1)
        if isinstance(choice.get("value"), str):
            form.length(f"{path}.{at}.value", choice["value"], 100)


def check_commands(commands: list[Json]) -> None:
    """Chat input commands, their subcommands and options."""
    form = Form()
    form.count("commands", commands, 100)
    names = [(command.get("type", 1), command.get("name")) for command in commands]
    if len(names) != len(set(names)):
        said = "Application command names must be unique"
        form.wrong("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", said)
    for at, command in enumerate(commands):
        if command.get("type", 1) == 1:
            _check_command(form, str(at), command)
            if _command_length(command) > 8000:
                said = "Command exceeds maximum size (8000)"
                form.wrong(str(at), "APPLICATION_COMMAND_TOO_LARGE", said)
    form.done()


def _check_command(form: Form, path: str, command: Json) -> None:
    name = command.get("name") or ""
    if not _COMMAND_NAME.match(name) or name != name.lower():
        form.wrong(f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.length(f"{path}.description", command.get("description"), 100, 1)
    options = command.get("options") or []
    form.count(f"{path}.options", options, 25)
    needed = [bool(option.get("required")) for option in options]
    if needed != sorted(needed, reverse=True):
        said = "Required options must be placed before non-required options"
        form.wrong(f"{path}.options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", said)
    for at, option in enumerate(options):
        inner = f"{path}.options.{at}"
        _check_command(form, inner, option)
        if option.get("type") not in range(1, 12):
            form.wrong(f"{inner}.type", "BASE_TYPE_CHOICES", "Value must be one of {1..11}.")
        _check_choices(form, f"{inner}.choices", option.get("choices") or [])
        if option.get("choices") and option.get("autocomplete"):
            said = "Choices and autocomplete are mutually exclusive"
            form.wrong(inner, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE", said)


def _command_length(command: Json) -> int:
    choices = command.get("choices") or []
    own = len(command.get("name") or "") + len(command.get("description") or "")
    own += sum(len(c.get("name") or "") + len(str(c.get("value", ""))) for c in choices)
    return own + sum(map(_command_length, command.get("options") or []))
