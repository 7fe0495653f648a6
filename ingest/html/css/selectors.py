"""Tell whether a selector of CSS matches an element.

cssselect2 parses selectors. It matches them by compiling Python source made of what a stranger
wrote, in quadratic memory; so matching is done here, within a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cssselect2 import parser
from tinycss2.nth import parse_nth

from ingest.html.budget import CpuBudget
from ingest.html.tree import Element

_LINKS = frozenset({"a", "area"})


def parse_selectors(prelude: list[Any]) -> list[parser.Selector]:
    """Parse a list of selectors; empty if a mail program would ignore the rule."""
    try:
        return [found for found in parser.parse(prelude) if found.pseudo_element is None]
    except (ValueError, RecursionError, AttributeError, TypeError):
        return []


def key_of(tree: Any) -> tuple[str, str]:
    """Return what an element must have for this selector, to look up few selectors for each."""
    if isinstance(tree, parser.CombinedSelector):
        tree = tree.right
    key = ("", "")
    for simple in getattr(tree, "simple_selectors", ()):
        if isinstance(simple, parser.IDSelector):
            return ("id", simple.ident)
        if isinstance(simple, parser.ClassSelector):
            key = ("class", simple.class_name)
        elif isinstance(simple, parser.LocalNameSelector) and not key[0]:
            key = ("tag", simple.lower_local_name)
    return key


def matches(tree: Any, element: Element, budget: CpuBudget) -> bool:
    """Return whether a parsed selector matches.

    Raises:
        TimeoutError: the budget is used up.
    """
    budget.spend()
    if not isinstance(tree, parser.CombinedSelector):
        return _matches_compound(tree, element, budget)
    if not _matches_compound(tree.right, element, budget):
        return False
    combinator, left = tree.combinator, tree.left
    parent = element.parent
    if parent is None:
        return False
    others: Iterable[Element]
    if combinator == ">":
        others = (parent,)
    elif combinator == " ":
        others = _ancestors(element)
    else:
        budget.spend(element.index // 16)
        first = 0 if combinator == "~" else max(element.index - 1, 0)
        others = parent.elements[first : element.index]
    return any(matches(left, other, budget) for other in others)


def _ancestors(element: Element) -> Iterator[Element]:
    parent = element.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _matches_compound(tree: Any, element: Element, budget: CpuBudget) -> bool:
    budget.spend()
    return all(_matches_simple(simple, element, budget) for simple in tree.simple_selectors)


def _matches_simple(simple: Any, element: Element, budget: CpuBudget) -> bool:
    test = _TESTS.get(type(simple))
    return test is not None and test(simple, element, budget)


def _attribute(simple: Any, element: Element, _budget: CpuBudget) -> bool:
    found = element.attributes.get(simple.lower_name)
    if found is None or simple.namespace:
        return False
    wanted, operator = simple.value, simple.operator
    if operator is None:
        return True
    if simple.case_sensitive is False:
        found, wanted = found.lower(), wanted.lower()
    return _OPERATORS[operator](found, wanted) if operator in _OPERATORS else False


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda found, wanted: found == wanted,
    "~=": lambda found, wanted: wanted in found.split(),
    "|=": lambda found, wanted: found == wanted or found.startswith(f"{wanted}-"),
    "^=": lambda found, wanted: bool(wanted) and found.startswith(wanted),
    "$=": lambda found, wanted: bool(wanted) and found.endswith(wanted),
    "*=": lambda found, wanted: bool(wanted) and wanted in found,
}


def _pseudo(simple: Any, element: Element, budget: CpuBudget) -> bool:
    siblings = element.parent.elements if element.parent else [element]
    if simple.name.endswith("-of-type"):
        budget.spend(len(siblings) // 4)
    test = _STATES.get(simple.name)
    return test is not None and test(element, siblings)


_STATES: dict[str, Callable[[Element, list[Element]], bool]] = {
    "link": lambda element, _: element.tag in _LINKS and "href" in element.attributes,
    "any-link": lambda element, _: element.tag in _LINKS and "href" in element.attributes,
    "root": lambda element, _: element.parent is None,
    "scope": lambda element, _: element.parent is None,
    "first-child": lambda element, _: element.index == 0,
    "last-child": lambda element, siblings: element.index == len(siblings) - 1,
    "only-child": lambda _, siblings: len(siblings) == 1,
    "first-of-type": lambda element, siblings: _of_type(element, siblings)[0] == 0,
    "last-of-type": lambda element, siblings: _of_type(element, siblings)[1] == 0,
    "only-of-type": lambda element, siblings: _of_type(element, siblings) == (0, 0),
    "empty": lambda element, _: not element.children,
    "checked": lambda element, _: "checked" in element.attributes,
    "enabled": lambda element, _: element.tag == "input" and "disabled" not in element.attributes,
    "disabled": lambda element, _: "disabled" in element.attributes,
}


def _of_type(element: Element, siblings: list[Element]) -> tuple[int, int]:
    """Return how many siblings with the same tag stand before and after."""
    before = sum(other.tag == element.tag for other in siblings[: element.index])
    after = sum(other.tag == element.tag for other in siblings[element.index + 1 :])
    return before, after


def _function(simple: Any, element: Element, budget: CpuBudget) -> bool:
    siblings = element.parent.elements if element.parent else [element]
    if simple.name in {"nth-child", "nth-last-child"}:
        place = element.index
        place = place if simple.name == "nth-child" else len(siblings) - 1 - place
    elif simple.name in {"nth-of-type", "nth-last-of-type"}:
        budget.spend(len(siblings))
        place = _of_type(element, siblings)[simple.name == "nth-last-of-type"]
    else:
        return False
    found = parse_nth(simple.arguments)
    if not found:
        return False
    step, start = int(found[0]), int(found[1])
    distance = place + 1 - start
    return distance == 0 if step == 0 else distance % step == 0 and distance // step >= 0


def _any(simple: Any, element: Element, budget: CpuBudget) -> bool:
    return any(matches(inner.parsed_tree, element, budget) for inner in simple.selector_list)


def _has(simple: Any, element: Element, budget: CpuBudget) -> bool:
    for inner in simple.selector_list:
        tree, combinator = inner.selector.parsed_tree, inner.combinator
        siblings = element.parent.elements if element.parent else []
        if combinator == ">":
            among = list(element.elements)
        elif combinator == "+":
            among = siblings[element.index + 1 : element.index + 2]
        elif combinator == "~":
            budget.spend(len(siblings) // 16)
            among = siblings[element.index + 1 :]
        else:
            among = _inside(element, budget)
        if any(matches(tree, other, budget) for other in among):
            return True
    return False


def _inside(element: Element, budget: CpuBudget) -> list[Element]:
    found: list[Element] = []
    waiting = list(element.elements)
    while waiting:
        budget.spend()
        other = waiting.pop()
        found.append(other)
        waiting.extend(other.elements)
    return found


_TESTS: dict[type, Callable[[Any, Element, CpuBudget], bool]] = {
    parser.LocalNameSelector: lambda simple, element, _: (
        element.tag == str(simple.lower_local_name)
    ),
    parser.NamespaceSelector: lambda simple, _element, _: not simple.namespace,
    parser.ClassSelector: lambda simple, element, _: simple.class_name in element.classes,
    parser.IDSelector: lambda simple, element, _: element.attributes.get("id") == str(simple.ident),
    parser.AttributeSelector: _attribute,
    parser.PseudoClassSelector: _pseudo,
    parser.FunctionalPseudoClassSelector: _function,
    parser.MatchesAnySelector: _any,
    parser.SpecificityAdjustmentSelector: _any,
    parser.NegationSelector: lambda simple, element, budget: not _any(simple, element, budget),
    parser.RelationalSelector: _has,
}
