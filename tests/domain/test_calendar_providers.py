"""The table of providers, and what is told of a name that it does not have."""

import pytest

from assistant.domain.calendar.connecting.providers import (
    ANY,
    NOT_TRIED,
    PROVIDERS,
    provider_of,
    unknown,
)
from workers.configuration.faults import WrongSettings
from workers.settings import load


def test_only_what_our_tests_run_against_counts_as_tried() -> None:
    assert {one.name for one in PROVIDERS.values() if one.tried} == {"radicale", "xandikos"}
    for one in PROVIDERS.values():
        assert (NOT_TRIED in one.standing) is not one.tried


def test_each_has_one_address_or_an_example_over_tls() -> None:
    for one in PROVIDERS.values():
        assert bool(one.url) is not bool(one.example)
        assert (one.url or one.example).startswith("https://")
        assert one.poll >= 30
    assert 60 <= PROVIDERS["icloud"].poll <= 90


def test_a_name_without_a_row_stands_for_any_server() -> None:
    assert provider_of("davical") is ANY
    assert "not tried" in ANY.standing


def test_a_misspelt_name_is_told_the_nearest() -> None:
    assert unknown("icloudd").endswith("; did you mean icloud?")
    assert "radicale" in unknown("x")


def test_the_setting_is_named_with_what_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSISTANT_CALDAV_PROVIDER", "icloudd")
    with pytest.raises(WrongSettings) as error:
        load()
    [line] = error.value.lines
    assert line.startswith("ASSISTANT_CALDAV_PROVIDER")
    assert "icloud, radicale, xandikos, nextcloud, fastmail, google" in line
    assert line.endswith("did you mean icloud?")


@pytest.mark.parametrize("name", ["icloud", "fastmail", "baikal", "davical", ""])
def test_known_names_and_those_of_the_library_are_taken(name: str) -> None:
    assert load(caldav_provider=name).caldav_provider == name


def test_a_key_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(WrongSettings) as error:
        load(secret_key="short")
    assert "ASSISTANT_SECRET_KEY" in str(error.value)
    assert "32 characters" in str(error.value)
