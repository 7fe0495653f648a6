"""The tools of reminders, in the order they are offered."""

from typing import Any

from assistant.domain.store import Store
from assistant.tools.contract.tool import Tool
from assistant.tools.reminders.listing import reminder_lister
from assistant.tools.reminders.setting import reminder_setter
from assistant.tools.reminders.switching import reminder_canceller, reminder_resumer


def reminder_tools(*, store: Store) -> tuple[Tool[Any], ...]:
    """Make ``remind_me``, ``list_reminders`` and ``cancel_reminder``."""
    return (reminder_setter(store), reminder_lister(store), reminder_canceller(store))


def reminder_undo_tools(*, store: Store) -> tuple[Tool[Any], ...]:
    """Make ``resume_reminder``, which takes a cancellation back."""
    return (reminder_resumer(store),)
