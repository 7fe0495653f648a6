"""Turn HTML into text. Apart from ``text``, so that only who parses mail loads the parsers."""

import re

from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree, html  # type: ignore[import-untyped]  # lxml ships no types

HTML_CHARACTERS = 500_000
"""Longer HTML is cut: converting a table takes up to 3 s for a million characters."""
TEXT_CHARACTERS = 1_000_000
"""Longer text is cut: nested tables and lists are indented, so short HTML can give long text."""

_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|(?:^|[;\s])(?:opacity|max-height|max-width)\s*:\s*0+(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)",
    re.IGNORECASE,
)
_TINY = re.compile(r"font-size\s*:\s*[01](?:\.\d*)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)", re.IGNORECASE)


def from_html(source: str) -> str:
    """Return the text that a reader of this HTML sees, with links as ``[words](address)``.

    Leaves out hidden text (pre-headers, ``display:none`` and the like), as only machines read it.
    Does not compare colours.

    Raises:
        ValueError: the text is no HTML, or nested too deeply.
    """
    document = _document(source[:HTML_CHARACTERS].replace("\0", ""))
    if document is None:
        return ""
    _drop_hidden(document)
    try:
        text = str(Inscriptis(document, ParserConfig(display_links=True)).get_text())
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return text[:TEXT_CHARACTERS].strip()


def _document(source: str) -> html.HtmlElement | None:
    if not source.strip():
        return None
    parser = html.HTMLParser(encoding="utf-8")
    try:
        return html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except etree.LxmlError:  # for example, only a comment
        return None


def _drop_hidden(document: html.HtmlElement) -> None:
    for element in list(document.iter(etree.Element)):
        style = element.attrib.pop("style", "")
        if element.getparent() is not None and _is_hidden(element, style):
            element.drop_tree()


def _is_hidden(element: html.HtmlElement, style: str) -> bool:
    if "hidden" in element.attrib or _HIDDEN.search(style):
        return True
    # Newsletters set the size of a whole layout to 0 and raise it again inside.
    return len(element) == 0 and bool(_TINY.search(style))
