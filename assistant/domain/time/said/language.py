"""What words of a language mean. A language is a table of phrases, and no code."""

from collections.abc import Mapping
from enum import Enum, IntEnum, auto


class WordKind(Enum):
    """What a word is; most have a number, told beside them."""

    DAYS = auto()  # after today
    WEEKDAY = auto()  # Monday is 0
    MONTH = auto()
    NUMBER = auto()
    PLACED = auto()  # 3rd
    ORDINAL = auto()  # the first; -1 is the last
    UNIT = auto()  # a Unit
    PART = auto()  # a Part
    CLOCK = auto()  # minutes after midnight
    MIDNIGHT = auto()
    DIAL = auto()  # half past: minutes after an hour of the dial
    MERIDIEM = auto()  # am: 0, pm: 1
    HOUR = auto()  # o'clock: 12, Uhr: 24, by how many hours there are
    FIXED = auto()  # a day of each year: 100 times the month, and the day
    HALF_HOUR = auto()
    AND_A_HALF = auto()
    ALL_DAY = auto()
    WEEKEND = auto()
    WORKDAYS = auto()
    NEXT = auto()
    THIS = auto()
    LAST = auto()
    AGO = auto()  # behind a length
    BEFORE = auto()  # before a length: vor
    END_OF = auto()
    END_OF_MONTH = auto()
    EVERY = auto()
    OTHER = auto()
    EACH = auto()  # daily: a Unit
    TIMES = auto()
    THROUGH = auto()
    AT = auto()  # 24 where no half of the day is said with it
    FROM = auto()
    ON = auto()
    IN = auto()
    OF = auto()
    THE = auto()
    FOR = auto()
    TO = auto()
    AND = auto()
    COMMA = auto()
    DAY = auto()  # the place of a date among the dates of a text
    MOMENT = auto()  # the same for a day with a time
    FRACTION = auto()  # 24.12 or 1.5: 10,000 times the first, 100 the second
    SLASHED = auto()
    YEAR = auto()
    UNKNOWN = auto()


class Unit(IntEnum):
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    YEAR = 6


class Part(IntEnum):
    MORNING = 1
    AFTERNOON = 2
    EVENING = 3


Meaning = tuple[tuple[WordKind, int], ...]
"""The words that a phrase stands for, each with its number."""
Phrases = Mapping[str, Meaning]


def phrases(
    kind: WordKind, table: Mapping[str, int] | None = None, /, **named: int
) -> dict[str, Meaning]:
    """Return the same kind for many words; several alike are divided by ``|``."""
    every = {**(table or {}), **named}
    return {word: ((kind, number),) for alike, number in every.items() for word in alike.split("|")}


def numbered(kind: WordKind, *names: str, first: int = 1) -> dict[str, Meaning]:
    """Return words that count up; several alike are divided by ``|``."""
    return phrases(kind, {alike: number for number, alike in enumerate(names, first)})
