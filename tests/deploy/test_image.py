"""What can be known about deploy/Dockerfile without building it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTRUCTIONS = [
    line.split()
    for line in (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]
COPIED = [
    path
    for name, *words in INSTRUCTIONS
    if name == "COPY" and not words[0].startswith("--")
    for path in words[:-1]
]


def of(name: str) -> list[list[str]]:
    return [words for found, *words in INSTRUCTIONS if found == name]


def test_its_base_is_pinned_to_a_whole_version() -> None:
    assert {words[0] for words in of("FROM")} == {of("FROM")[0][0]}
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", of("FROM")[0][0])


def test_it_does_not_run_as_root() -> None:
    assert of("USER") == [["10001:10001"]]


def test_all_it_installs_is_locked_by_hash_and_nothing_is_for_tests() -> None:
    installs = [" ".join(words) for words in of("RUN") if "install" in words]
    assert len(installs) == 2
    assert "--no-deps --require-hashes -r requirements.lock" in installs[0]
    assert "--no-deps --no-build-isolation --no-index ." in installs[1]


@pytest.mark.parametrize("path", COPIED)
def test_what_it_copies_exists_and_is_let_through(path: str) -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert (ROOT / path).exists()
    assert f"!{path}" in ignored


def test_the_context_holds_no_secrets_and_no_data() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line]
    assert rules[1] == "*"
    allowed = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    assert allowed == {*COPIED, "deploy"}
