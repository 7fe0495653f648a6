"""The page for those who change the program names files and names that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]+ \| `([^`]+\.py)` \| `([^`]+)` \|$", re.MULTILINE)
PATH = re.compile(r"`((?:assistant|ingest|migrations|tests|workers)/[\w/.]+)`")
ONLY_AN_EXAMPLE = {
    "assistant/commands/calls/counted.py",
    "assistant/tools/calendar/shift.py",
    "assistant/tools/mail/count.py",
    "migrations/versions/0004_....py",
}


def names(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    """What these statements define, methods as ``Class.method``."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name):
                yield f"{owner}{name}"
            case ast.ClassDef(name=name):
                yield f"{owner}{name}"
                yield from names(node.body, f"{name}.")
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield f"{owner}{name}"
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield f"{owner}{name}"
            case _:
                pass


def test_where_is_has_rows() -> None:
    assert len(ROW.findall(PAGE)) > 25


@pytest.mark.parametrize(("path", "name"), ROW.findall(PAGE))
def test_each_row_names_what_its_file_defines(path: str, name: str) -> None:
    assert name in set(names(ast.parse((ROOT / path).read_text(encoding="utf-8")).body))


def test_every_file_and_folder_that_is_named_exists() -> None:
    named = set(PATH.findall(PAGE))
    assert named >= ONLY_AN_EXAMPLE
    missing = {path for path in named if not (ROOT / path).exists()}
    assert missing == ONLY_AN_EXAMPLE


def test_every_package_is_in_the_layout() -> None:
    _, _, rest = PAGE.partition("\n## How the code is laid out\n")
    layout, _, _ = rest.partition("\n## ")
    assert all(f"`{path}/`" in layout for path in packages())


def packages() -> Iterator[str]:
    """The folders of code that have a place in the layers."""
    for path in ROOT.glob("assistant/*/__init__.py"):
        if path.parent.name != "prompts":
            yield f"assistant/{path.parent.name}"
    yield from ("ingest", "workers")
