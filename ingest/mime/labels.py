"""Find the codec for the label of a character set.

The table of labels is that of WHATWG Encoding, kept by ``webencodings``. Python's own names come
after it, and the codings of mail that browsers refuse come before it.
"""

import re
from encodings.aliases import aliases
from typing import NamedTuple

import webencodings


class Charset(NamedTuple):
    name: str
    """Its name for people."""
    codec: str
    """Its name in Python."""
    seven_bit: bool = False
    """It writes letters beyond ASCII with bytes of ASCII."""

    @property
    def ebcdic(self) -> bool:
        return self.codec in _EBCDIC

    @property
    def own_line_ends(self) -> bool:
        """Whether the end of a line of mail (CR and LF) is something else in it."""
        return self.ebcdic or self.codec.replace("_", "-").startswith(("utf-16", "utf-32"))

    @property
    def begins_anew(self) -> bool:
        """Whether each encoded word of it stands alone, with its own mark or escape sequences."""
        return self.seven_bit or self.own_line_ends


ASCII = Charset("us-ascii", "ascii")
UTF_8 = Charset("utf-8", "utf-8")
WINDOWS_1252 = Charset("windows-1252", "cp1252")
_GB18030 = Charset("gb18030", "gb18030")
_UTF_7 = Charset("utf-7", "utf-7", seven_bit=True)
_HZ = Charset("hz-gb-2312", "hz", seven_bit=True)
_JAPANESE = Charset("iso-2022-jp", "iso2022_jp", seven_bit=True)
_KOREAN = Charset("iso-2022-kr", "iso2022_kr", seven_bit=True)
_UTF_16 = Charset("utf-16", "utf-16")
_UTF_32 = Charset("utf-32", "utf-32")

_MAIL = {
    "us-ascii": ASCII,
    "ascii": ASCII,
    "us": ASCII,
    "7bit": ASCII,
    "utf-7": _UTF_7,
    "utf7": _UTF_7,
    "x-utf-7": _UTF_7,
    "unicode-1-1-utf-7": _UTF_7,
    "unicode-2-0-utf-7": _UTF_7,
    "x-unicode-2-0-utf-7": _UTF_7,
    "csunicode11utf7": _UTF_7,
    "hz": _HZ,
    "hz-gb-2312": _HZ,
    "hz-gb2312": _HZ,
    "hzgb": _HZ,
    "iso-2022-jp": _JAPANESE,
    "csiso2022jp": _JAPANESE,
    "iso-2022-jp-ms": _JAPANESE,
    "cp50220": _JAPANESE,
    "cp50221": _JAPANESE,
    "cp50222": _JAPANESE,
    "jis": _JAPANESE,
    "iso-2022-kr": _KOREAN,
    "csiso2022kr": _KOREAN,
    "utf-16": _UTF_16,
    "utf16": _UTF_16,
    "unicode": _UTF_16,
    "ucs-2": _UTF_16,
    "iso-10646-ucs-2": _UTF_16,
    "csunicode": _UTF_16,
    "utf-32": _UTF_32,
    "utf32": _UTF_32,
    "ucs-4": _UTF_32,
    "iso-10646-ucs-4": _UTF_32,
    "utf-8n": UTF_8,
    "utf8mb4": UTF_8,
    "x-gbk": _GB18030,
    "gb18030-2022": _GB18030,
    "gb-18030": _GB18030,
    "cp51932": Charset("euc-jp", "euc_jp"),
    "eucjp-ms": Charset("euc-jp", "euc_jp"),
    "eucjp": Charset("euc-jp", "euc_jp"),
    "cp51949": Charset("euc-kr", "cp949"),
    "windows-949": Charset("euc-kr", "cp949"),
    "x-windows-949": Charset("euc-kr", "cp949"),
    "tis620": Charset("windows-874", "cp874"),
    "x-mac-ce": Charset("x-mac-ce", "mac_latin2"),
    "x-mac-centraleurroman": Charset("x-mac-ce", "mac_latin2"),
}
"""Labels that mail uses otherwise than browsers, or that only mail uses."""
_NO_NAMES = frozenset(
    {"", "unknown-8bit", "x-unknown", "unknown", "default", "x-user-defined", "x-user", "none",
     "binary", "8bit", "replacement", "iso-8859", "utf", "text", "user-defined", "_autodetect"}
)  # fmt: skip
_PYTHON = frozenset(
    {
        *(f"cp{page}" for page in (
            37, 273, 424, 437, 500, 720, 737, 775, 850, 852, 855, 856, 857, 858, 860, 861, 862, 863,
            864, 865, 866, 869, 874, 875, 932, 949, 950, 1006, 1026, 1125, 1140,
        )),
        *(f"cp{page}" for page in range(1250, 1259)),
        *(f"iso8859_{part}" for part in range(1, 17)),
        *(f"mac_{script}" for script in (
            "arabic", "croatian", "cyrillic", "farsi", "greek", "iceland", "latin2", "roman",
            "romanian", "turkish",
        )),
        "cp037", "ascii", "latin_1", "big5", "big5hkscs", "euc_jis_2004", "euc_jisx0213", "euc_jp",
        "euc_kr", "gb2312", "gbk", "gb18030", "hp_roman8", "hz", "iso2022_jp", "iso2022_jp_1",
        "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr", "johab",
        "koi8_r", "koi8_t", "koi8_u", "kz1048", "ptcp154", "shift_jis", "shift_jis_2004",
        "shift_jisx0213", "tis_620", "utf_16_be", "utf_16_le", "utf_32_be", "utf_32_le", "utf_8",
    }
)  # fmt: skip
"""Python's codecs of text, without those that are slow, unsafe or no character set."""
_EBCDIC = frozenset({"cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140"})
_PAGE = re.compile(r"(?:x-)?(?:cp|win|windows|ibm|ms|dos|oem)[-_ ]?0{0,2}(\d{3,4})$")
_LATIN = re.compile(r"(?:x-)?(?:iso)?[-_ ]?8859[-_ ](\d\d?)(?:-windows|:\d+)?$")


