"""Find amounts of money in a text, and read the numbers that may be one."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

_SIGNS = {"€": "EUR", "£": "GBP", "$": "USD", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY"}
_WORDS = {
    "euro": "EUR",
    "euros": "EUR",
    "eur": "EUR",
    "pound": "GBP",
    "pounds": "GBP",
    "gbp": "GBP",
    "dollar": "USD",
    "dollars": "USD",
    "usd": "USD",
    "us$": "USD",
    "chf": "CHF",
    "franken": "CHF",
    "francs": "CHF",
    "sfr": "CHF",
    "jpy": "JPY",
    "yen": "JPY",
    "cad": "CAD",
    "aud": "AUD",
    "sek": "SEK",
    "nok": "NOK",
    "dkk": "DKK",
    "pln": "PLN",
    "zł": "PLN",
    "czk": "CZK",
    "huf": "HUF",
    "inr": "INR",
    "cny": "CNY",
    "rub": "RUB",
    "try": "TRY",
    "brl": "BRL",
    "zar": "ZAR",
}
_CURRENCY = {**_SIGNS, **_WORDS}
_NAME = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True))
_SIGN = f"[{''.join(_SIGNS)}]"
_THIN = " '\u2019\u00a0\u202f\u2009"
_NUMBER = (
    rf"\d{{1,3}}(?:[.,{_THIN}]\d{{3}}){{1,4}}(?!\d)(?:[.,]\d{{1,2}}(?!\d))?"
    r"|\d{1,12}(?:[.,]\d{1,4}(?!\d))?"
)
_MONEY = re.compile(
    rf"(?<!\w)(?:(?P<before>{_SIGN}|(?i:{_NAME})(?![^\W\d])) ?(?P<after_it>{_NUMBER})"
    rf"|(?<![.,])(?P<before_it>{_NUMBER})(?:,?[-\u2013])? ?(?P<after>{_SIGN}|(?i:{_NAME})(?!\w)))"
)
_ANY_NUMBER = re.compile(rf"(?<![\w.,])(?:{_NUMBER})|(?<=[{''.join(_SIGNS)}])(?:{_NUMBER})")
_DIVIDED = re.compile(f"[{_THIN}]")
_THOUSANDS = 3


class NamedAmount(NamedTuple):
    """An amount of money as a text names it. ``currency`` is the code of ISO 4217."""

    words: str
    start: int
    end: int
    value: Decimal
    currency: str


def named_amounts(text: str) -> Iterator[NamedAmount]:
    """Yield the amounts of a text that name their currency, in their order."""
    for found in _MONEY.finditer(text):
        said = found["after_it"] or found["before_it"]
        sign = found["before"] or found["after"]
        # Money has no three digits behind the point, so one divider before three is of thousands.
        values = sorted(readings(said))
        if values:
            yield NamedAmount(
                found[0], found.start(), found.end(), values[-1], _CURRENCY[sign.lower()]
            )


def numbers(text: str) -> Iterator[Decimal]:
    """Yield every number of a text, in each way in which it can be read."""
    for found in _ANY_NUMBER.finditer(text):
        yield from readings(found[0])


def readings(number: str) -> frozenset[Decimal]:
    """Return the values that a number may have: ``1.250`` is 1250 in Berlin, 1.25 in London."""
    digits = _DIVIDED.sub("", number)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return _decimals(digits)
    whole = re.sub(r"[.,]", "", digits[:last])
    tail = digits[last + 1 :]
    as_thousands = re.sub(r"[.,]", "", digits)
    dividers = set(re.findall(r"[.,]", digits))
    if len(tail) != _THOUSANDS:
        return _decimals(f"{whole}.{tail}")
    if len(dividers) == 1 and whole != digits[:last]:  # the same divider twice
        return _decimals(as_thousands)
    if len(dividers) > 1:
        return _decimals(f"{whole}.{tail}")
    return _decimals(as_thousands) | _decimals(f"{whole}.{tail}")


def currency_of(words: str) -> str:
    """Return the code of a currency's name, sign or code; empty where it is not known."""
    return _CURRENCY.get(words.strip().lower(), "")


def currencies(text: str) -> frozenset[str]:
    """Return the codes of the currencies that a text names."""
    names = re.findall(rf"{_SIGN}|(?<![^\W\d])(?i:{_NAME})(?!\w)", text)
    return frozenset(_CURRENCY[name.lower()] for name in names)


def _decimals(digits: str) -> frozenset[Decimal]:
    try:
        return frozenset({Decimal(digits)})
    except InvalidOperation:
        return frozenset()
