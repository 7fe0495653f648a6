"""Read what is attached to a mail."""

from collections.abc import Iterator, Sequence

from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments
from assistant.domain.mail.attached import (
    READABLE,
    AttachmentText,
    AttachmentTexts,
    FileKind,
    attachment_called,
)
from assistant.domain.mail.mail import Attachment, Mail
from assistant.domain.policy.decisions import one_line
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.mail.args import AttachmentPage, ReadAttachment
from assistant.tools.mail.reads import MAIL, PAGE

_SECONDS = 120.0
"""Reading has a limit of computing time, which takes longer on a busy machine."""
_DEFECTS = 2_000
"""Characters of what is said of defects."""


def attachment_reader(store: Store, texts: AttachmentTexts) -> Tool[ReadAttachment]:
    def execute(facts: Facts, context: ToolContext) -> Result:
        args = ReadAttachment.model_validate(facts.args)
        with store.read(context.cause) as tx:
            mail = tx.mail(args.mail)
        place = attachment_called(mail, args.name)
        attachment = mail.attachments[place]
        kind = texts.kind_of(attachment)
        return _page(mail, place, kind, texts.text_of(attachment, kind), args.page)

    return read_tool(
        "read_attachment",
        title="Read an attachment",
        args=ReadAttachment,
        result=AttachmentPage,
        scopes=MAIL,
        inspect=_as_asked,
        execute=execute,
        source=lambda facts: f"mail {facts.args['mail']}",
        free_args=("page",),
        timeout=_SECONDS,
    )


def _as_asked(args: ReadAttachment, _context: ToolContext) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"), own=True)]


def _page(mail: Mail, place: int, kind: FileKind, found: AttachmentText, page: int) -> Result:
    pages = max(1, -(-len(found.text) // PAGE))
    if page > pages:
        raise BadArguments(f"page: the attachment has {pages} page{'s' if pages > 1 else ''}")
    part = found.text[(page - 1) * PAGE : page * PAGE]
    attachment = mail.attachments[place]
    data = AttachmentPage(
        mail=mail.id,
        number=place + 1,
        name=attachment.name,
        kind=kind.type,
        said=kind.said,
        doubt=kind.doubt,
        size=attachment.size,
        readable=kind.type in READABLE,
        content=part,
        page=page,
        pages=pages,
        truncated=found.truncated,
        defects=list(found.defects),
    )
    head = f"Attachment {place + 1} of mail {mail.id}, page {page} of {pages}."
    told = "\n".join(_facts(attachment, kind, found))
    body = f"{told}\n\n{part or '(no text was found in it)'}"
    fenced = fence(body, source=f"mail {mail.id}, its attachment {place + 1}")
    return Result(
        text=f"{head}\n{fenced}", told=head, outside=True, data=data.model_dump(mode="json")
    )


def _facts(attachment: Attachment, kind: FileKind, found: AttachmentText) -> Iterator[str]:
    yield f"Name: {one_line(attachment.name)}"
    yield f"What it is: {kind.said} ({attachment.size:,} bytes)"
    if kind.doubt:
        yield f"Beware: {one_line(kind.doubt)}"
    if found.defects:
        yield f"Not as it should be: {one_line('; '.join(found.defects), _DEFECTS)}"
