"""What a mail says, in parts: gist, asks, promises, dates, amounts and deadlines.

Every fact carries its quote, the words of the mail that say so. All words in here are outside text:
a stranger wrote them, or a model that had read a stranger's words.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from assistant.domain.mail.understanding.named_amounts import currency_of
from assistant.domain.mail.understanding.quotes import LONGEST
from assistant.domain.text.invisible import without_invisible
from assistant.domain.text.sentences import sentences
from assistant.domain.text.sound import sound

MOST = 10
"""The most facts of one kind."""
WORDS = 200
"""The most characters of a fact's words."""
GIST = 300
"""The most characters of a gist."""
GIST_SENTENCES = 2
_READ = 50
"""The most facts of one kind that are looked at; the rest counts as malformed."""
_MONEY = re.compile(r"\d{1,12}(?:\.\d{1,4})?", re.ASCII)
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_YEARS = range(1970, 2101)


def _line(value: Any) -> Any:
    """Return a text as one line without invisible characters; leave other values as they are."""
    if not isinstance(value, str):
        return value
    return " ".join(without_invisible(sound(value[: 8 * LONGEST])).split())


def _short_line(value: Any) -> Any:
    line = _line(value)
    return shortened(line, WORDS) if isinstance(line, str) else line


def _moment(value: Any) -> Any:
    """Read a day or a moment of ISO 8601; return None for what is none."""
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str) or not _ISO.fullmatch(value.strip()):
        return None
    try:
        at = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    if at.year not in _YEARS:
        return None
    return at if ":" in value else at.date()


def _money(value: Any) -> Any:
    """Read a sum of money; raise ``ValueError`` for what is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError("no number")  # noqa: TRY004  # pydantic takes it for malformed
    said = format(value, "f") if isinstance(value, Decimal) else str(value).strip()
    if len(said) > WORDS or not _MONEY.fullmatch(said):
        raise ValueError("no sum of money")
    try:
        return Decimal(said)
    except InvalidOperation as error:  # pragma: no cover
        raise ValueError("no number") from error


def _currency(value: Any) -> Any:
    return currency_of(value[:20]) if isinstance(value, str) else ""


Words = Annotated[str, BeforeValidator(_short_line), Field(min_length=1, max_length=WORDS)]
Quote = Annotated[str, BeforeValidator(_line), Field(max_length=LONGEST)]
Moment = Annotated[datetime | date | None, BeforeValidator(_moment)]
"""A day, or a time; a time without an offset is one of the mail's own zone."""


class Fact(BaseModel):
    """Words about a mail, and the quote that bears them out."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)
    words: Words
    quote: Quote = ""


class Ask(Fact):
    """What is asked of the owner. ``due``: by when."""

    due: Moment = None


class Promise(Fact):
    """What the owner promised, in their own words in the mail. ``due``: by when."""

    due: Moment = None


class DateFact(Fact):
    """A day or a time that the mail names."""

    at: Moment = None


class AmountFact(Fact):
    """A sum of money. ``currency`` is the code of ISO 4217; empty where it is not known."""

    value: Annotated[Decimal, BeforeValidator(_money)]
    currency: Annotated[str, BeforeValidator(_currency)] = ""


class Deadline(Fact):
    """A day or time by which something is to be done or will end."""

    due: Moment = None


class Understood(BaseModel):
    """What a mail says, in parts."""

    model_config = ConfigDict(frozen=True)
    gist: str = ""
    asks: tuple[Ask, ...] = ()
    promises: tuple[Promise, ...] = ()
    dates: tuple[DateFact, ...] = ()
    amounts: tuple[AmountFact, ...] = ()
    deadlines: tuple[Deadline, ...] = ()


class Reported(NamedTuple):
    """What a model answered: the parts that have the right form, and how many have not."""

    understood: Understood
    malformed: int = 0


F = TypeVar("F", bound=Fact)


def understood_from(args: Mapping[str, Any]) -> Reported:
    """Read a model's structured answer. A malformed part is dropped and counted, never the whole.

    The facts are not compared with the mail yet: ``checked`` does that.
    """
    asks, bad_asks = _facts(Ask, args.get("asks"))
    promises, bad_promises = _facts(Promise, args.get("promises"))
    dates, bad_dates = _facts(DateFact, args.get("dates"))
    amounts, bad_amounts = _facts(AmountFact, args.get("amounts"))
    deadlines, bad_deadlines = _facts(Deadline, args.get("deadlines"))
    said = args.get("gist")
    understood = Understood(
        gist=short_gist(said) if isinstance(said, str) else "",
        asks=asks,
        promises=promises,
        dates=dates,
        amounts=amounts,
        deadlines=deadlines,
    )
    bad = bad_asks + bad_promises + bad_dates + bad_amounts + bad_deadlines
    return Reported(understood, bad + (said is not None and not isinstance(said, str)))


def short_gist(text: str) -> str:
    """Return the first two sentences of a text, on one line and within ``GIST`` characters."""
    line = _line(text)
    first = [said for _, said in zip(range(GIST_SENTENCES), sentences(line), strict=False)]
    return shortened(" ".join(first), GIST)


def shortened(text: str, most: int) -> str:
    """Cut a text at the end of a word, with a mark that says so."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    whole = cut.rpartition(" ")[0] if len(cut.rpartition(" ")[0]) > most // 2 else cut
    return f"{whole.rstrip(' ,;:')}…"


def _facts(kind: type[F], value: Any) -> tuple[tuple[F, ...], int]:
    if value is None:
        return (), 0
    if not isinstance(value, list | tuple):
        return (), 1
    read = [_fact(kind, one) for one in value[:_READ]]
    each_once = tuple(dict.fromkeys(one for one in read if one is not None))
    surplus = max(0, len(each_once) - MOST) + max(0, len(value) - _READ)
    return each_once[:MOST], read.count(None) + surplus


def _fact(kind: type[F], value: Any) -> F | None:
    if not isinstance(value, Mapping):
        return None
    try:
        return kind.model_validate({str(name): value[name] for name in value})
    except (ValidationError, RecursionError):
        return None
