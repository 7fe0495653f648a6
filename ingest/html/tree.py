"""What HTML is read into: a tree of plain elements."""

from __future__ import annotations

from typing import NamedTuple


class Element:
    """One element. ``index`` is its place among the elements of its parent."""

    __slots__ = ("attributes", "children", "classes", "elements", "index", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent: Element | None = None
        self.index = 0
        self.children: list[Element | str] = []
        self.elements: list[Element] = []
        self.classes: tuple[str, ...] = ()
        if "class" in attributes:
            self.classes = tuple(attributes["class"].split())

    def append(self, child: Element) -> None:
        child.parent = self
        child.index = len(self.elements)
        self.children.append(child)
        self.elements.append(child)

    def insert_before_last(self, child: Element | str) -> None:
        """Insert a child before the last one, which is an element."""
        if isinstance(child, Element):
            last = self.elements[-1]
            child.parent, child.index = self, last.index
            last.index += 1
            self.elements.insert(-1, child)
        self.children.insert(-1, child)

    def remove(self, child: Element) -> None:
        """Take a child out, which is one of the last."""
        for place in range(len(self.children) - 1, -1, -1):
            if self.children[place] is child:
                del self.children[place]
                break
        for place in range(len(self.elements) - 1, -1, -1):
            if self.elements[place] is child:
                del self.elements[place]
                break
            self.elements[place].index -= 1
        child.parent = None

    def give_children_to(self, other: Element) -> None:
        """Move all children to an element that has none."""
        other.children, self.children = self.children, []
        other.elements, self.elements = self.elements, []
        for child in other.elements:
            child.parent = other


class Document(NamedTuple):
    root: Element
    styles: tuple[Element, ...]
    for_outlook: str
    """What stands in comments that Outlook alone shows."""
    quirks: bool
    """Whether it is read as old pages are: it names no document type."""


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
