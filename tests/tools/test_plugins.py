"""Tools of third parties are off until they are named, and are never trusted."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.errors import Permanent
from assistant.domain.fence import unfence
from assistant.domain.tool_errors import ErrorType
from assistant.tools.contract.guarded import guarded
from assistant.tools.contract.invocation import invocations
from assistant.tools.contract.plugins import GROUP, Discovered, discover, installed
from assistant.tools.contract.results import Result
from tests.tools.samples import a_context, reading, writing

MODULE = """
    from pydantic import BaseModel, ConfigDict
    from assistant.domain.traits import ToolTraits
    from assistant.tools import (
        Facts, Irreversible, Reach, Result, Risk, Scopes, Tool, cannot_tell, change_tool,
        keyed_effect, read_tool,
    )

    class Args(BaseModel):
        \"\"\"Tell the weather.\"\"\"
        model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"city": "x"}]})
        city: str

    class Weather(BaseModel):
        sky: str

    def inspect(args, context):
        return [Facts(args=args.model_dump(), own=True)]

    def execute(facts, context):
        return Result(text="sunny", told="Sunny.", data={"sky": "clear"})

    def bare(name="weather", **own):
        declared = {"args": Args, "result": Weather, "inspect": inspect, "execute": execute}
        return Tool(traits=ToolTraits(name=name), **declared | own)

    def reads(name="weather", **own):
        declared = {
            "title": "Tell the weather", "args": Args, "result": Weather, "scopes": Scopes(),
            "inspect": inspect, "execute": execute,
        }
        return read_tool(name, **declared | own)

    def changes(name="weather", **own):
        declared = {
            "title": "Make the weather", "args": Args, "result": Weather, "scopes": Scopes(),
            "reach": Reach.WRITES, "risk": Risk.LOW, "inspect": inspect, "execute": execute,
            "effect": keyed_effect("weather.make", lambda facts, call: call),
            "reconcile": cannot_tell, "inverse": Irreversible("it rained"),
            "card": lambda facts, zone: (), "expires_at": None,
        }
        return change_tool(name, **declared | own)
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


BARE = "TOOLS = bare()"


def test_a_plugin_is_listed_and_not_even_imported_until_it_is_named(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    assert "weather" in installed()
    assert discover([]) == Discovered()
    assert not shelf.imported("weather")
    assert [tool.name for tool in discover(["weather"]).tools] == ["weather"]


@pytest.mark.parametrize(
    "offer",
    ["TOOLS = bare()", "TOOLS = (bare(),)", "def TOOLS(): return [bare()]"],
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
    [facts] = tool.examine({"city": "Ulm"}, a_context())
    assert (tool.reach_of(facts), tool.risk(facts)) == (Reach.EXECUTES, Risk.HIGH)
    assert tool.asks(facts)
    assert not facts.own
    assert tool.card(facts, "UTC") == (Line(label="city", value="Ulm"),)
    assert tool.change is not None
    assert tool.change.effect(facts, "c1").key == "c1"
    assert not tool.undoable
    assert tool.irreversible
    with pytest.raises(Permanent, match="cannot tell"):
        tool.reconcile(facts, a_context())
    assert tool.version == "weather_tools 2.0 1"


def test_whatever_a_plugin_says_is_outside(shelf: Shelf) -> None:
    shelf.install("weather", BARE)
    [tool] = discover(["weather"]).tools
    result = tool.execute(Facts(args={"city": "Ulm"}), a_context())
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
        ('TOOLS = bare("W!")', "W!: name: 'W!' is not"),
        ("TOOLS = bare(reach=Reach.GOVERNS)", "weather: governing is not for plugins"),
        ("TOOLS = changes(reach=Reach.GOVERNS)", "weather: governing is not for plugins"),
        (
            'TOOLS = changes(creates_event=lambda f: ("", ""))',
            "weather: creates_event: only built-in tools create events",
        ),
        ('TOOLS = bare("read_email")', "read_email: there is a tool named read_email already"),
        ("TOOLS = bare(result=None)", "weather: result: it is no pydantic model, and every tool"),
        ("TOOLS = reads(result=None)", "weather: result: it is no pydantic model, and every tool"),
        (
            'TOOLS = read_tool("r", args=Args, inspect=inspect, execute=execute)',
            "it cannot be loaded: TypeError: read_tool() missing",
        ),
        (
            'TOOLS = change_tool("c", args=Args, inspect=inspect, execute=execute)',
            "it cannot be loaded: TypeError: change_tool() missing",
        ),
        ('TOOLS = reads(scopes=Scopes(apps=("http",)))', "weather: scopes: 'http' is no name"),
        ('TOOLS = reads(scopes=Scopes(network=("a b",)))', "weather: scopes: 'a b' is no host"),
    ],
)
def test_a_broken_plugin_is_reported_and_costs_no_other(shelf: Shelf, body: str, said: str) -> None:
    shelf.install("broken", body)
    shelf.install("fine", "TOOLS = bare('fine')")
    found = discover(["fine", "broken"], taken=["read_email"])
    assert [tool.name for tool in found.tools] == ["fine"]
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
    lines = tool.card(Facts(args={"words": "milk", "copies": 9}), "UTC")
    assert [line.label for line in lines] == ["Do", "words", "copies"]


def test_a_read_of_a_plugin_stays_a_read_and_takes_the_queue() -> None:
    tool = guarded(reading(quick=True), origin="x 1")
    facts = Facts(args={"words": "milk"})
    assert (tool.reach_of(facts), tool.risk(facts)) == (Reach.READS, Risk.LOW)
    assert not tool.quick
    assert tool.change is None


def test_what_a_plugin_found_out_after_a_crash_is_outside_too() -> None:
    found = guarded(writing(reconcile=lambda _f, _e: Result(text="it was done")), origin="x 1")
    nothing = guarded(writing(reconcile=lambda _f, _e: None), origin="x 1")
    settled = found.reconcile(Facts(args={}), a_context())
    assert settled is not None
    assert settled.outside
    assert nothing.reconcile(Facts(args={}), a_context()) is None


def test_a_plugin_is_kept_inside_the_scopes_it_declares(shelf: Shelf) -> None:
    shelf.install(
        "weather",
        """
        def at(args, context):
            return [Facts(args=args.model_dump(), hosts=(args.city,))]

        def runs(facts, context):
            raise AssertionError("it ran")

        TOOLS = [
            reads(inspect=at, execute=runs, scopes=Scopes(network=("sky.example",))),
            reads("anywhere", inspect=at, execute=runs),
        ]
        """,
    )
    tools = {tool.name: tool for tool in discover(["weather"]).tools}
    [inside] = invocations(tools["weather"], {"city": "sky.example"}, a_context())
    assert not inside.facts.trouble
    for name, city in (("weather", "evil.example"), ("anywhere", "sky.example")):
        [outside] = invocations(tools[name], {"city": city}, a_context())
        assert "is outside the hosts that this tool declares" in outside.facts.trouble
        result = outside.execute()
        assert result.error is not None
        assert result.error.type is ErrorType.PERMISSION_DENIED
