"""The words that the grammar knows, as regular expressions. Case is the same to all of them."""

import re


def form(pattern: str) -> re.Pattern[str]:
    """Compile a pattern."""
    return re.compile(pattern, re.IGNORECASE)


TYPOGRAPHY = str.maketrans("\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", '\'\'"""""')
POLITE_BEFORE = form(r"^(?:(?:please|can you|could you) )+")
POLITE_AFTER = form(r"(?:,? please)?[ .!?]*$")
QUOTED = form(r'"(?P<title>[^"]*[^" ][^"]*)"(?:,? ?(?:on )?(?P<rest>[^"]*))')
PREPOSITION = form(r" (?:on|at|from|for)$")
LATER = "2026-11-30 10:00"
CREATE = r"(?:create|add|schedule|book|plan)"
MOVE = r"(?:move|reschedule|shift|postpone)"
CANCEL = r"(?:cancel|delete|remove)"
CHANGE = form(rf'(?:{CREATE}|{MOVE}|rename|{CANCEL}) [^"]*"')
JOINT = form(rf"(?: ?; ?|,? and )(?:and )?(?:then )?(?:please )?(?={CHANGE.pattern})")
CREATES = form(rf"{CREATE}\b")
CHANGES = form(rf"(?:{CREATE}|{MOVE}|rename|{CANCEL})\b")
OF_THIS = r"(?:only|just|nur) (?:this|that|diese[nrs]?)(?: one)?|(?:this|that) one(?: only)?"
_AFTER = (
    r"(?:(?:all|the|those|everything) )*"
    r"(?:(?:following|later)(?: ones)?|after(?: (?:it|that|this))?)"
)
OF_FOLLOWING = (
    rf"(?:this(?: one)? )?and {_AFTER}|from then on|from (?:this|that)(?: one| day)? on"
    r"|(?:und )?ab (?:dann|da)|und (?:alle )?(?:folgenden?|danach|späteren?)"
)
OF_ALL = r"(?:the|die) (?:whole|entire|ganze) (?:series|serie)|all of (?:them|it)|every one"
THEN = form(
    r"(?: ?; ?|,? and |, )(?:and )?(?:then )?(?:please )?(?!\d|noon\b|midday\b"
    rf"|(?:{OF_THIS}|{OF_FOLLOWING}|{OF_ALL}|{_AFTER}|only|just|nur|all|every|alle)(?: to |$))"
)
"""Joins two changes. Behind it stands no hour, nor how much of a series is meant."""
BARE_HOUR = form(r"\b(?:at|um) (?P<hour>1?\d)(?!\d|:|\.| ?[ap]m\b| ?uhr\b)")
WAKING = 7
"""The first hour that is meant by day where it is said alone."""
TIME_WORDS = 8
"""Words of a time, at the most."""
SHORT_TIME_WORDS = 3
"""Words of a time that a title may end with by mistake, at the most."""
TITLE_WORDS = 8
"""Words of a title that stands without a verb, at the most."""
CHANGING = frozenset({"create_event", "update_event", "delete_event", "remind_me"})
"""The tools of changes."""
IN_CALENDAR = form(r",? (?:to|in|into|on) (?:my|the) (?:calendar|diary|agenda)\b")
NO = form(
    r"(?:^|[,;] ?|\b(?:and|or|then|und|oder)(?: then| please| also)* )(?:please )?"
    r"(?:don'?t|do not|does not|not|never|no|without|nor|neither|nicht|keine?[nrms]?)\b"
    r"|,? ?\b(?:but|instead of|rather than|except|aber|sondern)\b"
)
"""What takes something out of an order: where it stands, and what it is about, is not certain."""
TIME_IN_TITLE = form(
    r"\d:\d\d|\b\d{1,2} ?[ap]m\b|\b(?:today|tomorrow)\b(?!')|\b(?:and|or|und)$"
    r"|\b(?:every|jede[nrs]?)\b|\b(?:demain|mañana|domani|amanhã)\b"
    r"|\b(?:next|this|last|coming|half|quarter|past|ago|in|until|till|week|fortnight)$"
    r"|\b(?:halb|viertel|viertel \w+|bis)$"
)
"""Shows that a title without quotes holds a time, or a part of one, that was not understood."""
ENDS_WITH_EVERY = form(r"\b(?:every|jede[nrs]?)(?:,? [^\W\d]+){1,5}$")
"""Ends with the days of a repeat, to which others may be joined."""
AND = form(r"\b(?:and|und)\b")
BETWEEN = form(r"\b(?:between|zwischen)\b")
PRONOUN = form(r"(?:it|that|this|them|these|those|(?:that|this) one)")
NEAR = form(r"(?P<title>.+?),? (?P<day>today|tomorrow)")
FOREIGN = form(
    r"\b(?:(?:après-)?demain|aujourd'hui|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|mañana|manana|hoy|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|domani|oggi|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica"
    r"|amanhã|hoje|overmorgen|vandaag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b"
)
"""A day in a language that is not read."""
NO_EVENT = form(
    r"(?:what|when|where|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|can|could"
    r"|will|would|should|has|have|had|if|search|find|look|read|open|show|list|check|summari[sz]e"
    r"|e?-?mails?|messages?|send|write|reply|answer|forward|remind|wake|tell|say|ask|approve"
    r"|approved|deny|denied|allow|confirm|reject|undo|help|yes|no|ok|okay|stop|i|you|it)\b"
)
"""What begins a question, or another order than for an event."""

