"""A language model of a provider: one request, one answer."""

from collections.abc import Sequence

from assistant.domain.conversation.conversation import Summary, ToolSchema, Turn, View
from assistant.domain.errors import Misconfigured, Permanent
from assistant.domain.mail.understanding.report_tool import REPORT, read_report


class ProviderModel:
    """A model of a provider that pydantic-ai knows, or of a server with OpenAI's chat completions.

    Safe to call from several threads and after a fork, as it keeps no state. Do not call it where
    an event loop runs.

    Args:
        name: ``provider:model``, such as ``anthropic:claude-haiku-4-5``. With a ``base_url``,
            ``openai:`` and any unknown provider mean OpenAI's chat completions there.
        base_url: empty for the provider's own address.
        api_key: empty where the server needs none, or the provider's SDK finds its own.
        timeout: seconds for the whole answer.

    Raises:
        Misconfigured: an argument cannot be valid.
    """

    def __init__(self, *, name: str, base_url: str, api_key: str, timeout: float) -> None:
        if not all(name.partition(":")):
            raise Misconfigured(f"{name!r} is no provider:model, such as openai:gpt-5")
        if base_url and not base_url.startswith(("http://", "https://")):
            raise Misconfigured(
                f"the base URL {base_url!r} does not begin with http:// or https://"
            )
        if not (api_key.isascii() and api_key.isprintable()):
            raise Misconfigured("the API key has characters that are not allowed in a header")
        self.name = name
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        return self._ask(view, tools)

    def summarise(self, view: View) -> Summary:
        turn = self._ask(view, (REPORT,))
        if not (turn.text or turn.wants):
            raise Permanent(f"{self.name} answered without a word")
        understood, malformed = read_report(turn)
        return Summary(
            understood=understood, malformed=malformed, extractive=False, usage=turn.usage
        )

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
