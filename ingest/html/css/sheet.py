"""Read the style rules of a document, and find those of an element.

Nothing is loaded: ``@import`` and ``<link>`` are passed over.
"""

from typing import Any

import tinycss2

from ingest.html.budget import CpuBudget
from ingest.html.css.declarations import Declarations, collect
from ingest.html.css.media import applies
from ingest.html.css.selectors import key_of, matches, parse_selectors
from ingest.html.tree import Element, text_of

CHARACTERS = 100_000
"""Longer style is cut; that of a newsletter has 5,000 to 40,000 characters."""
RULES = 5_000
"""More rules that could hide something are not read."""
_SELECTOR = 300
"""The most tokens of a list of selectors."""
_NESTED = 8

_Entry = tuple[tuple[int, int, int], int, Any, Declarations]


class Sheet:
    """The rules of a document, found by what an element must have for them."""

    def __init__(self, styles: tuple[Element, ...], budget: CpuBudget) -> None:
        self._budget = budget
        self._by_key: dict[tuple[str, str], list[_Entry]] = {}
        self._count = 0
        self.is_cut = False
        left = CHARACTERS
        for style in styles:
            css = _css_of(style, left + 1)
            if len(css) > left:
                self.is_cut = True
                css = css[:left]
            left -= len(css)
            self._read(css)

    def of(self, element: Element) -> list[Declarations]:
        """Return what the rules say of an element, the strongest last."""
        if not self._by_key:
            return []
        found = self._among(("", ""), element)
        found += self._among(("tag", element.tag), element)
        for name in dict.fromkeys(element.classes):
            found += self._among(("class", name), element)
        if "id" in element.attributes:
            found += self._among(("id", element.attributes["id"]), element)
        if len(found) > 1:
            found.sort(key=lambda entry: entry[:2])
        return [entry[3] for entry in found]

    def _among(self, key: tuple[str, str], element: Element) -> list[_Entry]:
        entries = self._by_key.get(key)
        if not entries:
            return []
        return [entry for entry in entries if matches(entry[2], element, self._budget)]

    def _read(self, css: str) -> None:
        self._budget.check()
        nodes = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
        self._add_rules(nodes, None, _NESTED)

    def _add_rules(self, nodes: list[Any], parent: list[Any] | None, depth: int) -> None:
        for node in nodes:
            self._budget.spend(20)
            if node.type == "at-rule":
                if node.content is not None and depth and _is_read(node):
                    parse = tinycss2.parse_blocks_contents if parent else tinycss2.parse_rule_list
                    inner = parse(node.content, skip_comments=True, skip_whitespace=True)
                    if parent:
                        self._add(parent, inner)
                    self._add_rules(inner, parent, depth - 1)
            elif node.type == "qualified-rule" and depth:
                self._add_rule(node, parent, depth)

    def _add_rule(self, node: Any, parent: list[Any] | None, depth: int) -> None:
        prelude = node.prelude if parent is None else _nested(node.prelude, parent)
        if len(prelude) > _SELECTOR:
            self.is_cut = True
            return
        inner = tinycss2.parse_blocks_contents(
            node.content, skip_comments=True, skip_whitespace=True
        )
        self._add(prelude, inner)
        if any(found.type in {"qualified-rule", "at-rule"} for found in inner):
            self._add_rules(inner, prelude, depth - 1)

    def _add(self, prelude: list[Any], content: list[Any]) -> None:
        said = collect(content)
        if not said.normal and not said.important:
            return
        for selector in parse_selectors(prelude):
            self._budget.spend(20)
            self._count += 1
            if self._count > RULES:
                self.is_cut = True
                return
            tree = selector.parsed_tree
            entry = (selector.specificity, self._count, tree, said)
            self._by_key.setdefault(key_of(tree), []).append(entry)


def _css_of(style: Element, most: int) -> str:
    kind = style.attributes.get("type", "").strip().lower()
    if kind not in {"", "text/css"} or not applies(style.attributes.get("media", "")):
        return ""
    return text_of(style, most)


def _is_read(node: Any) -> bool:
    name = node.lower_at_keyword
    words = tinycss2.serialize(node.prelude)
    if name == "media":
        return applies(words)
    if name == "supports":
        return not words.strip().lower().startswith("not")
    return name in {"layer", "container", "scope"}


def _nested(prelude: list[Any], parent: list[Any]) -> list[Any]:
    """Return the selector of a rule inside another, whose own selector ``&`` stands for."""
    outer = tinycss2.serialize(parent)
    inner = tinycss2.serialize(prelude)
    whole = inner.replace("&", f":is({outer})") if "&" in inner else f":is({outer}) {inner}"
    return list(tinycss2.parse_component_value_list(whole[:2_000]))
