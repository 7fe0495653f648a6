"""Read HTML into a tree of plain elements."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree  # type: ignore[import-untyped]  # lxml ships no types

from ingest.html.budget import CpuBudget
from ingest.html.nesting import nested

_OUTLOOK = re.compile(r"\s*\[if [^\]]{0,100}\bmso\b[^\]]{0,100}\]>")
_NOT_OUTLOOK = re.compile(r"\s*\[if [^\]]{0,100}![^\]]{0,100}\]>")
_DEPTH = "Excessive depth"


class TooDeep(ValueError):
    """The parser left out what stands in too many elements."""


class Element:
    """One element. ``index`` is its place among the elements of its parent."""

    __slots__ = ("attributes", "children", "classes", "elements", "index", "parent", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str], parent: Element | None, index: int
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.index = index
        self.children: list[Element | str] = []
        self.elements: list[Element] = []
        self.classes: tuple[str, ...] = tuple(attributes.get("class", "").split())


class Document(NamedTuple):
    root: Element
    styles: tuple[Element, ...]
    for_outlook: str
    """What stands in comments that Outlook alone shows."""
    quirks: bool
    """Whether it is read as old pages are: it names no document type."""
    is_cut: bool
    """Whether its tags are nested worse than is worth following."""


def read_tree(source: str, budget: CpuBudget) -> Document | None:
    """Return the document, or None if there is none in it.

    Raises:
        TooDeep: its elements are nested deeper than the parser follows.
        TimeoutError: the budget is used up.
    """
    well = nested(source, budget)
    parsed = _parsed(well.source)
    if parsed is None:
        return None
    styles: list[Element] = []
    for_outlook: list[str] = []
    root = Element(str(parsed.tag), dict(parsed.attrib), None, 0)
    waiting = [(parsed, root)]
    while waiting:
        node, element = waiting.pop()
        if node.text:
            element.children.append(node.text)
        for child in node:
            budget.spend()
            if isinstance(child.tag, str):
                made = Element(child.tag, dict(child.attrib), element, len(element.elements))
                element.children.append(made)
                element.elements.append(made)
                waiting.append((child, made))
                if child.tag == "style":
                    styles.append(made)
            elif child.tag is etree.Comment and _is_for_outlook(child.text or ""):
                for_outlook.append(child.text)
            elif child.tag is etree.Entity:
                element.children.append(child.text)
            if child.tail:
                element.children.append(child.tail)
    _merge_bodies(root, well.bodies)
    order = {id(made): place for place, made in enumerate(_in_order(root))} if styles else {}
    styles.sort(key=lambda made: order[id(made)])
    quirks = not parsed.getroottree().docinfo.doctype
    return Document(root, tuple(styles), " ".join(for_outlook), quirks, well.is_cut)


def _merge_bodies(root: Element, bodies: tuple[str, ...]) -> None:
    """Give the body what later ``<body>`` tags say, as browsers do."""
    body = next((element for element in root.elements if element.tag == "body"), None)
    for tag in bodies if body else ():
        parsed = _parsed(f"{tag}x")
        found = parsed.find("body") if parsed is not None else None
        for name, value in dict(found.attrib).items() if found is not None else ():
            if body and name not in body.attributes:
                body.attributes[name] = value
                if name == "class":
                    body.classes = tuple(value.split())


def _parsed(source: str) -> etree.Element | None:
    if not source.strip():
        return None
    # huge_tree: 2,048 elements deep instead of 256.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, default_doctype=False)
    try:
        parsed = etree.fromstring(source.encode("utf-8", "replace"), parser=parser)
    except etree.LxmlError:  # for example, only a comment
        parsed = None
    if any(_DEPTH in entry.message for entry in parser.error_log):
        raise TooDeep
    return parsed


def _is_for_outlook(comment: str) -> bool:
    return bool(_OUTLOOK.match(comment)) and not _NOT_OUTLOOK.match(comment)


def _in_order(root: Element) -> list[Element]:
    found, waiting = [], [root]
    while waiting:
        element = waiting.pop()
        found.append(element)
        waiting.extend(reversed(element.elements))
    return found


def text_of(element: Element, most: int) -> str:
    """Return the text in an element, up to so many characters."""
    found: list[str] = []
    length = 0
    waiting: list[Element | str] = [element]
    while waiting and length < most:
        node = waiting.pop()
        if isinstance(node, str):
            found.append(node)
            length += len(node)
        else:
            waiting.extend(reversed(node.children))
    return "".join(found)[:most]
