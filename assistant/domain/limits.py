"""Default limits. Sizes are in bytes, times in seconds."""

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Reach

MiB = 1024 * 1024
TOOL_SECONDS = 3600.0
"""The longest time-out that a tool may have."""
ARGUMENTS = 64 * 1024
"""The most bytes of a call's arguments, those aside that a tool declares as content."""


class MailLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    message: int = 50 * MiB
    headers: int = 256 * 1024
    header_fields: int = 1_000
    depth: int = 20
    parts: int = 200
    attachments: int = 100
    parse_cpu_seconds: float = 1.0
    """CPU seconds that every mail gets at first."""
    slow_cpu_seconds: float = 10.0
    """CPU seconds of a mail that needs more than that, one such mail at a time."""
    extract_cpu_seconds: float = 5.0
    """CPU seconds of finding the text of one attachment."""
    parse_seconds: float = 300.0
    """Seconds on the clock, for a process that hangs without computing."""
    parse_memory: int = 0
    """Bytes of memory that reading one mail may take; 0: as ``memory`` says."""
    html_seconds: float = 2.0
    """CPU seconds of turning one part of HTML into text."""

    @property
    def memory(self) -> int:
        """Return the bytes of memory that reading one mail may take."""
        return self.parse_memory or max(512 * MiB, 10 * self.message)


class ConversationLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    turns: int = 12
    """Turns of the model in answer to one message of the owner, or to one answer to a card."""
    calls: int = 10
    """Calls in one turn."""
    same: int = 3
    """How often in a row one call may have one result."""
    all_calls: int = 40
    """Calls in answer to one message of the owner, however many cards are answered meanwhile."""
    after_no: int = 3
    """Turns that may propose one tool again after the owner said no to it."""
    said: int = 8_000
    """Characters of one message of the owner."""
    quoted: int = 16_000
    """Characters of all the outside text quoted in or attached to that message."""
    idle: float = 8 * 3600
    """Seconds of silence after which a direct chat begins a new conversation."""
    entries: int = 200
    """The newest entries of a conversation, which the model sees."""


class CallLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    wait: float = 72 * 3600
    """How long a call that writes or sends, such as a calendar change, waits for approval."""
    wait_destroys: float = 24 * 3600
    wait_executes: float = 15 * 60
    pending: int = 20
    """Calls that may wait for the owner at one time."""
    result: int = 16_000
    """Characters of a result that the model sees."""
    result_lines: int = 2_000

    def wait_for(self, reach: Reach) -> float:
        """Return the seconds that a call of this reach waits for approval."""
        if reach is Reach.DESTROYS:
            return self.wait_destroys
        if reach in (Reach.EXECUTES, Reach.GOVERNS):
            return self.wait_executes
        return self.wait


class Retention(BaseModel):
    """How many days what is over is kept; 0: for ever."""

    model_config = ConfigDict(frozen=True)
    mail: int = 0
    conversations: int = 0
    """The words of conversations."""
    settled: int = 400
    """Deliveries that are shown, lines of the screen, and what is left of ended work."""
    audit: int = 0
    """Entries of the audit; what is older goes to files of the archive."""

    @property
    def shown(self) -> int:
        """Return the days for what was shown, which has the words of conversations too."""
        given = [days for days in (self.conversations, self.settled) if days]
        return min(given, default=0)
