"""Every model to one contract; what only a provider or a chain can get wrong, after it."""

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from assistant.adapters.models.chain import ModelChain
from assistant.adapters.models.provider import ProviderModel
from assistant.adapters.offline.model import OfflineModel
from assistant.domain.conversation.conversation import (
    Outcome,
    Role,
    ToolSchema,
    Turn,
    View,
    ViewCall,
    ViewEntry,
    Want,
)
from assistant.domain.conversation.ports import Model
from assistant.domain.errors import (
    AssistantError,
    Busy,
    Misconfigured,
    Permanent,
    Transient,
    Unreachable,
)
from assistant.domain.mail.understanding.report_tool import REPORT
from assistant.domain.mail.understanding.understood import Understood
from assistant.domain.text.fence import fence
from tests.scripted_model import ScriptedModel
from tests.servers.openai_api import KEY, OpenAIServer, Reply

SEARCH = ToolSchema(
    name="search_emails",
    description="Search the mails.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}},
)
ASKED = ViewEntry(role=Role.OWNER, text="search rent")
LETTER = fence("The rent is due on Friday. Please pay it.", source="mail 1111aaaa from anna@x.org")


def view(*entries: ViewEntry) -> View:
    now = datetime(2026, 11, 24, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    return View(
        instructions="You are careful.",
        now=now,
        zone="Europe/Berlin",
        entries=entries,
        tainted=True,
    )


MAIL = view(ViewEntry(role=Role.OUTCOME, text=LETTER))


def reporting(arguments: dict[str, Any]) -> Reply:
    """A model's report of a mail."""
    return Reply(calls=((REPORT.name, json.dumps(arguments)),))


def call(id: str, handle: str, outcome: str = "", *, end: bool = False) -> ViewCall:
    args = {"query": "rent"}
    return ViewCall(id=id, handle=handle, tool="search_emails", args=args, outcome=outcome, end=end)


def calling(*calls: ViewCall) -> ViewEntry:
    return ViewEntry(role=Role.ASSISTANT, calls=calls)


def outcome(of: ViewCall) -> ViewEntry:
    return ViewEntry(role=Role.OUTCOME, calls=(of,))


@pytest.fixture(scope="module")
def running_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def server(running_server: OpenAIServer) -> OpenAIServer:
    running_server.requests.clear()
    running_server.forget()
    return running_server


def provider(server: OpenAIServer, *, key: str = KEY, timeout: float = 20.0) -> ProviderModel:
    return ProviderModel(
        name="openai:scripted", base_url=server.base_url, api_key=key, timeout=timeout
    )


def scripted_story(_server: OpenAIServer) -> Model:
    asks = Turn(wants=(Want(tool="search_emails", args={"query": "rent"}),))
    return ScriptedModel(asks, Turn(text="One mail: the rent is due."))


def offline_story(_server: OpenAIServer) -> Model:
    return OfflineModel()


def provider_story(server: OpenAIServer) -> Model:
    asks = Reply(calls=(("search_emails", '{"query": "rent"}'),))
    server.say(asks, Reply(text="One mail: the rent is due."))
    return provider(server)


def chain_story(server: OpenAIServer) -> Model:
    return ModelChain([provider_story(server), OfflineModel()])


@pytest.fixture(params=[scripted_story, offline_story, provider_story, chain_story])
def model(request: pytest.FixtureRequest, server: OpenAIServer) -> Model:
    story: Callable[[OpenAIServer], Model] = request.param
    return story(server)


def test_a_model_proposes_a_call_then_answers_with_its_outcome(model: Model) -> None:
    first = model.think(view(ASKED), [SEARCH])
    assert [(want.tool, want.args) for want in first.wants] == [
        ("search_emails", {"query": "rent"})
    ]
    found = call("c1", "A1", f"1 mail found.\n{LETTER}", end=True)
    second = model.think(view(ASKED, calling(call("c1", "A1")), outcome(found)), [SEARCH])
    assert second.wants == ()
    assert "rent is due" in second.text


def test_a_model_summarises_a_mail(server: OpenAIServer) -> None:
    server.say(reporting({"gist": "Pay the rent."}))
    models: tuple[Model, ...] = (ScriptedModel(), provider(server))
    summaries = [model.summarise(MAIL) for model in models]
    assert ["rent" in summary.understood.gist for summary in summaries] == [True, True]
    assert [(summary.extractive, summary.malformed) for summary in summaries] == [(False, 0)] * 2


def test_the_offline_model_leaves_a_mail_to_code() -> None:
    summary = OfflineModel().summarise(MAIL)
    assert (summary.understood, summary.extractive) == (Understood(), True)


def test_a_summary_is_asked_for_with_one_tool_and_the_mail_as_it_was_fenced(
    server: OpenAIServer,
) -> None:
    note = fence("see below", source="note of me@x.org")
    letters = (LETTER, note)
    entries = (ViewEntry(role=Role.OUTCOME, text=text) for text in letters)
    provider(server).summarise(view(*entries))
    [asked] = server.requests
    assert [tool["function"]["name"] for tool in asked.body["tools"]] == [REPORT.name]
    assert [one["content"] for one in asked.messages if one["role"] == "user"] == list(letters)


def test_what_a_model_reports_comes_in_parts_and_what_has_no_form_is_counted(
    server: OpenAIServer,
) -> None:
    ask = {"words": "Pay the rent", "quote": "Please pay it.", "due": "2026-11-27"}
    server.say(reporting({"gist": "Rent.", "asks": [ask, {"quote": "it"}, 7], "dates": "soon"}))
    summary = provider(server).summarise(MAIL)
    [kept] = summary.understood.asks
    assert (kept.words, kept.quote, kept.due) == ("Pay the rent", ask["quote"], date(2026, 11, 27))
    assert summary.malformed == 3


@pytest.mark.parametrize(
    ("reply", "gist", "malformed"),
    [
        (Reply(text="The rent is due. Pay it."), "The rent is due. Pay it.", 0),
        (Reply(text='{"gist": "The rent is due."}'), "The rent is due.", 0),
        (Reply(calls=(("report_mail", '{"gist": '),)), "", 1),
        (Reply(calls=(("search_emails", '{"query": "rent"}'),)), "", 0),
    ],
)
def test_a_model_that_does_not_report_as_asked_is_read_as_far_as_it_goes(
    server: OpenAIServer, reply: Reply, gist: str, malformed: int
) -> None:
    server.say(reply)
    summary = provider(server).summarise(MAIL)
    assert (summary.understood, summary.malformed) == (Understood(gist=gist), malformed)


def test_a_provider_is_told_instructions_time_zone_and_tools(server: OpenAIServer) -> None:
    provider(server).think(view(ASKED), [SEARCH])
    [asked] = server.requests
    system, owner = asked.messages
    assert system["role"] == "system"
    for part in ("You are careful.", "Tuesday 2026-11-24T09:30:00+01:00", "Europe/Berlin"):
        assert part in system["content"]
    assert owner == {"role": "user", "content": "search rent"}
    assert asked.body["tools"][0]["function"]["name"] == "search_emails"


def test_every_call_is_answered_once_and_what_comes_later_is_no_word_of_the_owner(
    server: OpenAIServer,
) -> None:
    conversation = (
        ASKED,
        calling(call("c1", "A1"), call("c2", "A2")),
        outcome(call("c1", "A1", "parked #A1: it waits")),
        ViewEntry(role=Role.ASSISTANT, text="A1 waits for you."),
        ViewEntry(role=Role.OWNER, text="fine"),
        outcome(call("c1", "A1", "Created: uid 7", end=True)),
        outcome(call("c2", "A2", "failed: no such mail", end=True)),
    )
    provider(server).think(view(*conversation), [SEARCH])
    told = server.requests[0].messages
    returned = {one["tool_call_id"]: one["content"] for one in told if one["role"] == "tool"}
    assert returned == {"c1": "parked #A1: it waits", "c2": "no outcome yet"}
    assert [one["role"] for one in told][:5] == ["system", "user", "assistant", "tool", "tool"]
    _, late_1, late_2 = [one["content"] for one in told if one["role"] == "user"][1:]
    for late, handle, text in ((late_1, "A1", "Created: uid 7"), (late_2, "A2", "no such mail")):
        opening, *_, closing = late.splitlines()
        assert (
            f"system notice about call {handle} (search_emails), not the owner's words" in opening
        )
        assert text in late
        assert closing.startswith("<<end of outside")


def test_a_second_outcome_in_the_same_breath_is_told_as_well(server: OpenAIServer) -> None:
    parked, done = call("c1", "A1", "parked #A1"), call("c1", "A1", "Created: uid 7", end=True)
    conversation = (ASKED, calling(call("c1", "A1")), outcome(parked), outcome(done))
    provider(server).think(view(*conversation), [SEARCH])
    told = server.requests[0].messages
    assert [one["role"] for one in told] == ["system", "user", "assistant", "tool", "user"]
    assert told[3]["content"] == "parked #A1"
    assert "Created: uid 7" in told[4]["content"]


def test_a_conversation_that_begins_in_the_middle_is_sent_as_providers_want_it(
    server: OpenAIServer,
) -> None:
    late = outcome(call("c0", "A0", "Created: uid 7", end=True))
    provider(server).think(view(calling(call("c1", "A1", "1 mail")), late, ASKED), [SEARCH])
    roles = [one["role"] for one in server.requests[0].messages]
    assert roles[:4] == ["system", "user", "assistant", "tool"]
    assert all(pair != ("assistant", "assistant") for pair in pairwise(roles))


def test_what_a_provider_cost_is_counted(server: OpenAIServer) -> None:
    [usage] = provider(server).think(view(ASKED), []).usage
    assert (usage.model, usage.input_tokens, usage.output_tokens) == ("openai:scripted", 11, 7)
    assert usage.milliseconds > 0


def test_several_calls_come_in_order_with_the_ids_that_the_model_gave(server: OpenAIServer) -> None:
    server.say(
        Reply(text="Both.", calls=(("search_emails", '{"query": "a"}'), ("functions.x:1", "")))
    )
    turn = provider(server).think(view(ASKED), [SEARCH])
    assert turn.text == "Both."
    assert turn.wants == (
        Want(tool="search_emails", args={"query": "a"}, id="call_0"),
        Want(tool="functions_x_1", id="call_1"),
    )


def test_two_calls_of_one_id_come_with_that_id(server: OpenAIServer) -> None:
    both = (("search_emails", '{"query": "a"}'), ("search_emails", '{"query": "b"}'))
    server.say(Reply(calls=both, ids=("the same", "the same")))
    wants = provider(server).think(view(ASKED), [SEARCH]).wants
    assert [want.id for want in wants] == ["the same", "the same"]


@pytest.mark.parametrize(
    ("args", "trouble"),
    [
        ('{"query": "a"', "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('{"query": "a", "query": "b"}', "twice"),
        ('{"query": NaN}', "no number"),
        ("[" * 60_000, "not JSON"),
        ("[" * 100_000, "more than 65,536 bytes"),
        (f'{{"query": "{"x" * 70_000}"}}', "more than 65,536 bytes"),
    ],
)
def test_arguments_that_cannot_be_read_are_trouble_and_no_error(
    server: OpenAIServer, args: str, trouble: str
) -> None:
    server.say(Reply(calls=(("search_emails", args),)))
    [want] = provider(server).think(view(ASKED), [SEARCH]).wants
    assert want.args == {}
    assert trouble in want.trouble


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(status=429, code="rate_limit_exceeded"), Busy),
        (Reply(status=429, code="insufficient_quota"), Permanent),
        (Reply(status=400), Permanent),
        (Reply(status=413), Permanent),
        (Reply(status=403), Misconfigured),
        (Reply(status=404, code="model_not_found"), Misconfigured),
        (Reply(status=500), Unreachable),
        (Reply(status=503), Unreachable),
        (Reply(text="half", finish="content_filter"), Permanent),
    ],
)
def test_a_providers_refusal_is_sorted_by_whether_another_try_helps(
    server: OpenAIServer, reply: Reply, error: type[AssistantError]
) -> None:
    server.say(reply)
    with pytest.raises(error) as raised:
        provider(server).think(view(ASKED), [SEARCH])
    assert isinstance(raised.value, Transient) is (error in (Busy, Unreachable))
    assert "as the script says" not in str(raised.value)
    assert len(server.requests) == 1


