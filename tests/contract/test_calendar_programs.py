"""Programs of others and we read what the other wrote: vdirsyncer copies, khal shows and writes."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from assistant.domain.calendar.events import Event
from assistant.domain.calendar.recurrence import DayOfWeek, Frequency, Recurrence, Weekday
from assistant.domain.calendar.series import SeriesEdit, SeriesScope
from tests.contract.calendar_benches import BERLIN, RealBench, days, timed

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
SYNCER = """\
[general]
status_path = "{root}/status"
[pair mine]
a = "here"
b = "there"
collections = [["mine", "mine", "{calendar}"]]
conflict_resolution = "b wins"
[storage here]
type = "filesystem"
path = "{root}/calendars"
fileext = ".ics"
[storage there]
type = "caldav"
url = "{url}"
username = "{username}"
password = "{password}"
"""
KHAL = """\
[calendars]
[[mine]]
path = {root}/calendars/mine
[sqlite]
path = {root}/khal.db
[default]
default_calendar = mine
[locale]
local_timezone = Europe/Berlin
default_timezone = Europe/Berlin
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
"""


@dataclass
class Programs:
    """Another program's copy of the calendar."""

    root: Path

    def syncs(self, *, first: bool = False) -> None:
        if first:
            self._run("vdirsyncer", "-c", "syncer", "discover", said="y\n" * 4)
        self._run("vdirsyncer", "-c", "syncer", "sync")

    def lists(self, start: str, span: str) -> list[tuple[str, str, str]]:
        """Title, begin and end of what khal shows, each occurrence once."""
        fields = ("title", "start-long-full", "end-long-full", "all-day")
        options = [word for name in fields for word in ("--json", name)]
        out = self._run("khal", "-c", "khal", "list", *options, start, span)
        rows = [row for line in out.splitlines() for row in json.loads(line)]
        told = [_told(row) for row in rows]
        return sorted({*told}, key=lambda row: (row[1], row[0]))

    def writes(self, *words: str) -> None:
        self._run("khal", "-c", "khal", "new", *words)

    def _run(self, program: str, *words: str, said: str = "") -> str:
        env = {**os.environ, "HOME": str(self.root), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [str(BIN / program), *words],
            cwd=self.root,
            env=env,
            input=said,
            text=True,
            capture_output=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _told(row: Mapping[str, str]) -> tuple[str, str, str]:
    """A day alone where it lasts whole days."""
    most = len("2026-11-26") if row["all-day"] == "True" else None
    return row["title"], row["start-long-full"][:most], row["end-long-full"][:most]


@pytest.fixture
def programs(real: RealBench, tmp_path: Path) -> Programs:
    (tmp_path / "syncer").write_text(SYNCER.format(root=tmp_path, **real.settings))
    (tmp_path / "khal").write_text(KHAL.format(root=tmp_path))
    return Programs(tmp_path)


def shown(*rows: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(row) for row in rows]


def test_a_program_of_others_shows_what_we_wrote(real: RealBench, programs: Programs) -> None:
    calendar = real.calendar
    tea = Event(
        uid="tea",
        title="Tea, with Zoë",
        when=timed(datetime(2026, 11, 24, 15, 30, tzinfo=BERLIN)),
        alerts=(timedelta(minutes=15),),
    )
    calendar.create(tea)
    calendar.create(Event(uid="off", title="Day off", when=days(date(2026, 11, 26), count=2)))
    weekly = Recurrence(
        frequency=Frequency.WEEKLY, weekdays=(DayOfWeek(day=Weekday.TUESDAY),), count=5
    )
    # The clocks go forward on 28 March.
    first = datetime(2027, 3, 16, 9, tzinfo=BERLIN)
    calendar.create(Event(uid="run", title="Run", when=timed(first), recurrence=weekly))
    moved = datetime(2027, 3, 31, 18, tzinfo=BERLIN)

    def edits(occurrence: datetime, **new: object) -> None:
        etag = calendar.get("run").etag
        scope, stamp = SeriesScope.THIS, datetime(2026, 11, 23, tzinfo=UTC)
        given = {"scope": scope, "occurrence": occurrence, "stamp": stamp, **new}
        calendar.change_series(SeriesEdit.model_validate({"uid": "run", "etag": etag, **given}))

    edits(datetime(2027, 3, 30, 9, tzinfo=BERLIN), when=timed(moved))
    edits(datetime(2027, 4, 6, 9, tzinfo=BERLIN), delete=True)

    programs.syncs(first=True)
    assert programs.lists("2026-11-23", "7d") == shown(
        ("Tea, with Zoë", "2026-11-24 15:30", "2026-11-24 16:30"),
        ("Day off", "2026-11-26", "2026-11-27"),
    )
    assert programs.lists("2027-03-01", "60d") == shown(
        ("Run", "2027-03-16 09:00", "2027-03-16 10:00"),
        ("Run", "2027-03-23 09:00", "2027-03-23 10:00"),
        ("Run", "2027-03-31 18:00", "2027-03-31 19:00"),
        ("Run", "2027-04-13 09:00", "2027-04-13 10:00"),
    )
    files = [file.read_text() for file in (programs.root / "calendars" / "mine").iterdir()]
    [with_alert] = [text for text in files if "Tea" in text]
    assert "ACTION:DISPLAY" in with_alert
    assert "TRIGGER:-PT15M" in with_alert


def test_we_read_what_a_program_of_others_wrote(real: RealBench, programs: Programs) -> None:
    programs.syncs(first=True)
    programs.writes("2026-11-24", "15:30", "16:30", "Tea", "-m", "15m")
    programs.writes("2026-11-26", "2026-11-27", "Day off")
    programs.writes("2027-03-16", "09:00", "10:00", "Run", "-r", "weekly", "-u", "2027-04-14")
    programs.syncs()

    def seen(start: date, count: int) -> list[tuple[str, object, object]]:
        found = real.calendar.between(days(start, count=count))
        return [(event.title, event.when.start, event.when.end) for event in found]

    at = datetime(2026, 11, 24, 15, 30, tzinfo=BERLIN)
    assert seen(date(2026, 11, 23), 7) == [
        ("Tea", at, at + timedelta(hours=1)),
        ("Day off", date(2026, 11, 26), date(2026, 11, 28)),
    ]
    [tea] = real.calendar.between(days(date(2026, 11, 24)))
    assert tea.alerts == (timedelta(minutes=15),)
    begins = [datetime(2027, 3, day, 9, tzinfo=BERLIN) for day in (16, 23, 30)] + [
        datetime(2027, 4, day, 9, tzinfo=BERLIN) for day in (6, 13)
    ]
    assert seen(date(2027, 3, 1), 60) == [
        ("Run", begin, begin + timedelta(hours=1)) for begin in begins
    ]


def test_what_we_change_and_delete_is_changed_and_gone_there(
    real: RealBench, programs: Programs
) -> None:
    programs.syncs(first=True)
    programs.writes("2026-11-24", "15:30", "16:30", "Tea")
    programs.writes("2026-11-25", "15:30", "16:30", "Cake")
    programs.syncs()
    [tea] = real.calendar.between(days(date(2026, 11, 24)))
    later = timed(datetime(2026, 11, 24, 17, tzinfo=BERLIN))
    real.calendar.update(tea.model_copy(update={"title": "Late tea", "when": later}))
    programs.syncs()
    assert programs.lists("2026-11-24", "1d") == shown(
        ("Late tea", "2026-11-24 17:00", "2026-11-24 18:00")
    )
    real.calendar.delete(tea.uid, etag=real.calendar.get(tea.uid).etag)
    programs.syncs()
    assert programs.lists("2026-11-23", "7d") == shown(
        ("Cake", "2026-11-25 15:30", "2026-11-25 16:30")
    )
