"""How mails of people and machines are put together, in English and German: what is cut as no news.

Each is part of a regular expression without case, without nesting, so that it takes linear time.
"""

GREETINGS = (
    "hi",
    "hello",
    "hey",
    "dear",
    "good (?:morning|afternoon|evening|day)",
    "greetings",
    "to whom it may concern",
    "hallo",
    "liebe[rs]?",
    "lieben",
    "sehr geehrte[rs]?",
    "werte[rs]?",
    "guten (?:tag|morgen|abend)",
    "moin",
    "servus",
    "grüezi",
    "grüß (?:gott|dich|euch|sie)",
)
"""How a line that greets begins."""

CLOSINGS = (
    "(?:with )?(?:best|kind|warm|kindest|warmest|many)(?: (?:best|kind|warm))? (?:regards|wishes)",
    "regards",
    "yours(?: (?:sincerely|faithfully|truly))?",
    "sincerely(?: yours)?",
    "respectfully",
    "all the best",
    "with love",
    "mit (?:freundlichen|besten|herzlichen|vielen|lieben) grüßen",
    "mit freundlichen gruessen",
    "mit freundlichem gruß",
    "(?:viele|beste|liebe|freundliche|herzliche|schöne|sonnige|sportliche) grüße",
    "(?:viele|beste|liebe|freundliche) gruesse",
    "(?:schönen|lieben|herzlichen|besten) gruß",
    "hochachtungsvoll",
    "mfg",
    "vg",
    "lg",
    "glg",
    "beste wünsche",
)
"""A line that says goodbye: what follows in this letter is its signature."""

SHORT_CLOSINGS = (
    "best",
    "cheers",
    "thanks(?: a lot| so much| again| in advance)?",
    "many thanks",
    "thank you(?: very much| in advance)?",
    "love",
    "see you(?: soon| then| there)?",
    "take care",
    "xo+",
    "danke(?: dir| schön| euch| ihnen| im voraus)?",
    "vielen dank(?: im voraus)?",
    "grüße",
    "gruß",
    "ciao",
    "bis dann",
    "bis bald",
    "tschüss",
)
"""A line that says goodbye where nothing but a name or a signature follows."""

POSTSCRIPTS = (r"p\.? ?s\.?[:.,]?(?=\s)", r"n\.? ?b\.?[:.,]?(?=\s)")

FORWARDED = (
    "begin forwarded message",
    "forwarded message",
    "forwarded (?:by|from|mail)",
    "anfang der weitergeleiteten (?:nachricht|e-?mail)",
    "weitergeleitete (?:nachricht|e-?mail|mail)",
    "weitergeleitet von",
    "start der weitergeleiteten nachricht",
)
ORIGINAL = (
    "original message",
    "original appointment",
    "originalnachricht",
    "original-nachricht",
    "ursprüngliche nachricht",
    "ursprünglicher termin",
    "reply message",
)
"""How Outlook announces an earlier mail, quoted or forwarded."""
FROM = ("from", "von")
HEADERS = (
    *FROM,
    "sent",
    "date",
    "to",
    "cc",
    "bcc",
    "subject",
    "reply-to",
    "attachments?",
    "importance",
    "organizer",
    "when",
    "where",
    "gesendet",
    "gesendet am",
    "datum",
    "an",
    "kopie",
    "betreff",
    "antwort an",
    "anlagen?",
    "wichtigkeit",
)
WROTE_BEGINS = ("on", "am", "le", "den", "vor")
WROTE = ("wrote", "writes", "schrieb", "schreibt", "hat .{1,80} geschrieben")
"""``On Monday, Ann wrote:``"""
NOTHING = (
    "fyi",
    "f\\.?y\\.?i\\.?",
    "for your information",
    "see below",
    "siehe unten",
    "s\\.u\\.",
    "zur (?:info|information|kenntnis)",
    "z\\.? ?k\\.?",
    "zk",
    "wtr",
)
"""All that is said above a mail that is handed on."""
FORWARD_SUBJECTS = ("fw", "fwd", "wg", "weitergeleitet", "tr", "doorst", "rv")
REPLY_SUBJECTS = ("re", "aw", "antw", "antwort", "sv")

LAST_PARTS = (
    "confidentiality notice",
    "confidentiality",
    "legal notice",
    "legal disclaimer",
    "disclaimer",
    "privacy notice",
    "impressum",
    "rechtlicher hinweis",
    "rechtliche hinweise",
    "haftungsausschluss",
    "vertraulichkeitshinweis",
    "datenschutzhinweise?",
    "pflichtangaben",
    "anbieterkennzeichnung",
)
"""The heading of a part after which nothing is news."""

