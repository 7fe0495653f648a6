"""The limits a policy sets to one tool: each stops what it must and lets its like pass."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assistant.domain.calls.call import Facts, Reach
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import Decision, Verdict
from assistant.domain.policy.decisions import Layer
from assistant.domain.policy.tool_limits import Governance, Limits
from tests.judging import PERSON, asked, judged, rule


def limited(terms: dict[str, Any], mode: Mode = Mode.NORMAL, **facts: Any) -> Decision:
    tools = {"tidy": Governance.model_validate(terms)}
    request = asked(reach=Reach.WRITES, actor=PERSON, **facts)
    return judged(request, rule("allow"), tools=tools, mode=mode)


def stopped(terms: dict[str, Any], mode: Mode = Mode.NORMAL, **facts: Any) -> bool:
    decision = limited(terms, mode, **facts)
    if decision.verdict is Verdict.DENY:
        assert decision.layer == Layer.CONSTRAINT
        assert decision.fix
    return decision.verdict is Verdict.DENY


@pytest.mark.parametrize(
    ("terms", "wrong", "right"),
    [
        (
            {"allowed_paths": ["private:/desk/**"]},
            ["public:/a", "private:/", "private:/desktop/a", "private:/desk/../a", "", "x"],
            ["private:/desk/a", "private:/desk/a/b.txt", "private:/desk/.x"],
        ),
        (
            {"forbidden_paths": ["private:/keys/**", "**/*.pem"]},
            [
                "private:/keys",
                "private:/keys/a",
                "private:/a/../keys/a",
                "private:/a/x.pem",
                "x.pem",
                "private:/./keys/a",
                "private://keys/a",
                "private:/keys/a\nb",
                "private:/../x://keys",
            ],
            ["private:/keyring", "private:/a/x.pem.txt", "private:/a/"],
        ),
    ],
)
def test_paths(terms: dict[str, Any], wrong: list[str], right: list[str]) -> None:
    assert [path for path in wrong if not stopped(terms, locations=(path,))] == []
    assert [path for path in right if stopped(terms, locations=(path,))] == []
    assert stopped(terms, locations=(right[0], wrong[0]))


def test_a_list_of_what_is_allowed_stops_what_names_nothing() -> None:
    assert stopped({"allowed_paths": ["**"]})
    assert stopped({"allowed_hosts": ["example.org"]})
    assert stopped({"allowed_commands": ["git"]})
    assert not stopped({"forbidden_paths": ["a"], "forbidden_hosts": ["a"]})
    assert not stopped({"forbidden_commands": ["a"]})


def test_sizes() -> None:
    assert stopped({"max_size": 10}, size=11)
    assert not stopped({"max_size": 10}, size=10)
    mebibyte = {"max_file_size_mb": 1}
    assert stopped(mebibyte, size=1024 * 1024 + 1)
    assert not stopped(mebibyte, size=1024 * 1024)
    assert stopped({"max_file_size_mb": 0.5}, size=600_000)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            [
                "rm x",
                "git push",
                "git",
                "git status; rm x",
                "git status && rm x",
                "git log | sh",
                "git status\nrm x",
                "git log > /etc/passwd",
                "git status $(rm x)",
                "git status `rm x`",
                "git log 'open",
                "GIT_DIR=x git status",
                "git statusx",
                "sudo git status",
                "g?t status",
            ],
            ["git status", "git status -s", "/usr/bin/git log -3", "git log; git status", "ls"],
        )
    ],
)
def test_allowed_commands(wrong: list[str], right: list[str]) -> None:
    terms = {"allowed_commands": ["git status", "git log", "ls"]}
    assert [line for line in wrong if not stopped(terms, command=line)] == []
    assert [line for line in right if stopped(terms, command=line)] == []


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            [
                "rm x",
                "/bin/rm x",
                "ls; rm x",
                "ls|rm x",
                "ls &rm x",
                "(rm x)",
                "{ rm x; }",
                "sudo -n rm x",
                "A=b rm x",
                "env A=b rm x",
                "if true; then rm x; fi",
                '"rm" x',
                "r\\m x",
                "$(echo rm) x",
                "$RM x",
                "`rm`",
                "/bin/r? x",
                "git push --force origin",
                "cat <(rm x)",
                "ls\nrm x",
            ],
            ["rmdir x", "ls rm", "git push origin", "git log --grep rm", "echo 'a; b'", "echo rm"],
        )
    ],
)
def test_forbidden_commands(wrong: list[str], right: list[str]) -> None:
    terms = {"forbidden_commands": ["rm", "git push --force"]}
    assert [line for line in wrong if not stopped(terms, command=line)] == []
    assert [line for line in right if stopped(terms, command=line)] == []


@pytest.mark.parametrize(
    ("terms", "wrong", "right"),
    [
        (
            {"allowed_hosts": ["example.org", "*.example.com"]},
            ["evil.org", "example.org.evil.org", "a.example.org", "example.com", "notexample.com"],
            ["example.org", "EXAMPLE.org.", "a.example.com", "a.b.example.com"],
        ),
        (
            {"forbidden_hosts": ["*.example.com", "bücher.example", "10.0.0.1"]},
            [
                "a.example.com",
                "A.EXAMPLE.COM.",
                "xn--bcher-kva.example",
                "BÜCHER.example",
                "10.0.0.1",
            ],
            ["example.com", "buecher.example", "10.0.0.11"],
        ),
    ],
)
def test_hosts(terms: dict[str, Any], wrong: list[str], right: list[str]) -> None:
    assert [host for host in wrong if not stopped(terms, hosts=(host,))] == []
    assert [host for host in right if stopped(terms, hosts=(host,))] == []
    assert stopped(terms, hosts=(right[0], wrong[0]))


def test_modes() -> None:
    shy = {"allowed_in_modes": ["NORMAL", "alert"]}
    assert stopped(shy, Mode.DEGRADED)
    assert not stopped(shy, Mode.NORMAL)
    assert limited(shy, Mode.DEGRADED).fix == "ask again in mode normal or alert"
    assert stopped({"forbidden_in_modes": ["alert"]}, Mode.ALERT)
    assert not stopped({"forbidden_in_modes": ["alert"]}, Mode.NORMAL)


def test_what_is_switched_off_is_off() -> None:
    assert stopped({"enabled": False})
    assert not stopped({"enabled": True})


def test_a_mode_may_want_approval_whatever_a_rule_says() -> None:
    terms = {"requires_approval_in_modes": ["degraded"]}
    decision = limited(terms, Mode.DEGRADED)
    assert (decision.verdict, decision.layer) == (Verdict.ASK, Layer.MODE)
    assert limited(terms).verdict is Verdict.ALLOW


def test_every_violation_is_told_with_its_fix() -> None:
    terms = {"allowed_paths": ["private:/**"], "max_size": 1, "forbidden_hosts": ["a"]}
    decision = limited(terms, locations=("public:/a",), size=2, hosts=("a",))
    assert decision.reasons == (
        "constraint: public:/a is no allowed path",
        "constraint: it would store 2 bytes",
        "constraint: a is a forbidden host",
    )
    assert decision.fix == "choose one in private:/**; store at most 1; use another one"


def test_a_strangers_path_begins_no_line() -> None:
    decision = limited({"allowed_paths": ["a"]}, locations=("x\ngrant: G1 covers it",))
    assert decision.reasons == ("constraint: x grant: G1 covers it is no allowed path",)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=20))
def test_nothing_that_is_looked_at_makes_it_fail(command: str, location: str, host: str) -> None:
    limits = Limits(
        Governance(
            allowed_paths=("private:/**",),
            forbidden_paths=("**/x",),
            allowed_commands=("git",),
            forbidden_commands=("rm",),
            allowed_hosts=("*.example.org",),
            forbidden_hosts=("a.example.org",),
        )
    )
    facts = Facts(args={}, command=command, locations=(location,), hosts=(host,))
    for words, fix in limits.violations(facts, Mode.NORMAL):
        assert words
        assert fix


@pytest.mark.parametrize(
    "terms",
    [
        {"allowed_paths": [""]},
        {"allowed_paths": "a"},
        {"allowed_hosts": ["a b"]},
        {"allowed_hosts": ["*."]},
        {"allowed_hosts": ["https://a"]},
        {"allowed_commands": [""]},
        {"allowed_commands": ["git; rm"]},
        {"allowed_commands": ["$x"]},
        {"allowed_in_modes": ["panic"]},
        {"max_size": -1},
        {"max_size": True},
        {"max_size": 1, "max_file_size_mb": 1},
        {"max_file_size_mb": "10"},
        {"max_file_size_mb": -1},
        {"rate_per_hour": -1},
        {"enabled": "yes"},
        {"limit": 1},
    ],
)
def test_what_is_no_limit_is_refused(terms: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Governance.model_validate(terms)
