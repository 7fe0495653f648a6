"""A test file is found by its name, and by the page that names it."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "testing.md"


def test_no_two_test_files_have_one_name() -> None:
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_file_that_the_page_names_exists() -> None:
    named = re.findall(r"`([a-z_/]+/test_[a-z_]+\.py)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 50
    assert [name for name in named if not (TESTS / name).exists()] == []
