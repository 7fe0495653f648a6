"""Objects of a calendar as a server sends them."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.adapters.calendar.icalendar_objects import UNREADABLE, parsed

ICS = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"


def test_what_a_server_sends_is_never_taken_for_the_name_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.ics"
    secret.write_text(ICS)
    with pytest.raises(UNREADABLE):
        parsed(SimpleNamespace(raw_data=str(secret)))


@pytest.mark.parametrize("raw", [ICS, ICS.encode()])
def test_an_object_is_read_as_text_and_as_bytes(raw: str | bytes) -> None:
    assert parsed(SimpleNamespace(raw_data=raw)).name == "VCALENDAR"
