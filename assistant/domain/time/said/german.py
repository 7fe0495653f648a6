"""German."""

from assistant.domain.time.said.language import (
    Meaning,
    Part,
    Phrases,
    Unit,
    WordKind,
    numbered,
    phrases,
)

_WEEKDAYS = numbered(
    WordKind.WEEKDAY,
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag|sonnabend",
    "sonntag",
    first=0,
)
_PARTS = phrases(
    WordKind.PART,
    {
        "vormittag|früh": Part.MORNING,
        "nachmittag": Part.AFTERNOON,
        "abend": Part.EVENING,
    },
)
_MORNING: Meaning = ((WordKind.PART, Part.MORNING),)

GERMAN: Phrases = {
    **_WEEKDAYS,
    # Behind a weekday, "morgen" is the morning and not tomorrow.
    **{f"{name} morgen": meaning + _MORNING for name, meaning in _WEEKDAYS.items()},
    **{
        f"{name}{part}": meaning + of_day
        for name, meaning in _WEEKDAYS.items()
        for part, of_day in _PARTS.items()
    },
    **_PARTS,
    **phrases(
        WordKind.PART,
        {
            "am morgen|am vormittag": Part.MORNING,
            "am nachmittag": Part.AFTERNOON,
            "am abend": Part.EVENING,
        },
    ),
    "heute morgen": ((WordKind.DAYS, 0), *_MORNING),
    **numbered(
        WordKind.MONTH,
        "januar|jänner|jan",
        "februar|feb",
        "märz|mär",
        "april|apr",
        "mai",
        "juni|jun",
        "juli|jul",
        "august|aug",
        "september|sept|sep",
        "oktober|okt",
        "november|nov",
        "dezember|dez",
    ),
    **numbered(
        WordKind.NUMBER,
        "eins|ein|eine|einer|einem|einen",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
    ),
    **numbered(
        WordKind.ORDINAL,
        "erste|ersten|erster",
        "zweite|zweiten|zweiter",
        "dritte|dritten|dritter",
        "vierte|vierten|vierter",
        "fünfte|fünften|fünfter",
    ),
    **phrases(WordKind.DAYS, vorgestern=-2, gestern=-1, heute=0, morgen=1, übermorgen=2),
    **phrases(
        WordKind.UNIT,
        {
            "minute|minuten": Unit.MINUTE,
            "stunde|stunden|std": Unit.HOUR,
            "tag|tage|tagen": Unit.DAY,
            "woche|wochen": Unit.WEEK,
            "monat|monate|monaten|monats": Unit.MONTH,
            "jahr|jahre|jahren|jahres": Unit.YEAR,
        },
    ),
    **phrases(
        WordKind.EACH,
        täglich=Unit.DAY,
        wöchentlich=Unit.WEEK,
        monatlich=Unit.MONTH,
        jährlich=Unit.YEAR,
    ),
    **phrases(WordKind.CLOCK, {"mittag|mittags|zu mittag": 12 * 60}),
    "mitternacht": ((WordKind.MIDNIGHT, 0),),
    **phrases(
        WordKind.DIAL,
        {"halb": -30, "viertel vor|dreiviertel": -15, "viertel nach": 15},
    ),
    "uhr": ((WordKind.HOUR, 24),),
    **phrases(
        WordKind.FIXED,
        {"heiligabend|heilig abend": 1224, "weihnachten": 1225, "silvester": 1231, "neujahr": 101},
    ),
    **phrases(WordKind.HALF_HOUR, {"halbe stunde|eine halbe stunde|einer halben stunde": 0}),
    **phrases(WordKind.ALL_DAY, {"ganztägig|den ganzen tag": 0}),
    "wochenende": ((WordKind.WEEKEND, 0),),
    **phrases(WordKind.WORKDAYS, {"wochentag|werktag|arbeitstag": 0}),
    **phrases(WordKind.NEXT, {"nächsten|nächster|nächste|nächstes": 0}),
    **phrases(
        WordKind.THIS,
        {"diesen|dieser|diese|dieses": 0, "kommenden|kommender|kommende|kommendes": 1},
    ),
    **phrases(WordKind.LAST, {"letzten|letzter|letzte|letztes|vergangenen": -1}),
    "vor": ((WordKind.BEFORE, 0),),
    **phrases(WordKind.END_OF, {"ende|am ende|ende des|am ende des": 0}),
    **phrases(WordKind.END_OF_MONTH, {"monatsende|zum monatsende": 0}),
    **phrases(WordKind.EVERY, {"jeden|jede|jedes|alle": 0}),
    **phrases(WordKind.TIMES, {"mal": 0}),
    "um": ((WordKind.AT, 24),),
    **phrases(WordKind.FROM, {"von|ab|zwischen": 24}),
    **phrases(WordKind.ON, {"am|zum": 0}),
    **phrases(WordKind.IN, {"in|im": 0}),
    **phrases(WordKind.OF, {"des": 0}),
    **phrases(WordKind.THE, {"der|den|dem": 0}),
    **phrases(WordKind.FOR, {"für": 0}),
    "bis": ((WordKind.TO, 24),),
    "und": ((WordKind.AND, 0),),
}
