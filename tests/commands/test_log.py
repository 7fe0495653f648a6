"""The log: what was done lately, counted in a sentence, with a line for each change."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from assistant.commands.answer import Answer, Table
from assistant.commands.carry_out import bound_words
from assistant.commands.channel import CommandChannel
from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Want
from assistant.flows.calls.owner_calls import call_tool
from tests.process.command import run
from tests.proposing import proposed
from workers.cli.session import Session, context_of
from workers.settings import OWNER, only

MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nThe rent is due.\r\n"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield made
    made.assistant.close()


def gives(opened: Session, text: str, channel: CommandChannel = CommandChannel.TERMINAL) -> Answer:
    """Give a command and let what it sets going come to rest."""
    ctx = context_of(opened, channel, cause=opened.assistant.cause(), shown={})
    answer = bound_words(ctx, text).run(ctx)
    opened.settle("")
    return answer


def calls(opened: Session, tool: str, **args: str) -> Call:
    """Call a tool as its owner; the call as it stands then."""
    [placed] = call_tool(
        tool,
        args,
        by="terminal:me",
        channel="terminal",
        place=OWNER,
        cause=opened.assistant.cause(),
        ctx=opened.assistant.ctx,
    )
    opened.settle("")
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return tx.call(placed.id)


def written(opened: Session, name: str) -> Call:
    return calls(opened, "write_file", path=f"private:/{name}.txt", content=name)


def event(opened: Session, title: str) -> Call:
    start, end = "2031-03-04T10:00:00+00:00", "2031-03-04T10:30:00+00:00"
    args = {"title": title, "start": start, "end": end}
    [wanted] = proposed(opened, Want(tool="create_event", args=args))
    return wanted


def rows(answer: Answer) -> list[tuple[str, ...]]:
    """What the lines say, without the time."""
    [table] = [block for block in answer.blocks if isinstance(block, Table)]
    return [(row[0], *row[2:]) for row in table.rows]


def test_a_day_without_changes_says_so(opened: Session) -> None:
    assert gives(opened, "/log").text == "Today: nothing was changed, and no mail came"


def test_it_counts_what_was_done_and_what_was_not_and_lists_it_newest_first(
    opened: Session, tmp_path: Path
) -> None:
    written(opened, "one")
    late = written(opened, "late")
    run("undo", late.handle, data=tmp_path)
    for asked in run("approvals", "list", "--json", data=tmp_path).value:
        assert run("approvals", "approve", asked["id"], data=tmp_path).code == 0
    denied, waits = event(opened, "Dentist"), event(opened, "Team lunch")
    assert run("approvals", "deny", denied.handle, data=tmp_path).code == 0
    answer = gives(opened, "/log")
    assert answer.text == "Today: 1 file written, 1 denied, 1 waits for you, 1 undone"
    assert rows(answer) == [
        (denied.handle, "make an event: denied", "Dentist"),
        (waits.handle, "make an event: waits for you", "Team lunch"),
        (late.handle, "file written, undone", "private:/late.txt"),
        ("A1", "file written", "private:/one.txt"),
    ]


def test_it_goes_by_days_where_the_owner_is(
    opened: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written(opened, "before")
    now = opened.assistant.clock.now()
    monkeypatch.setattr(opened.assistant.clock, "now", lambda: now + timedelta(days=2))
    assert gives(opened, "/log").text.startswith("Today: nothing was changed")
    assert gives(opened, "/log 2").text.startswith("In 2 days: nothing was changed")
    answer = gives(opened, "/log 3")
    assert answer.text == "In 3 days: 1 file written"
    [row] = rows(answer)
    assert row[0] == before.handle


def test_a_shell_prints_it_and_programs_read_it(tmp_path: Path) -> None:
    assert run("call", "write_file", "path=private:/a.txt", "content=a", data=tmp_path).code == 0
    assert run("mail", "add", "-", data=tmp_path, input=MAIL).code == 0
    told = run("log", data=tmp_path).out.splitlines()
    assert told[0] == "Today: 1 file written, 1 mail came"
    assert told[1].split() == ["id", "when", "what", "title"]
    assert told[2].split()[0] == "A1"
    facts = run("log", "--days", "7", "--json", data=tmp_path).value
    assert (facts["counts"], facts["mails"]) == ({"write_file": 1}, 1)
    [change] = facts["changes"]
    assert (change["id"], change["title"], change["state"]) == ("A1", "private:/a.txt", "done")
    assert run("log", "--days", "0", data=tmp_path).code == 2
