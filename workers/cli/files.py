"""``assistant files``: ls, get, put, rm; the owner's own hands in the file store."""

import base64
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, TooLarge
from assistant.domain.file_paths import parse_path, parse_prefix
from assistant.domain.files import FileVersion
from assistant.domain.limits import MiB
from assistant.domain.moments import say_moment
from assistant.domain.talk import Origin
from assistant.ports import Tx
from assistant.tools.file_bytes import as_text, bytes_of, keep_bytes
from workers.cli.output import AsJson, print_fields, print_json, print_table, printable
from workers.cli.session import Data, Session, actor, existing, session
from workers.settings import OWNER

LARGEST = 25 * MiB
"""Bytes of one file."""
_PAGE = 500

app = typer.Typer(no_args_is_help=True)

Where = Annotated[str, typer.Argument(help="Such as notes/a.txt (private), or shared:/a.txt.")]


@app.command()
def ls(
    prefix: Annotated[
        str, typer.Argument(help="Only what begins so: notes/, shared:/. Everything by default.")
    ] = "",
    *,
    all_versions: Annotated[
        bool, typer.Option("--all-versions", help="What was there before too, and what is gone.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What is stored."""
    with existing(data) as opened:
        begins = parse_prefix(prefix) if prefix else ""
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            found = list(_listed(tx, begins, all_versions=all_versions))
        if as_json:
            print_json([_facts(file) for file in found])
            return
        zone = opened.settings.timezone
        rows = [
            (
                file.path,
                str(file.version),
                "deleted" if file.deleted else f"{file.size:,}",
                say_moment(file.at, zone) if file.at else "",
                file.origin,
                file.by,
            )
            for file in found
        ]
        heads = ("id", "version", "bytes", "since", "words of", "by")
        print_table(heads, rows, empty="No files.")


@app.command()
def get(
    path: Where,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the bytes to this file.")
    ] = None,
    version: Annotated[int, typer.Option(min=0, help="An earlier version; 0: the newest.")] = 0,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What a file holds, on standard output or in a file."""
    with existing(data) as opened:
        file = _wanted(opened, parse_path(path), version)
        content = bytes_of(file, opened.assistant.blobs)
        if output is not None:
            _save(output, content)
        if as_json:
            print_json({**_facts(file), **({} if output else _content(content))})
        elif output is None:
            _print(content)


@app.command()
def put(
    file: Annotated[str, typer.Argument(help="A file of yours, or - for standard input.")],
    path: Where,
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is there; its versions are kept.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Store a file."""
    with session(data) as opened:
        target = parse_path(path)
        content = _read(file)
        if not overwrite and _is_there(opened, target):
            raise AlreadyThere(f"{target}; --overwrite replaces it, and what it was is kept")
        draft = FileVersion(
            path=target,
            size=len(content),
            sha256=sha256(content).hexdigest(),
            blob=keep_bytes(content, owner=OWNER, blobs=opened.assistant.blobs),
            content_type="text/plain" if as_text(content) else "application/octet-stream",
        )
        _tell(_write(opened, draft, overwrite=overwrite), as_json=as_json)


@app.command()
def rm(path: Where, *, data: Data = None, as_json: AsJson = False) -> None:
    """Delete a file; its versions are kept."""
    with existing(data) as opened:
        gone = FileVersion(path=parse_path(path), deleted=True)
        _tell(_write(opened, gone, overwrite=True), as_json=as_json)


def _write(opened: Session, draft: FileVersion, *, overwrite: bool) -> FileVersion:
    """The owner's own act, at their terminal: nobody is asked, and the store writes it down."""
    own = {"origin": Origin.OWNER, "by": actor()}
    with opened.assistant.store.begin(opened.assistant.cause()) as tx:
        versions = tx.file_versions(draft.path)
        if versions and not versions[0].deleted and not overwrite:
            raise AlreadyThere(draft.path)
        follows = versions[0].version if versions else 0
        return tx.write_file(draft.model_copy(update={**own, "version": follows}))


def _listed(tx: Tx, prefix: str, *, all_versions: bool) -> Iterator[FileVersion]:
    """By path; with all versions, those of each path from the newest to the first."""
    after = ""
    while page := tx.files(prefix, after=after, limit=_PAGE, deleted=all_versions):
        for file in page:
            yield from tx.file_versions(file.path) if all_versions else (file,)
        after = page[-1].path


def _is_there(opened: Session, path: str) -> bool:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return any(not file.deleted for file in tx.file_versions(path)[:1])


def _wanted(opened: Session, path: str, version: int) -> FileVersion:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        if not version:
            return tx.file(path)
        for file in tx.file_versions(path):
            if file.version == version and not file.deleted:
                return file
    raise NotFound(f"{path}, version {version}")


def _read(file: str) -> bytes:
    try:
        if file == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(file).open("rb") as stream:
                content = stream.read(LARGEST + 1)
    except OSError as error:
        raise NotFound(f"{file}: {error.strerror}") from error
    if len(content) > LARGEST:
        raise TooLarge(f"a file has {LARGEST:,} bytes at the most; nothing was stored")
    return content


def _save(output: Path, content: bytes) -> None:
    try:
        output.write_bytes(content)
    except OSError as error:
        raise BadArguments(f"--output {output}: {error.strerror}") from error


def _print(content: bytes) -> None:
    """The bytes as they are; to a terminal without what it would obey."""
    text = as_text(content)
    if not sys.stdout.isatty():
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif text is None:
        raise BadArguments("it is no text; --output FILE writes the bytes to a file")
    else:
        sys.stdout.write(printable(text[0]))


def _content(content: bytes) -> dict[str, str]:
    """The bytes as JSON can hold them: as text where they are text to the last byte."""
    text = as_text(content)
    if text is not None and not text[1]:
        return {"text": text[0]}
    return {"base64": base64.b64encode(content).decode()}


def _facts(file: FileVersion) -> dict[str, Any]:
    return {"id": file.path, **file.model_dump(mode="json", exclude={"path", "blob"})}


def _tell(file: FileVersion, *, as_json: bool) -> None:
    if as_json:
        print_json(_facts(file))
    else:
        now = "deleted" if file.deleted else f"{file.size:,} bytes"
        print_fields({file.path: now, "Version": str(file.version)})