def test_a_wrong_key_is_a_setting_to_mend(server: OpenAIServer) -> None:
    with pytest.raises(Misconfigured, match=r"401 .*check the API key"):
        provider(server, key="wrong").think(view(ASKED), [])


def test_a_hung_provider_is_given_up_in_time(server: OpenAIServer) -> None:
    server.say(Reply(hang=True))
    model = provider(server, timeout=0.5)
    began = time.monotonic()
    with pytest.raises(Unreachable):
        model.think(view(ASKED), [])
    assert time.monotonic() - began < 30


def test_a_provider_that_is_not_there_is_unreachable() -> None:
    nowhere = ProviderModel(
        name="local:qwen", base_url="http://127.0.0.1:1/v1", api_key="", timeout=5
    )
    with pytest.raises(Unreachable):
        nowhere.think(view(ASKED), [])


def test_a_provider_that_gives_no_summary_has_failed(server: OpenAIServer) -> None:
    server.say(Reply(text=" "))
    with pytest.raises(Permanent):
        provider(server).summarise(MAIL)


@pytest.mark.parametrize(
    ("changes", "fix"),
    [
        ({"name": "gpt-5"}, "provider:model"),
        ({"base_url": "localhost:8000"}, "http://"),
        ({"api_key": "two\nlines"}, "header"),
        ({"name": "nobody:gpt", "base_url": ""}, "nobody"),
        ({"name": "cohere:command", "base_url": ""}, "pip install"),
    ],
)
def test_settings_that_cannot_be_right_are_named(changes: dict[str, Any], fix: str) -> None:
    given: dict[str, Any] = {
        "name": "openai:x",
        "base_url": "",
        "api_key": "k",
        "timeout": 20.0,
    } | changes
    with pytest.raises(Misconfigured, match=fix):
        ProviderModel(**given).think(view(ASKED), [])


