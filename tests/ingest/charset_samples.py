# ruff: noqa: RUF001 - letters of other scripts are what this is about
"""A sentence for each character set that mail is written in, and the ways it comes in a mail."""

import re
from base64 import b64encode
from binascii import b2a_qp
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Sample(NamedTuple):
    label: str
    codec: str
    """Python's name of the codec that a sender wrote it with."""
    text: str


FRENCH = "Déjà vu: l'été à Nîmes, où le garçon dîne près du château"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю"
UKRAINIAN = "Зустрінемось у п'ятницю, бо їжак з'їв ґудзик"
GREEK = "Τα λέμε αύριο το πρωί στο γραφείο, καλή σου νύχτα"
HEBREW = "נתראה מחר בבוקר במשרד ונדבר על הכול"
ARABIC = "نلتقي غدا صباحا في المكتب للحديث عن المشروع"
TURKISH = "Yarın öğleden sonra ofiste görüşürüz, İstanbul'da hava güneşli"
BALTIC = "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą"
VIETNAMESE = "Đê\u0301n nha\u0300 ha\u0300ng ơ\u0309 đươ\u0300ng na\u0300y lu\u0301c năm giơ\u0300"
THAI = "พบกันพรุ่งนี้เช้าที่สำนักงานนะครับ"
CHINESE = "我们明天早上在办公室见面，讨论新的项目"
TAIWANESE = "我們明天早上在辦公室見面，討論新的專案"
JAPANESE = "明日の朝、事務所でお会いしましょう。プロジェクトの話です"
KOREAN = "내일 아침 사무실에서 만나서 새 프로젝트를 이야기합시다"
EURO = "Das Büro kostet 300 € für März, schöne Grüße aus Köln"

