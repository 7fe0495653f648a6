"""Read a policy from YAML: return a ``Policy``, or each problem with its line.

Reads only plain YAML: no anchors, tags, merges or second documents. ``true`` and ``false`` are the
only booleans, so that ``no`` and ``on`` stay words; ``0123``, ``1:30`` and dates stay texts.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from yaml.composer import Composer
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # PyYAML's stubs
from yaml.resolver import Resolver

from assistant.domain.policy.check import (
    MOST_PROBLEMS,
    Tools,
    advice_on,
    check_policy,
    nearest,
    unknown_tools,
)
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import BadPolicy, Problem
from assistant.domain.policy.rules import Condition, Operator, Rule, text_of
from assistant.domain.policy.text import LARGEST
from assistant.domain.policy.tool_limits import IN_MEBIBYTES, Governance
from assistant.domain.text.patterns import BadPattern, Pattern, shared, shared_glob

NODES = 60_000
"""The most keys and values of one file."""
DEEPEST = 20
_EXACT = 2**53 - 1
"""The largest whole number that JSON, and hence an argument, holds exactly (RFC 8259)."""
EXPRESSIONS = 2_000_000
"""The most instructions of all regular expressions and paths together: a second to compile."""
_FAILED = 10_000
"""What an expression counts that cannot be compiled: it was tried all the same."""

Path = tuple[str | int, ...]
T = TypeVar("T", list[Any], dict[str, Any])
_Compile = Callable[[str], Pattern]


def read_policy(text: str, *, tools: Tools | None = None, checked: bool = False) -> Policy:
    """Return the policy of a file.

    ``tools`` maps each tool's name to the JSON Schema of its arguments, to check names and types;
    without it, these are not checked. ``checked``: it was found good before, so that it only has to
    be understood.

    Raises:
        BadPolicy: the file has problems; holds the first hundred, in the order of the lines.
    """
    document = _Document(text)
    policy, places = document.policy()
    if not checked:
        document.problems += check_policy(policy, tools, places=places)
        named = islice(unknown_tools(document.tools(), tools), MOST_PROBLEMS)
        document.problems += named
    if document.problems:
        placed = sorted({document.placed(one) for one in document.problems}, key=_line)
        raise BadPolicy(placed[:MOST_PROBLEMS])
    return policy


def advise(text: str, *, changing: Collection[str]) -> list[Problem]:
    """Return what to think about in a sound policy, in the order of the lines.

    ``changing`` names the tools that change something. Raises ``BadPolicy``.
    """
    document = _Document(text)
    policy, _ = document.policy()
    if document.problems:
        raise BadPolicy([document.placed(one) for one in document.problems])
    placed = (document.placed(one) for one in advice_on(policy, changing))
    return sorted(placed, key=_line)[:MOST_PROBLEMS]


def _line(problem: Problem) -> tuple[int, int, str]:
    return problem.line, problem.column, problem.words


class _Mark(Protocol):
    """A position, of PyYAML or of libyaml; counts from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass
