# ruff: noqa: RUF001 (letters of other alphabets)
"""What mail programs write around a message that they quote or forward, by language.

Data alone: labels of headers, marker lines, lines like "On ... wrote:", months, subject prefixes.
All in lower case, as ``str.casefold`` gives it, and without the decoration around it.
"""

from collections.abc import Mapping

WIDE_COLON = "："
COLONS = (":", WIDE_COLON)
FROM, TO, CC, SENT, SUBJECT, OTHER = "from", "to", "cc", "sent", "subject", "other"

_LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        FROM: "from",
        TO: "to",
        CC: "cc",
        SENT: "date|sent|sent at|date sent",
        SUBJECT: "subject",
        OTHER: "reply-to|reply to|bcc|organization|organisation|attachments|importance|message-id"
        "|resent-from|resent-to|resent-date|mailed-by|signed-by|categories|priority|sender",
    },
    "de": {
        FROM: "von",
        TO: "an",
        CC: "kopie|kopie (cc)",
        SENT: "datum|gesendet|gesendet am",
        SUBJECT: "betreff",
        OTHER: "antwort an|blindkopie|anlagen|wichtigkeit|priorität|organisation",
    },
    "fr": {
        FROM: "de|expéditeur",
        TO: "à|a|pour|destinataire",
        CC: "copie à|copie",
        SENT: "date|envoyé|envoyé le",
        SUBJECT: "objet|sujet",
        OTHER: "répondre à|pièces jointes|importance|cci|organisation",
    },
    "es": {
        FROM: "de|remitente",
        TO: "para|a",
        CC: "cc",
        SENT: "fecha|enviado|enviado el|enviado a las",
        SUBJECT: "asunto",
        OTHER: "responder a|cco|datos adjuntos|importancia",
    },
    "it": {
        FROM: "da|mittente",
        TO: "a",
        CC: "cc",
        SENT: "data|inviato|inviato il",
        SUBJECT: "oggetto",
        OTHER: "rispondi a|ccn|allegati|priorità",
    },
    "nl": {
        FROM: "van",
        TO: "aan",
        CC: "cc|kopie",
        SENT: "datum|verzonden|verzonden op",
        SUBJECT: "onderwerp",
        OTHER: "antwoord aan|bijlagen|urgentie",
    },
    "pt": {
        FROM: "de|remetente",
        TO: "para",
        CC: "cc",
        SENT: "data|enviado|enviado em|enviada em|enviada",
        SUBJECT: "assunto",
        OTHER: "responder a|responder para|cco|anexos|prioridade",
    },
    "pl": {
        FROM: "od|nadawca",
        TO: "do|adresat",
        CC: "dw|kopia|do wiadomości",
        SENT: "data|wysłano|wysłane|data wysłania",
        SUBJECT: "temat",
        OTHER: "odpowiedź-do|odpowiedz do|udw|załączniki|ważność",
    },
    "sv": {
        FROM: "från",
        TO: "till",
        CC: "kopia",
        SENT: "datum|skickat|skickat den",
        SUBJECT: "ämne",
        OTHER: "svara till|bilagor|prioritet",
    },
    "ja": {
        FROM: "差出人|送信者|送信元|from",
        TO: "宛先|送信先|to",
        CC: "cc|写し",
        SENT: "送信日時|日時|日付|送信日",
        SUBJECT: "件名|題名",
        OTHER: "返信先|添付ファイル|重要度|bcc",
    },
    "da": {
        FROM: "fra",
        TO: "til",
        CC: "kopi",
        SENT: "dato|sendt",
        SUBJECT: "emne",
        OTHER: "svar til|vedhæftede filer",
    },
    "nb": {
        FROM: "fra",
        TO: "til",
        CC: "kopi",
        SENT: "dato|sendt",
        SUBJECT: "emne",
        OTHER: "svar til|vedlegg",
    },
    "fi": {
        FROM: "lähettäjä",
        TO: "vastaanottaja",
        CC: "kopio",
        SENT: "päivämäärä|päiväys|lähetetty",
        SUBJECT: "aihe",
        OTHER: "vastaus|liitteet",
    },
    "cs": {
        FROM: "od",
        TO: "komu",
        CC: "kopie",
        SENT: "datum|odesláno",
        SUBJECT: "předmět",
        OTHER: "odpověď na|přílohy",
    },
    "hu": {
        FROM: "feladó",
        TO: "címzett",
        CC: "másolat|másolatot kap",
        SENT: "dátum|elküldve|küldve",
        SUBJECT: "tárgy",
        OTHER: "válaszcím",
    },
    "ru": {
        FROM: "от|отправитель",
        TO: "кому",
        CC: "копия",
        SENT: "дата|отправлено",
        SUBJECT: "тема",
        OTHER: "ответ-кому",
    },
    "tr": {
        FROM: "kimden|gönderen",
        TO: "kime|alıcı",
        CC: "bilgi",
        SENT: "tarih|gönderilen|gönderildi",
        SUBJECT: "konu",
        OTHER: "yanıt adresi",
    },
}

