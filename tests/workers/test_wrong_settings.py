"""A setting that is wrong is named with its place, what is wrong and what would do: a line each."""

import time
from pathlib import Path

import pytest

from assistant.adapters.models.provider import ProviderModel
from assistant.domain.errors import Misconfigured
from tests.process.command import Ended, run
from workers.configuration.models import KEYS

SECRET = "a-secret-that-is-not-told"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command is given, with no key of a provider in the environment."""
    monkeypatch.chdir(tmp_path)
    for names in KEYS.values():
        for name in names:
            monkeypatch.delenv(name, raising=False)
    return tmp_path


def status(folder: Path, **env: str) -> Ended:
    given = {f"ASSISTANT_{name.upper()}": value for name, value in env.items()}
    return run("status", data=folder / "data", env=given)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("smtp_port", "abc", "'abc' is no whole number; the default is 2525"),
        ("smtp_port", "70000", "'70000': give at least 0 and at most 65535; the default is 2525"),
        ("mail_size_mib", "0", "'0': give at least 1 and at most 1024; the default is 50"),
        ("tick_seconds", "0", "'0': give more than 0; the default is 1.0"),
        ("model_timeout", "soon", "'soon' is no number; the default is 60.0"),
        (
            "log_level",
            "loud",
            "'loud' is none of debug, info, warning or error; the default is info",
        ),
        ("autorun", "some", "'some' is none of all, no_public or none"),
        ("timezone", "Mars", "'Mars' is no time zone; use an IANA name such as Europe/Berlin"),
        (
            "working_hours",
            "9 to 5",
            "'9 to 5' is no weekdays with hours, such as Mon-Fri 09:00-17:00, Sat 10:00-12:00",
        ),
        ("blobs", "here", "either file:///dir or s3://bucket"),
        ("inbox_address", "foo", "it is no address, such as inbox@example.org"),
    ],
)
def test_a_wrong_value_is_told_with_its_setting_and_place(
    folder: Path, name: str, value: str, why: str
) -> None:
    setting = f"ASSISTANT_{name.upper()}"
    ended = status(folder, **{name: value})
    assert (ended.code, ended.err) == (3, f"assistant: {setting} in the environment: {why}\n")
    (folder / ".env").write_text(f"{setting}={value}\n")
    ended = status(folder)
    assert (ended.code, ended.err) == (3, f"assistant: {setting} in {folder}/.env: {why}\n")
    (folder / ".env").unlink()
    (folder / "assistant.yaml").write_text(f"{name}: {value!r}\n")
    ended = status(folder)
    assert ended.err == f"assistant: {setting} in {folder}/assistant.yaml: {why}\n"


def test_each_wrong_setting_has_a_line(folder: Path) -> None:
    (folder / ".env").write_text("ASSISTANT_TRIES=none\n")
    ended = status(folder, smtp_port="abc")
    assert ended.err.splitlines() == [
        (
            "assistant: ASSISTANT_SMTP_PORT in the environment: "
            "'abc' is no whole number; the default is 2525"
        ),
        f"assistant: ASSISTANT_TRIES in {folder}/.env: 'none' is no whole number; the default is 8",
    ]


def test_a_misspelt_setting_is_told_with_its_place(folder: Path) -> None:
    (folder / ".env").write_text("ASSISTANT_MODL=openai:x\n")
    (folder / "assistant.yaml").write_text("timezoone: UTC\n")
    assert status(folder).err.splitlines() == [
        (
            f"assistant: ASSISTANT_MODL in {folder}/.env: "
            "there is no setting ASSISTANT_MODL; did you mean ASSISTANT_MODEL?"
        ),
        (
            f"assistant: ASSISTANT_TIMEZOONE in {folder}/assistant.yaml: "
            "there is no setting ASSISTANT_TIMEZOONE; did you mean ASSISTANT_TIMEZONE?"
        ),
    ]


@pytest.mark.parametrize(
    "line", [f"ASSISTANT_MODEL_API_KEY {SECRET}", f'ASSISTANT_S3_SECRET_KEY="{SECRET}']
)
def test_a_broken_line_is_told_with_its_file_and_number(
    folder: Path, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / ".env").write_text(f"# mine\nASSISTANT_TIMEZONE=UTC\n{line}\n")
    ended = status(folder)
    name = line.split("=", maxsplit=1)[0].split(maxsplit=1)[0]
    assert ended.err == (
        f"assistant: line 3 of {folder}/.env cannot be read ({name}); "
        f"write {name}=value, in quotes if it has spaces, quotes or #\n"
    )
    assert ended.code == 3
    assert capfd.readouterr().err == ""


def test_a_broken_line_of_another_program_is_left_alone(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / ".env").write_text("SOMEBODY ELSE'S\nASSISTANT_TIMEZONE=UTC\n")
    assert run("policy", "check", "-", data=folder, input=b"version: 1\n").code == 0
    assert capfd.readouterr().err == ""


def test_a_file_that_is_no_yaml_is_told_without_quoting_it(folder: Path) -> None:
    (folder / "assistant.yaml").write_text(f"model: x\nmodel_api_key: '{SECRET}\n")
    ended = status(folder)
    assert ended.code == 3
    assert f"of {folder}/assistant.yaml is no YAML" in ended.err
    assert SECRET not in ended.err


def test_a_secret_is_never_told(folder: Path) -> None:
    (folder / "assistant.yaml").write_text(f"discord_token: ['{SECRET}']\n")
    ended = status(folder)
    assert ended.code == 3
    assert "ASSISTANT_DISCORD_TOKEN" in ended.err
    assert SECRET not in ended.err


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"model": "gpt-5"},
            (
                "ASSISTANT_MODEL in the environment: 'gpt-5' names no provider; "
                "write provider:name, such as openai:gpt-5"
            ),
        ),
        (
            {"model": "openai:gpt-5"},
            (
                "ASSISTANT_MODEL in the environment: openai:gpt-5 needs a key: "
                "set ASSISTANT_MODEL_API_KEY, or OPENAI_API_KEY in the environment"
            ),
        ),
        (
            {"model": "openai:x", "model_base_url": "localhost:8000"},
            (
                "ASSISTANT_MODEL_BASE_URL in the environment: "
                "it begins with neither http:// nor https://"
            ),
        ),
    ],
)
def test_a_model_that_cannot_be_asked_keeps_up_from_starting(
    folder: Path, settings: dict[str, str], told: str
) -> None:
    env = {f"ASSISTANT_{name.upper()}": value for name, value in settings.items()}
    began = time.thread_time()
    ended = run("up", "--no-chat", "--smtp-port=0", "--http-port=0", data=folder / "data", env=env)
    assert (ended.code, ended.err) == (3, f"assistant: {told}\n")
    assert time.thread_time() - began < 5.0
    assert not (folder / "data").exists()


def test_status_tells_a_wrong_model_where_the_model_stands(folder: Path) -> None:
    assert run("mode", "set", "normal", data=folder / "data").code == 0
    facts = run("status", "--json", data=folder / "data", env={"ASSISTANT_MODEL": "gpt-5"}).value
    assert "'gpt-5' names no provider" in facts["model"]
    assert facts["policy"] == {"ok": True, "said": facts["policy"]["said"]}


@pytest.mark.parametrize("provider", KEYS)
def test_the_library_asks_for_the_same_key(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a start would be refused that would work, or the other way round."""
    model = ProviderModel(name=f"{provider}:x", base_url="", api_key="", timeout=1.0)
    with pytest.raises(Misconfigured, match=KEYS[provider][0]):
        model.check()
    for name in KEYS[provider]:
        with monkeypatch.context() as patched:
            patched.setenv(name, "http://127.0.0.1/" if name.endswith("URL") else "k")
            model.check()


