"""The audit from the command line: listed, shown, handed out, and checked here and offline."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from assistant.domain.conversation.conversation import Want
from assistant.flows.operations import audit_archive
from tests.bed import HandClock
from tests.process.command import Ended, run
from tests.proposing import proposed_in
from workers.parts import silent_assistant
from workers.settings import Settings


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in whose database two calls were refused and one search was made."""
    data = tmp_path_factory.mktemp("audit") / "data"
    for words in ("search rent", "search tea"):
        assert run("chat", "--once", words, data=data).code == 0
    return data


_GUARDS = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'"


def changed(data: Path, statement: str) -> None:
    [file] = data.rglob("*.sqlite3")
    with sqlite3.connect(file) as connection:
        for (guard,) in connection.execute(_GUARDS).fetchall():
            connection.execute(f"DROP TRIGGER {guard}")
        assert connection.execute(statement).rowcount >= 1
    connection.close()


def exported(data: Path, file: Path) -> Ended:
    done = run("audit", "export", str(file), "--json", data=data)
    assert done.code == 0
    return done


def test_the_story_of_a_call_is_listed_and_shown(data: Path) -> None:
    listed = run("audit", "list", "--kind", "call", "--json", data=data).value
    assert {entry["tool"] for entry in listed} == {"search_emails"}
    shown = run("audit", "show", "A1", "--json", data=data).value
    assert shown["entries"] == [e for e in listed if e["subject"] == listed[0]["subject"]]
    assert run("audit", "list", "--subject", "a1", "--json", data=data).value == shown["entries"]
    [one] = run("audit", "show", listed[0]["id"], "--json", data=data).value["entries"]
    assert one == listed[0]
    assert listed[0]["tool"] in run("audit", "show", "A1", data=data).out
    assert listed[0]["trace"] in run("audit", "show", listed[0]["id"], data=data).out
    assert len(run("audit", "list", "--limit", "1", "--json", data=data).value) == 1
    assert run("audit", "list", "--since", "2099-01-01", "--json", data=data).value == []


def test_the_story_of_a_grant_is_found_by_its_handle(tmp_path: Path) -> None:
    when = {"start": "2031-03-04T10:00:00+00:00", "end": "2031-03-04T10:30:00+00:00"}
    proposed_in(tmp_path, Want(tool="create_event", args={"title": "Tea", **when}))
    assert run("approvals", "approve", "A1", "--similar", "--yes", data=tmp_path).code == 0
    story = run("audit", "show", "G1", "--json", data=tmp_path).value["entries"]
    assert story[0]["kind"] == "grant.saved"
    assert run("audit", "list", "--subject", "g1", "--json", data=tmp_path).value == story
    assert run("audit", "show", "G99", data=tmp_path).code == 7


def test_what_is_not_there_is_not_found(data: Path) -> None:
    assert run("audit", "show", "A999", data=data).code == 7
    assert run("audit", "show", "nothing", data=data).code == 7
    assert run("audit", "list", "--subject", "A999", data=data).code == 7
    assert run("audit", "verify", "no-such-file", data=data).code == 7
    assert run("audit", "verify", "--head", "abc", data=data).code == 2
    assert run("audit", "list", "--since", "soon", data=data).code == 2


