"""Summarise a mail with its own sentences, when no model reads it."""

import re
from collections.abc import Sequence

LONGEST = 20_000
"""The most characters of a mail that are read."""
_SENTENCES = 200
"""The most sentences, which are compared in pairs, word by word: under a second for so many."""
_SENTENCE = 400
"""The most characters of one sentence; a longer one is a list or a table."""
_ENDS = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+(?=[^a-z\u00df-\u00ff])|\n{2,}")
"""The end of a sentence. The next one begins with no small letter: ``e.g. this`` stays whole."""
_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}|\d{2,}")
"""The words that are compared: most short words carry no meaning."""


class _Tokens:
    """A tokenizer for sumy, without the data that sumy's own would download."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(sentences(text))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_LONG_WORD.findall(sentence.lower())))


def sentences(text: str) -> list[str]:
    """Split a text into sentences, at blank lines too; leave out those without a word."""
    lines = "\n".join(line.strip() for line in text[:LONGEST].splitlines())
    found = (" ".join(part.split())[:_SENTENCE] for part in _ENDS.split(lines))
    return [sentence for sentence in found if _WORD.search(sentence)][:_SENTENCES]


def telling(text: str, *, count: int = 3) -> Sequence[str]:
    """Return up to ``count`` sentences that share most words with the others, in their order."""
    found = list(dict.fromkeys(sentences(text)))
    if len(found) <= count:
        return found
    # Importing sumy takes a second, so only the first mail that needs it pays for it.
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence  # noqa: PLC0415
    from sumy.summarizers.reduction import ReductionSummarizer  # noqa: PLC0415

    tokens = _Tokens()
    document = ObjectDocumentModel([Paragraph([Sentence(said, tokens) for said in found])])
    return [str(sentence) for sentence in ReductionSummarizer()(document, count)]