@pytest.mark.parametrize(
    "name",
    ["openai:x", "openai-responses:x", "anthropic:x", "google:gemini-3", "groq:x", "mistral:x"],
)
def test_each_kind_of_provider_goes_where_it_is_sent_and_its_refusal_is_understood(
    name: str, server: OpenAIServer
) -> None:
    model = ProviderModel(name=name, base_url=server.base_url, api_key="wrong", timeout=20)
    with pytest.raises(Misconfigured, match="401"):
        model.think(
            view(ASKED, calling(call("c1", "A1")), outcome(call("c1", "A1", "x"))), [SEARCH]
        )
    [asked] = server.requests
    assert "You are careful." in str(asked.body)


def test_an_answer_that_is_none_is_refused(server: OpenAIServer) -> None:
    model = ProviderModel(
        name="openai-responses:x", base_url=server.base_url, api_key=KEY, timeout=20
    )
    with pytest.raises(AssistantError):
        model.think(view(ASKED), [])


def test_a_provider_may_be_asked_from_many_threads_at_once(server: OpenAIServer) -> None:
    model = provider(server)
    with ThreadPoolExecutor(8) as pool:
        turns = list(pool.map(lambda _: model.think(view(ASKED), [SEARCH]), range(24)))
    assert {turn.text for turn in turns} == {"well"}


