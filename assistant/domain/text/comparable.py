"""Bring texts into one form in which a copy is found again, however it was written.

Case, blanks, invisible characters, accents, compatibility forms (full-width, ligatures) and
punctuation between words do not matter.
"""

import re
import unicodedata
from collections.abc import Iterator

from assistant.domain.text.compatibility import with_few_marks
from assistant.domain.text.invisible import is_invisible

RUN = 3
"""The words of a run."""
LONG_RUN = 12
"""The least characters of a run that is no coincidence."""
UNSPACED_RUN = 8
"""The characters of a run where words are not spaced, such as in Chinese."""
DIGITS = 7
"""The digits in a row that are no coincidence: of an account, a telephone."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u9fff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"[^\W{_UNSPACED}]+(?:(?<=\d)[.:/+\-](?=\d)[^\W{_UNSPACED}]+)*"  # a date or time is one word
)
_CHARS = re.compile(rf"[{_UNSPACED}](?:[\W_]?[{_UNSPACED}])*")

_DOT = re.compile(r" ?[\[({] ?(?:\.|dot|punkt) ?[\])}] ?|\u3002")
_AT = re.compile(r" ?[\[({] ?(?:@|at) ?[\])}] ?")
_HOST = re.compile(
    r"(?<![\w\-])(?:[\w.+%\-]{1,64}@)?\w[\w\-]{0,62}(?:\.\w[\w\-]{0,62}){0,8}\.[^\W\d_][\w\-]{1,62}"
)
_CODE = re.compile(r"[a-z0-9]{5,}")
_SEPARATED = re.compile(r"\d(?:[^a-z0-9]{0,3}\d)*")
_DAY = r"(?:19|20)\d\d[01]\d[0-3]\d"
_MOMENT = re.compile(
    rf"(?<!\d)(?:{_DAY}|(?:19|20)\d\d[-./][01]?\d[-./][0-3]?\d"
    r"|[0-3]?\d[-./][01]?\d[-./](?:(?:19|20)?\d\d)?|[0-2]?\d[:.][0-5]\d(?:[:.][0-5]\d)?)(?!\d)"
)
_STAMP = re.compile(rf"{_DAY}(?:t\d{{4,6}}z?)?")
_IBAN = re.compile(r"(?<![a-z0-9])[a-z]{2}[^a-z0-9]?\d\d(?:[^a-z0-9]{0,3}[a-z0-9]){11}")
_NUMBER = r"(?<!\d)\d{1,15}(?:[.,' ]\d{3}){0,5}(?:[.,]\d{1,2})?(?!\d)"
_CURRENCY = (
    r"(?:[$\u00a2-\u00a5\u20a0-\u20cf]|(?<![a-z])(?:eur|usd|gbp|chf|jpy|cny|inr|aud|cad|sek|nok|dkk"
    r"|pln|czk|huf|try|rub|brl|zar|btc|eth|usdt|euros?|dollars?|pounds?|francs?|franken)(?![a-z]))"
)
_MONEY = re.compile(rf"{_CURRENCY} ?({_NUMBER})|({_NUMBER}) ?{_CURRENCY}")
_AMOUNT = re.compile(_NUMBER)
_CENTS = re.compile(r"[.,](\d{1,2})$")
_SMALL = 3
"""An amount of fewer digits, without its currency, proves nothing."""
_LONG_CODE, _SHORT_CODE = 10, 5
"""The characters of a code with a digit, and the digits of a shorter one."""


def comparable(text: str) -> str:
    """Return the form in which two texts are compared."""
    text = " ".join(text.split())
    if not text.isascii():
        text = unicodedata.normalize("NFKD", with_few_marks(text.upper()))
    text = text.casefold()
    if not (text.isascii() and text.isprintable()):
        changed = {ord(char): _plain(char) for char in set(text)}
        text = text.translate(changed)
    return " ".join(text.split())


def runs(plain: str) -> Iterator[int]:
    """Return a hash of every run of words of a ``comparable`` text that is no coincidence."""
    words = _WORD.findall(plain)
    for run in zip(words, words[1:], words[2:], strict=False):
        if sum(map(len, run)) + RUN - 1 >= LONG_RUN:
            yield hash(run)
    for found in _CHARS.findall(plain):
        chars = "".join(char for char in found if char.isalnum())
        for n in range(len(chars) - UNSPACED_RUN + 1):
            yield hash(chars[n : n + UNSPACED_RUN])


def details(plain: str, *, parents: bool = False) -> Iterator[str]:
    """Return the addresses, hosts, accounts, telephones and codes of a ``comparable`` text.

    ``parents``: return the domains above a host as well.
    """
    for found in _HOST.findall(_DOT.sub(".", _AT.sub("@", plain))):
        yield found
        host = found.rpartition("@")[2].removeprefix("www.")
        yield host
        labels = host.split(".") if parents else ()
        yield from (".".join(labels[n:]) for n in range(1, len(labels) - 1))
    yield from (_compact(found) for found in _IBAN.findall(plain))
    yield from filter(_tells, _CODE.findall(plain))
    for found in _SEPARATED.findall(plain):
        digits = _compact(found)
        if len(digits) >= DIGITS and _compact(_MOMENT.sub("", found)):
            yield from (f"#{digits[n : n + DIGITS]}" for n in range(len(digits) - DIGITS + 1))


def amounts(plain: str) -> Iterator[str]:
    """Return the amounts of money of a ``comparable`` text that name a currency."""
    for before, after in _MONEY.findall(plain):
        yield _value(before or after)


def numbers(plain: str) -> Iterator[str]:
    """Return every number of a ``comparable`` text that may be an amount of money."""
    yield from amounts(plain)
    for found in _AMOUNT.findall(plain):
        if len(value := _value(found)) >= _SMALL:
            yield value


def _plain(char: str) -> str:
    """Return a digit as ASCII has it, nothing for an accent or what is not seen, else itself."""
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    return "" if category in {"Mn", "Me"} or is_invisible(char) else char


def _tells(code: str) -> bool:
    """Return whether a word is no coincidence: an account, a token, and not a date."""
    digits = sum(map(str.isdigit, code))
    long = digits >= _SHORT_CODE or (digits > 0 and len(code) >= _LONG_CODE)
    return long and not _STAMP.fullmatch(code)


def _compact(found: str) -> str:
    return re.sub(r"[^a-z0-9]", "", found)


def _value(number: str) -> str:
    """Return an amount as it is counted: ``1,250.00`` and ``1250`` are one."""
    cents = _CENTS.search(number)
    whole = re.sub(r"\D", "", number[: cents.start()] if cents else number).lstrip("0")
    part = cents[1].ljust(2, "0") if cents else "00"
    return whole if part == "00" else f"{whole}.{part}"
