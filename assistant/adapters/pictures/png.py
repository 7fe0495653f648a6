"""Render SVG to PNG with resvg, from the fonts of this folder alone."""

import resvg_py

from assistant.adapters.pictures.lettering import FAMILY, FONT_FILES
from assistant.adapters.pictures.week_drawing import drawing
from assistant.domain.calendar.week import Week

MOST_BYTES = 100_000
"""Of a picture with words. One that needs more is drawn without them, which takes half of it."""


def week_picture(week: Week) -> bytes:
    """Return the PNG of a week: 800 pixels wide, the same bytes for the same week."""
    picture = png(drawing(week))
    return picture if len(picture) <= MOST_BYTES else png(drawing(week, worded=False))


def png(svg: str) -> bytes:
    """Return the PNG of a drawing made here. Never give it a stranger's SVG."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=list(FONT_FILES),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
