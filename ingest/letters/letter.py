"""The letters in one text, and the lines that each of them has."""

from enum import StrEnum
from typing import NamedTuple

from assistant.domain.mail.letter import Letter, LetterKind


class PieceKind(StrEnum):
    WORDS = "words"
    HEADING = "heading"
    """What a program wrote above a letter: a marker, a header, a line like "On ... wrote:"."""
    SIGNATURE = "signature"


class LetterPiece(NamedTuple):
    """Lines that follow each other and belong to one letter, exactly as they stood."""

    letter: int
    """The place of its letter."""
    kind: PieceKind
    text: str


class Letters(NamedTuple):
    """The letters in one text, outermost first. The texts of ``pieces`` add up to that text."""

    letters: tuple[Letter, ...]
    pieces: tuple[LetterPiece, ...]


TOP = Letter(kind=LetterKind.MAIL)
