"""Render SVG to PNG with resvg, from the fonts of this folder alone.

resvg holds Python's lock for as long as it draws, up to half a second. So it draws in a process of
its own, which keeps no other thread waiting and is killed if it takes too long.
"""

import json
import subprocess
import sys
from pathlib import Path

from assistant.adapters.pictures.lettering import FAMILY, FONT_FILES
from assistant.adapters.pictures.week_drawing import drawing
from assistant.domain.calendar.week import Week
from assistant.domain.errors import Permanent

MOST_BYTES = 100_000
"""Of a picture with words. One that needs more is drawn without them, which takes half of it."""
SECONDS = 10.0
"""How long a picture may take, on the clock; on an idle machine it is half a second at the most."""
_RENDER = Path(__file__).with_name("render.py")
_START = b"\x89PNG\r\n"


class NotDrawn(Permanent):
    """The picture could not be drawn."""


def week_picture(week: Week, *, seconds: float = SECONDS) -> bytes:
    """Return the PNG of a week: 800 pixels wide, the same bytes for the same week.

    Raises ``NotDrawn``.
    """
    picture = png(drawing(week), seconds=seconds)
    if len(picture) <= MOST_BYTES:
        return picture
    return png(drawing(week, worded=False), seconds=seconds)


def png(svg: str, *, seconds: float = SECONDS) -> bytes:
    """Return the PNG of a drawing made here. Never give it a stranger's SVG.

    Raises ``NotDrawn``.
    """
    order = {
        "svg_string": svg,
        "skip_system_fonts": True,
        "font_files": FONT_FILES,
        "font_family": FAMILY,
        "sans_serif_family": FAMILY,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(_RENDER)],
            input=json.dumps(order).encode(),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotDrawn(str(error)) from error
    if done.returncode or not done.stdout.startswith(_START):
        raise NotDrawn(f"it ended with {done.returncode}")
    return done.stdout
