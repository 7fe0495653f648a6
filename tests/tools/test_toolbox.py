"""Tools by name, group, category and mode, and as a model is told of them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from jsonschema import Draft202012Validator

from assistant.domain.errors import NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Confirmation, Group, ToolTraits
from assistant.domain.text.invisible import without_invisible
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox
from tests.tools.samples import Bare, Noted, a_context, as_asked, reading, said, writing

names = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
tools = st.builds(
    lambda make, name, **own: make(name, **own),
    st.sampled_from([reading, writing]),
    names,
    description=st.text(min_size=1, max_size=40),
    group=st.sampled_from(Group),
    category=st.sampled_from(["read_only", "system_write", "network", "of_a_plugin"]),
    allowed_modes=st.frozensets(st.sampled_from(Mode), min_size=1),
)
undoing = st.builds(lambda name: writing(name, internal=True), names)
boxes = st.lists(tools, max_size=12)


@given(boxes, tools)
def test_a_tool_that_is_registered_is_the_one_that_is_found(
    others: list[Tool[Any]], tool: Tool[Any]
) -> None:
    """Property 1: registering a tool and retrieving it by its name gives the same instance."""
    box = Toolbox(*others)
    box.register(tool)
    assert box.get(tool.name) is tool
    assert box[tool.name] is tool


@given(boxes, tools, tools)
def test_the_same_name_replaces(
    others: list[Tool[Any]], first: Tool[Any], second: Tool[Any]
) -> None:
    """Property 2: of two tools of one name, only the second can be retrieved."""
    box = Toolbox(*others, first)
    same = writing(first.name, description=second.description)
    box.register(same)
    assert box.get(first.name) is same
    assert [tool for tool in box.list() if tool.name == first.name] == [same]


@given(boxes, tools)
def test_what_is_unregistered_is_gone(others: list[Tool[Any]], tool: Tool[Any]) -> None:
    """Property 3: a tool that was unregistered by name is no longer retrievable."""
    box = Toolbox(*others, tool)
    box.unregister(tool.name)
    assert box.get(tool.name) is None
    assert tool.name not in {listed.name for listed in box.list()}
    with pytest.raises(NotFound):
        box[tool.name]
    box.unregister(tool.name)


@given(boxes)
def test_the_list_is_in_the_order_of_names_each_time(some: list[Tool[Any]]) -> None:
    """Property 4: list() is alphabetical by name, and the same at every call."""
    box, turned = Toolbox(*some), Toolbox(*reversed(some))
    listed = [tool.name for tool in box.list()]
    assert listed == sorted({tool.name for tool in some})
    assert box.list() == box.list()
    assert [tool.name for tool in turned.list()] == listed


@given(boxes)
def test_there_is_one_whole_schema_for_each_tool(some: list[Tool[Any]]) -> None:
    """Property 5: exactly one schema a tool, with name, description and parameters preserved."""
    box = Toolbox(*some)
    assert [(schema.name, schema.description, schema.parameters) for schema in box.schemas()] == [
        (tool.name, without_invisible(tool.description), tool.schema.parameters)
        for tool in box.list()
    ]
    for schema, function in zip(box.schemas(), box.functions(), strict=True):
        assert function == {
            "type": "function",
            "function": {
                "name": schema.name,
                "description": schema.description,
                "parameters": schema.parameters,
            },
        }
        Draft202012Validator.check_schema(schema.parameters)
        assert schema.parameters["type"] == "object"
        assert schema.parameters["additionalProperties"] is False


@given(
    boxes,
    st.none() | st.sampled_from(Group),
    st.none() | st.sampled_from(["read_only", "of_a_plugin"]),
    st.none() | st.sampled_from(Mode),
)
def test_a_part_of_the_list_is_those_that_fit_and_no_others(
    some: list[Tool[Any]], group: Group | None, category: str | None, mode: Mode | None
) -> None:
    box = Toolbox(*some)
    part = box.list(group=group, category=category, mode=mode)
    for tool in box.list():
        fits = (
            group in (None, tool.traits.group)
            and category in (None, tool.traits.category)
            and (mode is None or mode in tool.traits.allowed_modes)
        )
        assert (tool in part) is fits
    listed = [tool.name for tool in box.list(group=group, mode=mode)]
    assert [f["function"]["name"] for f in box.functions(group=group, mode=mode)] == listed


@given(boxes, undoing)
def test_an_internal_tool_is_there_for_code_and_not_for_a_model(
    others: list[Tool[Any]], tool: Tool[Any]
) -> None:
    box = Toolbox(*others, tool)
    assert box.get(tool.name) is tool
    assert box.offered(tool.name) is None
    assert box.traits(tool.name) == ToolTraits.unknown(tool.name)
    assert box.traits(tool.name, internal=True) == tool.traits
    assert tool.name not in {each.name for each in box.list()}
    assert tool.name not in {schema.name for schema in box.schemas()}
    assert tool.name not in {each["function"]["name"] for each in box.functions()}
    assert tool in box.list(internal=True)
    assert tool.schema in box.schemas(internal=True)
    assert len(box.functions(internal=True)) == len(box.list()) + 1


@given(boxes, tools)
def test_any_other_tool_is_offered(others: list[Tool[Any]], tool: Tool[Any]) -> None:
    box = Toolbox(*others, tool)
    assert box.offered(tool.name) is tool
    assert box.list(internal=True) == box.list()
    assert box.offered("no_such_tool_anywhere") is None


class Registry(RuleBasedStateMachine):
    """Whatever is done to it, a toolbox is a table from names to tools."""

    def __init__(self) -> None:
        super().__init__()
        self.box = Toolbox()
        self.table: dict[str, Tool[Any]] = {}

    @rule(tool=tools)
    def register(self, tool: Tool[Any]) -> None:
        self.box.register(tool)
        self.table[tool.name] = tool

    @rule(name=names, data=st.data())
    def unregister(self, name: str, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([name, *sorted(self.table)]))
        self.box.unregister(name)
        self.table.pop(name, None)

    @invariant()
    def it_is_the_table(self) -> None:
        assert self.box.list() == [self.table[name] for name in sorted(self.table)]


TestRegistry = Registry.TestCase
TestRegistry.settings = settings(stateful_step_count=20)


def test_in_lockdown_only_reads_are_on_offer() -> None:
    box = Toolbox(reading(), writing())
    assert [tool.name for tool in box.list(mode=Mode.LOCKDOWN)] == ["read_note"]


def test_the_traits_are_what_the_tool_declares() -> None:
    declared: dict[str, Any] = {"rate_per_hour": 3, "remembers": True, "enforced": True}
    tool = writing(**declared)
    assert {name: getattr(tool.traits, name) for name in declared} == declared
    assert (tool.name, tool.version) == (tool.traits.name, tool.traits.version)
    assert tool.traits.known
    assert Toolbox(tool).traits(tool.name) == tool.traits


def test_an_unknown_name_has_the_traits_of_no_tool() -> None:
    traits = Toolbox().traits("no_such")
    assert not traits.known
    assert traits.confirmation is Confirmation.ALWAYS
    assert traits.allowed_modes == frozenset()


def test_a_tool_that_declares_nothing_executes_at_high_risk() -> None:
    traits = ToolTraits(name="bare")
    tool = Tool(traits=traits, args=Bare, result=Noted, inspect=as_asked, execute=said)
    [facts] = tool.examine({}, a_context())
    assert facts.trouble  # it named a note, and declared that it touches nothing
    assert tool.reach_of(facts) == "executes"
    assert tool.risk(facts) == "high"
    assert tool.asks(facts)
    assert Mode.LOCKDOWN not in tool.traits.allowed_modes


def test_examples_of_a_schema_are_not_told_to_a_model() -> None:
    assert "examples" not in reading().schema.parameters
