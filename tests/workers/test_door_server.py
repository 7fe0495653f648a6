"""The doors' web server keeps its places for those who ask something."""

import asyncio

import pytest
import uvicorn
from starlette.applications import Starlette

from tests.servers.radicale import free_port
from workers import doors


def test_a_connection_that_asks_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "FIRST_REQUEST", 0.2)
    assert asyncio.run(_said_to_silence()) == b""


async def _said_to_silence() -> bytes:
    port = free_port()
    config = uvicorn.Config(
        Starlette(), host="127.0.0.1", port=port, http=doors.PatientProtocol, log_config=None
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    server.should_exit = True
    await serving
    return said
