"""How long ago something was, in a person's words."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.commands.everyday.status import said_queues as _last_crossed

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-1, "0 s ago"), (3, "3 s ago"), (119, "119 s ago"), (120, "2 min ago"), (7_200, "2 h ago")],
)
def test_a_queue_was_crossed_so_long_ago(seconds: int, said: str) -> None:
    seen = (NOW - timedelta(seconds=seconds)).isoformat()
    assert _last_crossed({"tools": seen, "slow": "never"}, NOW) == f"tools {said}, slow never"
