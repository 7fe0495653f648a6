"""List stored files, and read one."""

from collections.abc import Sequence

from assistant.domain.calls import Facts
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.fence import fence
from assistant.domain.file_paths import parse_path, parse_prefix
from assistant.domain.files import FileVersion
from assistant.domain.limits import MiB
from assistant.domain.moments import zone_of
from assistant.domain.talk import Origin
from assistant.domain.tool_errors import ErrorType, ToolFailure
from assistant.domain.traits import Scopes
from assistant.ports import Blobs, Store
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.files.args import FilePart, Listed, ListFiles, Listing, ReadFile
from assistant.tools.files.bytes import as_text, bytes_of, lines_of, said_size

PAGE = 12_000
"""Characters of a file, or of a listing, in one answer."""
READABLE = 8 * MiB
"""Larger files are described and not read: reading one takes its size in memory."""
EVERYWHERE = Scopes(paths=("private:/**", "shared:/**", "public:/**"))


def lister(store: Store) -> Tool[ListFiles]:
    def inspect(args: ListFiles, _context: ToolContext) -> Sequence[Facts]:
        prefix = parse_prefix(args.prefix)
        after = parse_path(args.after) if args.after else ""
        found = args.model_copy(update={"prefix": prefix, "after": after})
        return [Facts(args=found.model_dump(mode="json"), own=True, locations=(prefix,))]

    def execute(facts: Facts, context: ToolContext) -> Result:
        args = ListFiles.model_validate(facts.args)
        with store.read(context.cause) as tx:
            found = tx.files(args.prefix, after=args.after, limit=args.limit + 1)
        return _listing(found, args, context.zone)

    return read_tool(
        "list_files",
        title="List files",
        args=ListFiles,
        result=Listing,
        scopes=EVERYWHERE,
        inspect=inspect,
        execute=execute,
        free_args=("after", "limit"),
        quick=True,
    )


def reader(store: Store, blobs: Blobs) -> Tool[ReadFile]:
    def inspect(args: ReadFile, _context: ToolContext) -> Sequence[Facts]:
        path = parse_path(args.path)
        if args.start_line and args.end_line and args.end_line < args.start_line:
            raise BadArguments("end_line: it must not be less than start_line")
        asked = args.model_copy(update={"path": path})
        return [Facts(args=asked.model_dump(mode="json"), own=True, locations=(path,))]

    def execute(facts: Facts, context: ToolContext) -> Result:
        args = ReadFile.model_validate(facts.args)
        with store.read(context.cause) as tx:
            try:
                file = tx.file(args.path)
            except NotFound as error:
                raise not_there(args.path) from error
        if file.size > READABLE:
            return _described(file, "it is too large to be read here")
        data = bytes_of(file, blobs)
        text = as_text(data)
        if text is None:
            return _described(file, "it is no UTF-8 text")
        return _part(file, *text, args)

    return read_tool(
        "read_file",
        title="Read a file",
        args=ReadFile,
        result=FilePart,
        scopes=EVERYWHERE,
        inspect=inspect,
        execute=execute,
        free_args=("start_line", "end_line", "page"),
        quick=True,
    )


def not_there(path: str) -> ToolFailure:
    message = f"File not found: {path}; list_files shows what there is"
    return ToolFailure(ErrorType.FILE_NOT_FOUND, message)


def _listing(found: Sequence[FileVersion], args: ListFiles, zone: str) -> Result:
    if not found:
        later = f" and comes after {args.after}" if args.after else ""
        nothing = f"No file's path begins with {args.prefix}{later}."
        return Result(text=nothing, told=nothing, data=Listing(files=[], more=False).model_dump())
    lines = [_line(file, zone) for file in found]
    shown = found[: min(args.limit, _fitting(lines))]
    more = len(shown) < len(found)
    body = "\n".join(lines[: len(shown)])
    outside = any(file.origin is Origin.OUTSIDE for file in shown)
    if outside:
        body = fence(body, source="names of files, made with outside text in view")
    count = f"{len(shown)} file{'s' if len(shown) > 1 else ''}"
    onward = "; there are more: go on after the last one" if more else ""
    return Result(
        text=f"{count}{onward}.\n{body}",
        told=f"{count}{', and more' if more else ''}.",
        outside=outside,
        source="names of files" if outside else "",
        data=Listing(files=[_listed(file) for file in shown], more=more).model_dump(),
    )


def _fitting(lines: Sequence[str]) -> int:
    """Count the lines that fit into one answer."""
    total = 0
    for count, line in enumerate(lines):
        total += len(line) + 1
        if total > PAGE:
            return count
    return len(lines)


def _line(file: FileVersion, zone: str) -> str:
    when = f"{file.at.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}" if file.at else ""
    return f"{file.path}  {said_size(file.size)}  version {file.version}  {when}".rstrip()


def _listed(file: FileVersion) -> Listed:
    return Listed(
        path=file.path,
        version=file.version,
        size=file.size,
        sha256=file.sha256,
        origin=file.origin.value,
        at=file.at.isoformat() if file.at else "",
    )


def _described(file: FileVersion, why: str) -> Result:
    part = FilePart(
        path=file.path,
        version=file.version,
        text=False,
        content="",
        first=0,
        last=0,
        lines=0,
        page=1,
        pages=1,
    )
    said = (
        f"{file.path}, version {file.version}: {why}. It has {said_size(file.size)}"
        f" ({file.content_type}), SHA-256 {file.sha256}."
    )
    return Result(text=said, told=said, data=part.model_dump())


def _part(file: FileVersion, text: str, odd: int, args: ReadFile) -> Result:
    """Make the result: the lines that were asked for, or one page of them."""
    lines = lines_of(text)
    first, last = args.start_line or 1, min(args.end_line or len(lines), len(lines))
    if first > max(1, len(lines)):
        raise BadArguments(f"start_line: the file has {_count(lines)}")
    asked = "".join(lines[first - 1 : last])
    pages = max(1, -(-len(asked) // PAGE))
    if args.page > pages:
        raise BadArguments(f"page: there {'are' if pages > 1 else 'is'} {pages}")
    content = asked[(args.page - 1) * PAGE : args.page * PAGE]
    head = _head(file, (first, last, len(lines)), (args.page, pages), odd)
    outside = file.origin is Origin.OUTSIDE
    source = f"file {file.path}, {file.source or 'not written by the owner or the assistant'}"
    part = FilePart(
        path=file.path,
        version=file.version,
        text=True,
        content=content,
        first=first,
        last=last,
        lines=len(lines),
        page=args.page,
        pages=pages,
    )
    return Result(
        text=f"{head}\n{fence(content, source=source) if outside else content}",
        told=head,
        outside=outside,
        source=source if outside else "",
        data=part.model_dump(),
    )


def _head(file: FileVersion, lines: tuple[int, int, int], page: tuple[int, int], odd: int) -> str:
    first, last, total = lines
    which = f"lines {first} to {last} of {total}" if total else "it is empty"
    pages = f", page {page[0]} of {page[1]}" if page[1] > 1 else ""
    shown = f"; {odd} places are no UTF-8 and shown as U+FFFD" if odd else ""
    return f"{file.path}, version {file.version}: {which}{pages}{shown}"


def _count(lines: Sequence[str]) -> str:
    return f"{len(lines)} line{'' if len(lines) == 1 else 's'}"
