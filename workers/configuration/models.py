"""Find what is wrong with the settings of a model without loading any provider's library."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from assistant.domain.errors import AssistantError
from workers.configuration.faults import said_of

if TYPE_CHECKING:
    from workers.settings import Settings

_OPENAI = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": _OPENAI,
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
}
"""The providers whose libraries are installed: any of these variables spares the key of ours."""


def model_faults(
    settings: "Settings", environ: Mapping[str, str], *, places: Mapping[str, str]
) -> list[str]:
    """Return a sentence for each thing that keeps the configured models from being asked.

    Args:
        settings: of the installation.
        environ: the environment of the process, where providers look for their own keys.
        places: where the settings ``model``, ``model_base_url`` and ``model_api_key`` stand.
    """
    return list(_faults(settings, environ, places))


def _faults(
    settings: "Settings", environ: Mapping[str, str], places: Mapping[str, str]
) -> Iterator[str]:
    if not settings.models:
        return
    url, key = settings.model_base_url, settings.model_api_key.get_secret_value()
    if url and not url.startswith(("http://", "https://")):
        why = "it begins with neither http:// nor https://"
        yield said_of("ASSISTANT_MODEL_BASE_URL", places["model_base_url"], why)
        return
    if not (key.isascii() and key.isprintable()):
        why = "it has characters that no key has; copy it again"
        yield said_of("ASSISTANT_MODEL_API_KEY", places["model_api_key"], why)
        return
    for name in settings.models:
        if fault := _fault(settings, name, environ):
            yield said_of("ASSISTANT_MODEL", places["model"], fault)


def _fault(settings: "Settings", name: str, environ: Mapping[str, str]) -> str:
    provider, _, model = name.partition(":")
    if not (provider and model):
        return f"{name!r} names no provider; write provider:name, such as openai:gpt-5"
    known = KEYS.get(provider)
    if known is None:
        return "" if settings.model_base_url else _unknown(settings, name)
    there = settings.model_base_url and known is _OPENAI
    if there or settings.model_api_key.get_secret_value() or any(map(environ.get, known)):
        return ""
    return f"{name} needs a key: set ASSISTANT_MODEL_API_KEY, or {known[0]} in the environment"


def _unknown(settings: "Settings", name: str) -> str:
    """Ask the library about a provider that is not installed with the assistant."""
    from workers.parts import make_provider  # noqa: PLC0415 (heavy, and seldom needed)

    try:
        make_provider(settings, name, timeout=1.0).check()
    except AssistantError as error:
        return " ".join(str(error).split())
    return ""
