"""Place events that overlap beside each other, in a few lanes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.domain.calendar.week import BlockKind, Piece

MOST_LANES = 3
_LEAST = 20
"""Minutes that a short event takes on the picture."""


_Span = tuple[int, int, Piece]
"""Top and bottom, in minutes after midnight, of an event."""


class Placed(NamedTuple):
    """A place in a column: one event, or how many have no room for themselves."""

    top: int
    bottom: int
    """In minutes after midnight."""
    lane: int
    lanes: int
    piece: Piece | None
    more: int = 0


def placed(pieces: Sequence[Piece]) -> Iterator[Placed]:
    """Yield a place for each event of a day, given by start."""
    group: list[_Span] = []
    until = 0
    for piece in sorted(pieces, key=lambda one: one.top):
        top = min(piece.top, 24 * 60 - _LEAST)
        bottom = max(piece.bottom, top + _LEAST)
        if group and top >= until:
            yield from _in_lanes(group)
            group = []
        until = max(until, bottom) if group else bottom
        group.append((top, bottom, piece))
    yield from _in_lanes(group)


def _in_lanes(group: Sequence[_Span]) -> Iterator[Placed]:
    """Yield places for events that overlap, one after the other; what is proposed comes first."""
    taken: list[list[_Span]] = []
    lane_of = []
    ordered = sorted(group, key=lambda one: one[2].block.kind is not BlockKind.PROPOSED)
    for span in ordered:
        lane = next((n for n, those in enumerate(taken) if _has_room(those, span)), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append(span)
        lane_of.append(lane)
    lanes = min(len(taken), MOST_LANES)
    fits = lanes if len(taken) <= MOST_LANES else lanes - 1
    rest = []
    for span, lane in zip(ordered, lane_of, strict=True):
        if lane < fits:
            yield Placed(span[0], span[1], lane, lanes, span[2])
        else:
            rest.append(span)
    if rest:
        top, bottom = min(one[0] for one in rest), max(one[1] for one in rest)
        yield Placed(top, bottom, lanes - 1, lanes, None, len(rest))


def _has_room(those: Sequence[_Span], span: _Span) -> bool:
    return all(other[1] <= span[0] or other[0] >= span[1] for other in those)
