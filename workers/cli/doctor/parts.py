"""What ``assistant doctor`` says of this machine: its disk, ``assistant up`` and its processes.

It needs no database.
"""

from collections.abc import Callable
from functools import partial

from assistant.domain.errors import AssistantError
from workers.data_folder import DataFolder, UpState
from workers.processes.children import same_process
from workers.settings import PREFIX, Settings

_MIB = 1024 * 1024


class Wrong(AssistantError):
    """Something is wrong, with what to do about it."""

    def __str__(self) -> str:
        return str(self.args[0])


def checks(settings: Settings, folder: DataFolder) -> list[tuple[str, Callable[[], str]]]:
    return [
        ("space", partial(_space, settings, folder)),
        ("up", partial(_up, settings, folder)),
    ]


def distributed(settings: Settings, folder: DataFolder) -> bool:
    """Whether the parts are started one by one, maybe on other machines, and not by ``up``."""
    named = bool(settings.broker_url and settings.database_url)
    return named and folder.up_state is not UpState.RUNS


def _space(settings: Settings, folder: DataFolder) -> str:
    try:
        free, wanted = folder.free // _MIB, settings.disk_free_mib
    except OSError as error:
        raise Wrong(f"{folder.root}: {error.strerror}") from error
    if free < wanted:
        raise Wrong(
            f"{free} MiB are free in {folder.root}, and {wanted} MiB are wanted "
            f"({PREFIX}DISK_FREE_MIB): free some, and what waits goes on by itself"
        )
    return f"{free:,} MiB are free in {folder.root}"


def _up(settings: Settings, folder: DataFolder) -> str:
    state = folder.up_state
    living = [name for name, child in folder.children.items() if same_process(child)]
    if state is UpState.RUNS:
        if gone := [name for name in folder.children if name not in living]:
            if folder.free < _MIB:
                raise Wrong(
                    f"{', '.join(gone)}: ended, or started again and not noted, "
                    "as nothing can be written on a full disk"
                )
            raise Wrong(
                f"{', '.join(gone)}: `assistant up` starts what ended again; "
                f"if this stays, {folder.logs} says why"
            )
        return f"runs; live: {', '.join(living) or 'no part yet'}"
    if state is UpState.KILLED:
        left = f"; {len(living)} of its parts are left" if living else ""
        raise Wrong(
            f"`assistant up` ended without stopping its parts{left}: "
            "run it again, and what was interrupted goes on"
        )
    if distributed(settings, folder):
        return "none runs here; the parts are started one by one"
    never = "was never started here" if state is UpState.NEVER else "is stopped"
    return f"{never}; `assistant up` starts it"