LABELS: Mapping[str, str] = {
    label: field
    for language in _LABELS.values()
    for field, labels in language.items()
    for label in labels.split("|")
}
"""The label of a header, as a program shows it, to the field that it stands for."""

LANGUAGES: Mapping[str, tuple[tuple[int, str], ...]] = {
    name: tuple(
        (number, field)
        for number, language in enumerate(_LABELS.values())
        for field, labels in language.items()
        if name in labels.split("|")
    )
    for name in LABELS
}
"""By label, the languages that have it, each with the field: for headers run together on a line."""
LONGEST_LABEL = max(map(len, LABELS))

_FORWARD = """
forwarded message
weitergeleitete nachricht
weitergeleitete mail
message transféré
message transmis
message réexpédié
mensaje reenviado
mensaje original reenviado
messaggio inoltrato
doorgestuurd bericht
mensagem encaminhada
mensagem reencaminhada
przekazana wiadomość
treść przekazanej wiadomości
wiadomość przekazana dalej
wiadomość przesłana dalej
vidarebefordrat meddelande
vidarebefordrat mejl
転送されたメッセージ
転送メッセージ
メッセージを転送
forwarded message / 転送
videresendt meddelelse
videresendt besked
videresendt melding
videresendt e-post
välitetty viesti
välitetty viesti / fwd.msg
edelleenlähetetty viesti
přeposlaná zpráva
továbbított üzenet
továbbított levél
пересылаемое сообщение
перенаправленное сообщение
переадресованное сообщение
i̇letilmiş mesaj
i̇letilen i̇leti
mesaj redirecționat
preposlaná správa
preposlaná správa --- forwarded message
proslijeđena poruka
"""

_BEGIN = """
begin forwarded message
anfang der weitergeleiteten nachricht
anfang der weitergeleiteten e-mail
début du message réexpédié
début du message transféré
inicio del mensaje reenviado
inizio messaggio inoltrato
inizio del messaggio inoltrato
begin doorgestuurd bericht
início da mensagem encaminhada
início da mensagem reencaminhada
początek przekazywanej wiadomości
początek wiadomości przekazanej dalej
vidarebefordrat mejl
vidarebefordrat brev
転送されたメッセージ
start på videresendt besked
videresendt melding
välitetty viesti alkaa
začátek přeposílané zprávy
továbbított levél kezdete
начало переадресованного сообщения
i̇leti başlangıcı
"""

_ORIGINAL = """
original message
original appointment
ursprüngliche nachricht
originalnachricht
ursprünglicher termin
message d'origine
message d’origine
message original
mensaje original
messaggio originale
oorspronkelijk bericht
mensagem original
wiadomość oryginalna
oryginalna wiadomość
ursprungligt meddelande
ursprungligt meddelande från
originalmeddelande
元のメッセージ
oprindelig meddelelse
opprinnelig melding
alkuperäinen viesti
původní zpráva
eredeti üzenet
исходное сообщение
original message follows
reply message
"""


_END = """
end forwarded message
end of forwarded message
ende der weitergeleiteten nachricht
fin du message transféré
fin del mensaje reenviado
fine messaggio inoltrato
einde doorgestuurd bericht
fim da mensagem encaminhada
koniec przekazywanej wiadomości
slut på vidarebefordrat meddelande
転送されたメッセージの終わり
"""


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _lines(table: str) -> frozenset[str]:
    return frozenset(table.strip().splitlines())


FORWARD_MARKERS = _lines(_FORWARD)
"""What stands between dashes above a forwarded message."""
BEGIN_MARKERS = _lines(_BEGIN)
"""What Apple Mail writes above a forwarded message, with a colon after it and no dashes."""
ORIGINAL_MARKERS = _lines(_ORIGINAL)
"""What stands between dashes above a message that is quoted or forwarded."""
END_MARKERS = _lines(_END)
"""What stands between dashes below a forwarded message."""

WROTE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("on ", ("wrote",)),
    ("am ", ("schrieb", "hat geschrieben")),
    ("le ", ("a écrit",)),
    ("el ", ("escribió",)),
    ("il ", ("ha scritto",)),
    ("op ", ("schreef", "geschreven")),
    ("em ", ("escreveu",)),
    ("a ", ("escreveu",)),
    ("dnia ", ("napisał", "napisała", "napisał(a)", "napisali", "pisze")),
    ("wiadomość napisana przez ", ("w dniu",)),
    ("w dniu ", ("napisał", "napisała", "napisał(a)", "pisze")),
    ("den ", ("skrev", "skrev följande", "skreiv")),
    ("d. ", ("skrev",)),
    ("dne ", ("napsal", "napsala", "napsal(a)")),
    # These begin with the date itself, or with a name.
    ("", ("wrote", "schrieb", "a écrit", "escribió", "ha scritto", "schreef", "escreveu")),
    ("", ("napisał(a)", "napisał", "napisała", "skrev", "kirjoitti")),
    ("", ("napsal(a)", "napsal", "napsala", "napísal(a)", "napísal", "napísala")),
    ("", ("ezt írta", "написал(а)", "написал", "написала", "пишет", "şunu yazdı", "yazdı")),
    ("", ("のメール", "さんが書きました", "さんは書きました", "のメッセージ")),
)
"""How a line above quoted words begins, and the verb in it."""

