"""The terminal's channel: what it shows are rows, so it need not be open while things happen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.dialects import postgresql, sqlite

from assistant.adapters.sql.driver import Engines, LazyTransaction, translated
from assistant.adapters.sql.tables import ScreenRow, table
from assistant.domain.deliveries import Attempt, Posted, Shown
from assistant.ports import Clock

_SCREEN = table(ScreenRow)


@dataclass(frozen=True)
class Line:
    """One thing on the screen. ``fresh`` until a terminal has drawn this revision of it."""

    key: str
    shown: Shown
    revision: int
    fresh: bool


class SqlScreen:
    """See ``assistant.ports.Channel``. A place is an owner's id."""

    name = "terminal"
    far = False

    def __init__(self, *, engines: Engines, clock: Clock) -> None:
        self._engines = engines
        self._clock = clock

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        key = attempt.key  # it names the row: no handle is needed
        make = sqlite.insert if self._engines.sqlite else postgresql.insert
        wanted = shown.model_dump(mode="json")
        statement = make(_SCREEN).values(
            owner=place,
            place=place,
            key=key,
            shown=wanted,
            revision=1,
            drawn=0,
            at=self._clock.now(),
        )
        statement = statement.on_conflict_do_update(
            index_elements=["key"],
            set_={"shown": wanted, "revision": _SCREEN.c.revision + 1},
            where=_SCREEN.c.shown != statement.excluded.shown,
        )
        with translated():
            self._engines.autocommit.run(statement, durable=True)
        return Posted(handle=key)

    def lines(self, place: str, *, last: int = 100) -> Sequence[Line]:
        """The newest lines of a place, oldest first."""
        statement = (
            select(_SCREEN)
            .where(_SCREEN.c.place == place)
            .order_by(_SCREEN.c.number.desc())
            .limit(last)
        )
        return [_line(row) for row in reversed(self._rows(statement))]

    def named(self, keys: Collection[str]) -> Sequence[Line]:
        """What is shown under these keys, oldest first, however long ago it was."""
        statement = select(_SCREEN).where(_SCREEN.c.key.in_(keys)).order_by(_SCREEN.c.number)
        return [_line(row) for row in self._rows(statement)]

    def _rows(self, statement: Select[Any]) -> Sequence[Mapping[str, Any]]:
        with translated():
            return self._engines.autocommit.read(statement).rows

    def drawn(self, lines: Sequence[Line]) -> None:
        """A terminal has drawn these."""
        if not lines:
            return
        with translated(), LazyTransaction(self._engines, writing=True) as transaction:
            for line in lines:
                transaction.run(
                    update(_SCREEN).where(_SCREEN.c.key == line.key).values(drawn=line.revision)
                )


def _line(row: Mapping[str, Any]) -> Line:
    return Line(
        key=row["key"],
        shown=Shown.model_validate(row["shown"]),
        revision=row["revision"],
        fresh=row["drawn"] < row["revision"],
    )
