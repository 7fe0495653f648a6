"""The calendar's tools, in the order they are offered."""

from typing import Any

from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.calendar.ports import Calendar
from assistant.domain.files.ports import Blobs
from assistant.domain.store import Store
from assistant.tools.calendar.availability import availability_tool
from assistant.tools.calendar.changes import create, delete, update
from assistant.tools.calendar.invitations.follow import follow_invitation
from assistant.tools.calendar.reads import details
from assistant.tools.calendar.restore import putting_back, restore
from assistant.tools.contract.tool import Tool


def calendar_tools(
    *,
    calendar: Calendar,
    store: Store,
    blobs: Blobs | None = None,
    timeout: float = 20.0,
    working_hours: WorkingHours = OFFICE_HOURS,
) -> tuple[Tool[Any], ...]:
    """Make the tools that a model is offered.

    Events are kept in ``blobs`` as they were; without any, changes and deletions are for good.
    """
    put_back = putting_back(calendar, blobs) if blobs else None
    return (
        availability_tool(calendar, working_hours=working_hours),
        details(calendar, store),
        create(calendar, timeout, hours=working_hours),
        update(calendar, store, timeout, put_back, hours=working_hours),
        delete(calendar, store, timeout, put_back),
    )


def calendar_undo_tools(
    *, calendar: Calendar, store: Store, blobs: Blobs, timeout: float = 20.0
) -> tuple[Tool[Any], ...]:
    """Make what code alone asks for, and no model is offered.

    ``restore_event`` takes changes back, and ``follow_invitation`` does what a mail invites to.
    """
    put_back = putting_back(calendar, blobs)
    return (
        restore(calendar, store, blobs, timeout, put_back),
        follow_invitation(calendar, store, timeout, put_back),
    )