WROTE_WORDS = frozenset(word for _, words in WROTE for word in words)

FILLERS = _words(
    "at um à a las alle ore om às o kl kl. klo uhr, uhr the of de di den dem der van år år, "
    "időpontban пользователь tarihinde odesílatel uživatel používateľ "
    "via email e-mail par das folgende följande følgende het volgende lo siguiente"
)
"""Words between date, name and verb that belong to neither."""

SENT_FROM = (
    "sent from my ",
    "sent from mail for ",
    "sent from outlook",
    "sent from yahoo mail",
    "sent from proton mail",
    "sent with proton mail",
    "sent via ",
    "get outlook for ",
    "von meinem ",
    "gesendet mit der ",
    "gesendet von ",
    "gesendet mit ",
    "outlook für ",
    "holen sie sich outlook für ",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "obtenir outlook pour ",
    "télécharger outlook pour ",
    "enviado desde mi ",
    "enviado desde ",
    "obtener outlook para ",
    "inviato da ",
    "ottenere outlook per ",
    "scarica outlook per ",
    "verstuurd vanaf ",
    "verzonden vanaf ",
    "outlook downloaden voor ",
    "enviado do meu ",
    "enviado a partir ",
    "obter o outlook para ",
    "wysłane z ",
    "pobierz program outlook dla ",
    "skickat från ",
    "hämta outlook för ",
    "iphoneから送信",
    "androidから送信",
    "outlook for ios を入手",
    "sendt fra ",
    "lähetetty ",
    "odesláno z ",
)
"""How a line begins that a program, not a person, puts below a mail."""

_MONTHS = (
    (
        "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro "
        "stycznia styczeń sty tammikuuta tammi tammikuu ledna led leden január января янв "
        "ocak oca"
    ),
    (
        "february feb februar febr février févr fév febrero febbraio februari fevereiro "
        "fev lutego luty lut helmikuuta helmi února úno február февраля фев şubat şub"
    ),
    (
        "march mar märz mär mrz mars marzo maart mrt março marca marzec marts maaliskuuta "
        "maalis března bře március márc марта мар mart"
    ),
    (
        "april apr avril avr abril abr aprile kwietnia kwiecień kwi huhtikuuta huhti "
        "dubna dub április ápr апреля апр nisan nis"
    ),
    "may mai mayo maggio mag mei maio maja maj toukokuuta touko května kvě május máj мая мая mayıs",
    (
        "june jun juni juin junio giugno giu junho czerwca czerwiec cze kesäkuuta kesä "
        "června čvn június jún июня июн haziran haz"
    ),
    (
        "july jul juli juillet juil julio luglio lug julho lipca lipiec lip heinäkuuta "
        "heinä července čvc július júl июля июл temmuz tem"
    ),
    (
        "august aug août aoû agosto ago augustus agosto sierpnia sierpień sie augusti "
        "elokuuta elo srpna srp augusztus августа авг ağustos ağu"
    ),
    (
        "september sep sept septembre septiembre settembre set setembro września wrzesień "
        "wrz syyskuuta syys září zář szeptember szept сентября сен eylül eyl"
    ),
    (
        "october oct oktober okt octobre octubre ottobre ott outubro out października "
        "październik paź lokakuuta loka října říj október октября окт ekim eki"
    ),
    (
        "november nov novembre noviembre novembro listopada listopad lis marraskuuta "
        "marras lis ноября ноя kasım kas"
    ),
    (
        "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudnia "
        "grudzień gru joulukuuta joulu prosince pro декабря дек aralık ara"
    ),
)
MONTHS: Mapping[str, int] = {
    word: number for number, row in enumerate(_MONTHS, 1) for word in row.split()
}

_H = 60
ZONES: Mapping[str, int] = {
    "gmt": 0,
    "utc": 0,
    "z": 0,
    "ut": 0,
    "wet": 0,
    "cet": _H,
    "mez": _H,
    "cest": 2 * _H,
    "mesz": 2 * _H,
    "eet": 2 * _H,
    "eest": 3 * _H,
    "jst": 9 * _H,
    "est": -5 * _H,
    "edt": -4 * _H,
    "cst": -6 * _H,
    "cdt": -5 * _H,
    "mst": -7 * _H,
    "mdt": -6 * _H,
    "pst": -8 * _H,
    "pdt": -7 * _H,
}
"""Zones by letters, in minutes: of RFC 5322 section 4.3, of Europe and Japan."""
