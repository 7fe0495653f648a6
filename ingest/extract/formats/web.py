"""Web pages, as a person sees them."""

from ingest.extract.extracted import ExtractLimits, Writing, many
from ingest.extract.formats.plain import decoded
from ingest.html.seen import HTML_CHARACTERS, seen_text

_SECONDS = 3.0


def read_page(data: bytes, out: Writing, _limits: ExtractLimits) -> None:
    """Write what is seen of a page, and count what is not. Raises ``FullError``."""
    source = decoded(data, out, html=True)
    seen = seen_text(source, seconds=_SECONDS)
    out.truncated = len(source) > HTML_CHARACTERS
    if seen.hidden_words:
        are = "is" if seen.hidden_words == 1 else "are"
        out.defects.append(f"{many(seen.hidden_words, 'word')} {are} hidden")
    out.defects.extend(seen.defects)
    out.add(seen.text)
