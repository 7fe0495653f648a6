"""Errors raised on purpose. One question sorts them: is it worth trying again?

The first line of a class's docstring is what a person is told; the argument adds the particulars.
"""


class AssistantError(Exception):
    """Something went wrong."""

    def __str__(self) -> str:
        plain = (type(self).__doc__ or "").splitlines()[0].rstrip(".")
        detail = super().__str__().removeprefix(f"{plain}: ")  # of an error that was told on
        return f"{plain}: {detail}" if detail else f"{plain}."


class Permanent(AssistantError):
    """Trying again would give the same answer."""


class Transient(AssistantError):
    """The outside world was briefly unwell."""

    after: float = 0.0
    """Seconds to wait at the least before the next try."""


class NotFound(Permanent):
    """There is no such thing here."""


class IllegalStep(Permanent):
    """That step does not follow from where it stands."""


class BadArguments(Permanent):
    """The arguments do not fit."""


class Denied(Permanent):
    """That is not allowed."""


class Stale(Permanent):
    """It changed since it was shown."""


class WaitsOn(Permanent):
    """It takes more than that, and waits on."""


class Misconfigured(Permanent):
    """The settings do not work together."""


class Unreadable(Permanent):
    """The message cannot be read."""


class TooLarge(Permanent):
    """It is larger than the limit."""


class AlreadyThere(Permanent):
    """Something of that name exists already."""


class InUse(Permanent):
    """It is in use already."""


class Unreachable(Transient):
    """A service this depends on did not answer."""


class Busy(Transient):
    """A service this depends on asked to be left alone for a while."""


class Conflict(Transient):
    """Someone else wrote first."""


class LeaseLost(AssistantError):
    """The work was handed to another worker.

    Neither permanent nor transient: whoever holds the lease now carries on, so the loser only
    stops.
    """


class Unsure(AssistantError):
    """It cannot be told whether it happened.

    Raised by an effect whose request left and whose answer never came; the world must be asked.
    """
