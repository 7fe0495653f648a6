"""Find a mail; read it."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.files.ports import Blobs
from assistant.domain.mail.mail import Mail, MailQuery, MailState
from assistant.domain.policy.traits import Category, Group, Scopes
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.tools.contract import EVERY_MODE, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

PAGE = 12_000
"""Characters of a mail's text in one answer."""
_WRITTEN = "mails that others wrote"


class SearchEmails(BaseModel):
    """Search the mails that were forwarded here, by words in subject, sender and summary.

    Returns id, sender, subject, date and summary of the best matches; with no words, the newest.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"query": "rent"}, {"sender": "ada", "after": "2026-11-01"}]
        },
    )
    query: str = Field("", max_length=500, description="words that must all occur")
    sender: str = Field("", max_length=200, description="part of the sender's name or address")
    after: date | None = Field(None, description="received on this day or later")
    before: date | None = Field(None, description="received before this day")
    limit: int = Field(10, ge=1, le=50)


class ReadEmail(BaseModel):
    """Read the full text of one mail, page by page."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "57822d6a923edf2c"}]}
    )
    id: str = Field(min_length=4, max_length=64, description="the mail's id, from search_emails")
    page: int = Field(1, ge=1)


def mail_tools(*, store: Store, blobs: Blobs) -> tuple[Tool[Any], ...]:
    def search(facts: Facts, errand: Errand) -> Result:
        args = SearchEmails.model_validate(facts.args)
        query = MailQuery(
            words=args.query,
            sender=args.sender,
            after=_midnight(args.after, errand.zone),
            before=_midnight(args.before, errand.zone),
            limit=args.limit,
        )
        with store.read(errand.cause) as tx:
            found = tx.mails(query)
        if not found:
            return Result(text="No mail matches.", told="No mail matches.")
        listing = "\n\n".join(_listed(mail, errand.zone) for mail in found)
        count = f"{len(found)} mail{'s' if len(found) > 1 else ''} found."
        fenced = fence(listing, source=_WRITTEN)
        return Result(text=f"{count}\n{fenced}", told=count, outside=True)

    def read(facts: Facts, errand: Errand) -> Result:
        args = ReadEmail.model_validate(facts.args)
        with store.read(errand.cause) as tx:
            mail = tx.mail(args.id)
        if mail.state is MailState.FORGOTTEN:
            raise NotFound(f"what mail {mail.id} said; it was forgotten {mail.reason}")
        text = blobs.get(mail.body).decode() if mail.body else "(this mail has no text)"
        pages = max(1, -(-len(text) // PAGE))
        if args.page > pages:
            raise BadArguments(f"page: the mail has {pages} page{'s' if pages > 1 else ''}")
        part = text[(args.page - 1) * PAGE : args.page * PAGE]
        head = f"Mail {mail.id}, page {args.page} of {pages}."
        body = f"{_head(mail, errand.zone)}\n\n{part}"
        fenced = fence(body, source=f"mail {mail.id}, written by its sender")
        return Result(text=f"{head}\n{fenced}", told=head, outside=True)

    return (
        _read(
            "search_emails",
            title="Search mails",
            args=SearchEmails,
            act=search,
            free_args=tuple(SearchEmails.model_fields),
            source=lambda _facts: _WRITTEN,
        ),
        _read(
            "read_email",
            title="Read a mail",
            args=ReadEmail,
            act=read,
            free_args=("page",),
            source=lambda facts: f"mail {facts.args['id']}",
        ),
    )


def _read(name: str, **own: Any) -> Tool[Any]:
    """What both have in common: they look into what is stored here, and need no yes."""
    return Tool(
        name=name,
        group=Group.SEARCH,
        category=Category.READ_ONLY,
        reach=Reach.READS,
        risk=lambda _facts: Risk.LOW,
        scopes=Scopes(apps=("mail",)),
        allowed_modes=EVERY_MODE,
        look=_as_asked,
        quick=True,
        **own,
    )


def _as_asked(args: BaseModel, _errand: Errand) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"), own=True)]


def _midnight(day: date | None, zone: str) -> datetime | None:
    return datetime.combine(day, time(), ZoneInfo(zone)) if day else None


def _head(mail: Mail, zone: str) -> str:
    when = (mail.sent or mail.received).astimezone(ZoneInfo(zone) if zone else UTC)
    attached = "".join(
        f"\nAttached: {part.name} ({part.content_type}, {part.size} bytes)"
        for part in mail.attachments
    )
    return f"From: {mail.sender}\nSubject: {mail.subject}\nDate: {when:%Y-%m-%d %H:%M}{attached}"


def _listed(mail: Mail, zone: str) -> str:
    summary = mail.summary or f"(no summary yet: {mail.state})"
    return f"id: {mail.id}\n{_head(mail, zone)}\nSummary: {summary}"
