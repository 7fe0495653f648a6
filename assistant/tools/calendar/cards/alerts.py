"""Say how long before an event the owner is reminded of it."""

from collections.abc import Sequence

_UNITS = ((7 * 24 * 60, "week"), (24 * 60, "day"), (60, "hour"), (1, "minute"))


def say_alerts(alerts: Sequence[int]) -> str:
    """Write ``30 minutes and 1 day before``; each alert is in minutes."""
    said = [_length(minutes) for minutes in alerts if minutes]
    begin = ["at its begin"] if 0 in alerts else []
    return " and ".join([*begin, *([f"{', '.join(said)} before"] if said else [])])


def _length(minutes: int) -> str:
    size, unit = next((size, unit) for size, unit in _UNITS if minutes % size == 0)
    count = minutes // size
    return f"{count} {unit}{'' if count == 1 else 's'}"
