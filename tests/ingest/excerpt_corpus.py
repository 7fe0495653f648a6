"""Mails as people get them, each with what its excerpt must say and what it must not.

``known`` was looked at while the weights were chosen; ``fair`` was written after they were frozen.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import yaml

CORPUS = Path(__file__).parent / "corpus" / "excerpt"


class Letter(NamedTuple):
    """A mail, and the sentences that must and must not be in its excerpt."""

    name: str
    text: str
    subject: str
    sent: date
    must: tuple[str, ...]
    must_not: tuple[str, ...]


def letters(folder: str) -> Iterator[Letter]:
    for path in sorted((CORPUS / folder).glob("*.yaml")):
        facts = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield Letter(
            name=path.stem,
            text=path.with_suffix(".txt").read_text(encoding="utf-8"),
            subject=facts["subject"],
            sent=date.fromisoformat(facts["sent"]),
            must=tuple(facts["must"]),
            must_not=tuple(facts["must_not"]),
        )
