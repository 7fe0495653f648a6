"""Check that parts live, by what they did lately and not by a pid or an open port."""

from datetime import UTC, datetime
from http import HTTPStatus

from assistant.domain.errors import Unreachable
from assistant.domain.messages import Queue
from workers.data_folder import BotSeen, DataFolder
from workers.embedded.http_probe import http_answer
from workers.parts import silent_assistant
from workers.settings import Settings


def queue_lives(settings: Settings, queue: Queue) -> None:
    """Check that a canary crossed the queue lately. Raises ``Unreachable`` if none did."""
    assistant = silent_assistant(settings)
    seen = assistant.store.canaries().get(queue)
    if seen is None or assistant.clock.now() - seen > settings.lately:
        raise Unreachable(f"no canary crossed {queue.value} lately (last: {seen or 'never'})")


def beat_lives(settings: Settings) -> None:
    """Check that a tick ran lately. Raises ``Unreachable`` if none did."""
    assistant = silent_assistant(settings)
    noted = assistant.store.ticked()
    if noted is None or assistant.clock.now() - noted > settings.lately:
        raise Unreachable(f"no tick lately (last: {noted or 'never'})")


def bot_lives(settings: Settings) -> BotSeen:
    """Return the bot's identity on Discord.

    Raises:
        Unreachable: no bot of this data folder was connected lately.
    """
    seen = DataFolder(settings).bot()
    if seen is None:
        raise Unreachable("no bot of this installation is on Discord")
    who, at = seen
    if datetime.now(UTC) - at > settings.lately:
        raise Unreachable(f"the bot {who.name} is not connected to Discord (last: {at})")
    return who


def doors_live(settings: Settings) -> None:
    """Check that the doors could keep a mail now. Raises ``Unreachable`` if not."""
    port = DataFolder(settings).endpoints.http_port or settings.http_port
    host = "127.0.0.1" if settings.bind_host in ("", "0.0.0.0", "::") else settings.bind_host  # noqa: S104 (compared)
    try:
        status, said = http_answer(f"http://{host}:{port}/readyz", timeout=5)
    except OSError as error:
        raise Unreachable(f"the doors do not answer at http://{host}:{port}") from error
    if status != HTTPStatus.OK:
        raise Unreachable(f"the doors: {said.strip()}")