def test_a_provider_may_be_asked_after_a_fork(server: OpenAIServer) -> None:
    model = provider(server)
    assert model.think(view(ASKED), []).text == "well"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if model.think(view(ASKED), []).text == "well" else 1
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert model.think(view(ASKED), []).text == "well"


class Stopwatch:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_a_chain_falls_back_and_says_so_and_lets_the_provider_rest(server: OpenAIServer) -> None:
    clock = Stopwatch()
    chain = ModelChain([provider(server), OfflineModel()], cool_down=10, monotonic=clock)
    server.say(Reply(status=500))
    for _ in range(2):
        turn = chain.think(view(ASKED), [SEARCH])
        assert turn.wants == (Want(tool="search_emails", args={"query": "rent"}),)
        notice, said = turn.text.splitlines()
        assert notice.startswith("No configured model answers")
        assert "500" in notice
        assert said == 'I understood: search mail for "rent".'
    assert len(server.requests) == 1
    clock.time += 11
    assert chain.think(view(ASKED), [SEARCH]).text == "well"


def test_a_chain_asks_the_next_provider_before_the_offline_grammar(server: OpenAIServer) -> None:
    tired = ScriptedModel(Busy("scripted"))
    chain = ModelChain([tired, provider(server), OfflineModel()])
    turn = chain.think(view(ASKED), [SEARCH])
    assert turn.text == "well"
    assert [usage.model for usage in turn.usage] == ["scripted", "openai:scripted"]


def test_a_chain_asks_again_at_once_who_only_refused_this_request() -> None:
    picky = ScriptedModel(Permanent("too long"), Turn(text="gladly"))
    chain = ModelChain([picky, OfflineModel()])
    assert "too long" in chain.think(view(ASKED), [SEARCH]).text
    assert chain.think(view(ASKED), [SEARCH]).text == "gladly"


def test_a_chain_hides_no_fault_of_our_own() -> None:
    with pytest.raises(ZeroDivisionError):
        ModelChain([ScriptedModel(ZeroDivisionError()), OfflineModel()]).think(view(ASKED), [])


def test_a_chain_of_one_is_that_one() -> None:
    chain = ModelChain([OfflineModel()])
    assert chain.name == "offline"
    assert chain.think(view(ASKED), [SEARCH]).text == 'I understood: search mail for "rent".'


def test_a_chain_summarises_offline_when_no_provider_can(server: OpenAIServer) -> None:
    server.say(Reply(status=500))
    chain = ModelChain([provider(server), OfflineModel()])
    summary = chain.summarise(MAIL)
    assert (summary.understood, summary.extractive) == (Understood(), True)
    assert summary.stood_in
    assert [(usage.model, usage.outcome) for usage in summary.usage] == [
        ("openai:scripted", Outcome.FAILED),
        ("offline", Outcome.UNANSWERED),
    ]