class _Document:
    """The text as plain values, each with its position."""

    text: str
    data: Any = None
    problems: list[Problem] = field(default_factory=list)
    _compiled: dict[tuple[str, _Compile], Pattern | None] = field(default_factory=dict)
    """The expressions and paths, kept until the policy holds them; None for a broken one."""
    _marks: dict[Path, _Mark] = field(default_factory=dict)
    _keys: dict[Path, _Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            root = _parsed(self.text)
        except _Refused as refused:
            self.problems.append(refused.problem)
            return
        self.data = self._plain(root, ())
        try:
            self._compile()
        except _TooLarge as error:
            words = "the regular expressions and paths up to here are too large together"
            self.problems.append(
                Problem(path=error.path, words=words, fix="write fewer or simpler ones")
            )
            self.data = None
            return
        if isinstance(self.data, dict) and "version" not in self.data:
            fix = "begin the file with version: 1"
            self.problems.append(Problem(words="it does not say its version", fix=fix))

    def policy(self) -> tuple[Policy, Sequence[int]]:
        """Return the policy, and each rule's place in the file.

        Records every malformed part as a problem, and leaves it out.
        """
        if self.data is None:
            return Policy(), ()
        try:
            policy = Policy.model_validate(self.data)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            placed = sorted(found, key=lambda one: self._line_of(one["loc"]))
            self.problems += [_problem(one) for one in placed[:MOST_PROBLEMS]]
            return _rest(self.data, {one["loc"][:2] for one in found})
        return policy, range(len(policy.rules))

    def _compile(self) -> None:
        """Compile every expression once. Raises ``_TooLarge`` where they become too large."""
        left = EXPRESSIONS
        for path, text, compile_ in (*_expressions(self.data), *_globs(self.data)):
            if (text, compile_) in self._compiled:
                continue
            try:
                self._compiled[text, compile_] = made = compile_(text)
                left -= made.size
            except BadPattern:  # it is told with its place when its part is validated
                self._compiled[text, compile_] = None
                left -= _FAILED
            if left < 0:
                raise _TooLarge(path)

    def tools(self) -> Iterator[tuple[Path, str]]:
        """Yield every place that names a tool, malformed parts included."""
        data = self.data if isinstance(self.data, dict) else {}
        rules, tools = data.get("rules"), data.get("tools")
        for place, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict) and isinstance(rule.get("tool"), str):
                yield ("rules", place, "tool"), rule["tool"]
        for name in tools if isinstance(tools, dict) else ():
            yield ("tools", name), name

    def placed(self, problem: Problem) -> Problem:
        """Return a problem with its line and column."""
        if problem.line:
            return problem
        mark = self._mark(problem.path)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return problem.model_copy(update={"line": line, "column": column})

    def _line_of(self, path: Path) -> int:
        mark = self._mark(path)
        return mark.line if mark else 0

    def _mark(self, path: Path) -> _Mark | None:
        """Return the position of a key or list entry, or of the nearest one around it."""
        for end in range(len(path), -1, -1):
            found = self._keys.get(path[:end]) or self._marks.get(path[:end])
            if found:
                return found
        return None

    def _plain(self, node: yaml.Node, path: Path) -> Any:
        self._marks[path] = node.start_mark
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(one, (*path, place)) for place, one in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name:
                self._say(path, "a key is a word", "write name: value", key.start_mark)
                continue
            inner = (*path, name)
            if name in made:
                first = self._keys[inner].line + 1
                fix = f"keep one of them; the first is in line {first}"
                self._say(inner, "is there twice", fix, key.start_mark)
                continue
            self._keys[inner] = key.start_mark
            made[name] = self._plain(value, inner)
        return made

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        kind, text = node.tag.rpartition(":")[2], str(node.value)
        if kind == "null":
            return None
        if kind == "bool":
            return text == "true"
        if kind == "int":
            if len(text) <= len(str(_EXACT)) + 1 and abs(int(text)) <= _EXACT:
                return int(text)
            self._say(path, "is larger than any number can be", "put it in quotes", node.start_mark)
            return 0
        return float(text) if kind == "float" else text

    def _say(self, path: Path, words: str, fix: str, mark: _Mark) -> None:
        place = {"line": mark.line + 1, "column": mark.column + 1}
        self.problems.append(Problem(path=path, words=words, fix=fix, **place))


def _rest(data: dict[str, Any], broken: Collection[Path]) -> tuple[Policy, Sequence[int]]:
    """Return the policy without the broken rules, tools and keys, and each rule's place."""
    left = {key: value for key, value in data.items() if (key,) not in broken}
    rules, tools = left.get("rules") or [], left.get("tools") or {}
    places = [place for place in range(len(rules)) if ("rules", place) not in broken]
    left["rules"] = [rules[place] for place in places]
    left["tools"] = {name: tools[name] for name in tools if ("tools", name) not in broken}
    try:
        return Policy.model_validate(left), places
    except ValidationError:  # problems of the whole file are recorded already
        return Policy(), ()


def _expressions(data: Any) -> Iterator[tuple[Path, str, _Compile]]:
    """Yield each regular expression of the rules, malformed rules included, and its place."""
    for place, rule in enumerate(_at(data, "rules", list)):
        for number, one in enumerate(_at(rule, "conditions", list)):
            if isinstance(one, dict) and one.get("operator") == Operator.MATCHES:
                value = one.get("value")
                for text in value if isinstance(value, list) else (value,):
                    if isinstance(text, str | int | float) and text != "":
                        yield ("rules", place, "conditions", number), text_of(text), shared


def _globs(data: Any) -> Iterator[tuple[Path, str, _Compile]]:
    """Yield each path of the tools' limits, and its place."""
    for name, limits in _at(data, "tools", dict).items():
        for kind in ("allowed_paths", "forbidden_paths"):
            for place, text in enumerate(_at(limits, kind, list)):
                if isinstance(text, str):
                    yield ("tools", name, kind, place), text, shared_glob


def _at(data: Any, name: str, kind: type[T]) -> T:
    """Return what stands under a name, or something empty where it is no such thing."""
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, kind) else kind()


