"""A world whose real wiring has more tools."""

from contextlib import nullcontext
from typing import Any

from assistant.bus import Bus
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox
from tests.world import World
from workers.wiring import make_context, make_routes


def with_tools(world: World, *tools: Tool[Any]) -> World:
    world.toolbox = Toolbox(*world.toolbox.list(internal=True), *tools)
    world.ctx = make_context(world.parts, world.toolbox)
    world.bus = Bus(
        make_routes(world.parts, world.toolbox),
        store=world.store,
        clock=world.clock,
        worker="test",
        tries=4,
        backoff=float,
        around=lambda _job: nullcontext(),
    )
    return world
