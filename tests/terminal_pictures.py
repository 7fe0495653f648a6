"""Pictures of what people see in a terminal, for the docs: ``make pictures`` draws them.

Each is of what the whole assistant showed in a scene, drawn by rich. A picture of what is shown no
more differs from the one that is drawn now.
"""

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.conversation import Turn, Want
from tests.stores import sqlite_stores
from tests.world import World
from workers.cli.terminal.render import draw

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WIDTH = 64
_FONT = re.compile(r"@font-face \{[^}]*\}\s*")
"""Names a server of fonts: a page that shows the picture should ask nobody."""

LUNCH = {
    "title": "Team lunch",
    "start": "2026-11-27T12:00:00+01:00",
    "end": "2026-11-27T13:00:00+01:00",
}


def card(world: World) -> None:
    world.model.will(Turn(wants=(Want(tool="create_event", args=LUNCH),)), Turn())
    world.says("team lunch on Friday at noon")


def plan(world: World) -> None:
    focus = [
        {
            "title": f"Focus on {name}",
            "start": f"2026-11-{day}T09:00:00+01:00",
            "end": f"2026-11-{day}T11:00:00+01:00",
        }
        for day, name in ((24, "the offer"), (25, "the budget"), (26, "the talk"))
    ]
    wants = tuple(Want(tool="create_event", args=args) for args in focus)
    world.model.will(Turn(wants=wants), Turn())
    world.says("two hours of focus on Tuesday, Wednesday and Thursday")


def receipt(world: World) -> None:
    card(world)
    world.presses(Verb.APPROVE)


SCENES: Mapping[str, Callable[[World], None]] = {
    "terminal-card": card,
    "terminal-plan": plan,
    "terminal-receipt": receipt,
}


def drawn(name: str) -> str:
    """The scene's last message as an SVG, the same each time."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    with sqlite_stores() as store:
        world = World(store)
        SCENES[name](world)
        for shown in world.wall.shown.values():
            draw(console, shown)
    return _FONT.sub("", console.export_svg(title="assistant chat", unique_id=name))


def main() -> None:
    for name in SCENES:
        path = FOLDER / f"{name}.svg"
        picture = drawn(name)
        if not path.exists() or path.read_text(encoding="utf-8") != picture:
            path.write_text(picture, encoding="utf-8")
            print(f"{path.name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