class _TooLarge(Exception):
    """The expressions up to this place are too large together."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path


class _Refused(Exception):
    """The text is no YAML, or has parts that are not permitted."""

    def __init__(self, words: str, fix: str, mark: _Mark | None = None) -> None:
        super().__init__(words)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        self.problem = Problem(words=words, fix=fix, line=line, column=column)


def _parsed(text: str) -> yaml.Node:
    if len(text.encode("utf-8", "replace")) > LARGEST:
        raise _Refused("the file is larger than 1 MiB", "a policy is a few pages; split the lists")
    try:
        data = text.encode()
        loader = _Loader(data)
        try:
            root = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        raise _unreadable(data.count(b"\n", 0, error.position)) from error
    except UnicodeEncodeError as error:
        raise _unreadable(text.count("\n", 0, error.start)) from error
    except yaml.MarkedYAMLError as error:
        words = " ".join(filter(None, (error.context, error.problem)))
        fix = "look for a missing quote, colon or indent near here"
        raise _Refused(words, fix, error.problem_mark or error.context_mark) from error
    if root is None:
        raise _Refused("the file is empty", "begin it with version: 1")
    if not isinstance(root, yaml.MappingNode):
        raise _Refused("a policy has names and values", "begin it with version: 1", root.start_mark)
    return root


def _unreadable(line: int) -> _Refused:
    """Say that a character is not allowed; ``line`` counts from 0."""
    words = "there is a character that is not allowed in a text file"
    return _Refused(words, "take it out", yaml.Mark("", 0, line, 0, None, 0))


class _Loader(Composer, Resolver, CParser):
    """Composes nodes from libyaml's events, within limits; never builds a value."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (PyYAML's)

    def __init__(self, data: bytes) -> None:
        CParser.__init__(self, data)
        Composer.__init__(self)
        Resolver.__init__(self)
        self._nodes = 0
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = cast("yaml.Event", self.peek_event())
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused("anchors and aliases are not read", "write it out", event.start_mark)
        if getattr(event, "tag", None):
            raise _Refused("tags are not read", "write a plain value", event.start_mark)
        self._nodes += 1
        if self._nodes > NODES or self._depth >= DEEPEST:
            words = "there is too much of it" if self._nodes > NODES else "it is nested too deep"
            raise _Refused(words, "a policy is flat", event.start_mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


for _kind, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ["n", "~", ""]),
    ("int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?", "-0123456789"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_kind}", re.compile(rf"(?:{_pattern})\Z"), list(_first)
    )


_WORDS = {
    "string_type": ("is no text", "write one, in quotes if it looks like a number"),
    "bool_type": ("is neither true nor false", "write one of them"),
    "int_type": ("is no whole number", "write one"),
    "greater_than_equal": ("is below zero", "write 0 or more"),
    "tuple_type": ("is no list", "write a list, each entry after a dash"),
    "dict_type": ("has no names and values", "write name: value below it, indented"),
    "model_type": ("has no names and values", "write name: value below it, indented"),
    "too_long": ("has too many entries", "make it shorter"),
    "string_too_long": ("is too long", "make it shorter"),
    "string_too_short": ("is empty", "write something"),
    "missing": ("is missing", "write it"),
}
"""Words and fix for pydantic's types of errors."""


def _problem(error: ErrorDetails) -> Problem:
    """Turn an error of pydantic into a problem, in words for the author of the file."""
    path: Path = error["loc"]
    context = error.get("ctx", {})
    if error["type"] == "policy":
        return Problem(path=path, words=context["words"], fix=context["fix"])
    if error["type"] == "extra_forbidden":
        names = _names_at(path[:-1])
        fix = nearest(str(path[-1]), names) or f"known here are {', '.join(names)}"
        return Problem(path=path, words="is not known here", fix=fix)
    if error["type"] in ("enum", "literal_error"):
        words = "is not one of the words for it"
        return Problem(path=path, words=words, fix=f"write {context.get('expected')}")
    words, fix = _WORDS.get(error["type"], (error["msg"], "see the page on policies"))
    return Problem(path=path, words=words, fix=fix)


def _names_at(path: Path) -> list[str]:
    """Return the keys that are permitted at a place of the file."""
    model: type[BaseModel] = Policy
    if len(path) > 3 and path[2] == "conditions":  # noqa: PLR2004 (rules, 0, conditions, 0)
        model = Condition
    elif path[:1] == ("rules",):
        model = Rule
    elif path[:1] == ("tools",):
        return [*Governance.model_fields, IN_MEBIBYTES]
    return list(model.model_fields)


def write_rule(rule: Rule) -> str:
    """The rule as an entry of the file's ``rules``."""
    plain = [rule.model_dump(mode="json", exclude_defaults=True)]
    legible = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=1_000)
    if yaml.safe_load(legible) == plain:
        return legible
    return yaml.safe_dump(plain, sort_keys=False, width=1_000)  # it reads U+0085 as a line's end
