"""The mode of the house and its policies, in memory."""

from tests.memory_jobs import MemoryJobs


class MemoryModes(MemoryJobs):
    """See ``assistant.ports``."""
