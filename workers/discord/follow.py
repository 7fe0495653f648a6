"""Typing and the progress line, from what was said until its answer is there."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, Protocol, TypeVar

from assistant.domain.errors import AssistantError
from workers.discord.said import AnswerProgress

T = TypeVar("T")

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds between two looks; the line changes no more often."""
SHOWN_AFTER = 2.0
"""Seconds of work before its line is shown: what is answered sooner needs none."""
TYPING = 8.0
"""Seconds between two signs of typing; each is seen for ten."""
LONGEST = 15 * 60.0
"""Seconds after which the line is taken away, whatever is still going on."""


class Progress(Protocol):
    def busy(self, conversation: str) -> AnswerProgress: ...
    def progress(self, conversation: str, line: str, *, after: float = 0.0) -> None: ...
    def following(self) -> Sequence[str]: ...


class Follower:
    """Looks after every conversation that waits for an answer. Lives on one loop.

    Args:
        desk: knows how far things are.
        pool: where the desk and ``typing`` are asked, which block.
        typing: shows in a place of a conversation that something is being written.
        pause: see ``PAUSE``.
        longest: see ``LONGEST``.
    """

    def __init__(
        self,
        desk: Progress,
        *,
        pool: Executor,
        typing: Callable[[str], None],
        pause: float = PAUSE,
        longest: float = LONGEST,
    ) -> None:
        self._desk = desk
        self._pool = pool
        self._typing = typing
        self._pause = pause
        self._longest = longest
        self._until: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def follow(self, conversation: str) -> None:
        """Until its answer is there. Again while it is followed already: from now on anew."""
        known = conversation in self._until
        self._until[conversation] = asyncio.get_running_loop().time() + self._longest
        if not known:
            self._start(self._follow(conversation))

    def resume(self) -> None:
        """Take up what was being followed before."""
        self._start(self._resume())

    async def close(self) -> None:
        """Let go; the lines stay, for whoever takes them up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resume(self) -> None:
        for conversation in await self._asked(self._desk.following) or ():
            self.follow(conversation)

    async def _follow(self, conversation: str) -> None:
        try:
            until = 0.0
            while until != self._until[conversation]:  # more was said while the line went
                until = self._until[conversation]
                await self._watch(conversation)
                await self._take_away(conversation)
        finally:
            del self._until[conversation]

    async def _watch(self, conversation: str) -> None:
        """Show what is being done, as it changes, until nothing is owed."""
        now = asyncio.get_running_loop().time
        began, line, typed, first = now(), "", -TYPING, True
        while now() < self._until[conversation]:
            busy = await self._asked(lambda: self._desk.busy(conversation))
            if busy and not busy.owed:
                return
            if busy and busy.place and now() - typed >= TYPING:
                typed = now()
                await self._asked(partial(self._typing, busy.place))
            if busy and busy.line != line and not first:  # what is answered at once needs no line
                after = max(0.0, began + SHOWN_AFTER - now())
                told = await self._told(conversation, busy.line, after=after)
                line = busy.line if told else line
            first = False
            await asyncio.sleep(self._pause)

    async def _take_away(self, conversation: str) -> None:
        now = asyncio.get_running_loop().time
        while True:
            if await self._told(conversation, "") or now() > self._until[conversation]:
                return
            await asyncio.sleep(self._pause)

    async def _told(self, conversation: str, line: str, *, after: float = 0.0) -> bool:
        """Whether the line is to say this, ``after`` so many seconds if it does not stand yet."""

        def tell() -> bool:
            self._desk.progress(conversation, line, after=after)
            return True

        return bool(await self._asked(tell))

    async def _asked(self, ask: Callable[[], T]) -> T | None:
        """What is answered; None where nobody answers just now."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, ask)
        except AssistantError as error:
            log.debug("progress: %s", error)
        except Exception:
            log.exception("progress")
        return None
