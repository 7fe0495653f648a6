"""The setting of working hours reaches the tools."""

from pathlib import Path

from workers.cli.session import Session
from workers.cli.terminal.slash import command
from workers.settings import only


def test_free_times_are_looked_for_within_the_hours_of_the_setting(tmp_path: Path) -> None:
    hours = "Sat 10:00-12:00, Sun 10:00-12:00"
    opened = Session(only(data_dir=tmp_path, timezone="UTC", working_hours=hours))
    opened.open()
    said = command(opened, "/free for 1 hour", cause=opened.assistant.cause())
    opened.assistant.close()
    assert "Next free for 1 hour within working hours (Sat–Sun 10:00–12:00):" in said
    days = [line for line in said.splitlines() if line.startswith("- ")]
    assert len(days) == 3
    assert all(day.startswith(("- Sat", "- Sun")) for day in days)
