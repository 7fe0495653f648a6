"""What paths hold, in memory."""

from tests.memory_jobs import MemoryJobs


class MemoryFiles(MemoryJobs):
    """See ``assistant.ports``."""