MAIL = r"(?:(?:e-?)?mails?|messages?)"
SHOW = (
    r"(?:(?:show|list|find|search|get|read|check|summari[sz]e)(?: me)?(?: all)?(?: the| my)? "
    r"|do i have (?:any )?|(?:is|are) there (?:any )?|any )?"
)
THE_MAIL = r"(?:it|that|this|(?:that|this|the last|the latest) (?:one|(?:e-?)?mail|message))"
ID = r"(?:(?:the )?(?:(?:e-?)?mail|message) )?(?P<id>[0-9a-f]{4,64})"
PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
PLACE = (
    rf"(?:(?:(?:mail|number|no\.?|#) ?)?(?P<place>[0-9]{{1,2}}|{'|'.join(PLACES)})"
    r"(?: (?:one|(?:e-?)?mail|message))?)"
)
PAGE = r"(?:,? page (?P<page>[0-9]{1,4}))?"
DIARY = r"(?:calendar|agenda|schedule|events|appointments)"
EVENT = r"(?:(?:an? |the )?(?:new )?(?:event|appointment|entry)(?: called| named| titled)? |an? )?"

HELLO = (
    r"(?:hello|hi|hey|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend))"
    r"(?: there)?|(?:is there )?(?:any ?thing|what(?:'s| is)) new|news"
)
ANSWER = (
    r"(?:(?:yes|yep|yeah|y|no|nope|n|ok|okay|sure|ja|nein),? ?)?(?:go ahead|do (?:it|that)|"
    r"(?:approved?|den(?:y|ied)|confirm|accept|reject|allow)(?: (?:it|that|this|all|both|them))?)"
    r"|(?:yes|yep|yeah|y|no|nope|n|e|edit|ok|okay|sure|ja|nein)(?: thanks| thank you)?"
)
HELP = (
    r"(?:(?:hello|hi|hey),? )?(?:help(?: me)?(?: with .+)?|hilfe|help .+|who are you"
    r"|what (?:can|do|should|could) (?:you|i) (?:do|know|understand|ask|say|type)(?: you)?"
    r"|how (?:does (?:this|it) work|do i (?:use|start) (?:this|it|you)))"
)
WAITS = (
    r"(?:show |list )?(?:me )?(?:the |my )?(?:pending|approvals?)(?: (?:calls|cards|approvals))?"
    r"|what(?:'s| is)? (?:waits?|pending|waiting|open)(?: for me)?"
    r"|(?:is )?any ?thing (?:waiting|pending)(?: for me)?"
    r"|what needs (?:my|an) (?:approval|answer|yes)"
)
MEANT = {"commands": "help", "history": "log", "timezone": "zone"}
"""Words for a command beside its name."""
COMMAND = (
    r"(?P<name>undo|why|details|plan|status|log|history|grants|mode|lockdown|zone|timezone|new|stop"
    r"|commands)(?: (?:it|that|this|#?(?P<call>a[0-9]+)))?"
)
SENDS = (
    r"(?:reply|answer|respond|forward)\b.*|(?:send|write) (?:(?:an? |the )?(?:e-?)?(?:mail|message)"
    r"\b.*|.+ to .+@.+)"
)
NEW = r"(?:any )?(?:new|newest|latest|recent|unread)"
SINCE = r"(?P<since>today|yesterday|this week)"
REMIND = (
    r"(?:remind me|(?:set |make |create )?(?:me )?(?:a |an )?(?:reminder|alarm)|erinner[en]? mich)"
    r"(?: (?:to|about|of|that|for|an|daran),?)?:? (?P<rest>.+)"
)
AN_EVENT = r"(?:an? |the )?(?:new )?(?:event|appointment|entry)(?: called| named| titled)? "
