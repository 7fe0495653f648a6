"""The picture of a week in the docs: ``make pictures`` draws it.

It holds a digest of its drawing: a picture of what is drawn no more is found without drawing it.
"""

import io
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from PIL import Image, PngImagePlugin

from assistant.adapters.pictures.png import png
from assistant.adapters.pictures.week_drawing import drawing
from assistant.domain.calendar.events import When
from assistant.domain.calendar.week import Block, BlockKind, Week, week_of

PATH = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "week.png"
ZONE = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 23, tzinfo=ZONE)
_OF = "made of"
_BUSY, _OWN, _PROPOSED = BlockKind.BUSY, BlockKind.OWN, BlockKind.PROPOSED
_SHOWN = (
    (0, 9, 1, "Standup", _BUSY),
    (0, 13, 1.5, "Lunch with Ada", _BUSY),
    (1, 9, 1, "Dentist", _BUSY),
    (1, 14, 2, "Pay the rent", _OWN),
    (2, 15, 1.5, "Tea", _PROPOSED),
    (3, 9, 2, "Move: Dentist", _PROPOSED),
    (3, 13, 3, "Review with the team", _BUSY),
    (4, 10, 1, "Call", _OWN),
)


def week() -> Week:
    def block(day: int, hour: float, hours: float, title: str, kind: BlockKind) -> Block:
        start = MONDAY + timedelta(days=day, hours=hour)
        return Block(
            when=When(start=start, end=start + timedelta(hours=hours)), title=title, kind=kind
        )

    days = When(start=date(2026, 11, 28), end=date(2026, 11, 30))
    trip = Block(when=days, title="Trip", kind=_BUSY)
    now = MONDAY + timedelta(days=1, hours=12)
    blocks = [trip, *(block(*one) for one in _SHOWN)]
    return week_of(MONDAY.date(), blocks, zone="Europe/Berlin", now=now)


def digest() -> str:
    return sha256(drawing(week()).encode()).hexdigest()


def made_of() -> str:
    """The digest that the picture holds; empty where there is none."""
    if not PATH.exists():
        return ""
    with Image.open(PATH) as image:
        return str(image.info.get(_OF, ""))


def main() -> None:
    if made_of() == digest():
        return
    of = PngImagePlugin.PngInfo()
    of.add_text(_OF, digest())
    with Image.open(io.BytesIO(png(drawing(week())))) as image:
        image.convert("RGB").save(PATH, optimize=True, pnginfo=of)
    print(f"{PATH.name}: {PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