def test_all_that_is_wrong_is_told_at_once(folder: Path) -> None:
    (folder / ".env").write_text("ASSISTANT_MODL=openai:x\nASSISTANT_SMTP_PORT=abc\n")
    ended = status(folder, tries="none", model_api_key_file=str(folder / "nothing"))
    assert ended.code == 3
    assert ended.err.splitlines() == [
        (
            f"assistant: ASSISTANT_MODL in {folder}/.env: "
            "there is no setting ASSISTANT_MODL; did you mean ASSISTANT_MODEL?"
        ),
        (
            "assistant: ASSISTANT_MODEL_API_KEY_FILE in the environment: "
            f"{folder}/nothing cannot be read (No such file or directory)"
        ),
        (
            f"assistant: ASSISTANT_SMTP_PORT in {folder}/.env: "
            "'abc' is no whole number; the default is 2525"
        ),
        (
            "assistant: ASSISTANT_TRIES in the environment: "
            "'none' is no whole number; the default is 8"
        ),
    ]


@pytest.mark.parametrize("name", ["TOKEN", "KEY", "COLOUR", "EMAIL_SIGNATURE"])
def test_only_what_is_near_is_suggested(folder: Path, name: str) -> None:
    ended = status(folder, **{name.lower(): "x"})
    assert ended.err == (
        f"assistant: ASSISTANT_{name} in the environment: there is no setting ASSISTANT_{name}; "
        "take it out (.env.example lists all)\n"
    )