SAMPLES = (
    Sample("us-ascii", "ascii", "Lunch at noon? See you there"),
    Sample("utf-8", "utf-8", f"{RUSSIAN} {CHINESE} 🎉"),
    Sample("UTF8", "utf-8", EURO),
    Sample("iso-8859-1", "latin-1", FRENCH),
    Sample("latin1", "cp1252", "“Déjà vu”, c’est à dire l’été…"),
    Sample("iso-8859-2", "iso8859-2", CZECH),
    Sample("iso-8859-3", "iso8859-3", "Ĉu vi ŝatas ĝin? Eĥoŝanĝo ĉiuĵaŭde"),
    Sample("iso-8859-4", "iso8859-4", BALTIC),
    Sample("iso-8859-5", "iso8859-5", RUSSIAN),
    Sample("iso-8859-6", "iso8859-6", ARABIC),
    Sample("iso-8859-7", "iso8859-7", GREEK),
    Sample("iso-8859-8", "iso8859-8", HEBREW),
    Sample("iso-8859-8-i", "iso8859-8", HEBREW),
    Sample("iso-8859-9", "iso8859-9", TURKISH),
    Sample("iso-8859-10", "iso8859-10", "Ąžuolas ir Đ Ŋ ŧ í sumar á Íslandi"),
    Sample("iso-8859-13", "iso8859-13", BALTIC),
    Sample("iso-8859-14", "iso8859-14", "Ŵyth ŷd â ẁ ẃ ẅ Ḃ ḃ Ċ ċ"),
    Sample("iso-8859-15", "iso8859-15", EURO),
    Sample("iso-8859-16", "iso8859-16", "Mâine dimineață, la București, în piață"),
    Sample("windows-1250", "cp1250", CZECH),
    Sample("windows-1251", "cp1251", RUSSIAN),
    Sample("cp-1251", "cp1251", UKRAINIAN),
    Sample("windows-1252", "cp1252", EURO),
    Sample("windows-1253", "cp1253", GREEK),
    Sample("windows-1254", "cp1254", TURKISH),
    Sample("windows-1255", "cp1255", HEBREW),
    Sample("windows-1256", "cp1256", ARABIC),
    Sample("windows-1257", "cp1257", BALTIC),
    Sample("windows-1258", "cp1258", VIETNAMESE),
    Sample("koi8-r", "koi8-r", RUSSIAN),
    Sample("koi8-u", "koi8-u", UKRAINIAN),
    Sample("ibm866", "cp866", RUSSIAN),
    Sample("cp850", "cp850", FRENCH),
    Sample("cp437", "cp437", FRENCH),
    Sample("ibm852", "cp852", CZECH),
    Sample("macintosh", "mac-roman", FRENCH),
    Sample("x-mac-cyrillic", "mac-cyrillic", RUSSIAN),
    Sample("tis-620", "cp874", THAI),
    Sample("windows-874", "cp874", THAI),
    Sample("gb2312", "gb2312", CHINESE),
    Sample("gb2312", "gbk", f"{CHINESE}，朱镕基"),
    Sample("gbk", "gbk", TAIWANESE),
    Sample("gb18030", "gb18030", f"{CHINESE} 🎉 {RUSSIAN}"),
    Sample("hz-gb-2312", "hz", CHINESE),
    Sample("big5", "big5", TAIWANESE),
    Sample("big5-hkscs", "big5hkscs", f"{TAIWANESE}，佢哋喺嗰度"),
    Sample("euc-kr", "euc-kr", KOREAN),
    Sample("ks_c_5601-1987", "cp949", f"{KOREAN} 똠방각하 펲시콜라"),
    Sample("iso-2022-kr", "iso2022_kr", KOREAN),
    Sample("johab", "johab", KOREAN),
    Sample("shift_jis", "shift_jis", JAPANESE),
    Sample("shift_jis", "cp932", f"{JAPANESE} ①㈱髙﨑"),
    Sample("x-sjis", "cp932", "ﾊﾝｶｸ ｶﾅ ﾃﾞｽ"),
    Sample("euc-jp", "euc-jp", JAPANESE),
    Sample("iso-2022-jp", "iso2022_jp", JAPANESE),
    Sample("iso-2022-jp-1", "iso2022_jp_1", f"{JAPANESE} 丂"),
    Sample("iso-2022-jp-2", "iso2022_jp_2", f"{JAPANESE} {KOREAN} 们"),
    Sample("iso-2022-jp-3", "iso2022_jp_3", f"{JAPANESE} ㈱①"),
    Sample("iso-2022-jp-2004", "iso2022_jp_2004", f"{JAPANESE} 俱剝"),
    Sample("iso-2022-jp-ext", "iso2022_jp_ext", "ﾊﾝｶｸ ｶﾅ ﾃﾞｽ"),
    Sample("iso-2022-jp", "iso2022_jp_ext", f"{JAPANESE} ﾊﾝｶｸ"),
    Sample("utf-7", "utf-7", f"{FRENCH} {JAPANESE}"),
    Sample("unicode-1-1-utf-7", "utf-7", RUSSIAN),
    Sample("utf-16", "utf-16", RUSSIAN),
    Sample("utf-16le", "utf-16-le", JAPANESE),
    Sample("utf-16be", "utf-16-be", EURO),
    Sample("utf-16", "utf-16-be", FRENCH),
    Sample("utf-32", "utf-32", RUSSIAN),
    Sample("utf-32le", "utf-32-le", CHINESE),
    Sample("cp037", "cp037", FRENCH),
)

