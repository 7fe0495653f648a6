"""Write the files that an embedded server starts from."""

from pathlib import Path


def write_changed(path: Path, text: str) -> None:
    """Give a file this text, for this user alone, unless it has it.

    It is replaced in one step, so that a crash or a full disk leaves the old one or the new one.
    """
    if path.exists() and path.read_bytes() == text.encode():
        return
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    try:
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
