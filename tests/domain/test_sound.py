import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.text.sound import sound, sound_json

texts = st.text(st.characters() | st.sampled_from("\x00\ud800\udfff"))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
)


@given(texts)
def test_sound_text_fits_everywhere_and_stays_as_it_is(text: str) -> None:
    made = sound(text)
    assert made.encode().decode() == made
    assert "\x00" not in made
    assert sound(made) == made
    assert len(made) == len(text)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_text_that_is_sound_is_left_alone(text: str) -> None:
    assert sound(text) == text


@given(values)
def test_every_text_of_a_json_value_is_made_sound(value: Any) -> None:
    made = json.dumps(sound_json(value), ensure_ascii=False)
    assert made.encode()
    assert "\\u0000" not in made.replace("\\\\", "")
