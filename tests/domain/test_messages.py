import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assistant.domain.messages import KINDS, Message, Think, parse


@pytest.mark.parametrize("kind", KINDS.values())
@given(id=st.text(min_size=1))
def test_a_message_is_read_from_its_name(kind: type[Message], id: str) -> None:
    message = kind.model_validate({"id": id})
    assert parse(message.name) == message
    assert type(parse(message.name)) is kind


def test_every_kind_has_a_name_and_a_queue_of_its_own() -> None:
    for name, kind in KINDS.items():
        assert kind.model_validate({"id": "x"}).kind == name
        assert kind.queue
        assert kind.__doc__
    assert len(KINDS) == len(set(KINDS.values()))


@pytest.mark.parametrize("name", ["", "think", "dance:1", ":1", "THINK:1", " think:1"])
def test_what_is_no_message_is_refused(name: str) -> None:
    if name == "think":
        assert parse(name) == Think(id="")
        return
    with pytest.raises(ValidationError):
        parse(name)


def test_a_message_carries_one_id_and_no_body() -> None:
    with pytest.raises(ValidationError):
        Think.model_validate({"id": "1", "text": "a body"})
    with pytest.raises(ValidationError):
        Think(id="1").id = "2"  # type: ignore[misc]  # frozen, as the test shows
