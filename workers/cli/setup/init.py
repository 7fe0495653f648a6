"""Ask for the first settings, or take them from options, and put them into ``.env``.

What is not answered keeps its default, with which everything works offline. Lines that are there
already stay as they are.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import typer
from pydantic import SecretStr, ValidationError

from assistant.domain.errors import AssistantError, BadArguments, Denied, NotFound
from workers.cli.output import complain, print_json
from workers.cli.setup.trying import try_discord, try_models
from workers.configuration import env_file
from workers.configuration.faults import WrongSettings, said_of, why
from workers.settings import ENV_FILE, PREFIX, Settings, only

_HEAD = "# Settings of the assistant. .env.example lists all of them.\n"


@dataclass(frozen=True, kw_only=True)
class _Question:
    setting: str
    words: str
    without: bool = False
    """Whether it can be left out: ``none`` takes away what is there."""


_ZONE = _Question(setting="timezone", words="Your time zone, such as Europe/Berlin")
_NAME = _Question(setting="owner_name", words="Your name, as the assistant uses it")
_ADDRESS = _Question(setting="inbox_address", words="The address that your mail is forwarded to")
_BRIEF = _Question(
    setting="brief_at",
    words="When the morning brief comes, such as 07:30 (none: no brief)",
    without=True,
)
_MODEL = _Question(
    setting="model",
    words="A model, such as anthropic:claude-haiku-4-5 (none: works offline)",
    without=True,
)
_BASE = _Question(
    setting="model_base_url",
    words="The URL of a model server of your own (none: the provider's)",
    without=True,
)
_KEY = _Question(
    setting="model_api_key", words="The key of that model (not shown; none: no key)", without=True
)
_TOKEN = _Question(
    setting="discord_token",
    words="A Discord bot's token (not shown; none: no Discord)",
    without=True,
)
_OWNER_ID = _Question(
    setting="discord_owner_ids",
    words="Your user id on Discord (none: `assistant pair` later)",
    without=True,
)
_NONE = "none"
"""What is typed to take away what is there."""


def init(
    given: Mapping[str, str | None],
    secrets: Mapping[str, Path | None],
    *,
    yes: bool,
    test: bool,
    as_json: bool,
) -> None:
    """Ask where somebody can answer, try what can be tried, and write ``.env``.

    Args:
        given: settings from options, which are not asked for.
        secrets: files that hold secrets, by setting.
        yes: ask nothing.
        test: whether to try the model and the Discord token.
        as_json: print JSON.
    """
    file = Path(ENV_FILE).absolute().resolve()
    there = _there(file)
    answers = {name: value for name, value in given.items() if value is not None}
    answers |= {name: _secret(path) for name, path in secrets.items() if path is not None}
    asking = not yes
    _check((_sound(there) if asking else there) | answers)
    if asking and not (sys.stdin is not None and sys.stdin.isatty()):
        raise BadArguments(
            "nobody can be asked here: give options, such as --zone Europe/Berlin, and --yes"
        )
    if asking:
        _say(
            f"Enter keeps what stands in brackets. Everything goes to {file}, at the end; "
            "until then Ctrl-C leaves it as it is."
        )
        for line in _wrong(there).values():
            complain(line)
    try:
        tried = _Answers(there, answers, asking=asking, test=test).collect()
        changes = {name: value for name, value in answers.items() if there.get(name, "") != value}
        changes = {name: value for name, value in changes.items() if name in there or value}
        agreed = not (asking and changes) or _agreed(there, changes)
    except (typer.Abort, KeyboardInterrupt):
        is_there = f"{file} is as it was" if file.exists() else f"there is no {file}"
        _say(f"\nStopped. Nothing was written; {is_there}. `{_as_started('init')}` begins anew.")
        raise typer.Exit(130) from None
    if not agreed:
        raise Denied("nothing was written")
    if changes:
        values = {f"{PREFIX}{name}".upper(): value for name, value in changes.items()}
        env_file.write(file, env_file.with_settings(env_file.text_of(file) or _HEAD, values))
    _tell(file, there | answers, changes, tried, as_json=as_json)


class _Answers:
    """Collects what is answered into ``answers``, and tries it."""

    def __init__(
        self, there: Mapping[str, str], answers: dict[str, str], *, asking: bool, test: bool
    ) -> None:
        self._there = dict(there)
        self._answers = answers
        self._asking = asking
        self._test = test

    def collect(self) -> dict[str, str]:
        """Return how each test went, by part."""
        for question in (_ZONE, _NAME, _ADDRESS, _BRIEF):
            self._ask(question)
        model = self._tried("model", try_models, (_MODEL, _BASE, _KEY))
        discord = self._tried("discord_token", try_discord, (_TOKEN, _OWNER_ID))
        return model | discord

    def _tried(
        self,
        part: str,
        test: Callable[[Settings], str],
        questions: tuple[_Question, ...],
    ) -> dict[str, str]:
        """Ask for a part until it works, or whoever is asked keeps or leaves it."""
        while True:
            first, *others = questions
            self._ask(first)
            if not self._value(part):
                return {}
            for question in others:
                self._ask(question)
            said = self._try(test)
            if said is not None:
                return {part: said}
            if typer.confirm("Keep it all the same?", default=False):
                return {part: "does not work"}
            for question in questions:
                self._answers.pop(question.setting, None)

    def _try(self, test: Callable[[Settings], str]) -> str | None:
        """Say how a test went; None where it failed and somebody can be asked what to do."""
        if not self._test or (self._asking and not typer.confirm("Try it now?", default=True)):
            return "not tried"
        try:
            said = test(_settings(self._there | self._answers))
        except AssistantError as error:
            if not self._asking:
                raise
            complain(error)
            return None
        if self._asking:
            _say(said)
        return said

    def _value(self, setting: str) -> str:
        return (self._there | self._answers).get(setting, "")

    def _ask(self, question: _Question) -> None:
        """Ask until the answer fits, unless it was given."""
        name = question.setting
        if not self._asking or name in self._answers:
            return
        hidden = isinstance(Settings.model_fields[name].default, SecretStr)
        now = self._there.get(name) or ("" if hidden else _default(name))
        while True:
            shown = ("(the one in the file)" if now else "") if hidden else now
            typed = str(
                typer.prompt(
                    question.words, default=shown, hide_input=hidden, show_default=bool(shown)
                )
            ).strip()
            value = now if typed == shown else typed
            if question.without and typed.lower() == _NONE:
                value = ""
            try:
                _check(_sound(self._there) | self._answers | {name: value})
            except AssistantError as error:
                complain(error)
                continue
            if value != now or name in self._there:
                self._answers[name] = value
            return


def _sound(values: Mapping[str, str]) -> dict[str, str]:
    """Leave out values that are wrong: one in the file must not keep an answer from being taken."""
    wrong = _wrong(values)
    return {name: value for name, value in values.items() if name not in wrong}


def _wrong(values: Mapping[str, str]) -> dict[str, str]:
    """Say of each value that is wrong what is wrong, by setting."""
    try:
        _made(values)
    except ValidationError as error:
        return {str(one["loc"][0]): _line(one) for one in error.errors() if one["loc"]}
    return {}


def _default(setting: str) -> str:
    """The value that counts where none is set; of the zone, this machine's."""
    return str(getattr(only(), setting) or "")


