"""The audit in memory."""

from tests.memory_jobs import MemoryJobs


class MemoryAudits(MemoryJobs):
    """See ``assistant.ports``."""
