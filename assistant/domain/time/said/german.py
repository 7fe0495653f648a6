"""German."""

from assistant.domain.time.said.language import (
    Kind,
    Meaning,
    Part,
    Phrases,
    Unit,
    numbered,
    phrases,
)

_WEEKDAYS = numbered(
    Kind.WEEKDAY,
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
    Kind.PART,
    {
        "vormittag|früh": Part.MORNING,
        "nachmittag": Part.AFTERNOON,
        "abend": Part.EVENING,
    },
)
_MORNING: Meaning = ((Kind.PART, Part.MORNING),)

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
        Kind.PART,
        {
            "am morgen|am vormittag": Part.MORNING,
            "am nachmittag": Part.AFTERNOON,
            "am abend": Part.EVENING,
        },
    ),
    "heute morgen": ((Kind.DAYS, 0), *_MORNING),
    **numbered(
        Kind.MONTH,
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
        Kind.NUMBER,
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
        Kind.ORDINAL,
        "erste|ersten|erster",
        "zweite|zweiten|zweiter",
        "dritte|dritten|dritter",
        "vierte|vierten|vierter",
        "fünfte|fünften|fünfter",
    ),
    **phrases(Kind.DAYS, vorgestern=-2, gestern=-1, heute=0, morgen=1, übermorgen=2),
    **phrases(
        Kind.UNIT,
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
        Kind.EACH,
        täglich=Unit.DAY,
        wöchentlich=Unit.WEEK,
        monatlich=Unit.MONTH,
        jährlich=Unit.YEAR,
    ),
    **phrases(Kind.CLOCK, {"mittag|mittags|zu mittag": 12 * 60}),
    "mitternacht": ((Kind.MIDNIGHT, 0),),
    **phrases(
        Kind.DIAL,
        {"halb": -30, "viertel vor|dreiviertel": -15, "viertel nach": 15},
    ),
    "uhr": ((Kind.HOUR, 24),),
    **phrases(
        Kind.FIXED,
        {"heiligabend|heilig abend": 1224, "weihnachten": 1225, "silvester": 1231, "neujahr": 101},
    ),
    **phrases(Kind.HALF_HOUR, {"halbe stunde|eine halbe stunde|einer halben stunde": 0}),
    **phrases(Kind.ALL_DAY, {"ganztägig|den ganzen tag": 0}),
    "wochenende": ((Kind.WEEKEND, 0),),
    **phrases(Kind.WORKDAYS, {"wochentag|werktag|arbeitstag": 0}),
    **phrases(Kind.NEXT, {"nächsten|nächster|nächste|nächstes": 0}),
    **phrases(
        Kind.THIS,
        {"diesen|dieser|diese|dieses": 0, "kommenden|kommender|kommende|kommendes": 1},
    ),
    **phrases(Kind.LAST, {"letzten|letzter|letzte|letztes|vergangenen": -1}),
    "vor": ((Kind.BEFORE, 0),),
    **phrases(Kind.END_OF, {"ende|am ende|ende des|am ende des": 0}),
    **phrases(Kind.END_OF_MONTH, {"monatsende|zum monatsende": 0}),
    **phrases(Kind.EVERY, {"jeden|jede|jedes|alle": 0}),
    **phrases(Kind.TIMES, {"mal": 0}),
    "um": ((Kind.AT, 24),),
    **phrases(Kind.FROM, {"von|ab|zwischen": 24}),
    **phrases(Kind.ON, {"am|zum": 0}),
    **phrases(Kind.IN, {"in|im": 0}),
    **phrases(Kind.OF, {"des": 0}),
    **phrases(Kind.THE, {"der|den|dem": 0}),
    **phrases(Kind.FOR, {"für": 0}),
    "bis": ((Kind.TO, 24),),
    "und": ((Kind.AND, 0),),
}
