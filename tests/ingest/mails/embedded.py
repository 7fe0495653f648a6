"""The texts of the other corpora, each as the body of a whole mail, sent as programs send them."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from assistant.domain.mail.forward import HowForwarded
from assistant.domain.mail.letter import LetterKind
from tests.ingest.excerpt_corpus import letters as excerpt_letters
from tests.ingest.mails.case import ATTACHED, MAIL, MailCase, WantedFile, WantedLetter
from tests.ingest.mails.writing import SOUND, html, mail, multi, text

CORPUS = Path(__file__).parents[1] / "corpus"

_WAYS: tuple[Callable[[str], bytes], ...] = (
    text,
    lambda words: text(words, coding="base64"),
    lambda words: text(words, coding="8bit"),
    lambda words: multi("mixed", text(words)),
    lambda words: multi(
        "alternative", text(words), html(f"<p>{escape(words)}</p>", coding="base64")
    ),
)


def cases() -> Iterator[MailCase]:
    yield from _threads("forwards", HowForwarded.BY_HAND)
    yield from _threads("replies", HowForwarded.NOT)
    yield from _seen()
    yield from _taken_apart()
    yield from _people()


def _threads(folder: str, how: HowForwarded) -> Iterator[MailCase]:
    """Forwards and replies as some fifteen programs write them in ten languages and more."""
    threads = json.loads((CORPUS / "letters" / folder / "expected.json").read_text("utf-8"))
    for number, (name, facts) in enumerate(threads.items()):
        words = (CORPUS / "letters" / folder / f"{name}.txt").read_text("utf-8")
        letters = tuple(_letter(wanted) for wanted in facts["letters"])
        holds = any(letter.kind is LetterKind.INLINE_FORWARD for letter in letters[:2])
        yield MailCase(
            name=f"{folder}-{name}",
            raw=mail(_WAYS[number % len(_WAYS)](words), Subject=facts["subject"]),
            letters=letters,
            facts={**SOUND, "subject": facts["subject"].strip()},
            how=how if holds else HowForwarded.NOT,
        )


def _letter(wanted: dict[str, Any]) -> WantedLetter:
    facts = {name: said for name, said in wanted.items() if name not in {"text", "kind"}}
    if facts.get("sent"):
        facts["sent"] = datetime.fromisoformat(facts["sent"]).isoformat()
    facts.pop("defects", None)
    if wanted["kind"] == MAIL:
        # The mail's own facts stand in its header.
        facts = {name: said for name, said in facts.items() if name in {"signature", "depth"}}
    must = tuple(part for part in wanted.get("text", "").split("\n\n") if part.strip())
    return WantedLetter(LetterKind(wanted["kind"]), must, facts=facts)


def _seen() -> Iterator[MailCase]:
    """HTML mails of programs; what is read of each stands beside it."""
    for path in sorted((CORPUS / "html").glob("*.html")):
        told = path.with_suffix(".txt").read_text("utf-8")
        first, _, shown = told.partition("\n\n")
        is_forward = path.stem.endswith("forward")
        is_reply = "\nFrom: " in shown and not is_forward
        subject = "Fwd: Rent" if is_forward else "Re: Rent" if is_reply else "Rent"
        yield MailCase(
            name=f"html-{path.stem}",
            raw=mail(html(path.read_text("utf-8"), coding="base64"), Subject=subject),
            facts={
                **SOUND,
                "subject": subject,
                "text": shown.strip(),
                "hidden_words": int(first.rpartition(" ")[2]),
            },
            hidden=None,
            how=HowForwarded.BY_HAND if is_forward else HowForwarded.NOT,
            may_have_defects=True,
        )


def _taken_apart() -> Iterator[MailCase]:
    """Mails of every broken form; the parts and defects of each stand beside it."""
    for path in sorted((CORPUS / "mime").glob("*.eml")):
        wanted = json.loads(path.with_suffix(".json").read_text("utf-8"))
        parts = [part for part in wanted["parts"] if not part[1].startswith("multipart/")]
        shown = [part for part in parts if part[1].startswith("text/") and not part[2]]
        words = tuple(part[3].replace("<p>", "").strip() for part in shown)
        inside = words[-1:] if any(part[1] == "message/rfc822" for part in parts) else ()
        own = words[: len(words) - len(inside)]
        yield MailCase(
            name=f"form-{path.stem}",
            raw=path.read_bytes(),
            letters=_form_letters(own, inside),
            facts={"sender_address": "ada@example.org"},
            files=tuple(
                WantedFile(part[2] or "part-1.bin", doubt=None)
                for part in parts
                if part[2] or part[1].startswith("application/")
            ),
            how=HowForwarded.BY_HAND if own and inside else HowForwarded.NOT,
            defects=tuple(wanted["defects"]),
        )


def _form_letters(own: tuple[str, ...], inside: tuple[str, ...]) -> tuple[WantedLetter, ...]:
    if not own and not inside:
        return ()
    attached = tuple(WantedLetter(ATTACHED, (said,)) for said in inside)
    return (WantedLetter(must=own, no=inside), *attached)


def _people() -> Iterator[MailCase]:
    """Mails as people get them, whole: what must be in an excerpt must be in the mail."""
    for folder in ("known", "fair"):
        for letter in excerpt_letters(folder):
            yield MailCase(
                name=f"{folder}-{letter.name}",
                raw=mail(text(letter.text), Subject=letter.subject),
                how=_how(letter.subject, letter.text),
                facts={**SOUND, "subject": letter.subject},
                must=letter.must,
            )


def _how(subject: str, words: str) -> HowForwarded:
    passed_on = subject.startswith(("Fwd:", "FW:", "WG:")) or "forwarded message" in words
    return HowForwarded.BY_HAND if passed_on else HowForwarded.NOT
