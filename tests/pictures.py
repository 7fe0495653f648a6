"""Pictures of what people see on Discord, for the docs: ``make pictures`` draws them.

Each is of a message that the whole assistant showed in a scene, drawn by SimCord in Debian's
chromium, and holds a digest of that message: a picture of what is shown no more is found without
a browser. Only those are drawn anew.
"""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Any

from PIL import Image, PngImagePlugin
from simcord.preview._capture import ManagedCapture

from assistant.domain.calendar.events import Event, When
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.errors import Misconfigured
from tests.discord_sim import Answered, Seen, Stage, staged
from tests.memory_calendar import MemoryCalendar
from tests.stores import sqlite_stores
from tests.world import MONDAY, ZONE, Mind

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WIDTH, HEIGHT = 620, 1_400
COLOURS = 96
"""Enough for letters with soft edges, and a third of the bytes."""
_OF = "made of"
_RANDOM = re.compile(r"\b[0-9a-f]{8,64}\b")

Picture = Seen | Answered
SUMMARY = (
    "Jürg offers to service the heating on Monday 30 November at 10:00; it takes half an hour."
)


# What is to be seen


def mail(stage: Stage) -> Picture:
    came = EmailMessage(policy=SMTP)
    came["From"], came["To"] = "Jürg <juerg@example.org>", "ann@example.org"
    came["Subject"], came["Date"] = "The heating", MONDAY - timedelta(minutes=4)
    came.set_content("I can come on Monday the 30th at ten. Be at home, please.\n")
    offer = b"%PDF-1.7\n".ljust(48_213)
    came.add_attachment(offer, maintype="application", subtype="pdf", filename="offer.pdf")
    stage.world.forwards(came.as_bytes())
    return stage.last()


def card(stage: Stage) -> Picture:
    mail(stage)
    [came] = stage.world.mails()
    event = {
        "title": "The heating",
        "start": "2026-11-30T10:00:00+01:00",
        "end": "2026-11-30T10:30:00+01:00",
    }
    stage.world.model.will(
        Turn(wants=(Want(tool="read_email", args={"id": came.id}),)),
        Turn(wants=(Want(tool="create_event", args=event),)),
        Turn(text="It waits for your yes."),
    )
    stage.writes("put that into my calendar")
    return _about(stage, "A2 · ")


def plan(stage: Stage) -> Picture:
    start = MONDAY.replace(hour=12) + timedelta(days=3)
    when = When(start=start, end=start + timedelta(hours=1))
    stage.world.calendar.put(Event(uid="dentist", title="Dentist", when=when))
    walk = {
        "title": "Walk to the dentist",
        "start": "2026-11-26T14:30:00+01:00",
        "end": "2026-11-26T15:00:00+01:00",
    }
    later = {"event": "Dentist", "start": "2026-11-26T15:00:00+01:00"}
    wants = (Want(tool="update_event", args=later), Want(tool="create_event", args=walk))
    stage.world.model.will(Turn(wants=wants), Turn())
    stage.writes("move the dentist to three, and put a walk before it")
    return _about(stage, "A1–A2")


def edit(stage: Stage) -> Picture:
    return stage.presses("Edit", card(stage))


def more(stage: Stage) -> Picture:
    return stage.presses("More", card(stage))


def receipt(stage: Stage) -> Picture:
    stage.presses("Approve", card(stage))
    return _about(stage, "A2 · ")


def progress(stage: Stage) -> Picture:
    stage.working = False
    stage.writes("what is new?")
    stage.waits()
    stage.delivers()
    return stage.last()


def _about(stage: Stage, handle: str) -> Seen:
    [found] = [one for one in stage.reads() if handle in one.text and one.message.embeds]
    return found


SCENES: Mapping[str, Callable[[Stage], Picture]] = {
    "discord-mail": mail,
    "discord-card": card,
    "discord-plan": plan,
    "discord-edit": edit,
    "discord-more": more,
    "discord-receipt": receipt,
}


@contextmanager
def scene(name: str) -> Iterator[tuple[Stage, Picture]]:
    """A scene of its own for each picture, on a Monday morning."""
    calendar = MemoryCalendar(zone=ZONE, address="https://cal.example.org/ann/ as ann")
    model = Mind()
    model.name, model.summary = "a model of your choice", SUMMARY

    with sqlite_stores() as store, staged(store, calendar=calendar, model=model) as stage:
        stage.is_called("assistant")
        stage.waits((MONDAY - stage.env.now()) / timedelta(seconds=1))
        yield stage, SCENES[name](stage)


# What it is made of


def digest(picture: Picture) -> str:
    """Of all that is to be seen of it; ids, traces and tokens are random."""
    written = json.dumps(_told(picture), sort_keys=True, ensure_ascii=False)
    return sha256(_RANDOM.sub("0", written).encode()).hexdigest()


def _told(picture: Picture) -> Any:
    if isinstance(picture, Answered):
        if picture.result.modal:
            return _visible(picture.result.modal)
        picture = picture.seen
    message = picture.message
    rows = [row.to_dict() for row in message.components]
    return _visible(
        [message.content, [one.to_dict() for one in message.embeds], rows, message.flags.value]
    )


def _visible(told: Any) -> Any:
    if isinstance(told, list | tuple):
        return [_visible(one) for one in told]
    if isinstance(told, dict):
        hidden = ("custom_id", "id", *(["value"] if "label" in told else []))  # a choice's token
        return {name: _visible(one) for name, one in told.items() if name not in hidden}
    return told


def made_of(path: Path) -> str:
    """The digest that a picture holds; empty where there is none."""
    if not path.exists():
        return ""
    with Image.open(path) as image:
        return str(image.info.get(_OF, ""))


# How it is drawn


class Chromium(ManagedCapture):
    """SimCord's drawing, by the system's browser."""

    async def _ensure_browser(self) -> Any:
        from playwright.async_api import async_playwright  # noqa: PLC0415 (heavy)

        if self._browser is None:
            program = which("chromium")
            if program is None:
                raise Misconfigured("chromium is needed: .ci/debian chromium")
            self._playwright = await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(
                executable_path=program, args=["--no-sandbox"]
            )
        return self._browser


def draw(stage: Stage, picture: Picture, path: Path) -> None:
    """Write the picture, small and with its digest."""
    with Image.open(io.BytesIO(stage.runs(_drawn(stage, picture)))) as drawn:
        small = drawn.convert("RGB").quantize(COLOURS)
    of = PngImagePlugin.PngInfo()
    of.add_text(_OF, digest(picture))
    small.save(path, optimize=True, pnginfo=of)


async def _drawn(stage: Stage, picture: Picture) -> bytes:
    target: Any = picture.result if isinstance(picture, Answered) else picture.message
    preview = stage.env.preview(
        stage.ann.dm_channel,
        viewers=[stage.ann],
        width=WIDTH,
        height=HEIGHT,
        locale="en-GB",
        timezone=ZONE,
    )
    preview._capture_manager = Chromium(preview)
    async with preview:
        return (await preview.screenshot(target=target)).png or b""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SCENES:
        path = FOLDER / f"{name}.png"
        with scene(name) as (stage, picture):
            if made_of(path) != digest(picture):
                draw(stage, picture, path)
                print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
