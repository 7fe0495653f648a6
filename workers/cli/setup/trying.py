"""Try a model and a Discord token as they would be written."""

from datetime import UTC, datetime

from assistant.domain.conversation.conversation import Role, View, ViewEntry
from assistant.domain.errors import AssistantError, Misconfigured
from workers.settings import Settings, faults_of_models

PATIENCE = 20.0
"""Seconds that a model has to answer."""


def ask_model(settings: Settings, name: str) -> str:
    """Say how a model answers a question that costs next to nothing; it is not counted as spent.

    Each is asked by itself, as in a chain one would answer for another. Raises ``AssistantError``.
    """
    from workers.parts import make_provider  # noqa: PLC0415 (heavy)

    model = make_provider(settings, name, timeout=min(settings.model_timeout, PATIENCE))
    turn = model.think(
        View(
            instructions="Answer with the one word: ok",
            now=datetime.now(UTC),
            zone=settings.timezone,
            entries=(ViewEntry(role=Role.OWNER, text="ok?"),),
        ),
        (),
    )
    [usage] = turn.usage
    cost = f"{usage.input_tokens} tokens in and {usage.output_tokens} out"
    return f"{name} answered in {usage.milliseconds / 1000:.1f} s, for {cost}"


def try_models(settings: Settings) -> str:
    """Ask each model one tiny question; say how they answer. Raises ``AssistantError``."""
    if wrong := faults_of_models(settings):
        raise Misconfigured("; ".join(wrong))
    return "; ".join(ask_model(settings, name) for name in settings.models)


def try_discord(settings: Settings) -> str:
    """Log in to Discord; say as whom. Raises ``AssistantError``."""
    from workers.parts import make_discord_api  # noqa: PLC0415 (heavy)

    api = make_discord_api(settings)
    if api is None:
        raise AssistantError("there is no Discord token")
    try:
        return f"Discord knows the token as {api.me()['username']}"
    finally:
        api.close()