UNNAMED = (
    Sample("", "utf-8", RUSSIAN),
    Sample("unknown-8bit", "utf-8", EURO),
    Sample("x-unknown", "koi8-r", RUSSIAN),
    Sample("default", "cp1251", RUSSIAN),
    Sample("x-user-defined", "cp1252", FRENCH),
    Sample("", "gb18030", CHINESE),
    Sample("", "cp932", JAPANESE),
    Sample("", "euc-jp", JAPANESE),
    Sample("", "cp949", KOREAN),
    Sample("", "big5", TAIWANESE),
    Sample("", "iso2022_jp", JAPANESE),
    Sample("no-such-set", "utf-8", CZECH),
    Sample("viscii", "cp1252", FRENCH),
    Sample("iso-2022-cn", "utf-8", CHINESE),
    Sample("us-ascii", "utf-8", EURO),
    Sample("us-ascii", "cp1252", EURO),
    Sample("utf-8", "cp1252", FRENCH),
    Sample("utf-8", "koi8-r", RUSSIAN),
    Sample("utf-8", "gb18030", CHINESE),
    Sample("iso-8859-1", "utf-8", FRENCH),
    Sample("iso-8859-1", "koi8-r", RUSSIAN),
    Sample("iso-8859-1", "cp1251", RUSSIAN),
    Sample("iso-8859-1", "iso2022_jp", JAPANESE),
    Sample("us-ascii", "utf-16-le", FRENCH),
    Sample("gb2312", "utf-8", CHINESE),
    Sample("shift_jis", "utf-8", JAPANESE),
    Sample("iso-2022-jp", "utf-8", JAPANESE),
    Sample("iso-2022-jp", "cp932", JAPANESE),
    Sample("koi8-r", "utf-8", RUSSIAN),
    Sample("windows-1251", "utf-8", RUSSIAN),
)
"""What names no character set, an unknown or a wrong one: a defect is to be named."""


def _mail(subject: bytes, label: str, coding: str, body: bytes) -> bytes:
    charset = f"; charset={label}" if label else ""
    return (
        b"From: Ada <ada@example.org>\r\nSubject: " + subject + b"\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: text/plain" + charset.encode() + b"\r\n"
        b"Content-Transfer-Encoding: " + coding.encode() + b"\r\n\r\n" + body
    )


def _in_base64(sample: Sample) -> bytes:
    data = b64encode(sample.text.encode(sample.codec))
    body = b"\r\n".join(data[at : at + 76] for at in range(0, len(data), 76))
    return _mail(b"none", sample.label, "base64", body + b"\r\n")


def _in_quoted_printable(sample: Sample) -> bytes:
    # As binary: a line end in UTF-16 is none of mail.
    data = b2a_qp(sample.text.encode(sample.codec), istext=False).replace(b"\n", b"\r\n")
    return _mail(b"none", sample.label, "quoted-printable", data)


def _plain(sample: Sample) -> bytes:
    data = sample.text.encode(sample.codec)
    return _mail(b"none", sample.label, "7bit" if data.isascii() else "8bit", data + b"\r\n")


def _in_words(sample: Sample, write: Callable[[bytes], bytes]) -> bytes:
    label = (sample.label or "unknown-8bit").encode()
    pieces = re.findall(r".{1,12}", sample.text)
    words = (write(piece.encode(sample.codec)) for piece in pieces)
    return b"\r\n ".join(b"=?" + label + word + b"?=" for word in words)


def _in_words_b(sample: Sample) -> bytes:
    subject = _in_words(sample, lambda data: b"?B?" + b64encode(data))
    return _mail(subject, sample.label, "7bit", b"none")


def _in_words_q(sample: Sample) -> bytes:
    subject = _in_words(sample, lambda data: b"?q?" + b"".join(b"=%02X" % byte for byte in data))
    return _mail(subject, sample.label, "7bit", b"none")


def _raw_header(sample: Sample) -> bytes:
    return _mail(sample.text.encode(sample.codec), sample.label, "8bit", b"none")


BODIES = {"base64": _in_base64, "quoted-printable": _in_quoted_printable, "plain": _plain}
FIELDS = {"words in B": _in_words_b, "words in Q": _in_words_q, "raw bytes": _raw_header}


def pairs(samples: tuple[Sample, ...]) -> Iterator[tuple[Sample, str]]:
    for sample in samples:
        for way in (*BODIES, *FIELDS):
            yield sample, way
