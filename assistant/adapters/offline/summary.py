"""A mail in its own sentences: what can be said of it when no model reads it."""

import re
from collections.abc import Sequence

LONGEST = 20_000
"""Characters of the mail that are looked at."""
_SENTENCES = 200
"""Sentences that are compared: each with each, word by word. This keeps it under a second."""
_SENTENCE = 400
"""Characters of one sentence; more is no sentence but a list or a table."""
_ENDS = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+(?=[^a-z\u00df-\u00ff])|\n{2,}")
"""A new sentence does not begin with a small letter, so that ``e.g. this`` stays whole."""
_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}|\d{2,}")
"""What two sentences can have in common that means something: most short words only bind."""


class _Tokens:
    """What sumy wants of a tokenizer, without the data that its own would download."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(sentences(text))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_LONG_WORD.findall(sentence.lower())))


def sentences(text: str) -> list[str]:
    """The sentences of a text, blank lines ending one as well; those without a word left out."""
    lines = "\n".join(line.strip() for line in text[:LONGEST].splitlines())
    found = (" ".join(part.split())[:_SENTENCE] for part in _ENDS.split(lines))
    return [sentence for sentence in found if _WORD.search(sentence)][:_SENTENCES]


def telling(text: str, *, count: int = 3) -> Sequence[str]:
    """Up to ``count`` sentences that share most with the others, in the order of the text."""
    found = list(dict.fromkeys(sentences(text)))
    if len(found) <= count:
        return found
    # A second to import, and only for the first mail that needs it.
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence  # noqa: PLC0415
    from sumy.summarizers.reduction import ReductionSummarizer  # noqa: PLC0415

    tokens = _Tokens()
    document = ObjectDocumentModel([Paragraph([Sentence(said, tokens) for said in found])])
    return [str(sentence) for sentence in ReductionSummarizer()(document, count)]
