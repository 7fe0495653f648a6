"""How much is too much. Sizes in bytes, times in seconds."""

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Reach

MiB = 1024 * 1024


class MailLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    message: int = 25 * MiB
    headers: int = 256 * 1024
    header_fields: int = 1_000
    depth: int = 20
    parts: int = 200
    attachments: int = 100
    decoded: int = 100 * MiB
    parse_seconds: float = 10.0
    parse_memory: int = 512 * MiB
    html_seconds: float = 2.0


class ConversationLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    turns: int = 12
    """Turns of the model for one thing the owner said."""
    calls: int = 10
    """Calls in one turn."""
    same: int = 3
    """Times that one call may come to the same end, one after the other."""
    all_calls: int = 40
    """Calls for one thing the owner said."""
    said: int = 8_000
    """Characters the owner may say at once."""
    quoted: int = 16_000
    """Characters of others' words that may come along with that, in all."""
    idle: float = 8 * 3600
    """After which a direct chat begins a new conversation."""
    entries: int = 200
    """Entries of a conversation the model is shown, the newest."""


class CallLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    wait: float = 72 * 3600
    """How long what writes or sends, such as a calendar change, waits for its button."""
    wait_destroys: float = 24 * 3600
    wait_executes: float = 15 * 60
    pending: int = 20
    """Calls that wait for the owner at once."""
    result: int = 16_000
    """Characters of a result the model is shown."""
    result_lines: int = 2_000

    def wait_for(self, reach: Reach) -> float:
        """Seconds that a call of this reach waits for its yes."""
        if reach is Reach.DESTROYS:
            return self.wait_destroys
        if reach in (Reach.EXECUTES, Reach.GOVERNS):
            return self.wait_executes
        return self.wait