LEGAL = (
    "intended (?:recipients?|only for|solely for|exclusively)",
    "intended for the (?:use|person|individual|addressee|recipient)",
    "(?:may|might) contain (?:confidential|privileged|legally)",
    "(?:is|are) (?:strictly )?confidential(?: and|,)",
    (
        "(?:this|the) (?:e-?mail|message|communication)(?: and (?:any"
        "|its|all) attachments?)? (?:is|are) confidential"
    ),
    "received this (?:e-?mail|message|communication|transmission) (?:in error|by mistake)",
    "unauthori[sz]ed (?:use|copying|disclosure|review|distribution)",
    "consider the environment",
    "think before (?:you print|printing)",
    "registered (?:in england|office|company|address)",
    "charity (?:no|number|reg)",
    "company (?:registration )?(?:number|no)\\b",
    "vat (?:reg|id|no|number|registration)",
    "all rights reserved",
    "©|\\(c\\) ?20\\d\\d|copyright 20\\d\\d",
    "authori[sz]ed and regulated by",
    "this (?:e-?mail|message) was (?:sent|delivered) to",
    "(?:e-?mail|nachricht) (?:enthält|kann|ist) .{0,40}vertraulich",
    "vertrauliche (?:und|oder|und/oder|informationen|inhalte)",
    "nicht der (?:richtige|beabsichtigte|vorgesehene) (?:adressat|empfänger)",
    "(?:irrtümlich|versehentlich) (?:erhalten|zugesandt|an sie)",
    "unbefugte[nrs]? (?:weitergabe|kopieren|verwendung|nutzung)",
    "unerlaubte[sr]? kopieren",
    (
        "denken sie an die umwelt|umwelt .{0,30}(?:drucken|ausdrucken)"
        "|bevor sie diese (?:e-?mail|mail) (?:aus)?drucken"
    ),
    "handelsregister",
    "registergericht",
    "amtsgericht \\S{2,30},? ?(?:hrb|hra|vr|\\()",
    "\\bhr[ab] ?(?:nr\\.? ?)?\\d",
    "sitz der gesellschaft",
    "geschäftsführ(?:er|erin|ung|ende)s?:",
    "vorstand:|aufsichtsrat|vorsitzender des",
    "ust\\.?-?id|umsatzsteuer-?(?:id|identifikation)",
    "alle rechte vorbehalten",
    "gläubiger-?id",
)
"""A paragraph that says so is legal text or a register."""

DEVICES = (
    "sent from (?:my |mail for |outlook|yahoo)",
    "get outlook for",
    "(?:von meinem|vom) (?:iphone|ipad|handy|smartphone|mobil\\w*)(?: aus)? ?gesendet",
    "gesendet von mail für",
)
"""How a line begins that a telephone puts below each mail."""

FOOTERS = (
    "unsubscribe",
    "opt[- ]out",
    "manage (?:your )?(?:e-?mail )?(?:preferences|subscriptions?|notifications)",
    "(?:update|change) your (?:e-?mail |notification )?(?:preferences|settings)",
    "notification settings",
    (
        "(?:want|wish|like) to (?:change|stop|update|manage|no longer) .{0,40}"
        "(?:mails?|messages|newsletters?)"
    ),
    (
        "(?:möchten|wollen) sie .{0,40}(?:mails?|newsletter|nachrichten)\\b.{0,20}"
        "(?:mehr|ändern|abbestellen)"
    ),
    "you receive this (?:e-?mail|mail|message|newsletter)",
    "(?:confirm|manage|set) your (?:e-?mail |mail )?preferences",
    (
        "(?:view|open|read) (?:this (?:e-?mail |message )?"
        "|it )?(?:in|on) (?:your|a|the) (?:web )?browser"
    ),
    "view (?:it )?online|view (?:the )?(?:web|online) version",
    "you (?:are|were|have been) (?:receiving|received|sent|getting) (?:this|these)",
    "you(?:'re| are) (?:receiving|getting) (?:this|these)",
    "you received this (?:e-?mail|message|notification) because",
    "why (?:did i|am i|you) (?:get|getting|got|receive)",
    "sent from (?:my |mail for |outlook|yahoo|the )",
    "get outlook for",
    "sent (?:with|via) (?:the )?\\S{2,20}(?: mail)?$",
    "(?:do not|don't|please do not|cannot) (?:reply|respond) to this",
    "(?:this|it) is an automat(?:ed|ically)",
    "automatically generated",
    "no-?reply",
    "privacy policy",
    "terms (?:of (?:use|service)|and conditions|& conditions)",
    "help cent(?:er|re)",
    "follow us",
    "download (?:our|the) app",
    "add us to your address book",
    "was this (?:e-?mail|information) helpful",
    "rate (?:us|this|your experience)",
    "forward this (?:e-?mail|to a friend)",
    "forwarding this invitation",
    "^invitation from .{1,40} calendar",
    "^reply for \\S{1,60}@",
    "reply to this e-?mail directly",
    "abmelden|abbestell|austragen|newsletter .{0,30}(?:nicht mehr|kündigen)",
    "nicht mehr (?:erhalten|empfangen)",
    "(?:e-?mail|newsletter|nachricht|mail) .{0,20}im browser",
    "im browser (?:ansehen|anzeigen|öffnen|lesen)",
    "online-?(?:version|ansicht)|webansicht",
    "sie erhalten diese (?:e-?mail|nachricht|mail)",
    (
        "diese (?:e-?mail|nachricht|mail) (?:wurde|ist) (?:an .{1,60} (?:gesendet"
        "|verschickt)|automatisch|maschinell)"
    ),
    "(?:von meinem|vom) (?:iphone|ipad|handy|smartphone|mobil\\w*)(?: aus)? ?(?:gesendet)?",
    "gesendet (?:von|mit|über) ",
    "(?:bitte )?antworten sie (?:bitte )?nicht auf diese",
    "nicht auf diese (?:e-?mail|nachricht|mail)",
    "automatisch (?:erstellt|generiert|erzeugt|versendet)",
    "maschinell erstellt",
    "datenschutz(?:erklärung|bestimmungen)|\\bagb\\b|impressum",
    "folgen sie uns|folge uns",
    "profil ?-?einstellungen|benachrichtigungs-?einstellungen",
    "empfehlen sie uns|bewerten sie uns",
    "virus-?free|virenfrei|avast|antivirus",
    (
        "caution: (?:this|external)|external (?:e-?mail|sender)"
        "|this (?:e-?mail|message) originated (?:from )?outside"
    ),
    "achtung: (?:diese|externe)|externe (?:e-?mail|absender)",
)
"""A sentence, or a line, that says so is the footer of a machine."""
