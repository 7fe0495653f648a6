"""Search mails, and read one."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.files.ports import Blobs
from assistant.domain.mail.mail import MAIL_NAMES, Mail, MailQuery, MailState
from assistant.domain.policy.traits import Scopes
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.mail.args import FoundMail, FoundMails, MailPage, ReadEmail, SearchEmails

PAGE = 12_000
"""Characters of a mail's text in one answer."""
MAIL = Scopes(apps=("mail",))
_WRITTEN = "mails that others wrote"


def searcher(store: Store) -> Tool[SearchEmails]:
    def execute(facts: Facts, context: ToolContext) -> Result:
        args = SearchEmails.model_validate(facts.args)
        query = MailQuery(
            words=args.query,
            sender=args.sender,
            after=_midnight(args.after, context.zone),
            before=_midnight(args.before, context.zone),
            limit=args.limit,
        )
        with store.read(context.cause) as tx:
            found = tx.mails(query)
        rows = [FoundMail(**_row(mail), summary=mail.summary) for mail in found]
        data = FoundMails(mails=rows).model_dump(mode="json")
        if not found:
            return Result(text="No mail matches.", told="No mail matches.", data=data)
        listing = "\n\n".join(_listed(mail, context.zone) for mail in found)
        count = f"{len(found)} mail{'s' if len(found) > 1 else ''} found."
        fenced = fence(listing, source=_WRITTEN)
        return Result(text=f"{count}\n{fenced}", told=count, outside=True, data=data)

    return read_tool(
        "search_emails",
        title="Search mails",
        args=SearchEmails,
        result=FoundMails,
        scopes=MAIL,
        inspect=_as_asked,
        execute=execute,
        source=lambda _facts: _WRITTEN,
        free_args=tuple(SearchEmails.model_fields),
        quick=True,
    )


def reader(store: Store, blobs: Blobs) -> Tool[ReadEmail]:
    def execute(facts: Facts, context: ToolContext) -> Result:
        args = ReadEmail.model_validate(facts.args)
        with store.read(context.cause) as tx:
            mail = tx.mail(args.id)
        if mail.state is MailState.FORGOTTEN:
            raise NotFound(f"what mail {mail.id} said; it was forgotten {mail.reason}")
        text = blobs.get(mail.body).decode() if mail.body else "(this mail has no text)"
        pages = max(1, -(-len(text) // PAGE))
        if args.page > pages:
            raise BadArguments(f"page: the mail has {pages} page{'s' if pages > 1 else ''}")
        part = text[(args.page - 1) * PAGE : args.page * PAGE]
        data = MailPage(**_row(mail), content=part, page=args.page, pages=pages)
        head = f"Mail {mail.id}, page {args.page} of {pages}."
        body = f"{_head(mail, context.zone)}\n\n{part}"
        fenced = fence(body, source=f"mail {mail.id}, written by its sender")
        return Result(
            text=f"{head}\n{fenced}", told=head, outside=True, data=data.model_dump(mode="json")
        )

    return read_tool(
        "read_email",
        title="Read a mail",
        args=ReadEmail,
        result=MailPage,
        scopes=MAIL,
        inspect=_as_asked,
        execute=execute,
        source=lambda facts: f"mail {facts.args['id']}",
        free_args=("page",),
        quick=True,
    )


def _as_asked(args: BaseModel, _context: ToolContext) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"), own=True)]


def _midnight(day: date | None, zone: str) -> datetime | None:
    return datetime.combine(day, time(), ZoneInfo(zone)) if day else None


def _row(mail: Mail) -> dict[str, Any]:
    return {
        "id": mail.id,
        "sender": mail.sender,
        "subject": mail.subject,
        "at": mail.sent or mail.received,
        "attachments": [part.name for part in mail.attachments],
    }


def _head(mail: Mail, zone: str) -> str:
    when = (mail.sent or mail.received).astimezone(ZoneInfo(zone) if zone else UTC)
    attached = "".join(
        f"\nAttached: {part.name} ({part.content_type}, {part.size} bytes)"
        for part in mail.attachments
    )
    return f"From: {mail.sender}\nSubject: {mail.subject}\nDate: {when:%Y-%m-%d %H:%M}{attached}"


def _listed(mail: Mail, zone: str) -> str:
    summary = mail.summary or f"(no summary: {MAIL_NAMES[mail.state]})"
    return f"id: {mail.id}\n{_head(mail, zone)}\nSummary: {summary}"
