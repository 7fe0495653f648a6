"""When the occurrences of a series begin and end."""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.series.reading import Part, Series
from assistant.domain.calendar.events import When
from assistant.domain.calendar.series import BadSeries

_DAY = timedelta(days=1)
_MOMENT = timedelta(minutes=1)
_LONGEST = timedelta(days=367)


class Length(NamedTuple):
    """How long an occurrence lasts: days of the calendar, and then time that passes."""

    days: int
    exact: timedelta

    @property
    def most(self) -> timedelta:
        return timedelta(days=self.days + 1) + self.exact


def times(series: Series, wall: datetime) -> When:
    """Return when the occurrence of this original time begins and ends.

    An end by DTEND is as long after the begin as that of the first occurrence, in hours that pass;
    the days of a DURATION are days of the calendar (RFC 5545, 3.8.5.3).
    """
    part = series.overrides.get(wall)
    if part is not None:
        return _lasting(moment(series, part, "DTSTART"), length(series, part))
    lasting = length(series, series.part(wall))
    period = series.added.get(wall)
    if period is not None and not series.form.all_day:
        lasting = Length(0, _checked(period))
    return _lasting(series.form.moment(wall), lasting)


def length(series: Series, part: Part) -> Length:
    """Return how long a part lasts. Without an end, a day lasts a day, and a time a minute."""
    start = moment(series, part, "DTSTART")
    all_day = not isinstance(start, datetime)
    if "DTEND" in part:
        end = moment(series, part, "DTEND")
        if isinstance(end, datetime) == all_day:
            raise BadSeries("it begins at a time and ends on a day, or the reverse")
        if isinstance(end, datetime) and isinstance(start, datetime):
            return Length(0, _checked(end.astimezone(UTC) - start.astimezone(UTC)) or _MOMENT)
        return Length(max(_checked(end - start).days, 1), timedelta())
    if "DURATION" in part:
        lasts = _checked(part["DURATION"].dt)
        if all_day:
            return Length(max(lasts.days, 1), timedelta())
        return Length(lasts.days, lasts - timedelta(days=lasts.days) if lasts else _MOMENT)
    return Length(1, timedelta()) if all_day else Length(0, _MOMENT)


def moment(series: Series, part: Part, name: str) -> datetime | date:
    """Return a day, or a moment with its zone, of a part's own property."""
    prop = part[name]
    value = prop.dt
    if not isinstance(value, date) or not 1600 <= value.year < 2200:  # noqa: PLR2004 (years read)
        raise BadSeries(f"its {name} cannot be read")
    if not isinstance(value, datetime):
        return value
    tzid = str(prop.params.get("TZID", ""))
    wall = value.replace(tzinfo=None)
    if tzid:
        zone = series.zones.named(tzid)
        exact = wall.replace(tzinfo=zone).astimezone(UTC)
        return exact.astimezone(zone) if isinstance(zone, ZoneInfo) else exact
    if value.tzinfo is not None:
        return wall.replace(tzinfo=ZoneInfo("UTC"))
    return wall.replace(tzinfo=series.form.zone).astimezone(UTC).astimezone(series.form.zone)


def _lasting(start: datetime | date, lasting: Length) -> When:
    if not isinstance(start, datetime):
        return When(start=start, end=start + timedelta(days=max(lasting.days, 1)))
    after_days = (start + timedelta(days=lasting.days)).astimezone(UTC)
    end = (after_days + lasting.exact).astimezone(start.tzinfo)
    if end <= start:
        # Within one zone Python compares clocks on the wall, which run twice through one hour.
        start, end = start.astimezone(UTC), end.astimezone(UTC)
    return When(start=start, end=end)


def _checked(lasts: object) -> timedelta:
    if not isinstance(lasts, timedelta) or lasts < timedelta():
        raise BadSeries("it ends before it begins")
    if lasts > _LONGEST:
        raise BadSeries("it lasts more than a year")
    return lasts
