"""What can be known about docker-compose.yml without starting it."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from jsonschema.validators import validator_for
from pydantic import SecretStr

from workers.cli import app
from workers.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ONCE = {"bucket", "migrate"}
OURS = {name for name, service in SERVICES.items() if "build" in service}
PASSWORDS = {"POSTGRES_PASSWORD", "VALKEY_PASSWORD"}
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(?:(:?[-?+])([^}]*))?\}")


def secrets() -> set[str]:
    """The variables whose values nobody else may know."""
    hidden = {
        f"{PREFIX}{name.upper()}"
        for name, field in Settings.model_fields.items()
        if field.annotation is SecretStr
    }
    return hidden | PASSWORDS


def commands() -> list[list[str]]:
    """Each command line of ours, of a container or of a health check."""
    started = [service["command"] for name, service in SERVICES.items() if name in OURS]
    asked = [service["healthcheck"]["test"][1:] for service in of_ours_that_stay()]
    return [line for line in started + asked if line[0] == "assistant"]


def of_ours_that_stay() -> list[dict[str, Any]]:
    return [SERVICES[name] for name in sorted(OURS - ONCE)]


def test_it_is_valid_by_the_compose_specification() -> None:
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    schema = json.loads(vendored.read_text(encoding="utf-8"))
    wrong = [error.message for error in validator_for(schema)(schema).iter_errors(COMPOSE)]
    assert wrong == []


def test_it_passes_only_settings_that_exist() -> None:
    passed = {
        name
        for service in SERVICES.values()
        for name in service.get("environment", {})
        if name.startswith(PREFIX)
    }
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert passed
    assert passed <= known


def test_each_process_has_servers_of_its_own_and_no_embedded_part() -> None:
    needed = {"DATABASE_URL", "BROKER_URL", "BLOBS", "CALDAV_URL", "HTTP_TOKEN"}
    for name in OURS:
        environment = SERVICES[name]["environment"]
        assert all(environment.get(f"{PREFIX}{key}") for key in needed), name


def test_the_settings_that_a_process_gets_are_valid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in OURS:
        for key, value in SERVICES[name]["environment"].items():
            filled = VARIABLE.sub(lambda match: _value(*match.groups()), value)
            monkeypatch.setenv(key, filled)
        assert Settings(_env_file=None).blobs == "s3://assistant"


def _value(name: str, operator: str | None, word: str | None) -> str:
    """What an operator who set only what is asked for would have."""
    if operator == ":-":
        return word or ""
    given = {f"{PREFIX}TIMEZONE": "Europe/Berlin", f"{PREFIX}INBOX_ADDRESS": "me@example.org"}
    return given.get(name, "a1b2c3")


@pytest.mark.parametrize("line", commands(), ids=" ".join)
def test_each_command_exists_and_takes_its_arguments(line: list[str]) -> None:
    group: Any = typer.main.get_command(app)
    assert line[1] in group.commands
    group.commands[line[1]].make_context(line[1], line[2:])


def test_every_queue_is_served_and_asked_after() -> None:
    from assistant.domain.messages import Queue  # noqa: PLC0415 only this test knows queues

    served = [word for line in commands() if line[1] == "worker" for word in line[2:]]
    asked = [word for line in commands() if line[1] == "health" for word in line[2:]]
    queues = {queue.value for queue in Queue}
    assert sorted(word for word in served if word in queues) == sorted(queues)
    assert sorted(asked) == sorted([*queues, "beat", "doors", "bot"])


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_each_image_is_pinned_to_a_whole_version(name: str) -> None:
    _, _, tag = SERVICES[name]["image"].rpartition(":")
    assert re.match(r"^\d+\.\d+", tag), tag


def test_our_image_has_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {SERVICES[name]["image"] for name in OURS} == {f"assistant:{project['version']}"}


def test_nothing_is_open_to_other_machines() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert published == ["127.0.0.1:2525:2525", "127.0.0.1:8025:8025"]


def test_no_secret_has_a_default() -> None:
    used = {name: (operator, word) for name, operator, word in VARIABLE.findall(TEXT)}
    for name in secrets() & used.keys():
        operator, word = used[name]
        assert operator == ":?" or (operator, word) == (":-", ""), name
    for name in PASSWORDS | {f"{PREFIX}S3_SECRET_KEY", f"{PREFIX}HTTP_TOKEN"}:
        assert used[name][0] == ":?"


def test_every_variable_is_either_asked_for_or_may_be_missing() -> None:
    assert [name for name, operator, _ in VARIABLE.findall(TEXT) if not operator] == []


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - ONCE))
def test_each_service_that_stays_is_checked_and_restarted(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert service["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_each_service_has_few_rights_and_bounded_logs(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    assert not service.get("privileged")


def test_our_processes_write_nowhere_but_in_memory() -> None:
    for name in OURS:
        assert SERVICES[name]["read_only"], name
        assert "volumes" not in SERVICES[name], name


def test_processes_wait_for_what_they_need() -> None:
    for service in of_ours_that_stay():
        conditions = {name: needs["condition"] for name, needs in service["depends_on"].items()}
        assert conditions == {
            "postgres": "service_healthy",
            "valkey": "service_healthy",
            "s3": "service_healthy",
            "bucket": "service_completed_successfully",
            "migrate": "service_completed_successfully",
        }


def test_the_servers_are_on_a_network_that_leads_nowhere() -> None:
    assert COMPOSE["networks"]["inside"]["internal"]
    for name in SERVICES.keys() - OURS:
        assert SERVICES[name]["networks"] == ["inside"], name


def test_what_a_server_keeps_is_kept_in_a_volume_with_a_name() -> None:
    kept = [
        place.partition(":")[0]
        for service in SERVICES.values()
        for place in service.get("volumes", [])
    ]
    assert sorted(kept) == sorted(COMPOSE["volumes"])