def _there(file: Path) -> dict[str, str]:
    """What ``.env`` sets now, by setting. Raises ``WrongLines``."""
    known = {f"{PREFIX}{name}".upper(): name for name in Settings.model_fields}
    found = env_file.read(file).items()
    return {known[name.upper()]: value for name, value in found if value and name.upper() in known}


def _secret(path: Path) -> str:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFound(f"a secret in {path}") from error
    return text.strip()


def _check(values: Mapping[str, str]) -> None:
    """Raise ``WrongSettings`` for values that are none."""
    _settings(values)


def _settings(values: Mapping[str, str]) -> Settings:
    try:
        return _made(values)
    except ValidationError as error:
        raise WrongSettings([_line(one) for one in error.errors()]) from None


def _made(values: Mapping[str, str]) -> Settings:
    """Raises ``ValidationError``."""
    given: dict[str, Any] = {name: value for name, value in values.items() if value}
    return only(**given)


def _line(problem: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    field = Settings.model_fields.get(name)
    return said_of(f"{PREFIX}{name.upper()}", "", why(problem, field, name))


def _agreed(there: Mapping[str, str], changes: Mapping[str, str]) -> bool:
    for name, value in changes.items():
        hidden = isinstance(Settings.model_fields[name].default, SecretStr)
        was = f" (it was {'another' if hidden else there[name]})" if there.get(name) else ""
        _say(f"  {PREFIX}{name.upper()}={'...' if hidden else value}{was}")
    return bool(typer.confirm("Write this?", default=True))


def _tell(
    file: Path,
    values: Mapping[str, str],
    changes: Mapping[str, str],
    tried: Mapping[str, str],
    *,
    as_json: bool,
) -> None:
    names = [f"{PREFIX}{name.upper()}" for name in changes]
    hidden = [f"{PREFIX}{name.upper()}" for name in changes if _in_environment(name)]
    for name in hidden:
        complain(f"{name} is set in the environment as well, which counts before {file}")
    then = list(_next(values))
    if as_json:
        print_json({"file": str(file), "written": names, "tried": dict(tried), "next": then})
        return
    _say(f"Written to {file}: {', '.join(names)}" if names else f"Nothing to change in {file}.")
    for line in then:
        _say(line)


def _in_environment(setting: str) -> bool:
    return bool(os.environ.get(f"{PREFIX}{setting}".upper()))


def _next(values: Mapping[str, str]) -> list[str]:
    address = values.get("inbox_address") or _default("inbox_address")
    return [
        f"Next: `{_as_started('up')}` starts everything and opens a chat.",
        f"Forward mail to {address}; `{_as_started('doctor')}` tries every part.",
        *(
            [f"`{_as_started('pair')}` prints a code that makes you known to the bot on Discord."]
            if values.get("discord_token") and not values.get("discord_owner_ids")
            else []
        ),
        *(
            []
            if values.get("caldav_url") or values.get("caldav_provider")
            else [f"`{_as_started('calendar connect')}` uses your own calendar, not a private one."]
        ),
    ]


def _as_started(command: str) -> str:
    """A command as it can be typed here, where ``assistant`` may not be on the path.

    ``make run`` for what starts everything, in the folder of a program that make installed.
    """
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        return f"{sys.executable} -m workers.cli {command}"
    found = which("assistant")
    if program.name != "assistant" or (found and Path(found).resolve() == program.resolve()):
        return f"assistant {command}"
    made = program.resolve().parent.parent.parent == Path.cwd()
    if command == "up" and made and Path("Makefile").is_file():
        return "make run"
    return f"{program.absolute()} {command}"


def _say(line: str) -> None:
    typer.echo(line)
