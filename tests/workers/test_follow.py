"""Typing and the progress line while an answer is owed, with a desk that is told what to say."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from assistant.domain.errors import Unreachable
from workers.discord.follow import SHOWN_AFTER, Follower
from workers.discord.said import AnswerProgress

PAUSE = 0.02
DM = "dm:1"


@dataclass
class Desk:
    """Answers ``looks`` one after the other, the last of them for ever."""

    looks: list[AnswerProgress | None]
    lines: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """Seconds that each line waits before it is shown."""
    down: int = 0
    """How many lines cannot be kept."""

    def busy(self, _: str) -> AnswerProgress:
        found = self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]
        if found is None:
            raise Unreachable("the database")
        return found

    def progress(self, _: str, line: str, *, after: float = 0.0) -> None:
        if self.down:
            self.down -= 1
            raise Unreachable("the database")
        self.lines.append(line)
        self.waits.append(after)

    def following(self) -> Sequence[str]:
        return self.left

    def types(self, place: str) -> None:
        self.typed.append(place)


def owed(line: str = "") -> AnswerProgress:
    return AnswerProgress(owed=True, line=line, place=DM)


ANSWERED = AnswerProgress(owed=False)


def follow(
    desk: Desk,
    story: Callable[[Follower], Coroutine[Any, Any, None]] | None = None,
    *,
    longest: float = 5.0,
) -> None:
    """Until nothing is followed any more."""

    async def run() -> None:
        with ThreadPoolExecutor(2) as pool:
            follower = Follower(desk, pool=pool, typing=desk.types, pause=PAUSE, longest=longest)
            if story:
                await story(follower)
            else:
                follower.follow("talk")
            async with asyncio.timeout(5):
                while follower._tasks:
                    await asyncio.wait(follower._tasks)

    asyncio.run(run())


def test_a_line_is_written_when_it_changes_and_taken_away_at_the_end() -> None:
    desk = Desk([owed(), owed("Thinking"), owed("Thinking"), owed("Reading"), ANSWERED])
    follow(desk)
    assert desk.lines == ["Thinking", "Reading", ""]


def test_a_line_is_shown_two_seconds_after_the_work_began_and_goes_at_once() -> None:
    desk = Desk([owed(), owed("Thinking"), owed("Reading"), ANSWERED])
    follow(desk)
    thinking, reading, gone = desk.waits
    assert SHOWN_AFTER >= thinking >= reading > 0
    assert gone == 0


def test_what_is_answered_at_once_gets_no_line() -> None:
    desk = Desk([owed("Thinking"), ANSWERED])
    follow(desk)
    assert desk.lines == [""]


def test_it_types_meanwhile_and_not_all_the_time() -> None:
    desk = Desk([*[owed()] * 5, ANSWERED])
    follow(desk)
    assert desk.typed == [DM]


def test_it_goes_on_when_nobody_can_say_how_far_things_are() -> None:
    desk = Desk([None, owed(), None, owed("Reading"), ANSWERED])
    follow(desk)
    assert desk.lines == ["Reading", ""]


def test_a_line_that_could_not_be_kept_is_tried_again() -> None:
    desk = Desk([owed(), *[owed("Reading")] * 4, ANSWERED], down=2)
    follow(desk)
    assert desk.lines == ["Reading", ""]


def test_it_gives_up_after_a_while_and_takes_the_line_away() -> None:
    desk = Desk([owed("Reading")])
    follow(desk, longest=PAUSE * 5)
    assert desk.lines == ["Reading", ""]


def test_what_was_followed_before_is_taken_up_again() -> None:
    desk = Desk([owed(), owed("Reading"), ANSWERED], left=["talk"])

    async def resumed(follower: Follower) -> None:
        follower.resume()

    follow(desk, resumed)
    assert desk.lines == ["Reading", ""]


def test_who_says_more_meanwhile_is_followed_by_one() -> None:
    desk = Desk([*[owed("Reading")] * 10, ANSWERED])

    async def twice(follower: Follower) -> None:
        follower.follow("talk")
        await asyncio.sleep(PAUSE * 3)
        follower.follow("talk")

    follow(desk, twice)
    assert desk.lines[0] == "Reading"
    assert set(desk.lines[1:]) == {""}
