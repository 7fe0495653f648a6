"""Tools of third parties are off until they are named, and are never trusted."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.conversation.deliveries import Line
from assistant.domain.text.fence import unfence
from assistant.tools.plugins import GROUP, Discovered, discover, guarded, installed
from assistant.tools.results import Result
from tests.tools.samples import errand, reading, writing

MODULE = """
    from pydantic import BaseModel, ConfigDict
    from assistant.domain.calls.call import Facts, Reach, Risk
    from assistant.tools.contract import Tool
    from assistant.tools.results import Result

    class Args(BaseModel):
        \"\"\"Tell the weather.\"\"\"
        model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"city": "x"}]})
        city: str

    def look(args, errand):
        return [Facts(args=args.model_dump(), own=True)]

    def act(facts, errand):
        return Result(text="sunny", told="Sunny.")
"""


class Shelf:
    """A directory of packages that are installed, each with its entry points."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, body: str, *, package: str = "", version: str = "2.0") -> None:
        package = package or f"{name}_tools"
        written = f"{dedent(MODULE)}\n{dedent(body)}" if body else "import sys; sys.exit(3)"
        (self.folder / f"{package}.py").write_text(written, encoding="utf-8")
        info = self.folder / f"{package}-{version}.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        (info / "METADATA").write_text(metadata, encoding="utf-8")
        points = f"[{GROUP}]\n{name} = {package}:TOOLS\n"
        (info / "entry_points.txt").write_text(points, encoding="utf-8")

    def entries(self) -> list[EntryPoint]:
        return list(entry_points(group=GROUP))

    def imported(self, name: str) -> bool:
        return f"{name}_tools" in sys.modules


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield Shelf(tmp_path)
    for name in set(sys.modules) - before:
        if name.endswith("_tools"):
            del sys.modules[name]


def troubles(found: Discovered) -> list[tuple[str, str]]:
    return [(trouble.plugin, trouble.said) for trouble in found.troubles]


BARE = 'TOOLS = Tool(name="weather", args=Args, look=look, act=act)'


def test_a_plugin_is_listed_and_not_even_imported_until_it_is_named(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    assert "weather" in installed()
    assert discover([]) == Discovered()
    assert not shelf.imported("weather")
    assert [tool.name for tool in discover(["weather"]).tools] == ["weather"]


@pytest.mark.parametrize(
    "offer",
    [
        'TOOLS = Tool(name="weather", args=Args, look=look, act=act)',
        'TOOLS = (Tool(name="weather", args=Args, look=look, act=act),)',
        'def TOOLS(): return [Tool(name="weather", args=Args, look=look, act=act)]',
    ],
    ids=["one", "several", "function"],
)
def test_it_offers_a_tool_or_several_or_a_function_that_gives_them(
    shelf: Shelf, offer: str
) -> None:
    shelf.install("weather", offer)
    found = discover(["weather"])
    assert ([tool.name for tool in found.tools], found.troubles) == (["weather"], ())


def test_a_tool_that_declares_nothing_is_taken_for_the_worst(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    [tool] = discover(["weather"]).tools
    [facts] = tool.examine({"city": "Ulm"}, errand())
    assert (tool.reach_of(facts), tool.risk(facts)) == (Reach.EXECUTES, Risk.HIGH)
    assert tool.asks(facts)
    assert not facts.own
    assert tool.card is not None
    assert tool.card(facts, "UTC") == (Line(label="city", value="Ulm"),)
    assert tool.effect is not None
    assert tool.effect(facts, "c1").key == "c1"
    assert tool.version == "weather_tools 2.0 1"


def test_whatever_a_plugin_says_is_outside(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    [tool] = discover(["weather"]).tools
    result = tool.act(Facts(args={"city": "Ulm"}), errand())
    assert result.outside
    assert unfence(result.text) == "sunny"
    assert "tool weather" in result.text.splitlines()[0]
    assert tool.source is not None
    assert tool.source(Facts(args={})) == "tool weather"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "it cannot be loaded: SystemExit: 3"),
        ("raise RuntimeError('no key')", "it cannot be loaded: RuntimeError: no key"),
        ("TOOL = 1", "it cannot be loaded: AttributeError"),
        ("TOOLS = 7", "it is a int, and not a Tool"),
        ('TOOLS = Tool(name="W!", args=Args, look=look, act=act)', "W!: name: 'W!' is not"),
        (
            'TOOLS = Tool(name="w", args=Args, look=look, act=act, reach=Reach.GOVERNS)',
            "w: governing is not for plugins",
        ),
        (
            'TOOLS = Tool(name="w", args=Args, look=look, act=act, makes=lambda f: ("", ""))',
            "w: makes: only built-in tools make events",
        ),
        (
            'TOOLS = Tool(name="read_email", args=Args, look=look, act=act)',
            "read_email: there is a tool named read_email already",
        ),
    ],
    ids=["exits", "raises", "empty", "odd", "named", "governs", "makes", "taken"],
)
def test_a_broken_plugin_is_reported_and_costs_no_other(shelf: Shelf, body: str, said: str) -> None:
    shelf.install("broken", body)
    shelf.install("weather", BARE)
    found = discover(["weather", "broken"], taken=["read_email"])
    assert [tool.name for tool in found.tools] == ["weather"]
    [(plugin, told)] = troubles(found)
    assert plugin == "broken"
    assert told.startswith(said)


