"""What lies outside the declared paths, apps and hosts is stopped; the same act inside passes."""

import pytest

from assistant.domain.calls import Facts
from assistant.domain.errors import Denied
from assistant.domain.tool_errors import ErrorType
from assistant.domain.traits import Scopes
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result
from assistant.tools.contract.scopes import out_of_scope
from tests.tools.samples import a_context, reading, writing


def at(*locations: str, hosts: tuple[str, ...] = ()) -> Facts:
    return Facts(args={"words": "milk", "copies": 1}, locations=locations, hosts=hosts)


@pytest.mark.parametrize(
    ("scopes", "inside", "outside"),
    [
        (
            Scopes(paths=("private:/notes/**",)),
            ["private:/notes/a", "private:/notes/a/b.txt", "private:/notes/", "private:/notes"],
            [
                "private:/letters/a",
                "private:/notes2/a",
                "private:/",
                "public:/notes/a",
                "private:/notes/../letters/a",
                "private:/notes/./a",
                "private:/notes//a",
                "private",
                "",
                "notes:private:/notes/a",
                "https://private/notes/a",
            ],
        ),
        (
            Scopes(paths=("/home/me/work/**", "/tmp/x")),
            ["/home/me/work/a.py", "/tmp/x"],
            ["/home/me/a", "/home/me/work/../a", "/tmp/x/y", "/tmp", "home/me/work/a"],
        ),
        (
            Scopes(apps=("calendar",)),
            ["calendar:1a2b", "calendar:/odd//uid/..", "calendar:"],
            [
                "mail:1a2b",
                "calendar",
                "calendars:1",
                " calendar:1",
                "private:/calendar",
                "Calendar:1",
            ],
        ),
        (Scopes(apps=("private", "https")), [], ["private:/a", "https://example.org/"]),
        (
            Scopes(network=("example.org", "*.example.com")),
            ["https://example.org/a", "http://a.example.com:8080/b?c#d", "https://EXAMPLE.org/"],
            [
                "https://evil.org/",
                "https://example.com/",
                "https://example.org.evil.org/",
                "https://example.org@evil.org/",
                "https://evil.org\\@example.org/",
                "https://evil.org\\.example.com/",
                "https:///example.org/",
                "https://[::1/",
                "ftp://example.org/",
                "https://exam ple.org/",
                "https://evil.org\n.example.com/",
            ],
        ),
        (Scopes(), [], ["private:/a", "calendar:1", "https://example.org/", "/", ""]),
    ],
)
def test_locations(scopes: Scopes, inside: list[str], outside: list[str]) -> None:
    assert [place for place in inside if out_of_scope(scopes, at(place))] == []
    assert [place for place in outside if not out_of_scope(scopes, at(place))] == []
    for place in inside:
        for other in outside:
            assert out_of_scope(scopes, at(place, other))


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        (
            ("tides.example",),
            ["tides.example", "TIDES.example."],
            ["evil.example", "a.tides.example", "tides.example2"],
        ),
        (("*.tides.example",), ["a.tides.example"], ["tides.example", "a.tides.example.evil.org"]),
        (("10.0.0.1",), ["10.0.0.1"], ["10.0.0.11", "example.org"]),
        (("*",), ["example.org", "1.1.1.1", "2606:4700::1111"], ["localhost", "10.0.0.1", "nas"]),
        ((), [], ["example.org", ""]),
    ],
)
def test_hosts(network: tuple[str, ...], inside: list[str], outside: list[str]) -> None:
    scopes = Scopes(network=network)
    assert [host for host in inside if out_of_scope(scopes, at(hosts=(host,)))] == []
    assert [host for host in outside if not out_of_scope(scopes, at(hosts=(host,)))] == []


def test_a_call_that_names_no_place_stays_inside() -> None:
    assert out_of_scope(Scopes(), at()) == ""


def test_the_reason_is_plain_and_a_stranger_cannot_forge_a_line_of_it() -> None:
    why = out_of_scope(Scopes(paths=("private:/a",)), at("public:/x\nallowed: all"))
    outside, declared = why.split(" that this tool declares: ")
    assert (outside, declared) == (
        "public:/x allowed: all is outside the paths and apps",
        "private:/a",
    )


@pytest.mark.parametrize("make", [reading, writing])
def test_a_call_outside_has_no_way_to_its_tool(make: object) -> None:
    ran: list[Facts] = []

    def execute(facts: Facts, _context: object) -> Result:
        ran.append(facts)
        return Result(text="done")

    tool = make(execute=execute)  # type: ignore[operator]
    for facts, error in ((at("note:1"), None), (at("letter:1"), ErrorType.PERMISSION_DENIED)):
        result = Invocation(tool=tool, facts=facts, context=a_context()).execute()
        assert (result.error.type if result.error else None) == error
    assert ran == [at("note:1")]
    with pytest.raises(Denied, match="letter:1 is outside"):
        tool.inverse(at("letter:1"), a_context())


def test_a_tool_that_wants_a_sandbox_inspects_and_executes_nothing() -> None:
    def never(*_: object) -> Result:
        raise AssertionError("it ran")

    tool = reading(sandbox=True, inspect=never, execute=never)
    with pytest.raises(Denied, match="only in a sandbox, and there is none"):
        tool.examine({"words": "milk"}, a_context())
    result = Invocation(tool=tool, facts=at(), context=a_context()).execute()
    assert result.error is not None
    assert result.error.type is ErrorType.PERMISSION_DENIED
