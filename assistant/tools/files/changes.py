"""Write, delete and restore files: each adds a version after the one that was inspected.

Bytes are stored first, under a name that is made of them; then one transaction makes the path point
to them, if it is still where it was. A crash between the two leaves bytes that nothing points to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.tool_errors import ErrorType, ToolFailure
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, Stale, TooLarge
from assistant.domain.files.paths import governs, parse_path, scope_of
from assistant.domain.files.ports import Blobs
from assistant.domain.files.version import FileVersion, Scope
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Store
from assistant.domain.text.sound import sound
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.files.args import WRITABLE, DeleteFile, FileChange, RestoreFile, WriteFile
from assistant.tools.files.bytes import bytes_of, keep_bytes, said_size
from assistant.tools.files.card import COMPARED, TOO_LARGE, card, details, difference, head_of
from assistant.tools.files.glances import deleting, restoring, writing
from assistant.tools.files.reads import EVERYWHERE, not_there

_DESTINATION = "files"
_HEAVY = frozenset({"head", "then", "diff"})
"""The parts of ``Facts.before`` that quote the file. They stay with the call."""


def writer(store: Store, blobs: Blobs, limit: int = WRITABLE) -> Tool[WriteFile]:
    def inspect(args: WriteFile, context: ToolContext) -> Sequence[Facts]:
        path = _changeable(args.path)
        data = _data(args.content, limit)
        found = _find_file(store, path, context)
        if found.there and not args.overwrite:
            message = (
                f"File already exists: {path}. Set overwrite=true to replace it, or name another"
            )
            raise ToolFailure(ErrorType.FILE_EXISTS, message)
        resolved = args.model_copy(update={"path": path})
        return [_facts(found, resolved.model_dump(mode="json"), blobs, new=data)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        data = _data(facts.args["content"], limit)
        context.cancel.raise_if()
        kept = keep_bytes(data, owner=context.cause.owner, blobs=blobs)
        draft = FileVersion(
            path=facts.args["path"],
            size=len(data),
            sha256=sha256(data).hexdigest(),
            blob=kept,
        )
        return _told("Wrote", _put(store, draft, facts, context))

    return change_tool(
        "write_file",
        title="Write a file",
        args=WriteFile,
        result=FileChange,
        scopes=EVERYWHERE,
        reach=Reach.SENDS,
        reach_by=_by_scope,
        risk=Risk.MEDIUM,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("file.write", _path, without=_HEAVY),
        reconcile=partial(_reconcile, store=store, verb="Wrote"),
        inverse=_inverse_of_write,
        card=card,
        glance=writing,
        details=details,
        expires_at=None,
        free_args=("content",),
    )


def deleter(store: Store, blobs: Blobs) -> Tool[DeleteFile]:
    def inspect(args: DeleteFile, context: ToolContext) -> Sequence[Facts]:
        path = _changeable(args.path)
        found = _find_file(store, path, context)
        if not found.there:
            raise not_there(path)
        return [_facts(found, {"path": path}, blobs, new=None)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        context.cancel.raise_if()
        draft = FileVersion(path=facts.args["path"], deleted=True)
        return _told("Deleted", _put(store, draft, facts, context))

    return change_tool(
        "delete_file",
        title="Delete a file",
        args=DeleteFile,
        result=FileChange,
        scopes=EVERYWHERE,
        reach=Reach.DESTROYS,
        risk=Risk.HIGH,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("file.delete", _path, without=_HEAVY),
        reconcile=partial(_reconcile, store=store, verb="Deleted"),
        inverse=_inverse,
        card=card,
        glance=deleting,
        details=details,
        expires_at=None,
    )


def restorer(store: Store, blobs: Blobs) -> Tool[RestoreFile]:
    """Declare what takes a change back. It is never offered to a model."""

    def inspect(args: RestoreFile, context: ToolContext) -> Sequence[Facts]:
        path = _changeable(args.path)
        found = _find_file(store, path, context)
        _must_be_at(found, args.current)
        wanted = _version(found.versions, path, args.version)
        if found.there is None and (wanted is None or wanted.deleted):
            raise BadArguments(f"version: {path} holds nothing now, and it held nothing then")
        data = None if wanted is None or wanted.deleted else bytes_of(wanted, blobs)
        resolved = args.model_copy(update={"path": path})
        return [_facts(found, resolved.model_dump(mode="json"), blobs, new=data)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        path, number = facts.args["path"], facts.args["version"]
        context.cancel.raise_if()
        with store.read(context.cause) as tx:
            wanted = _version(tx.file_versions(path), path, number)
        draft = wanted or FileVersion(path=path, deleted=True)
        return _told("Restored", _put(store, draft, facts, context))

    return change_tool(
        "restore_file",
        title="Restore a file",
        internal=True,
        args=RestoreFile,
        result=FileChange,
        scopes=EVERYWHERE,
        reach=Reach.DESTROYS,
        reach_by=lambda facts: Reach.DESTROYS if facts.before["gone"] else _by_scope(facts),
        risk=lambda facts: Risk.HIGH if facts.before["gone"] else Risk.MEDIUM,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("file.restore", _path, without=_HEAVY),
        reconcile=partial(_reconcile, store=store, verb="Restored"),
        inverse=_inverse,
        card=card,
        glance=restoring,
        details=details,
        expires_at=None,
    )


@dataclass(frozen=True)
class _Found:
    """What a path has: its versions, the newest first."""

    path: str
    versions: Sequence[FileVersion]
    made_here: bool = False
    """Whether the model wrote the newest version in the conversation that asks now."""

    @property
    def newest(self) -> FileVersion | None:
        return self.versions[0] if self.versions else None

    @property
    def there(self) -> FileVersion | None:
        """What the path holds now."""
        return self.newest if self.newest and not self.newest.deleted else None

    @property
    def state(self) -> str:
        return _state_of(self.newest) if self.newest else ""

    @property
    def own(self) -> bool:
        """Whether only the assistant ever wrote there, and only its own words."""
        held = [version for version in self.versions if not version.deleted]
        return all(version.origin is Origin.ASSISTANT for version in held)


def _state_of(newest: FileVersion) -> str:
    """Name the state of a path. A deletion has a number too, so that one in between is noticed."""
    return f"{newest.version} (deleted)" if newest.deleted else str(newest.version)


def _changeable(given: str) -> str:
    path = parse_path(given)
    if governs(path):
        message = f"{path} steers the assistant; only its owner changes it, with `assistant files`"
        raise ToolFailure(ErrorType.PERMISSION, message)
    return path


def _data(content: str, limit: int) -> bytes:
    if sound(content) != content:
        raise BadArguments("content: it holds a NUL or half a surrogate pair, which no text has")
    data = content.encode()
    if len(data) > limit:
        raise TooLarge(
            f"content: {said_size(len(data))}, and a file that is written here has"
            f" {limit:,} at the most; write it in parts"
        )
    return data


def _find_file(store: Store, path: str, context: ToolContext) -> _Found:
    with store.read(context.cause) as tx:
        found = _Found(path, tx.file_versions(path))
        found = replace(found, made_here=_made_here(tx, found.there, context.conversation))
        twin = "" if found.there else tx.twin(path)
    if twin:
        raise AlreadyThere(f"{twin}, which differs from {path} in case alone; use {twin}")
    return found


def _made_here(tx: CallTx, there: FileVersion | None, conversation: str) -> bool:
    """Whether a model's call of this conversation wrote the version, by the row of that call."""
    if there is None or not there.call or not conversation:
        return False
    try:
        writer = tx.call(there.call)
    except NotFound:
        return False
    return writer.actor == MODEL and writer.conversation == conversation


def _must_be_at(found: _Found, version: int) -> None:
    """Check that the path is still at a version. Raises ``Stale`` with what happened since."""
    if not version or (found.newest and found.newest.version == version):
        return
    since = [each for each in reversed(found.versions) if each.version > version]
    told = "; ".join(
        f"version {each.version} {'deleted it' if each.deleted else said_size(each.size)}"
        f"{f' by {each.by}' if each.by else ''}"
        for each in since[:5]
    )
    raise Stale(f"{found.path} was left at version {version}, and since then: {told or 'unknown'}")


def _version(versions: Sequence[FileVersion], path: str, number: int) -> FileVersion | None:
    """Find a version of a path; None for 0, before there was any."""
    if not number:
        return None
    for version in versions:
        if version.version == number:
            return version
    raise ToolFailure(ErrorType.FILE_NOT_FOUND, f"{path} has no version {number}")


def _facts(found: _Found, args: dict[str, Any], blobs: Blobs, *, new: bytes | None) -> Facts:
    """Make the facts of a change from what is there to ``new``, None for a deletion."""
    there = found.there
    old = _bytes_now(there, blobs)
    return Facts(
        args=args,
        destination=_DESTINATION,
        state={found.path: found.state},
        before={
            "version": there.version if there else 0,
            "follows": found.newest.version if found.newest else 0,
            "size": there.size if there else 0,
            "sha256": there.sha256 if there else "",
            "origin": there.origin.value if there else "",
            "head": _head(there, old),
            "gone": new is None,
            "then": "" if new is None else head_of(new),
            "becomes": "" if new is None else sha256(new).hexdigest(),
            "diff": _difference(there, old, new, args),
        },
        own=found.own,
        locations=(found.path,),
        destructive=there is not None,
        made_here=found.made_here,
        size=len(new or b""),
    )


def _bytes_now(there: FileVersion | None, blobs: Blobs) -> bytes | None:
    """Read what is there now, if it is small enough to be compared."""
    return bytes_of(there, blobs) if there and there.size <= COMPARED else None


def _difference(
    there: FileVersion | None, old: bytes | None, new: bytes | None, args: dict[str, Any]
) -> str:
    """Make the whole difference; empty where an argument says it all already.

    A new file's content is such an argument, unless it is an old version's.
    """
    if there is None:
        return "" if "content" in args or not new else difference(b"", new)
    if old is None:
        return TOO_LARGE
    return difference(old, new or b"") if old or new is not None else ""


def _head(there: FileVersion | None, data: bytes | None) -> str:
    if there is None:
        return ""
    return head_of(data) if data is not None else "(too large to be shown: see details)"


def _by_scope(facts: Facts) -> Reach:
    return Reach.WRITES if scope_of(facts.args["path"]) is Scope.PRIVATE else Reach.SENDS


def _put(store: Store, draft: FileVersion, facts: Facts, context: ToolContext) -> FileVersion:
    """Add the version of this call, or find the one that an earlier attempt added.

    It does not say who wrote the words: the store takes that from the row of the call.

    Raises:
        Stale: the path is no longer in the state that was inspected.
    """
    with store.begin(context.cause) as tx:
        found = _Found(draft.path, tx.file_versions(draft.path))
        if mine := next((one for one in found.versions if one.call == context.call), None):
            return mine
        if found.state != facts.state[draft.path]:
            raise Stale(f"{draft.path} is at version {found.state or 'none'} now")
        follows = found.newest.version if found.newest else 0
        return tx.write_file(draft.model_copy(update={"version": follows, "call": context.call}))


def _reconcile(facts: Facts, context: ToolContext, *, store: Store, verb: str) -> Result | None:
    """Find the version that the call left: rows tell, as it is written in one transaction."""
    with store.read(context.cause) as tx:
        versions = tx.file_versions(facts.args["path"])
    return next((_told(verb, file) for file in versions if file.call == context.call), None)


def _path(facts: Facts, _call: str) -> str:
    path: str = facts.args["path"]
    return path


def _inverse_of_write(facts: Facts, context: ToolContext) -> Inverse:
    nothing_was_there = not facts.destructive
    return _inverse(facts, context).model_copy(update={"of_creation": nothing_was_there})


def _inverse(facts: Facts, _context: ToolContext) -> Inverse:
    """Go back to the version that was there, if this call's is still the newest by then."""
    path, version = facts.args["path"], facts.before["version"]
    words = f"Make {path} what version {version} was" if version else f"Delete {path} again"
    return Inverse(
        tool="restore_file",
        args={"path": path, "version": version, "current": facts.before["follows"] + 1},
        words=words,
    )


def _told(verb: str, file: FileVersion) -> Result:
    what = "" if file.deleted else f", {said_size(file.size)}"
    change = FileChange(
        path=file.path,
        version=file.version,
        deleted=file.deleted,
        size=file.size,
        sha256=file.sha256,
    ).model_dump()
    return Result(
        text=f"{verb} {file.path} (version {file.version}{what})",
        told=f"{verb} {file.path} (version {file.version}{what})",
        after=change | {"state": {file.path: _state_of(file)}},
        data=change,
        touched=(file.path,),
    )
