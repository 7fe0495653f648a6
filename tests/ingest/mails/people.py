"""Mails written by hand, as people get them: ``corpus/mails/*.yaml``, each with what is in it."""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import yaml

from assistant.domain.mail.forward import HowForwarded
from assistant.domain.mail.letter import LetterKind
from tests.ingest.extract.samples import pdf
from tests.ingest.mails.case import MAIL, MailCase, WantedFile, WantedLetter
from tests.ingest.mails.writing import both, encoded, file, html, mail, multi, text

CORPUS = Path(__file__).parents[1] / "corpus" / "mails"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FIELDS = ("cc", "reply_to", "sender", "list_id", "in_reply_to", "auto_submitted")
_TO = "Ada Nowak <ada@home.example>"
_FILES: dict[str, tuple[str, bytes, str]] = {
    "pdf": ("application/pdf", pdf("as agreed"), "PDF"),
    "png": ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "jpg": ("image/jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "JPEG"),
    "csv": ("text/csv", b"day,hours\r\nMonday,8\r\n", "CSV"),
    "ics": ("text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "calendar"),
}


def cases() -> Iterator[MailCase]:
    for path in sorted(CORPUS.glob("*.yaml")):
        for given in yaml.load(path.read_text(encoding="utf-8"), _LOADER):  # noqa: S506 (a safe one)
            yield _case(path.stem, given)


def _case(folder: str, given: dict[str, Any]) -> MailCase:
    files = given.get("files", [])
    letters = [WantedLetter(MAIL, _all(given, "must"), _all(given, "never")), *_others(given)]
    return MailCase(
        name=f"{folder}-{given['name']}",
        raw=_raw(given, files),
        letters=tuple(letters),
        facts={
            "sender": given["from"].replace('"', ""),
            "sender_address": given["from"].split("<")[-1].strip(">"),
            "subject": given["subject"],
            "sent": parsedate_to_datetime(given["date"]).isoformat(),
            "reply_to": given.get("reply_to", ""),
            "recipients": ", ".join(filter(None, (given.get("to", _TO), given.get("cc")))),
        },
        files=tuple(WantedFile(name, _FILES[name.rpartition(".")[2]][2]) for name in files),
        hidden=_all(given, "hidden"),
        how=HowForwarded.BY_HAND if given.get("forwarded") else HowForwarded.NOT,
    )


def _all(given: dict[str, Any], name: str) -> tuple[str, ...]:
    return tuple(given.get(name, ()))


def _others(given: dict[str, Any]) -> Iterator[WantedLetter]:
    for letter in given.get("letters", ()):
        facts = {
            name: said for name, said in letter.items() if name not in {"kind", "must", "never"}
        }
        yield WantedLetter(
            LetterKind(letter["kind"]), _all(letter, "must"), _all(letter, "never"), facts
        )


def _raw(given: dict[str, Any], files: list[str]) -> bytes:
    charset, coding = given.get("charset", "utf-8"), given.get("coding", "quoted-printable")
    if "html" in given and "text" in given:
        part = both(given["text"], given["html"])
    elif "html" in given:
        part = html(given["html"], charset=charset, coding=coding)
    else:
        part = text(given["text"], charset=charset, coding=coding, more=given.get("more", ""))
    if files:
        part = multi("mixed", part, *(_file(name) for name in files))
    more = {name.title(): encoded(given[name], way="Q") for name in _FIELDS if given.get(name)}
    return mail(
        part,
        From=encoded(given["from"], way=given.get("way", "B")),
        To=encoded(given.get("to", _TO)),
        Subject=encoded(given["subject"], way=given.get("way", "B")),
        Date=given["date"],
        Message_ID=f"<{given['name']}@mail.example>",
        **more,
    )


def _file(name: str) -> bytes:
    kind, data, _ = _FILES[name.rpartition(".")[2]]
    return file(name, data, kind)
