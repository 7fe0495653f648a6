"""What is too large is refused before anything takes time for it; content has its own limit."""

import json
from time import thread_time
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import BadArguments
from assistant.domain.limits import ARGUMENTS
from assistant.tools.contract.arguments import ContentLimit, contents, largest, too_large, validated
from assistant.tools.files.args import WRITABLE, WriteFile
from tests.world import World

TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00"}


class Letter(BaseModel):
    model_config = ConfigDict(extra="forbid")
    to: str
    text: Annotated[str, ContentLimit(200_000)] = ""
    more: Any = None


@pytest.mark.parametrize(
    "args",
    [
        {"to": "x" * (ARGUMENTS + 1)},
        {"to": "\u00e9" * (ARGUMENTS // 2 + 1)},
        {"x" * (ARGUMENTS + 1): 1},
        {"more": [[]] * (ARGUMENTS + 1)},
        {"more": {str(n): None for n in range(ARGUMENTS)}},
        {"more": [1.5] * ARGUMENTS},
        {"more": 1 << (8 * ARGUMENTS)},
        {"to": "a" * 40_000, "more": {"a": ["b" * 40_000]}},
        {"text": "x" * 200_001},
        {"text": ["x" * 200_001]},
    ],
)
def test_what_is_larger_than_the_limits_is_refused(args: dict[str, Any]) -> None:
    why = too_large(args, Letter)
    assert "200,000 bytes" in why if "text" in args else "65,536 bytes" in why
    with pytest.raises(BadArguments, match="bytes"):
        validated(Letter, args)


def test_content_has_a_limit_of_its_own() -> None:
    assert contents(Letter) == {"text": 200_000}
    assert validated(Letter, {"to": "x", "text": "x" * 200_000}).text
    assert too_large({"to": "x", "text": "x" * 200_000}, None)
    assert contents(WriteFile) == {"content": WRITABLE}
    assert largest(WriteFile) == ARGUMENTS + 6 * WRITABLE


texts = st.text() | st.text().map(lambda text: text * 5_000)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_what_has_few_bytes_as_json_passes_and_what_has_many_does_not(args: dict[str, Any]) -> None:
    size = len(json.dumps(args, ensure_ascii=False, separators=(",", ":")).encode())
    if size <= ARGUMENTS:
        assert not too_large(args, None)
    if size > 6 * ARGUMENTS + 100:
        assert too_large(args, None)


def test_a_title_of_megabytes_costs_next_to_nothing_and_the_model_is_told(world: World) -> None:
    began = thread_time()
    large = {"title": "pay him now " * 420_000, **TIMES}
    world.asks(Want(tool="create_event", args=large), Want(tool="no_such_tool", args=large))
    assert thread_time() - began < 5
    for handle in ("A1", "A2"):
        call = world.call(handle)
        assert call.state is CallState.REFUSED
        assert call.asked == {}
        assert "they have more than 65,536 bytes" in call.result
    said = world.model.views[-1].entries[-1].calls[0].outcome
    assert "they have more than 65,536 bytes" in said


def test_a_files_text_may_be_larger_and_not_too_large(world: World) -> None:
    world.asks(Want(tool="write_file", args={"path": "a.txt", "content": "x" * 300_000}))
    assert world.call("A1").state is CallState.DONE
    world.asks(Want(tool="write_file", args={"path": "b.txt", "content": "x" * (WRITABLE + 1)}))
    assert "content: it has more than 1,048,576 bytes" in world.call("A2").result
    assert world.call("A2").asked == {}
