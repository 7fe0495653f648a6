"""List what mails ask of their owner, and what the owner promised."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pydantic import BaseModel

from assistant.domain.calls.call import Facts
from assistant.domain.mail.understanding.commitments import Commitment, CommitmentKind
from assistant.domain.mail.understanding.promisers import promisers
from assistant.domain.policy.traits import Scopes
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.mail.args import FoundCommitment, FoundCommitments, ListCommitments

_SCOPES = Scopes(apps=("mail",))
_WRITTEN = "what mails that others wrote ask"
_NONE = "Nothing is open."


def commitment_lister(store: Store) -> Tool[ListCommitments]:
    def execute(facts: Facts, context: ToolContext) -> Result:
        args = ListCommitments.model_validate(facts.args)
        with store.read(context.cause) as tx:
            found = list(tx.commitments(settled=args.settled, limit=args.limit + 1))
            more = ", and there are more" if len(found) > args.limit else ""
            del found[args.limit :]
            by = promisers(tx, found)
        rows = [FoundCommitment(**_row(one)) for one in found]
        data = FoundCommitments(commitments=rows).model_dump(mode="json")
        if not found:
            return Result(text=_NONE, told=_NONE, data=data)
        count = f"{len(found)} commitment{'s' if len(found) > 1 else ''}{more}."
        listing = "\n\n".join(_listed(one, by) for one in found)
        fenced = fence(listing, source=_WRITTEN)
        return Result(text=f"{count}\n{fenced}", told=count, outside=True, data=data)

    return read_tool(
        "list_commitments",
        title="List commitments",
        args=ListCommitments,
        result=FoundCommitments,
        scopes=_SCOPES,
        inspect=_as_asked,
        execute=execute,
        source=lambda _facts: _WRITTEN,
        free_args=tuple(ListCommitments.model_fields),
        quick=True,
    )


def _as_asked(args: BaseModel, _context: ToolContext) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"), own=True)]


def _row(one: Commitment) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": one.kind.value,
        "who": one.who,
        "what": one.words,
        "quote": one.quote,
        "due": _due(one.due),
        "state": one.state.value,
        "mail": one.mail,
    }


def _due(due: date | datetime | None) -> str:
    return due.isoformat() if due else ""


def _listed(one: Commitment, by: Mapping[str, str]) -> str:
    who = one.who or "nobody named"
    said = f"asked by {who}"
    if one.kind is CommitmentKind.PROMISED:
        said = f"promised to {who} in a mail of {by.get(one.mail) or 'nobody named'}"
    due = f"\nDue: {_due(one.due)}" if one.due else ""
    return (
        f"No {one.number}, {one.state.value}, {said} (not verified)\n{one.words}{due}\n"
        f'Quote: "{one.quote}"\nid: {one.mail}'
    )
