"""Ask in a terminal. Questions go to standard error, as an answer may be piped elsewhere."""

import sys

from assistant.commands.prompts import Prompts
from assistant.domain.errors import Denied


def terminal_prompts() -> Prompts | None:
    """Return prompts where somebody can answer at standard input; else None."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    return _TerminalPrompts()


class _TerminalPrompts:
    """See ``assistant.commands.prompts.Prompts``."""

    def say(self, line: str) -> None:
        from workers.cli.output import printable  # noqa: PLC0415 (rich is heavy)

        print(printable(line), file=sys.stderr)  # noqa: T201 (no answer of the command)

    def ask(self, question: str, *, default: str = "") -> str:
        return self._prompt(question, default=default, hidden=False)

    def ask_hidden(self, question: str) -> str:
        return self._prompt(question, default="", hidden=True)

    def _prompt(self, question: str, *, default: str, hidden: bool) -> str:
        import typer  # noqa: PLC0415 (heavy)

        from workers.cli.output import printable  # noqa: PLC0415 (rich is heavy)

        try:
            typed = typer.prompt(
                printable(question),
                default=default,
                show_default=bool(default),
                hide_input=hidden,
                err=True,
            )
        except typer.Abort as stopped:
            raise Denied("nothing was changed") from stopped
        return str(typed) if hidden else str(typed).strip()
