"""Errors raised on purpose, sorted by one question: is it worth trying again?

A person reads the first line of the class's docstring, then the error's argument.
"""

from typing import ClassVar


class AssistantError(Exception):
    """Something went wrong."""

    said_alone: ClassVar[bool] = False
    """True where the argument says all, so that nothing stands in front of it."""

    def __str__(self) -> str:
        plain = (type(self).__doc__ or "").splitlines()[0].rstrip(".")
        detail = super().__str__().removeprefix(f"{plain}: ")  # raised again from its own text
        if detail and self.said_alone:
            return detail
        return f"{plain}: {detail}" if detail else f"{plain}."


class Permanent(AssistantError):
    """Trying again would not help."""


class Transient(AssistantError):
    """A service failed for a moment."""

    after: float = 0.0
    """The least number of seconds to wait before the next try."""


class NotFound(Permanent):
    """Not found."""


class IllegalStep(Permanent):
    """That step is not possible in this state."""


class BadArguments(Permanent):
    """The arguments are not valid.

    ``told``: the same in words for the owner, where the argument speaks to a model.
    """

    said_alone = True

    def __init__(self, *args: object, told: str = "") -> None:
        super().__init__(*args)
        self.told = told


class Denied(Permanent):
    """That is not allowed."""


class Stale(Permanent):
    """It changed since it was shown."""


class WaitsOn(Permanent):
    """The call still waits, as it needs more than this answer."""


class Misconfigured(Permanent):
    """The settings do not work together."""

    said_alone = True


class WrongPassword(Misconfigured):
    """A service does not accept this username and password."""


class Unreadable(Permanent):
    """The message cannot be read."""


class TooLarge(Permanent):
    """Too large."""


class AlreadyThere(Permanent):
    """That name is taken."""


class InUse(Permanent):
    """Already in use."""


class Unreachable(Transient):
    """A service did not answer."""


class Outage(Unreachable):
    """A part of the assistant does not answer.

    What waits for it is no worse for that: it is retried until the part is back, and uses up none
    of its tries.
    """

    def __init__(self, *details: str, part: str = "a part of the assistant") -> None:
        super().__init__(*details)
        self.part = part


DATABASE = "the database"
BROKER = "the broker"
BLOBS = "the blobs"
MAIL_READER = "the process that reads mail"
SLOW_READER = "the process that reads what takes long"
DISK = "space on the disk"


class NoSpace(Outage):
    """The disk is full."""

    def __init__(self, *details: str, part: str = DISK) -> None:
        super().__init__(*details, part=part)


class ReaderBusy(Outage):
    """Other mails are read first."""

    def __init__(self, *details: str, part: str = SLOW_READER) -> None:
        super().__init__(*details, part=part)


class Busy(Transient):
    """A service asked to be called later."""


class Conflict(Transient):
    """Another write came first."""


class NotBegun(Transient):
    """It was not begun in time."""


class LeaseLost(AssistantError):
    """Another worker has taken over this job.

    Neither permanent nor transient: the worker that holds the lease goes on, so this one stops.
    """


class Unsure(AssistantError):
    """Not known whether it happened.

    An effect raises it when its request was sent and no answer came: the service must be asked.
    """
