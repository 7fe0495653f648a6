"""What is attached to a mail: listed, read, and saved as a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Table, Words, fields
from assistant.commands.body import Args, Body, Option
from assistant.commands.channel import PRESSING, CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.everyday.mails import found
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import AlreadyThere, BadArguments
from assistant.domain.mail.attached import (
    READABLE,
    AttachmentText,
    FileKind,
    attachment_called,
    attachments_of,
)
from assistant.domain.mail.mail import Attachment, Mail
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.invisible import without_invisible
from assistant.domain.text.sizes import in_bytes

_NAME = 60
"""Characters of a name in a list."""
_CHAT = 12_000
"""Characters of a text that a chat of messages is sent, as a file if they are too many for one."""


class _Attached(Args):
    mail: str = Field(description="The mail's id, or enough of its beginning.")
    name: Annotated[
        str,
        Field(description="The attachment's number, its name or a part of it. Without: the list."),
        Option(positional=True),
    ] = ""
    output: Annotated[
        Path | None,
        Field(description="Write its bytes to this new file."),
        Option(short="-o", chat=False),
    ] = None
    overwrite: Annotated[
        bool, Field(description="Replace the file that is there."), Option(chat=False)
    ] = False


def _attachment(ctx: CommandContext, args: _Attached) -> Answer:
    with ctx.read() as tx:
        mail = tx.mail(args.mail)
    if not args.name:
        if args.output:
            raise BadArguments("--output: say which attachment, by its number or name")
        return _list(ctx, mail)
    place = attachment_called(mail, args.name, part=True)
    if args.output:
        return _save(ctx, mail, place, args.output, overwrite=args.overwrite)
    return _read(ctx, mail, place)


def _list(ctx: CommandContext, mail: Mail) -> Answer:
    attachments = attachments_of(mail)
    kinds = [ctx.parts.mails.texts.kind_of(one) for one in attachments]
    told = list(enumerate(zip(attachments, kinds, strict=True), 1))
    rows = tuple(
        (
            str(number),
            one_line(without_invisible(one.name), _NAME),
            kind.said,
            in_bytes(one.size),
            "text" if kind.type in READABLE else "no text",
            one_line(kind.doubt),
        )
        for number, (one, kind) in told
    )
    table = Table(
        columns=("number", "name", "what it is", "size", "to read", "beware"),
        rows=rows,
        lines=tuple(Line(label=str(number), value=_in_a_line(*both)) for number, both in told),
        title=f"{ctx.typed('attachment', mail.id[:8], 'NUMBER')} reads one",
        empty="Nothing is attached to this mail.",
    )
    return Answer(
        blocks=(table,),
        data=lambda: [_facts(number, *both) for number, both in told],
    )


def _in_a_line(attachment: Attachment, kind: FileKind) -> str:
    parts = (
        one_line(without_invisible(attachment.name), _NAME),
        kind.said,
        in_bytes(attachment.size),
        "" if kind.type in READABLE else "it cannot be read here",
        kind.doubt and f"beware: {one_line(kind.doubt)}",
    )
    return ", ".join(filter(None, parts))


def _read(ctx: CommandContext, mail: Mail, place: int) -> Answer:
    """Its text. One without text says why, and how to have the file itself."""
    attachment = mail.attachments[place]
    kind = ctx.parts.mails.texts.kind_of(attachment)
    read = ctx.parts.mails.texts.text_of(attachment, kind)
    text = without_invisible(read.text)
    told = dict(_told(attachment, kind, read))
    shell = ctx.channel is CommandChannel.COMMAND_LINE
    if text and not shell:
        told["Text"] = _cut(text) if ctx.channel in PRESSING else text
    words = (Words(text=text, outside=True),) if text and shell else ()
    save = f"assistant mail attachment {mail.id[:8]} {place + 1} -o FILE"
    how = f"no text was found in it; `{save}` saves the file, which nobody has checked for harm"
    return Answer(
        blocks=(fields(told), *words),
        notes=() if text else (how,),
        outcome=CommandOutcome.DONE if text else CommandOutcome.FAILED,
        data=lambda: {**_facts(place + 1, attachment, kind), **read.model_dump(mode="json")},
    )


def _told(
    attachment: Attachment, kind: FileKind, read: AttachmentText
) -> Iterator[tuple[str, str]]:
    yield "Name", one_line(without_invisible(attachment.name))
    yield "What it is", f"{kind.said}, {in_bytes(attachment.size)}"
    yield "Beware", one_line(kind.doubt)
    yield "Pages", f"{read.pages:,}" if read.pages else ""
    yield "Odd", one_line("; ".join(read.defects), 2_000)


def _cut(text: str) -> str:
    more = len(text) - _CHAT
    said = f"{more:,} more character{'' if more == 1 else 's'}"
    return text if more <= 0 else f"{text[:_CHAT]}\n…and {said}; a terminal has all of it"


def _save(ctx: CommandContext, mail: Mail, place: int, to: Path, *, overwrite: bool) -> Answer:
    attachment = mail.attachments[place]
    content = ctx.parts.blobs.get(attachment.blob)
    try:
        with to.open("wb" if overwrite else "xb") as file:
            file.write(content)
    except FileExistsError as error:
        raise AlreadyThere(f"{to} is there; --overwrite replaces it") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadArguments(f"--output {to}: {why}") from error
    kind = ctx.parts.mails.texts.kind_of(attachment)
    told = {
        "Saved": str(to),
        "What it is": f"{kind.said}, {in_bytes(attachment.size)}",
        "Beware": one_line(kind.doubt),
    }
    return Answer(
        blocks=(fields(told),),
        data=lambda: {**_facts(place + 1, attachment, kind), "saved": str(to)},
    )


def _facts(number: int, attachment: Attachment, kind: FileKind) -> dict[str, Any]:
    told = attachment.model_dump(mode="json", exclude={"blob"})
    known = {"said": kind.said, "kind": kind.type, "doubt": kind.doubt}
    return {"number": number, **told, **known, "readable": kind.type in READABLE}


ATTACHMENT = Body(args=_Attached, run=_attachment, choices={"mail": found})
