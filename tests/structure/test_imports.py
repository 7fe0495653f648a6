"""What a process does not need is not loaded there: it costs memory, and time at each start."""

import subprocess
import sys

import pytest

_LIBRARIES = ("pydantic", "sqlalchemy", "celery", "redis", "rich", "requests", "lxml", "mailparser")


def loaded(code: str) -> set[str]:
    """Which modules a new process has loaded after this code."""
    ask = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return set(ended.stdout.split())


@pytest.mark.parametrize(
    ("words", "needed"), [(["--help"], set()), (["mail", "--help"], {"pydantic"})]
)
def test_help_loads_no_library_but_that_of_the_command_line(
    words: list[str], needed: set[str]
) -> None:
    code = (
        "import contextlib, io\n"
        f"sys.argv = ['assistant', *{words!r}]\n"
        "from workers.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main()"
    )
    assert loaded(code).intersection(_LIBRARIES) == needed


def test_the_parts_load_no_parser_of_mail_and_no_client_before_it_is_used() -> None:
    unused = {"requests", "lxml", "mailparser", "tinycss2", "celery", "redis"}
    assert loaded("import workers.parts").intersection(unused) == set()


def test_what_keeps_the_parts_running_loads_nothing_that_they_are_made_of() -> None:
    found = loaded("import workers.processes.keeper")
    heavy = {*_LIBRARIES, "structlog", "typer", "asyncio", "ssl", "bcrypt"}
    assert found.intersection(heavy) == set()
    ours = {name for name in found if name.partition(".")[0] in {"assistant", "ingest"}}
    assert ours == {"assistant", "assistant.domain", "assistant.domain.errors"}