def test_a_plugin_that_is_named_and_not_installed_is_reported() -> None:
    [(plugin, said)] = troubles(discover(["wether"], entries=[]))
    assert (plugin, "no installed package offers it" in said) == ("wether", True)


def test_a_name_that_two_packages_use_is_nobodys(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    shelf.install("weather", BARE, package="evil_tools")
    found = discover(["weather"], entries=shelf.entries())
    assert found.tools == ()
    assert "several packages offer" in found.troubles[0].said
    assert not shelf.imported("evil")


def test_no_plugin_takes_the_name_of_anothers_tool(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    shelf.install("zzz", BARE)
    found = discover(["zzz", "weather"])
    assert [tool.version for tool in found.tools] == ["weather_tools 2.0 1"]
    assert found.troubles[0].plugin == "zzz"


@pytest.mark.parametrize("declared", list(Reach))
@pytest.mark.parametrize("claimed", list(Reach))
def test_the_reach_of_a_call_is_never_below_what_was_declared(
    declared: Reach, claimed: Reach
) -> None:
    tool = guarded(writing(reach=declared, reach_by=lambda _facts: claimed), origin="x 1")
    order = list(Reach)
    facts = Facts(args={"words": "milk"})
    assert tool.reach_of(facts) == max(declared, claimed, key=order.index)
    if Reach.EXECUTES in (declared, claimed):
        assert tool.risk(facts) is Risk.HIGH


def test_a_plugin_that_cannot_say_its_reach_or_its_risk_is_taken_for_the_worst() -> None:
    def broken(_facts: Facts) -> Any:
        raise KeyError("x")

    for odd in (broken, lambda _facts: "mild"):
        tool = guarded(writing(reach_by=odd, risk=odd), origin="x 1")
        facts = Facts(args={"words": "milk"})
        assert (tool.reach_of(facts), tool.risk(facts)) == (Reach.EXECUTES, Risk.HIGH)


def test_a_card_of_a_plugin_hides_no_argument() -> None:
    tool = guarded(writing(card=lambda _f, _z: (Line(label="Do", value="good"),)), origin="x 1")
    assert tool.card is not None
    lines = tool.card(Facts(args={"words": "milk", "copies": 9}), "UTC")
    assert [line.label for line in lines] == ["Do", "words", "copies"]


def test_a_read_of_a_plugin_stays_a_read_and_takes_the_queue() -> None:
    tool = guarded(reading(quick=True), origin="x 1")
    facts = Facts(args={"words": "milk"})
    assert (tool.reach_of(facts), tool.risk(facts)) == (Reach.READS, Risk.LOW)
    assert not tool.quick
    assert tool.effect is None


def test_what_a_plugin_found_out_after_a_crash_is_outside_too() -> None:
    found = guarded(writing(settle=lambda _f, _e: Result(text="it was done")), origin="x 1")
    nothing = guarded(writing(settle=lambda _f, _e: None), origin="x 1")
    assert found.settle is not None
    assert nothing.settle is not None
    settled = found.settle(Facts(args={}), errand())
    assert settled is not None
    assert settled.outside
    assert nothing.settle(Facts(args={}), errand()) is None
