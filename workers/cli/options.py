"""Options that many commands take."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from workers.settings import Settings

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value on stdout.")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Where the embedded parts keep everything (ASSISTANT_DATA_DIR)."),
]
NoBackup = Annotated[
    bool,
    typer.Option("--no-backup", help="Upgrade the database without a copy of it from before."),
]


def settings_for(data: Path | None, **more: Any) -> "Settings":
    """The settings, with what was given on the command line. Raises ``Misconfigured``."""
    from workers.settings import load  # noqa: PLC0415 (heavy)

    given = {"data_dir": data} if data is not None else {}
    return load(**given, **{name: value for name, value in more.items() if value is not None})
