"""Put a text that others may have written between quotation marks that it cannot end."""

_MARKS = str.maketrans(dict.fromkeys('“”„‟«»″‶❝❞❠〝〞〟\N{FULLWIDTH QUOTATION MARK}"', "'"))


def quoted(text: str) -> str:
    """Write ``“Team lunch”``, with plain apostrophes for quotation marks in the text itself."""
    return f"“{text.translate(_MARKS)}”"
