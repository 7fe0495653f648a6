"""What an owner does at a terminal with calls: ask, edit, approve in bulk, grant, undo, keep."""

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.commands.everyday.status import counting
from assistant.commands.typed import arguments, past
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import BadArguments
from tests.logs import own_logging
from tests.process.command import Ended, run
from tests.proposing import proposed_in
from workers.cli.app import app

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


class Desk:
    def __init__(self, data: Path) -> None:
        self.data = data

    def __call__(self, *words: str, **settings: str) -> Ended:
        env = {f"ASSISTANT_{name.upper()}": value for name, value in settings.items()}
        return run(*words, data=self.data, env={"ASSISTANT_TIMEZONE": "UTC", **env})

    def asks(self, path: str, content: str = "x") -> str:
        """A model's call that waits for a yes, since all can read what is public."""
        return self.proposes("write_file", path=f"public:/{path}", content=content)

    def proposes(self, tool: str, **args: str) -> str:
        """A call that a model asks for."""
        [call] = proposed_in(self.data, Want(tool=tool, args=args))
        return call.handle

    def writes(self, path: str, *more: str) -> str:
        wrote = self("call", "write_file", f"path={path}", "content=x", *more, "--json")
        assert wrote.code == 0, wrote
        return str(wrote.value[0]["id"])

    def books(self, title: str, hour: int) -> str:
        """A model's call for an event, which waits for a yes."""
        tool, *pairs = event(title, hour)
        return self.proposes(tool, **dict(pair.split("=", 1) for pair in pairs))

    def state(self, handle: str) -> str:
        return str(self("calls", "show", handle, "--json").value["state"])


def event(title: str, hour: int) -> tuple[str, ...]:
    start, end = (f"2031-03-04T{hour}:{minute}:00+00:00" for minute in ("00", "30"))
    return "create_event", f"title={title}", f"start={start}", f"end={end}"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


# The owner's own calls


def test_a_read_is_printed(desk: Desk) -> None:
    desk.writes("read/me")
    told = desk("call", "read_file", "path=read/me")
    assert told.code == 0
    assert "read_file: done" in told.out
    assert "x" in told.out


def test_arguments_are_pairs_or_an_object(desk: Desk) -> None:
    desk.writes("pairs")
    again = desk("call", "write_file", "path=pairs", "content=5", "overwrite=true", "--json")
    assert (again.code, again.value[0]["arguments"]["content"]) == (0, "5")
    whole = json.dumps({"path": "pairs", "content": "6", "overwrite": True})
    assert desk("call", "write_file", whole).code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("write_file", "path=../x", "content=y"), 5),
        (("write_file", "path=a", "contents=y"), 2),
        (("no_such_tool",), 7),
        (("write_file", "path"), 2),
        (("write_file", "path=a", "path=b"), 2),
        (("write_file", '{"path": "a", "path": "b"}'), 2),
        (("write_file", "{not json"), 2),
    ],
)
def test_what_does_not_fit_ends_with_the_code_that_says_how(
    desk: Desk, words: tuple[str, ...], code: int
) -> None:
    assert desk("call", *words).code == code


def test_a_time_of_ones_own_needs_no_offset(desk: Desk) -> None:
    times = ("start=2031-03-05 10:00", "end=2031-03-05T10:30")
    zone = "Asia/Kathmandu"
    asked = desk("call", "create_event", "title=Own", *times, "--json", timezone=zone)
    assert asked.code == 0, asked
    assert asked.value[0]["arguments"]["start"] == "2031-03-05T10:00:00+05:45"
    handle = desk.books("Own", 10)
    later = json.dumps({"start": "2031-03-05 10:00", "end": "2031-03-05 11:00"})
    edited = desk("approvals", "edit", handle, "--args", later, timezone=zone)
    assert (edited.code, "10:00–11:00" in edited.out) == (6, True)


def test_a_time_of_ones_own_that_is_none_is_told(desk: Desk) -> None:
    words = ("create_event", "title=Own", "start=2031-03-30 02:30")
    told = desk("call", *words, timezone="Europe/Berlin")
    assert told.code == 2
    assert "02:30 on 2031-03-30 does not exist in Europe/Berlin" in told.err


@pytest.mark.parametrize("asker", ["model", "owner"])
def test_a_time_to_be_explained_is_the_owners_as_a_person_types_it(desk: Desk, asker: str) -> None:
    words = ("policy", "explain", "create_event", "title=Own", "--actor", asker)
    told = desk(*words, "start=2031-03-05 10:00")
    assert (told.code, "create_event is high risk here, so ask" in told.out) == (0, True)
    assert "a time needs its offset" not in told.out
    skipped = desk(*words, "start=2031-03-30 02:30", timezone="Europe/Berlin")
    assert skipped.code == 2
    assert "02:30 on 2031-03-30 does not exist in Europe/Berlin" in skipped.err