def test_an_export_is_checked_offline_and_its_first_faulty_line_named(
    data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "audit.jsonl"
    count = exported(data, file).value["count"]
    elsewhere = tmp_path / "nothing here"
    found = run("audit", "verify", str(file), "--json", data=elsewhere)
    assert (found.code, found.value["ok"], found.value["count"]) == (0, True, count)
    assert not elsewhere.exists()
    raw = file.read_bytes()
    assert (
        run("audit", "export", "-", data=data).out.split("\n")[1:] == raw.decode().split("\n")[1:]
    )
    head = found.value["head"]["hash"]
    assert run("audit", "verify", "-", "--head", head, data=data, input=raw).code == 0
    lines = raw.splitlines(keepends=True)
    lines[1] = lines[1].replace(b"model", b"owner\xff")
    bad = run("audit", "verify", "-", data=data, input=b"".join(lines))
    assert bad.code == 1
    assert "line 2, place 1, entry " in bad.err
    assert run("audit", "verify", "-", data=data, input=b"no audit").code == 2


def test_a_changed_database_does_not_verify(data: Path, tmp_path: Path) -> None:
    exported(data, tmp_path / "audit.jsonl")
    good = run("audit", "verify", "--json", data=data)
    assert (good.code, good.value["fault"], good.value["loose"]) == (0, None, 0)
    noted = good.value["head"]
    assert noted["hash"] in run("audit", "verify", data=data).out
    changed(data, "UPDATE audit SET actor = 'owner' WHERE place = 1")
    bad = run("audit", "verify", "--json", data=data)
    assert (bad.code, bad.value["ok"], bad.value["fault"]["place"]) == (1, False, 1)
    assert "place 1, entry " in bad.err
    changed(data, "UPDATE audit SET actor = 'model' WHERE place = 1")
    assert run("audit", "verify", "--head", noted["hash"], data=data).code == 0
    changed(data, "DELETE FROM audit WHERE place = (SELECT max(place) FROM audit)")
    cut = run("audit", "verify", "--head", noted["hash"], data=data)
    assert cut.code == 1
    assert noted["hash"] in cut.err
    cut = run("audit", "verify", "--json", data=data)
    assert cut.code == 1
    assert any("the chain was cut" in fault["why"] for fault in cut.value["faults"])


def test_a_database_without_its_audit_does_not_verify(data: Path, tmp_path: Path) -> None:
    assert run("audit", "export", "-", data=data).code == 0
    copy = Path(copytree(data, tmp_path / "copy"))
    changed(copy, "DELETE FROM audit")
    bad = run("audit", "verify", data=copy)
    assert bad.code == 1
    assert "no entry is about it" in bad.err
    assert "the chain was cut: it ends at place 0" in bad.err


def test_where_nothing_is_found_it_is_said_why(data: Path, tmp_path: Path) -> None:
    said = run("audit", "list", "--kind", "bogus", data=data).out
    assert said.startswith("No entry is of the kind bogus. These are there: ")
    assert "call.done" in said
    assert run("audit", "list", "--kind", "bogus", "--json", data=data).value == []
    assert run("audit", "list", "--since", "2099-01-01", data=data).out == "No entry fits.\n"
    assert run("audit", "list", "--kind", "call", data=tmp_path).out == "No entries yet.\n"


def tick_later(data: Path, *, days: int) -> None:
    """A tick, two days from now."""
    parts = silent_assistant(Settings(data_dir=data, keep_audit_days=days))
    parts.clock = HandClock(datetime.now(UTC) + timedelta(days=2))  # type: ignore[assignment]
    parts.tick()
    parts.close()


def test_what_was_archived_is_said_and_a_file_that_is_not_here_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_archive, "FEWEST", 1)
    folder = tmp_path / "data"
    for words in ("search rent", "search tea"):
        assert run("chat", "--once", words, data=folder).code == 0
    assert run("audit", "export", "-", data=folder).code == 0
    tick_later(folder, days=0)
    assert not (folder / "audit-archive").exists()
    tick_later(folder, days=1)
    [file] = (folder / "audit-archive").iterdir()
    assert run("audit", "verify", str(file), data=folder).code == 0
    found = run("audit", "verify", data=folder)
    assert (found.code, "1 before these, in 1 file" in found.out) == (0, True)
    assert "Not here" not in found.out
    file.unlink()
    found = run("audit", "verify", data=folder)
    assert (found.code, f"1 of these: {file.name}" in found.out) == (0, True)
    assert run("audit", "verify", "--json", data=folder).value["archives_not_here"] == [file.name]


def test_a_list_names_calls_by_their_handles(tmp_path: Path) -> None:
    run("chat", "--once", 'create "Rent" 2031-11-30 10:00', data=tmp_path)
    rows = run("audit", "list", "--kind", "call", data=tmp_path).out.splitlines()
    assert "  A1  " in rows[1]
    [entry] = run("audit", "list", "--kind", "call", "--json", data=tmp_path).value
    assert entry["subject"] != "A1"


def test_who_asked_is_told_to_people_and_stored_as_ever(tmp_path: Path) -> None:
    run("chat", "--once", 'create "Rent" 2031-11-30 10:00', data=tmp_path)
    told = run("audit", "show", "A1", data=tmp_path).out
    assert "the assistant, as you typed it" in " ".join(told.split())
    stored = run("audit", "show", "A1", "--json", data=tmp_path).value["entries"]
    assert "model" in {entry["actor"] for entry in stored}
