"""Split prose into sentences, in English and German."""

import re
from collections.abc import Iterator


def _words(said: str) -> frozenset[str]:
    return frozenset(said.split())


_END = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]{1,20}[\"'\u201c\u201d\u2019\u00bb)\]]{0,5}\s+"
    r"|[\u3002\uff01\uff1f]{1,20}\s*"
)
_WORD_BEFORE = re.compile(r"[^\s(\[\"\u201e\u201c]{1,24}$")
_DAY = re.compile(r"\d{1,2}(?:\.\d{1,2})?")
"""An ordinal number, or a day and its month: ``3. Dezember``, ``24.11. ab 10 Uhr``."""
_DATED = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}$", re.IGNORECASE
)
"""A day of an English date, which is no ordinal number of a German one: ``February 15.``"""
_INITIALS = re.compile(r"\w\. ?\w$")
_ABBREVIATIONS = _words(
    """
    dr prof mr mrs ms st jr sr vs etc eg ie approx est dept inc ltd co corp no nos fig
    tel ext ref art e.g i.e a.m p.m u.s u.k ave z.b d.h u.a o.ä i.d.r s.o s.u i.a i.v
    i.h.v u.u m.e z.t zt zzgl inkl incl excl exkl ca bzw usw ggf evtl vgl nr str hr fr
    herrn abs ziff bspw sog geb gem bez betr anl eur mio mrd std min max kl tägl jan feb
    mär mar apr jun jul aug sep sept oct okt nov dec dez mo di mi do sa so
    """
)
"""What stands before a full stop that ends no sentence."""
_RARELY_LAST = _words("no co min max so do sa mi mo fr art est")
"""Words that are more than an abbreviation: they end no sentence only before a number."""
_STARTERS = _words(
    """
    bitte wir sie ich du ihr er es der die das den dem ein eine wenn falls ihre ihren
    unsere mit im in am bei für vielen danke dann auch und zum zur please we you i he she
    it they the a an if this that your our to on at for thank thanks then and
    """
)
"""Words that begin a sentence, rather than follow an ordinal number: ``am 15. Bitte``."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph, without blanks around them.

    ``z. B.``, ``Dr.``, ``e.g.``, ``am 3. Dezember``, ``3.50`` and addresses end none.
    """
    begin = 0
    for end in _END.finditer(text):
        if not _ends(text, end):
            continue
        if said := text[begin : end.end()].strip():
            yield said
        begin = end.end()
    if said := text[begin:].strip():
        yield said


def _ends(text: str, end: re.Match[str]) -> bool:
    sign = end[0].strip()
    following = text[end.end() : end.end() + 24]
    if not following or sign[0] in "\u3002\uff01\uff1f":
        return True
    if following[0].islower():
        return False
    return sign != "." or _is_full_stop(text[max(0, end.start() - 24) : end.start()], following)


def _is_full_stop(before: str, following: str) -> bool:
    """Return whether a single ``.`` between the two ends a sentence."""
    found = _WORD_BEFORE.search(before)
    word = found[0].lower() if found else ""
    if _DAY.fullmatch(word):
        return _starts(following) or _DATED.search(before) is not None
    if len(word) == 1 and word.isalpha():  # of a name or of ``z. B.``, unless as in ``Hall B. We``
        return _starts(following) and not _INITIALS.search(before)
    if word in _RARELY_LAST:
        return not following[0].isdigit()
    return word not in _ABBREVIATIONS and not word.endswith("str")  # ``Bahnhofstr. 9``


def _starts(following: str) -> bool:
    """Return whether a sentence begins after a number and its full stop."""
    return following.split(maxsplit=1)[0].rstrip(",.:;").lower() in _STARTERS