def test_a_misspelt_tool_is_told_which_there_is(desk: Desk) -> None:
    told = desk("call", "write_fil", "path=a")
    assert (told.code, told.out) == (7, "")
    assert "did you mean write_file?" in told.err


def test_a_refusal_carries_its_reason(desk: Desk) -> None:
    [told] = desk("call", "write_file", "path=../x", "content=y", "--json").value
    assert told["state"] == "refused"
    assert "../x" in told["outcome"]


def test_what_asks_waits_and_is_shown(desk: Desk) -> None:
    desk("files", "put", str(__file__), "shown")
    told = desk("call", "delete_file", "path=shown")
    assert told.code == 6
    assert "private:/shown" in told.out
    assert "waits for you" in told.out


def test_what_waits_is_listed_by_what_it_is_about(desk: Desk) -> None:
    handle = desk.asks("which")
    [listed] = [line for line in desk("approvals", "list").out.splitlines() if handle in line]
    assert "Write file “public:/which”" in listed


def test_what_a_yes_covers_is_shown_whole(desk: Desk) -> None:
    lines = [f"{n} milk" for n in range(50)]
    handle = desk.asks("whole", "\n".join(lines))
    cut = desk("approvals", "show", handle).out
    assert "1 more under Details" in cut
    assert "49 milk" not in cut
    whole = desk("approvals", "show", handle, "--details").out.splitlines()
    assert [line[4:] for line in whole if line.endswith(" milk")][-50:] == lines
    [content] = [
        line["value"]
        for line in desk("approvals", "show", handle, "--json").value["details"]
        if line["label"] == "Argument content"
    ]
    assert content.split("\n")[1:] == lines


# Edit and ask again


def test_an_edit_shows_the_new_card_and_ends_with_6(desk: Desk) -> None:
    old = desk.asks("edit")
    edited = desk("approvals", "edit", old, "--args", '{"content": "y"}', "--json")
    assert (edited.code, edited.value["accepted"], edited.value["state"]) == (6, True, "parked")
    assert edited.value["arguments"]["content"] == "y"
    assert desk.state(old) == "superseded"
    stale = desk("approvals", "edit", old, "--args", '{"content": "z"}')
    assert stale.code == 8
    assert desk("approvals", "approve", old).code == 8
    assert desk("approvals", "approve", edited.value["id"]).code == 0
    assert desk("files", "get", "public:/edit").out == "y"


@pytest.mark.parametrize(("args", "code"), [('{"size": 4}', 2), ("[]", 2), ("nonsense", 2)])
def test_an_edit_that_does_not_fit_leaves_the_call_waiting(
    desk: Desk, args: str, code: int
) -> None:
    handle = desk.asks("unfit")
    told = desk("approvals", "edit", handle, "--args", args)
    assert told.code == code
    assert told.err.count("The arguments are not valid") <= 1
    assert desk.state(handle) == "parked"


