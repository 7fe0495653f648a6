"""The queues that messages wait in. Apart from the messages, so that naming one loads little."""

from enum import StrEnum


class Queue(StrEnum):
    INTERACTIVE = "interactive"
    INGEST = "ingest"
    TOOLS = "tools"
    SLOW = "slow"
