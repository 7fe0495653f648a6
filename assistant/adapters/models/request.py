"""Send one request to one provider through pydantic-ai. Importing this module takes seconds."""

import asyncio
import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import takewhile
from time import monotonic
from typing import Any

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    UserError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.openai import (
    OpenAIChatModel,
    OpenAIResponsesModel,
    OpenAIResponsesModelSettings,
)
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.tools import ToolDefinition

from assistant.domain.conversation.conversation import (
    Role,
    ToolSchema,
    Turn,
    Usage,
    View,
    ViewCall,
    ViewEntry,
    Want,
)
from assistant.domain.errors import AssistantError, Busy, Misconfigured, Permanent, Unreachable
from assistant.domain.limits import ARGUMENTS
from assistant.domain.text.fence import fence
from assistant.domain.time.now_in_words import now_in_words

_CHAT = frozenset({"openai", "openai-chat"})
_EARLIER = "(What was said before this is not shown.)"
_NOTHING_YET = "no outcome yet"
_NOTICES = (
    "A block that begins with <<outside ...: system notice ...>> in a user's turn was put there by "
    "the assistant's own code to tell what became of a call, or what the owner did. The owner did "
    "not write it."
)


def answer(
    view: View,
    tools: Sequence[ToolSchema],
    *,
    name: str,
    base_url: str,
    api_key: str,
    timeout: float,
) -> Turn:
    """Ask once and wait, on an event loop of its own.

    An event loop and an HTTP client for each call cost some milliseconds; but then threads and
    forks share nothing.

    Raises:
        Busy, Unreachable: another attempt may help.
        Misconfigured, Permanent: another attempt will not help.
    """
    model = make_model(name, base_url, api_key)
    conversation = messages(view)
    began = monotonic()
    try:
        response = asyncio.run(_ask(model, conversation, _tools(tools), timeout))
    except Exception as error:  # our own errors are raised above; this one is an SDK's
        raise _translated(name, error) from error
    most = {tool.name: tool.largest for tool in tools}
    wants = tuple(_want(part, most.get(part.tool_name, ARGUMENTS)) for part in response.tool_calls)
    if response.finish_reason == "content_filter" and not wants:
        raise Permanent(f"{name}: the provider's content filter stopped the answer")
    usage = Usage(
        model=name,
        input_tokens=response.usage.input_tokens,
        output_tokens=response.usage.output_tokens,
        milliseconds=round(1000 * (monotonic() - began)),
    )
    return Turn(text=_words(response), wants=wants, usage=(usage,))


async def _ask(
    model: Model,
    conversation: list[ModelMessage],
    tools: list[ToolDefinition],
    timeout: float,  # noqa: ASYNC109  # passed to pydantic-ai, which cancels at the deadline
) -> ModelResponse:
    settings = OpenAIResponsesModelSettings(
        timeout=timeout,  # of each wait, enforced by the provider's client
        request_timeout=timeout,  # of the whole request, enforced by pydantic-ai
        max_retries=0,
    )
    if isinstance(model, OpenAIResponsesModel):
        settings["openai_store"] = False  # by default, that API stores what it is sent
    async with model:
        return await model_request(
            model,
            conversation,
            model_settings=settings,
            model_request_parameters=ModelRequestParameters(function_tools=tools),
        )


def make_model(name: str, base_url: str, api_key: str) -> Model:
    """Make the provider's model. Raises ``Misconfigured`` for errors that show without asking."""
    provider, _, model = name.partition(":")
    try:
        if base_url and _speaks_openai_there(provider):
            there = OpenAICompatibleProvider(provider, base_url=base_url, api_key=api_key or None)
            return OpenAIChatModel(model, provider=there)
        return infer_model(name, provider_factory=partial(_provider, base_url, api_key))
    except (ImportError, UserError, ValueError, TypeError) as error:
        # Their first sentence says which package, key or name is missing.
        missing, _, _ = str(error).partition(". ")
        raise Misconfigured(f"model {name}: {missing}") from error


def _speaks_openai_there(provider: str) -> bool:
    """Return whether a server with a base URL is asked by OpenAI's chat completions API.

    True for ``openai:``, for unknown providers, and for providers whose address is fixed.
    """
    if provider in _CHAT:
        return True
    try:
        known = infer_provider_class(provider)
    except ValueError:
        return True
    return "base_url" not in inspect.signature(known).parameters


def _provider(base_url: str, api_key: str, name: str) -> Provider[Any]:
    given = {"base_url": base_url, "api_key": api_key}
    return infer_provider_class(name)(**{key: value for key, value in given.items() if value})


def _tools(tools: Sequence[ToolSchema]) -> list[ToolDefinition]:
    return [
        ToolDefinition(
            name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
        )
        for tool in tools
    ]


def messages(view: View) -> list[ModelMessage]:
    """Turn a view into a conversation that every provider accepts.

    Each call is answered once, right after it was made, as providers refuse anything else. Its
    later outcome comes in the user's turn, fenced as a system notice. It is no system message:
    Anthropic and Google accept these only at the very beginning, and an outcome may hold a
    stranger's words, which must not get the authority of a system message.
    """
    entries = [entry for entry in view.entries if entry.text.strip() or entry.calls]
    told: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(_briefing(view))])]
    if entries and entries[0].role is Role.ASSISTANT:
        _add(told, [UserPromptPart(_EARLIER)])
    answers: Mapping[str, str] = {}
    for place, entry in enumerate(entries):
        match entry.role:
            case Role.OWNER:
                _add(told, [UserPromptPart(entry.text)])
            case Role.ASSISTANT:
                answers = _answers(entry, entries[place + 1 :])
                told.append(ModelResponse(parts=_said(entry)))
                _add(told, [_returned(call, answers) for call in entry.calls])
            case Role.OUTCOME:
                _add(told, _notices(entry, answers))
            case Role.NOTE:
                about = "system notice about what the owner did, not the owner's words"
                _add(told, [UserPromptPart(fence(entry.text, source=about))])
    return told


