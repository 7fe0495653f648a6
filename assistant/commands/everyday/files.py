"""Files: the owner's own hands in the file store."""

import base64
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Content, Table, fields
from assistant.commands.body import Args, Body, Option, Stream
from assistant.commands.context import CommandContext
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, TooLarge
from assistant.domain.files.paths import parse_path, parse_prefix
from assistant.domain.files.ports import FileTx
from assistant.domain.files.version import FileVersion
from assistant.domain.limits import MiB
from assistant.domain.text.invisible import count_invisible, say_invisible
from assistant.domain.time.moments import say_moment
from assistant.tools.files.bytes import as_text, bytes_of, keep_bytes

LARGEST = 25 * MiB
"""Bytes of one file."""
_PAGE = 500
_OFFERED = 25
_PATH = "Such as notes/a.txt (private), or shared:/a.txt."


class _Listed(Args):
    prefix: Annotated[
        str,
        Field(description="Only what begins so: notes/, shared:/. Everything by default."),
        Option(positional=True),
    ] = ""
    all_versions: Annotated[
        bool,
        Field(description="What was there before too, and what is gone."),
        Option(chat=False),
    ] = False


class _OneFile(Args):
    path: str = Field(description=_PATH)


class _Got(_OneFile):
    output: Annotated[
        Path | None, Field(description="Write the bytes to this file."), Option(short="-o")
    ] = None
    version: int = Field(0, ge=0, description="An earlier version; 0: the newest.")


class _Put(Args):
    file: Annotated[
        Stream, Field(description="A file of yours, or - for standard input."), Option(file=True)
    ]
    path: str = Field(description=_PATH)
    overwrite: bool = Field(
        default=False, description="Replace what is there; its versions are kept."
    )


def _ls(ctx: CommandContext, args: _Listed) -> Answer:
    begins = parse_prefix(args.prefix) if args.prefix else ""
    with ctx.read() as tx:
        found = list(_listed(tx, begins, all_versions=args.all_versions))
    rows = tuple(
        (
            file.path,
            str(file.version),
            "deleted" if file.deleted else f"{file.size:,}",
            say_moment(file.at, ctx.zone) if file.at else "",
            file.origin,
            file.by,
        )
        for file in found
    )
    columns = ("id", "version", "bytes", "since", "words of", "by")
    table = Table(columns=columns, rows=rows, empty="No files.")
    return Answer(blocks=(table,), data=lambda: [_facts(file) for file in found])


def _get(ctx: CommandContext, args: _Got) -> Answer:
    file = _wanted(ctx, parse_path(args.path), args.version)
    content = bytes_of(file, ctx.parts.blobs)
    if args.output is None:
        return Answer(
            blocks=(Content(chunks=(content,)),),
            notes=tuple(_hidden(content)),
            data=lambda: {**_facts(file), **_as_json(content)},
        )
    try:
        args.output.write_bytes(content)
    except OSError as error:
        raise BadArguments(f"--output {args.output}: {error.strerror}") from error
    return Answer(data=lambda: _facts(file))


def _hidden(content: bytes) -> Iterator[str]:
    """Say how many characters of a text nobody sees, if there are any."""
    text = as_text(content)
    if text and (said := say_invisible(count_invisible(text[0]))):
        yield f"it has {said}"


def _put(ctx: CommandContext, args: _Put) -> Answer:
    target = parse_path(args.path)
    content = args.file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise TooLarge(f"a file has {LARGEST:,} bytes at the most; nothing was stored")
    if not args.overwrite and _is_there(ctx, target):
        raise AlreadyThere(f"{target}; --overwrite replaces it, and what it was is kept")
    draft = FileVersion(
        path=target,
        size=len(content),
        sha256=sha256(content).hexdigest(),
        blob=keep_bytes(content, owner=ctx.cause.owner, blobs=ctx.parts.blobs),
        content_type="text/plain" if as_text(content) else "application/octet-stream",
    )
    return _told(_write(ctx, draft, overwrite=args.overwrite))


def _rm(ctx: CommandContext, args: _OneFile) -> Answer:
    gone = FileVersion(path=parse_path(args.path), deleted=True)
    return _told(_write(ctx, gone, overwrite=True))


def _write(ctx: CommandContext, draft: FileVersion, *, overwrite: bool) -> FileVersion:
    """The owner's own act: nobody is asked, and the store writes it down."""
    own = {"origin": Origin.OWNER, "by": ctx.by}
    with ctx.store.begin(ctx.cause) as tx:
        versions = tx.file_versions(draft.path)
        if versions and not versions[0].deleted and not overwrite:
            raise AlreadyThere(draft.path)
        follows = versions[0].version if versions else 0
        return tx.write_file(draft.model_copy(update={**own, "version": follows}))


def _listed(tx: FileTx, prefix: str, *, all_versions: bool) -> Iterator[FileVersion]:
    """By path; with all versions, those of each path from the newest to the first."""
    after = ""
    while page := tx.files(prefix, after=after, limit=_PAGE, deleted=all_versions):
        for file in page:
            yield from tx.file_versions(file.path) if all_versions else (file,)
        after = page[-1].path


def _is_there(ctx: CommandContext, path: str) -> bool:
    with ctx.read() as tx:
        return any(not file.deleted for file in tx.file_versions(path)[:1])


def _wanted(ctx: CommandContext, path: str, version: int) -> FileVersion:
    with ctx.read() as tx:
        if not version:
            return tx.file(path)
        for file in tx.file_versions(path):
            if file.version == version and not file.deleted:
                return file
    raise NotFound(f"{path}, version {version}")


def _told(file: FileVersion) -> Answer:
    now = "deleted" if file.deleted else f"{file.size:,} bytes"
    told = fields({file.path: now, "Version": str(file.version)})
    return Answer(blocks=(told,), data=lambda: _facts(file))


def _as_json(content: bytes) -> dict[str, str]:
    """The bytes as JSON can hold them: as text where they are text to the last byte."""
    text = as_text(content)
    if text is not None and not text[1]:
        return {"text": text[0]}
    return {"base64": base64.b64encode(content).decode()}


def _facts(file: FileVersion) -> dict[str, Any]:
    return {"id": file.path, **file.model_dump(mode="json", exclude={"path", "blob"})}


def _paths(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        found = [file.path for file in tx.files("", after="", limit=_PAGE, deleted=False)]
    return [(path, path) for path in found if typed.casefold() in path.casefold()][:_OFFERED]


LS = Body(args=_Listed, run=_ls)
GET = Body(args=_Got, run=_get, choices={"path": _paths})
PUT = Body(args=_Put, run=_put)
RM = Body(args=_OneFile, run=_rm, choices={"path": _paths})
