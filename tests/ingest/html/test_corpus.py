"""Mails as programs write them, with the text that a person reads in each."""

from pathlib import Path

import pytest

from ingest.html.seen import seen_text

MAILS = Path(__file__).parents[1] / "corpus" / "html"
MANY = 20


def test_there_are_many() -> None:
    assert len(list(MAILS.glob("*.html"))) >= MANY


@pytest.mark.parametrize("mail", sorted(path.stem for path in MAILS.glob("*.html")))
def test_a_mail_reads_as_a_person_sees_it(mail: str) -> None:
    seen = seen_text((MAILS / f"{mail}.html").read_text(encoding="utf-8"))
    told = f"hidden words: {seen.hidden_words}\n\n{seen.text}\n"
    assert told == (MAILS / f"{mail}.txt").read_text(encoding="utf-8")
    assert seen.defects == ()
