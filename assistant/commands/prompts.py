"""Ask whoever gives a command, where they can be asked."""

from typing import Protocol


class Prompts(Protocol):
    """A terminal at which somebody can answer. Raises ``Denied`` where they stop answering."""

    def say(self, line: str) -> None:
        """Tell something before the command has ended."""

    def ask(self, question: str, *, default: str = "") -> str:
        """Ask for a line. What was asked and answered can be seen."""

    def ask_hidden(self, question: str) -> str:
        """Ask for a password, which is not shown while it is typed."""
