"""Refuse an answer of a model whose tool calls cannot be told apart by their ids."""

from collections import Counter
from collections.abc import Collection, Sequence

from assistant.domain.conversation.conversation import Want


def refuse_ambiguous(wants: Sequence[Want], *, known: Collection[str]) -> list[Want]:
    """Return the wants of one answer, all refused if an id occurs twice or is known already.

    Which of two calls an outcome or a yes belongs to must never be a guess, so none of them is
    made. The model is told and may answer again.

    Args:
        wants: what the model asked for; one without an id is told apart by its place.
        known: ids of the conversation's calls, as the model was shown them.
    """
    given = Counter(want.id for want in wants if want.id)
    if given.keys().isdisjoint(known) and all(count == 1 for count in given.values()):
        return list(wants)
    why = "no call of this answer was made: two tool calls have the same id; ask again"
    return [want.model_copy(update={"args": {}, "trouble": why}) for want in wants]