def _briefing(view: View) -> str:
    return f"{view.instructions}\n\n{_NOTICES}\n\n{now_in_words(view.now, view.zone)}"


def _add(told: list[ModelMessage], parts: Iterable[ModelRequestPart]) -> None:
    """Add parts to the last request, or to a new one after an answer of the model."""
    last = told[-1]
    if isinstance(last, ModelRequest):
        told[-1] = ModelRequest(parts=[*last.parts, *parts])
    elif new := list(parts):
        told.append(ModelRequest(parts=new))


def _said(entry: ViewEntry) -> list[ModelResponsePart]:
    text: list[ModelResponsePart] = [TextPart(entry.text)] if entry.text.strip() else []
    return [*text, *(ToolCallPart(call.tool, call.args, call.id) for call in entry.calls)]


def _answers(entry: ViewEntry, following: Sequence[ViewEntry]) -> Mapping[str, str]:
    """Return the outcome of each call that was known before anybody spoke again."""
    first = {call.id: call.outcome for call in entry.calls}
    for outcome in takewhile(lambda entry: entry.role is Role.OUTCOME, following):
        for call in outcome.calls:
            if first.get(call.id) == "":
                first[call.id] = call.outcome or outcome.text
    return first


def _returned(call: ViewCall, answers: Mapping[str, str]) -> ToolReturnPart:
    return ToolReturnPart(call.tool, answers[call.id] or _NOTHING_YET, call.id)


def _notices(entry: ViewEntry, answers: Mapping[str, str]) -> Iterator[ModelRequestPart]:
    for call in entry.calls:
        text = call.outcome or entry.text
        if answers.get(call.id) != text:
            about = f"system notice about call {call.handle} ({call.tool})"
            yield UserPromptPart(fence(text, source=f"{about}, not the owner's words"))
    if not entry.calls:  # a mail to summarise has none, and is fenced already
        fenced = entry.text.startswith("<<outside ")
        about = "system notice about an earlier call, not the owner's words"
        yield UserPromptPart(entry.text if fenced else fence(entry.text, source=about))


def _words(response: ModelResponse) -> str:
    """Return the model's words, without its thoughts."""
    spoken = [part.content.strip() for part in response.parts if isinstance(part, TextPart)]
    return "\n\n".join(filter(None, spoken))


def _want(part: ToolCallPart, most: int) -> Want:
    """Return one requested call.

    Arguments of more than ``most`` bytes are not parsed.
    """
    # The next request names the tool again, and the provider refuses names of any other form.
    tool = re.sub(r"[^A-Za-z0-9_-]", "_", part.tool_name)[:64] or "_"
    id = part.tool_call_id
    try:
        args = part.args or {}
        if isinstance(args, str) and max(len(args), len(args.encode("utf-8", "replace"))) > most:
            return Want(tool=tool, id=id, trouble=f"the arguments have more than {most:,} bytes")
        read = _json(args) if isinstance(args, str) else args
    except (ValueError, RecursionError) as error:
        return Want(tool=tool, id=id, trouble=f"the arguments are not JSON: {error}")
    if not isinstance(read, dict):
        return Want(tool=tool, id=id, trouble="the arguments are not a JSON object")
    return Want(tool=tool, id=id, args=read)


def _json(text: str) -> Any:
    """Parse strict JSON (RFC 8259, with unique names as in RFC 7493). Raises ``ValueError``."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a name occurs twice")
    return read


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


_TROUBLES: tuple[tuple[type[Exception], type[AssistantError], str], ...] = (
    (ModelRequestTimeout, Unreachable, "no answer in time"),
    (ModelQuotaExceededError, Permanent, "the account's quota or credit is used up"),
    (ModelRateLimitError, Busy, "too many requests"),
    (ModelAuthenticationError, Misconfigured, "check the API key and what it may do"),
    (ModelNotFoundError, Misconfigured, "check the model's name and the base URL"),
    (ModelRequestRejectedError, Permanent, "it rejects the request"),
    (ModelAPIError, Unreachable, "no answer"),
    (UserError, Misconfigured, "pydantic-ai cannot send this request"),
    (AgentRunError, Permanent, "its answer cannot be used"),
    (Exception, Unreachable, "no answer"),
)
"""Our error and advice for each of the vendor's errors; the first match counts."""


def _translated(name: str, error: Exception) -> AssistantError:
    """Translate a vendor's error, without the vendor's words, which may quote a mail or a key."""
    kind, advice = next((ours, why) for theirs, ours, why in _TROUBLES if isinstance(error, theirs))
    if isinstance(error, ModelHTTPError):
        if kind is Unreachable and error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            kind, advice = Permanent, "it rejects the request"
        return kind(f"{name} answered {error.status_code}{_code(error)}: {advice}")
    return kind(f"{name}: {advice} ({type(error).__name__})")


def _code(error: ModelAPIError) -> str:
    code = re.sub(r"[^A-Za-z0-9_.-]", "", error.provider_error_code or "")[:60]
    return f" ({code})" if code else ""