def charset_of(label: str | None) -> Charset | None:
    """Return the character set of a label; None if it is missing, unknown or no name at all."""
    if label is None or len(label) > 60:  # noqa: PLR2004  # no label is that long
        return None
    said = label.strip(" \t\r\n\f\"'<>;,").lower()
    if said in _NO_NAMES or not said.isascii():
        return None
    # RFC 2231 section 5: an encoded word may name its language after the character set.
    said = said.partition("*")[0].replace(" ", "-") if "*" in said else said
    return _MAIL.get(said) or _whatwg(said) or _python(said) or _misspelt(said)


def is_no_name(label: str) -> bool:
    """Return whether a label says that the character set is not known."""
    return label.strip(" \t\r\n\"'").lower() in _NO_NAMES


def _whatwg(label: str) -> Charset | None:
    found = webencodings.lookup(label)
    if found is None or found.name in {"replacement", "x-user-defined"}:
        return None
    if found.name in {"gbk", "gb18030"}:
        return _GB18030
    return Charset(found.name, found.codec_info.name)


def _python(label: str) -> Charset | None:
    plain = re.sub(r"[^a-z0-9]+", "_", label).strip("_")
    codec = plain if plain in _PYTHON else aliases.get(plain, "")
    if codec not in _PYTHON:
        return None
    # What one can write under the narrower name, one reads by the wider.
    known = webencodings.lookup(codec.replace("_", "-"))
    if known is not None and codec not in {"big5hkscs", "cp866"}:
        return _whatwg(codec.replace("_", "-"))
    seven_bit = codec.startswith("iso2022") or codec in _EBCDIC or codec == "hz"
    return Charset(codec.replace("_", "-"), codec, seven_bit=seven_bit)


def _misspelt(label: str) -> Charset | None:
    if page := _PAGE.match(label):
        return _whatwg(f"windows-{page[1]}") or _python(f"cp{page[1]}")
    if latin := _LATIN.match(label):
        return _whatwg(f"iso-8859-{latin[1]}")
    short = label.removeprefix("x-").removeprefix("cs").replace("_", "-")
    return None if short == label else _MAIL.get(short) or _whatwg(short) or _python(short)
