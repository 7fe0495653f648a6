"""Fit what a card says into what is read at a glance: seven rows of a phone, its buttons apart.

A glance may ask for further rows, where a person must read all of it before a yes.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from assistant.domain.conversation.deliveries import Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cells, cut_to, one_row, rows_of

ROWS = 7
WIDTH = 37
"""Columns of a row: of forty, three may be the edge of a card in a terminal."""
_SET_IN = 2
"""Columns by which a terminal sets in what goes on in a further row."""
_TITLE = 2
_BODY = 2
"""The most rows of a title, and of one row of the body."""


class Fitted(NamedTuple):
    """The first line and the rows of a card, and how much of them only the details show whole."""

    title: str
    rows: tuple[Row, ...]
    hidden: int


def fitted(
    glance: Glance,
    *,
    begin: str = "",
    warning: str = "",
    small: Callable[[int], str] = lambda _hidden: "",
) -> Fitted:
    """Fit what would be said between a warning and a small line, which takes what it hides.

    A name or a row that is too long is cut and says by how much; what there is no room for is left
    out. Both are counted, with what the glance itself says only in part.
    """
    above = rows_in(warning)
    room = ROWS + glance.further
    whole = _fitted_into(room - above - rows_in(small(0)), glance, begin)
    if not whole.hidden:
        return whole
    most = glance.more + len(glance.rows) + 1
    return _fitted_into(room - above - rows_in(small(most)), glance, begin)


def _fitted_into(room: int, glance: Glance, begin: str) -> Fitted:
    """Fit it into so many rows, two at the least."""
    room = max(2, room)
    title, cut = _fitted_title(glance, begin, max(1, min(_TITLE, room - 1)))
    room -= rows_in(title)
    rows, hidden = _fitted_rows(glance.rows, max(1, room))
    return Fitted(title=title, rows=rows, hidden=glance.more + hidden + bool(cut))


def rows_in(text: str) -> int:
    """Count the rows that a text takes on a card."""
    return rows_of(text, WIDTH, set_in=_SET_IN)


def titled(glance: Glance, *, begin: str = "", name: str = "") -> str:
    """Write ``Create “Team lunch”``; after a beginning, ``Denied: create “Team lunch”``.

    ``name``: in place of the whole one.
    """
    verb = one_row(glance.verb)
    verb = f"{begin} {verb[:1].lower()}{verb[1:]}" if begin else verb
    named = one_row(name or glance.name)
    return f"{verb} {quoted(named)}{glance.after}" if named else f"{verb}{glance.after}"


def _fitted_title(glance: Glance, begin: str, most: int) -> tuple[str, int]:
    title = titled(glance, begin=begin)
    if rows_in(title) <= most:
        return title, 0
    if not glance.name:
        return _cut_to_rows(title, most)
    name = one_row(glance.name)
    for columns in range(min(cells(name), most * WIDTH), 8, -2):
        short, cut = cut_to(name, columns)
        title = titled(glance, begin=begin, name=short)
        if cut and rows_in(title) <= most:
            break
    return title, cut


def _fitted_rows(rows: tuple[Row, ...], room: int) -> tuple[tuple[Row, ...], int]:
    """Return the first rows for which there is room, and how many are left out or cut."""
    kept: list[Row] = []
    hidden = 0
    for number, row in enumerate(rows):
        if room <= 0:
            return tuple(kept), hidden + len(rows) - number
        short, cut = _fitted_row(row, min(room, _BODY))
        kept.append(short)
        hidden += cut
        room -= _height(short)
    return tuple(kept), hidden


def _fitted_row(row: Row, most: int) -> tuple[Row, bool]:
    """Cut the parts of a row until it fits: first what is, as what was is there to be looked at."""
    row = Row(name=one_row(row.name), was=one_row(row.was), text=one_row(row.text))
    if _height(row) <= most:
        return row, False
    for columns in _shorter(most * WIDTH):
        short = Row(
            name=cut_to(row.name, WIDTH // 2)[0],
            was=cut_to(row.was, columns)[0],
            text=cut_to(row.text, columns)[0],
        )
        if _height(short) <= most:
            break
    return short, True


def _shorter(columns: int) -> Iterator[int]:
    yield from range(columns, 8, -2)


def _height(row: Row) -> int:
    """Count the rows it takes, in a channel that says ``was → is`` as in one that strikes out."""
    change = " → ".join(filter(None, (row.was, row.text)))
    return max(1, rows_in(" ".join(filter(None, (row.name, change)))))


def _cut_to_rows(text: str, most: int) -> tuple[str, int]:
    for columns in _shorter(most * WIDTH):
        short, cut = cut_to(text, columns)
        if rows_in(short) <= most:
            break
    return short, cut
