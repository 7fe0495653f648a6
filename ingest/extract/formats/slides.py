"""The text of PowerPoint slides, with the speaker's notes."""

from dataclasses import dataclass, field

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many
from ingest.extract.markup import read_markup

_SLIDE = "ppt/slides/slide"


def read_slides(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the text of each slide of a .pptx file below ``[slide 2]``.

    Hidden slides are counted and left out.

    Raises:
        NotReadableError: it is encrypted or broken, or unpacks to too much.
        FullError: the text is longer than the limit.
    """
    archive = Archive(data, limits)
    names = (name for name in archive.names if name.startswith(_SLIDE) and name.endswith(".xml"))
    found = (name[len(_SLIDE) : -4] for name in names)
    numbers = sorted(int(one) for one in found if one.isdecimal() and len(one) < 6)  # noqa: PLR2004
    out.pages = len(numbers)
    hidden = 0
    try:
        for number in numbers[: limits.pages]:
            shown = _read(archive, f"{_SLIDE}{number}.xml", f"[slide {number}]", out)
            hidden += not shown
            notes = f"ppt/notesSlides/notesSlide{number}.xml"
            if shown and notes in archive.names:
                _read(archive, notes, "[notes]", out)
    finally:
        if hidden:
            out.defects.append(f"{many(hidden, 'slide')} {'is' if hidden == 1 else 'are'} hidden")
    if len(numbers) > limits.pages:
        out.truncated = True


def _read(archive: Archive, name: str, title: str, out: Writing) -> bool:
    """Write the text of one part; return whether it is shown."""
    found = _Slide()
    try:
        read_markup(archive.read(name), found)
    except NotReadableError as error:
        out.defects.append(f"{title} could not be read: {error}")
    text = "".join(found.parts).strip()
    if found.hidden:
        return False
    if text:
        out.line(f"\n{title}\n{text}")
    return True


@dataclass
class _Slide:
    parts: list[str] = field(default_factory=list)
    hidden: bool = False
    _reading: bool = False
    _number: bool = False

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        if tag == "sld":
            self.hidden = attrib.get("show", "1") in {"0", "false"}
        elif tag == "t":
            self._reading = True
        elif tag == "fld":
            self._number = attrib.get("type", "") == "slidenum"
        elif tag == "br":
            self.parts.append("\n")

    def end(self, tag: str) -> None:
        if tag == "t":
            self._reading = False
        elif tag == "fld":
            self._number = False
        elif tag == "p":
            self.parts.append("\n")
        elif tag == "tc":
            self.parts.append(" | ")

    def data(self, text: str) -> None:
        if self._reading and not self._number:
            self.parts.append(text)
