"""One word, one meaning; no folder that nobody can take in at a glance."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("assistant", "ingest", "workers")
MOST_FILES = 14


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_a_public_class_name_stands_for_one_class() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sources():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_folder_has_more_files_than_one_takes_in_at_a_glance() -> None:
    files: dict[str, int] = defaultdict(int)
    for path in sources():
        files[path.parent.relative_to(ROOT).as_posix()] += 1
    assert {folder: n for folder, n in files.items() if n > MOST_FILES} == {}


def test_every_package_says_what_it_is_for() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []
