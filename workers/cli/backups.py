"""``assistant backup`` and ``assistant restore``: what they print."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from workers.backup.copying import said_size
from workers.backup.restore import restore as put_back
from workers.backup.take import take
from workers.cli.options import settings_for
from workers.cli.output import complain, print_fields, print_json
from workers.cli.session import refuse_nothing


def backup(to: Path, data: Path | None, *, as_json: bool) -> None:
    """Back up and print what is in it, with its digest."""
    settings = settings_for(data)
    refuse_nothing(settings)
    with _progress() as say:
        taken = take(settings, to, say=say)
    manifest = taken.manifest
    for name in manifest.missing[:3]:
        complain(f"a row names the blob {name}, which is not there")
    folder = to.expanduser().absolute()
    if as_json:
        print_json(
            {
                "backup": str(folder),
                "files": len(manifest.files),
                "size": manifest.size,
                "revision": manifest.revision,
                "digest": taken.digest,
                "missing": list(manifest.missing),
            }
        )
        return
    told = {
        "Backup": str(folder),
        "Holds": f"{len(manifest.files):,} files, {said_size(manifest.size)}",
        "Digest": taken.digest,
        "Missing": f"{len(manifest.missing)} blobs" if manifest.missing else "",
        "Not in it": "settings (.env), logs, a calendar server of your own",
        "Restore it": f"assistant restore {folder} --data DIR",
    }
    print_fields(told)


def restore(backup: Path, data: Path | None, *, digest: str, as_json: bool) -> None:
    """Restore, and print what to do next."""
    settings = settings_for(data)
    with _progress() as say:
        manifest = put_back(settings, backup, digest=digest, say=say)
    if as_json:
        print_json(
            {
                "data": str(settings.data_dir),
                "files": len(manifest.files),
                "size": manifest.size,
                "revision": manifest.revision,
                "made": manifest.made.isoformat(),
            }
        )
        return
    there = "" if data is None else f" --data {settings.data_dir}"
    told = {
        "Restored": f"{len(manifest.files):,} files, {said_size(manifest.size)}, to "
        f"{settings.data_dir}",
        "From": f"{manifest.made:%Y-%m-%d %H:%M} UTC",
        "Next": f"`assistant audit verify{there}` checks the record, "
        f"`assistant up{there}` starts it",
        "Beware": "where the first one still lives, stop it before: two would do the same work",
    }
    print_fields(told)


@contextmanager
def _progress() -> Generator[Callable[[str], None]]:
    """On a terminal, a line on stderr that says how far it is."""
    if not sys.stderr.isatty():
        yield lambda _words: None
        return
    from rich.console import Console  # noqa: PLC0415 (only where people look)

    with Console(stderr=True).status("") as status:
        yield status.update
