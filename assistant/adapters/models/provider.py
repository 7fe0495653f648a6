"""A language model at a provider: one request, one answer, no loop around it."""

from collections.abc import Sequence

from assistant.domain.conversation.conversation import Summary, ToolSchema, Turn, View
from assistant.domain.errors import Misconfigured, Permanent


class ProviderModel:
    """Any provider that pydantic-ai knows, or any server that speaks OpenAI's chat completions.

    Safe to call from several threads and after a fork; it keeps nothing between calls. Not to be
    called where an event loop runs.

    Args:
        name: ``provider:model``, such as ``anthropic:claude-haiku-4-5``. With a ``base_url``,
            ``openai:`` and any name that is no provider's mean OpenAI's chat completions there.
        base_url: empty for the provider's own address.
        api_key: empty where the server wants none, or the provider's SDK has its own way to one.
        timeout: seconds until an answer is given up, however slowly it trickles.

    Raises:
        Misconfigured: one of these cannot be right.
    """

    def __init__(self, *, name: str, base_url: str, api_key: str, timeout: float) -> None:
        if not all(name.partition(":")):
            raise Misconfigured(f"{name!r} is no provider:model; openai:gpt-5 would be one")
        if base_url and not base_url.startswith(("http://", "https://")):
            raise Misconfigured(
                f"the base URL {base_url!r} does not begin with http:// or https://"
            )
        if not (api_key.isascii() and api_key.isprintable()):
            raise Misconfigured("the API key holds characters that no header may hold")
        self.name = name
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        return self._ask(view, tools)

    def summarise(self, view: View) -> Summary:
        turn = self._ask(view, ())
        if not turn.text:
            raise Permanent(f"{self.name} answered without a word")
        return Summary(text=turn.text, extractive=False, usage=turn.usage)

    def check(self) -> None:
        from assistant.adapters.models.request import make_model  # noqa: PLC0415  # as below

        make_model(self.name, self._base_url, self._api_key)

    def _ask(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        from assistant.adapters.models.request import answer  # noqa: PLC0415  # takes seconds

        return answer(
            view,
            tools,
            name=self.name,
            base_url=self._base_url,
            api_key=self._api_key,
            timeout=self._timeout,
        )
