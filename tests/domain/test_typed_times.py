"""A time that a person types without an offset is one moment on the owner's clocks, or is told."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.domain.errors import BadArguments
from assistant.domain.time.typed_times import read_times, takes_time, write_times

BERLIN = "Europe/Berlin"
TIME = {"type": "string", "format": "date-time"}
AT: dict[str, Any] = {"properties": {"at": TIME}}
ZONES = (
    "UTC",
    BERLIN,
    "America/New_York",
    "America/Sao_Paulo",  # the clocks skipped midnight
    "Africa/Casablanca",  # put back for a month, each year
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # by half an hour
    "Pacific/Apia",  # a day was skipped
)
zones = st.sampled_from(ZONES)
clocks = st.datetimes(min_value=datetime(1850, 1, 1), max_value=datetime(2200, 1, 1))  # noqa: DTZ001  # what has no zone is the point
moments = st.datetimes(timezones=st.just(UTC))


def nights(zone: str) -> st.SearchStrategy[datetime]:
    """Times on a wall near to a change of the clocks."""
    there = ZoneInfo(zone)
    days = [datetime(2011, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(3 * 365)]
    changes = [
        day
        for day in days
        if day.astimezone(there).utcoffset()
        != (day + timedelta(days=1)).astimezone(there).utcoffset()
    ]
    near = st.tuples(st.sampled_from(changes or days), st.integers(-180, 27 * 60))
    return near.map(
        lambda at: (
            (at[0] + timedelta(minutes=at[1])).replace(tzinfo=None)
            + (there.utcoffset(at[0].replace(tzinfo=None)) or timedelta())
        )
    )


typed = zones.flatmap(
    lambda zone: st.tuples(st.just(zone), clocks | nights(zone), st.sampled_from(" Tt"))
)


def meant(local: datetime, zone: str) -> set[datetime]:
    """The moments at which a clock on the wall there shows this: one, or none, or two."""
    there = ZoneInfo(zone)
    found = set()
    for fold in (0, 1):
        offset = local.replace(tzinfo=there, fold=fold).utcoffset()
        assert offset is not None
        moment = (local - offset).replace(tzinfo=UTC)
        if moment.astimezone(there).replace(tzinfo=None) == local:
            found.add(moment)
    return found


@given(typed)
@example((BERLIN, datetime(2027, 3, 28, 2, 30), " "))  # noqa: DTZ001  # see above
@example((BERLIN, datetime(2027, 10, 31, 2, 30), " "))  # noqa: DTZ001
@example(("Pacific/Apia", datetime(2011, 12, 30, 12), "T"))  # noqa: DTZ001
def test_a_time_on_the_wall_is_the_one_moment_it_can_mean(case: tuple[str, datetime, str]) -> None:
    zone, local, between = case
    found = meant(local, zone)
    text = local.isoformat(sep=between)
    if len(found) == 1:
        at = datetime.fromisoformat(read_times({"at": text}, AT, zone=zone)["at"])
        assert at.utcoffset() is not None
        assert {at.astimezone(UTC)} == found
        return
    with pytest.raises(BadArguments) as told:
        read_times({"at": text}, AT, zone=zone)
    said = str(told.value)
    assert ("does not exist" in said) == (not found)
    assert all(
        one.isoformat() in said or one.astimezone(ZoneInfo(zone)).isoformat() in said
        for one in found
    )


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("text", ["0001-01-01 00:00", "9999-12-31 23:59:59.999999"])
def test_at_either_end_of_the_calendar_it_is_a_time_or_told(zone: str, text: str) -> None:
    try:
        at = read_times({"at": text}, AT, zone=zone)["at"]
    except BadArguments as error:
        at = str(error)
    assert "beyond the calendar" in at or datetime.fromisoformat(at).utcoffset() is not None


@given(moments, zones)
def test_what_is_written_for_a_person_is_the_same_moment_on_their_clocks(
    moment: datetime, zone: str
) -> None:
    shown = write_times({"at": moment.isoformat()}, AT, zone=zone)
    [at] = read_times(shown, AT, zone=zone).values()
    assert datetime.fromisoformat(at) == moment


def test_what_is_written_for_a_person_has_an_offset_only_where_it_must() -> None:
    def written(at: str) -> str:
        return str(write_times({"at": at}, AT, zone=BERLIN)["at"])

    assert written("2026-11-30T09:00:00Z") == "2026-11-30 10:00"
    assert written("2026-07-30T10:00:05+02:00") == "2026-07-30 10:00:05"
    assert written("2027-10-31T00:30:00Z") == "2027-10-31T02:30:00+02:00"
    assert written("2026-11-30T09:00") == "2026-11-30T09:00"


words = (
    st.text(max_size=8)
    | moments.map(datetime.isoformat)
    | clocks.map(datetime.isoformat)
    | clocks.map(lambda at: at.date().isoformat())
)
values = st.recursive(
    words | st.integers() | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["at", "x"]), inner, max_size=2)
    ),
)
nodes = st.recursive(
    st.sampled_from([TIME, {"type": "string"}, {"$ref": "#/$defs/Slot"}, {}, True]),
    lambda inner: (
        st.builds(lambda node: {"type": "array", "items": node}, inner)
        | st.builds(lambda node: {"anyOf": [node, {"type": "null"}]}, inner)
        | st.builds(lambda node: {"properties": {"at": node, "x": TIME}}, inner)
        | st.builds(lambda node: {"additionalProperties": node}, inner)
    ),
    max_leaves=4,
)
slot = {"properties": {"at": TIME, "x": {"$ref": "#/$defs/Slot"}}}
schemas = st.builds(lambda node: {"properties": {"a": node}, "$defs": {"Slot": slot}}, nodes)


@given(values, schemas, zones)
def test_what_nobody_touched_is_what_was_there(value: Any, schema: Any, zone: str) -> None:
    args = {"a": value}
    assert read_times(write_times(args, schema, zone=zone), schema, zone=zone, was=args) == args


@given(values)
def test_what_is_no_time_is_left_as_it_was_typed(value: Any) -> None:
    text = {"type": "string"}
    day = {"type": "string", "format": "date"}
    schema = {"properties": {"a": {"anyOf": [text, day, {"items": text}]}}}
    args = {"a": value, "b": value}
    assert read_times(args, schema, zone=BERLIN) == args
    assert write_times(args, schema, zone=BERLIN) == args


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30",
        "20261130",
        "10:00",
        "now",
        "",
        "2026-11-30+01:00",
        "2026-02-30 10:00",
        "1764493200",
    ],
)
def test_what_is_no_day_with_a_time_is_left_to_the_tool(text: str) -> None:
    assert read_times({"at": text}, AT, zone=BERLIN) == {"at": text}


def test_times_are_found_wherever_the_schema_has_them() -> None:
    schema: dict[str, Any] = {
        "properties": {
            "slots": {"type": "array", "items": {"$ref": "#/$defs/Slot"}},
            "span": {"prefixItems": [TIME, {"type": "string"}]},
            "by": {"additionalProperties": {"anyOf": [TIME, {"type": "null"}]}},
            "either": {"format": "date-time", "anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "$defs": {"Slot": {"allOf": [{"properties": {"start": TIME, "note": {"type": "string"}}}]}},
    }
    naive, placed = "2026-07-01 10:00", "2026-07-01T10:00:00+02:00"
    args = {
        "slots": [{"start": naive, "note": naive}],
        "span": [naive, naive],
        "by": {"ada": naive, "eve": None},
        "either": naive,
    }
    assert read_times(args, schema, zone=BERLIN) == {
        "slots": [{"start": placed, "note": naive}],
        "span": [placed, naive],
        "by": {"ada": placed, "eve": None},
        "either": placed,
    }
    assert takes_time(schema["properties"]["either"], schema)
    assert not takes_time(schema["properties"]["slots"], schema)


def test_a_time_inside_a_list_is_named_by_its_place() -> None:
    schema = {"properties": {"slots": {"items": {"properties": {"start": TIME}}}}}
    slots = [{"start": "2027-03-27 02:30"}, {"start": "2027-03-28 02:30"}]
    with pytest.raises(BadArguments, match=r"slots\.1\.start: 02:30 on 2027-03-28 does not exist"):
        read_times({"slots": slots}, schema, zone=BERLIN)


def test_a_value_too_deep_to_be_read_is_told() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}},
    }
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadArguments, match="within each other"):
        read_times({"a": deep}, schema, zone=BERLIN)


def test_an_offset_of_before_the_zones_is_written_in_utc() -> None:
    [at] = read_times({"at": "1890-01-01 10:00"}, AT, zone=BERLIN).values()
    assert at == "1890-01-01T09:06:32+00:00"