def test_what_became_void_is_asked_about_again(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    handle = house.asks("again")
    assert house("approvals", "again", handle).code == 8
    house("mode", "set", "lockdown")
    assert house("approvals", "again", handle).code == 5
    word = house("mode", "set", "normal", "--json").value["word"]
    house("mode", "set", "normal", "--word", word)
    void = house.asks("b")
    house("mode", "set", "lockdown")
    word = house("mode", "set", "normal", "--json").value["word"]
    house("mode", "set", "normal", "--word", word)
    asked = house("approvals", "again", void, "--json")
    assert (asked.code, asked.value["state"]) == (6, "parked")
    assert house("approvals", "approve", asked.value["id"]).code == 0


# Similar and plans


def test_a_grant_is_shown_listed_used_and_revoked(desk: Desk) -> None:
    handle = desk.books("Rent", 10)
    unsure = desk("approvals", "approve", handle, "--similar")
    assert unsure.code == 2
    assert "start is anything" in unsure.out
    assert desk("grants", "list", "--json").value == []
    assert desk("approvals", "approve", handle, "--similar", "--yes").code == 0
    assert desk.state(desk.books("Rent", 12)) == "done"
    [grant] = desk("grants", "list", "--json").value
    assert [grant[name] for name in ("id", "tool", "used", "state")] == [
        "G1",
        "create_event",
        1,
        "in force",
    ]
    assert "start is anything" in desk("grants", "show", "G1").out
    assert "1 of 20" in desk("grants", "list").out
    assert desk("grants", "revoke", "g1").code == 0
    assert desk("grants", "revoke", "G1").code == 8
    assert desk("grants", "list", "--json").value == []
    [ended] = desk("grants", "list", "--all", "--json").value
    assert ended["state"] == "revoked"
    assert desk("grants", "show", "G9").code == 7
    assert desk("grants", "revoke", "G9").code == 7


def test_there_is_no_grant_where_it_would_spare_no_question(desk: Desk) -> None:
    handle = desk.asks("autorun")
    refused = desk("approvals", "approve", handle, "--similar", "--yes")
    assert refused.code == 5
    assert "public:/ asks" in refused.err


def test_there_is_no_grant_for_what_always_asks(desk: Desk) -> None:
    desk("files", "put", str(__file__), "floor")
    handle = desk("call", "delete_file", "path=floor", "--json").value[0]["id"]
    refused = desk("approvals", "approve", handle, "--similar", "--yes")
    assert refused.code == 5
    assert desk.state(handle) == "parked"


def test_a_plan_is_approved_as_a_whole(desk: Desk) -> None:
    handle = desk.asks("plan")
    assert desk("approvals", "approve", handle, "--plan").code == 2
    approved = desk("approvals", "approve", handle, "--plan", "--json")
    assert (approved.code, approved.value["state"]) == (0, "done")
    assert desk("approvals", "approve", handle, "--plan", "--yes").code == 8
    assert desk("approvals", "approve", handle, "--plan", "--similar").code == 2


def test_what_was_to_be_shown_before_is_shown_first_where_nobody_works(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    written = [house.writes(f"bulk/{n}") for n in range(2)]
    house("mode", "set", "recovery")  # its notice is shown by whoever comes next
    house("undo", *written)
    with sqlite3.connect(tmp_path / "assistant.sqlite3") as database:
        shown = dict(database.execute("SELECT id, shown <> '' FROM delivery"))
    assert shown["mode-1"]
    assert all(shown.values()), shown


def test_a_plan_that_destroys_many_things_takes_a_word(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    written = [house.writes(f"bulk/{n}") for n in range(6)]
    house("mode", "set", "recovery")
    undone = house("undo", *written, "--json").value
    plan = ("approvals", "approve", undone[0]["by"]["id"], "--plan", "--yes")
    refused = house(*plan)
    assert (refused.code, "6 things at once" in refused.out) == (6, True), refused
    assert "--word CONFIRM" in refused.out
    assert {house.state(handle) for handle in written} == {"done"}
    assert house(*plan, "--word", "CONFIRM").code == 0
    assert {house.state(handle) for handle in written} == {"undone"}


@pytest.mark.parametrize(
    ("typed", "code", "state"), [("", 5, "done"), ("yes", 6, "done"), ("CONFIRM", 0, "undone")]
)
def test_a_terminal_is_asked_for_the_word_of_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, state: str
) -> None:
    house = Desk(tmp_path)
    written = [house.writes(f"bulk/{n}") for n in range(6)]
    house("mode", "set", "recovery")
    asked = house("undo", *written, "--json").value[0]["by"]["id"]
    keys, terminal = os.openpty()
    os.write(keys, f"{typed}\n".encode())
    monkeypatch.setenv("ASSISTANT_DATA_DIR", str(tmp_path))
    with os.fdopen(terminal) as stdin, own_logging():
        monkeypatch.setattr("sys.stdin", stdin)
        ended = app(["approvals", "approve", asked, "--plan"], standalone_mode=False)
    os.close(keys)
    assert (ended or 0) == code
    assert {house.state(handle) for handle in written} == {state}


def test_a_closed_standard_input_is_told_in_a_line(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    house.writes("a")
    for words, code in (
        (("mail", "add", "-"), 7),
        (("files", "put", "-", "b"), 7),
        (("approvals", "approve", house.asks("b"), "--plan"), 2),
    ):
        line = shlex.join([sys.executable, "-m", "workers.cli", *words])
        done = subprocess.run(
            ["sh", "-c", f"{line} <&-"],
            env={**os.environ, "ASSISTANT_DATA_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


def test_a_missing_word_ends_a_chat_as_it_ends_an_approval(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    written = [house.writes(f"bulk/{n}") for n in range(6)]
    house("mode", "set", "recovery")
    handle = house("undo", *written, "--json").value[0]["by"]["id"]
    assert house("chat", "--once", f"/plan {handle} yes").code == 6
    house("mode", "set", "alert")
    booked = house.books("Rent", 10)
    missing = house("chat", "--once", f"/approve {booked}")
    assert (missing.code, f"Type: /approve {booked} CONFIRM" in missing.err) == (6, True)
    assert house("chat", "--once", f"/approve {booked} nope").code == 6
    assert house("chat", "--once", f"/deny {handle}").code == 0
    assert house("chat", "--once", f"/deny {handle}").code == 8


def test_a_second_step_is_said_and_taken(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    house("mode", "set", "alert")
    house("files", "put", str(__file__), "a")
    handle = house("call", "delete_file", "path=a", "--json").value[0]["id"]
    first = house("approvals", "approve", handle)
    assert first.code == 6
    assert "type CONFIRM" in first.out
    assert "--word CONFIRM" in first.out
    assert house("approvals", "list", "--json").value[0]["word"] == "CONFIRM"
    assert house("approvals", "approve", handle, "--word", "CONFIRM").code == 0


# Undo


def test_what_was_done_is_undone(desk: Desk) -> None:
    desk.writes("undo")
    over = desk.writes("undo", "overwrite=true")
    undone = desk("undo", over, "--json")
    assert undone.code == 0
    [found] = undone.value
    assert (found["accepted"], found["by"]["state"]) == (True, "done")
    assert desk.state(over) == "undone"
    again = desk("undo", over)
    assert again.code == 1
    assert "is undone; there is nothing to undo" in again.err


def test_what_was_made_is_deleted_again_without_a_question(desk: Desk) -> None:
    made = desk.writes("made")
    undone = desk("undo", made)
    assert undone.code == 0
    assert "Delete private:/made again" in undone.out
    assert "waits" not in undone.out
    assert desk.state(made) == "undone"


def test_an_undo_that_asks_waits(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    made = house.writes("made")
    house("mode", "set", "recovery")
    asked = house("undo", made)
    assert asked.code == 6
    assert "Delete private:/made again" in asked.out
    assert "waits for you" in asked.out


def test_what_moved_since_is_not_undone(desk: Desk) -> None:
    made = desk.writes("moved")
    desk("files", "put", str(__file__), "moved", "--overwrite")
    refused = desk("undo", made)
    assert refused.code == 8
    assert "version 2" in refused.err


def test_all_since_a_time_is_undone(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    assert house("undo", "--since", "2h", "--json").value == []
    first = house.writes("a", "overwrite=true")
    house("undo", first)
    second = house.writes("b")
    found = house("undo", "--since", "1h", "--json")
    assert found.code == 0
    assert [one["id"] for one in found.value] == [second]
    assert house.state(second) == "undone"


def test_all_since_a_time_is_one_list_and_one_question(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    written = [house.writes(name) for name in ("a", "b", "c")]
    unsure = house("undo", "--since", "1h")
    assert unsure.code == 2
    listed = [
        f"{handle}: Delete private:/{name} again"
        for handle, name in zip(written, "abc", strict=True)
    ]
    assert unsure.out.splitlines() == listed[::-1]
    assert "say --yes" in unsure.err
    assert {house.state(handle) for handle in written} == {"done"}
    done = house("undo", "--since", "1h", "--yes")
    assert done.code == 0
    assert {house.state(handle) for handle in written} == {"undone"}


def test_undoes_of_one_time_that_wait_are_one_question(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    written = [house.writes(name) for name in ("a", "b", "c")]
    house("mode", "set", "recovery")
    asked = house("undo", "--since", "1h", "--yes")
    assert asked.code == 6
    assert asked.out.count("waits for your yes") == 3
    assert "All 3 wait for one yes: assistant approvals approve A4 --plan" in asked.out
    again = house("undo", "--since", "1h")
    assert (again.code, again.out.count("waits for your yes")) == (6, 3)
    assert "Nothing was done" not in again.out
    assert house("approvals", "approve", "A4", "--plan", "--yes").code == 0
    assert {house.state(handle) for handle in written} == {"undone"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("A999",), 7),
        (("A1", "--since", "2h"), 2),
        (("--since", "soon"), 2),
        (("--since", "2999-01-01"), 2),
    ],
)
def test_an_undo_of_nothing_is_said(desk: Desk, words: tuple[str, ...], code: int) -> None:
    assert desk("undo", *words).code == code


# Recovery


def test_recovery_keeps_or_undoes_each(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    kept, undone = house.writes("a"), house.writes("b")
    assert house("mode", "review", "--json").value == []
    assert house("mode", "keep", kept).code == 8
    house("mode", "set", "recovery")
    listed = house("mode", "review", "--json").value
    assert [change["id"] for change in listed] == [kept, undone]
    assert house("mode", "keep", kept).code == 0
    assert house("mode", "keep", kept).code == 8
    assert house("mode", "keep", "A999").code == 7
    waits = house("undo", undone, "--json")
    assert waits.code == 6
    assert house("approvals", "approve", waits.value[0]["by"]["id"]).code == 0
    assert house("mode", "review", "--json").value == []
    assert "Nothing is left" in house("mode", "review").out
    noted = house("audit", "list", "--kind", "effect.kept", "--json").value
    assert [entry["kind"] for entry in noted] == ["effect.kept"]


def test_recovery_that_ends_too_early_says_what_was_not_looked_at(tmp_path: Path) -> None:
    house = Desk(tmp_path)
    house.writes("a")
    house("mode", "set", "recovery")
    told = house("mode", "set", "normal")
    assert told.code == 0
    assert "1 change was not looked at" in told.err
    house("mode", "set", "recovery")
    assert house("mode", "set", "normal", "--json").value["unreviewed"] == 1
    assert house("mode", "set", "alert", "--json").value["unreviewed"] == 0


# What is typed


@pytest.mark.parametrize(
    ("text", "hours"),
    [("2h", 2), ("3d", 72), ("90m", 1.5), ("2 weeks", 336), ("2026-11-22T10:00", 2)],
)
def test_a_time_that_has_passed_is_read(text: str, hours: float) -> None:
    found = past(text, zone="UTC", now=NOW)
    assert (NOW - found).total_seconds() == hours * 3600


def test_a_time_without_a_zone_is_in_the_owners() -> None:
    assert past("2026-11-22T10:00", zone="Europe/Berlin", now=NOW).utcoffset()


@pytest.mark.parametrize("text", ["", "tomorrow", "2", "h", "in 2h", "2h; rm", "99999999999d"])
def test_what_is_no_time_that_has_passed_is_refused(text: str) -> None:
    with pytest.raises(BadArguments):
        past(text, zone="UTC", now=NOW)


def test_a_value_is_a_text_where_the_tool_takes_one() -> None:
    schema = {
        "properties": {
            "text": {"type": "string"},
            "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "many": {"type": "array"},
            "flag": {"type": "boolean"},
        }
    }
    words = ["text=5", "maybe=true", 'many=["a", "b"]', "flag=true", "other=x=y"]
    assert arguments(words, schema) == {
        "text": "5",
        "maybe": "true",
        "many": ["a", "b"],
        "flag": True,
        "other": "x=y",
    }


def test_a_card_that_a_command_prints_names_the_commands_that_answer_it(tmp_path: Path) -> None:
    run("chat", "--once", 'create "Rent" 2031-11-30 10:00', data=tmp_path)
    ways = "To answer: assistant approvals approve {0}, or assistant approvals deny {0}"
    assert ways.format("A1") in run("approvals", "show", "A1", data=tmp_path).out
    edited = run("approvals", "edit", "A1", "--args", "title=Dentist", data=tmp_path)
    assert ways.format("A2") in edited.out
    approved = run("approvals", "approve", "A2", "--yes", data=tmp_path)
    assert "To answer" not in approved.out


def test_one_thing_is_counted_as_one() -> None:
    assert counting(1, "mails") == "1 mail"
    assert counting(2_000, "calls") == "2,000 calls"


def test_a_no_takes_several_calls_and_a_reason_without_quotes(desk: Desk) -> None:
    first, second, third = (desk.asks(f"no{n}.txt") for n in range(3))
    both = desk("approvals", "deny", first, second)
    assert both.code == 0, both
    assert [desk.state(one) for one in (first, second, third)] == ["denied", "denied", "parked"]
    assert all(both.out.count(f"{one} is denied") == 1 for one in (first, second)), both.out
    told = desk("approvals", "deny", third, "too", "late", "--json")
    assert (told.code, told.value["reason"]) == (0, "too late")


def test_the_words_of_a_search_need_no_quotes(desk: Desk) -> None:
    assert desk("mail", "search", "rent", "december").code == 0
    assert desk("mail", "search").code == 2


def test_an_undo_alone_lists_what_can_be_undone(desk: Desk) -> None:
    handle = desk.writes("undone-alone.txt")
    alone = desk("undo")
    assert alone.code == 0, alone
    assert f"assistant undo {handle}" in alone.out
    assert handle in {one["id"] for one in desk("undo", "--json").value}
