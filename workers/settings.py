"""All settings; the only file that reads the environment.

A value comes from the first of: the command line, ``ASSISTANT_<NAME>``, the file that
``ASSISTANT_<NAME>_FILE`` names (for secrets), ``.env``, ``assistant.yaml`` (or the file that
``ASSISTANT_CONFIG`` names), the default. A server that is not set is replaced by an embedded one.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)

from assistant.domain.calendar.connecting.providers import PROVIDERS, unknown
from assistant.domain.calendar.free.working_hours import WorkingHours, read_working_hours
from assistant.domain.canonical import digest
from assistant.domain.errors import BadArguments, Misconfigured
from assistant.domain.governance.budget import Budget, Trigger
from assistant.domain.governance.modes import Autorun
from assistant.domain.governance.signals import SignalLimits
from assistant.domain.limits import TOOL_SECONDS, CallLimits, MailLimits, MiB, Retention
from assistant.domain.time.moments import zone_of
from assistant.domain.time.quiet_hours import QuietHours, clock_time
from ingest.doors.connections import ConnectionLimits, networks
from workers.configuration import env_file
from workers.configuration.faults import WrongSettings, said_of, why
from workers.configuration.models import model_faults
from workers.configuration.prefix import PREFIX as PREFIX  # noqa: PLC0414 (found here by those who read settings)

ENV_FILE = ".env"
_SHORTEST_KEY = 32
OWNER = "owner"
"""The one person served, until there are several."""


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=ENV_FILE, extra="ignore", env_ignore_empty=True, frozen=True
    )

    data_dir: Path = Field(Path("data"), description="Where the embedded parts keep their data.")

    database_url: str = Field(
        "", description="SQLAlchemy URL; empty: SQLite in DATA_DIR. Postgres: postgresql://..."
    )
    broker_url: str = Field("", description="redis://...; empty: a private Valkey in DATA_DIR.")
    blobs: str = Field("", description="file:///dir or s3://bucket; empty: DATA_DIR/blobs.")
    s3_endpoint: str = Field("", description="URL of an S3 server; empty: Amazon's.")
    s3_region: str = Field("us-east-1", description="Region the requests are signed for.")
    s3_access_key: str = ""
    s3_secret_key: SecretStr = SecretStr("")

    caldav_url: str = Field("", description="CalDAV server; empty: a private Radicale.")
    caldav_username: str = ""
    caldav_password: SecretStr = SecretStr("")
    caldav_calendar: str = Field(
        "", description="Name of the one calendar to use; empty: the only one there is."
    )
    caldav_provider: str = Field(
        "", description="icloud, radicale, xandikos, nextcloud, fastmail or google."
    )
    secret_key: SecretStr = Field(
        SecretStr(""),
        description="Encrypts the password that `assistant calendar connect` stores; "
        "empty: a key that is made once, in DATA_DIR.",
    )

    model: str = Field(
        "",
        description="provider:name, or several separated by commas to fall back along; "
        "empty: offline, no model.",
    )
    model_base_url: str = Field("", description="Any server that speaks the OpenAI chat API.")
    model_api_key: SecretStr = SecretStr("")
    model_timeout: float = Field(60.0, gt=0, description="Seconds a model may take to answer.")
    model_daily_tokens: int = Field(
        2_000_000, ge=0, description="Tokens that models may read and write in a day; 0: no limit."
    )
    model_daily_tokens_chat: int = Field(
        0, ge=0, description="Tokens of these that the chat may use; 0: all."
    )
    model_daily_tokens_mail: int = Field(
        1_000_000, ge=0, description="Tokens of these that mails may use; 0: all."
    )

    smtp_port: int = Field(2525, ge=0, le=65535, description="0 picks a free port.")
    lmtp_port: int | None = Field(None, ge=0, le=65535, description="Unset: no LMTP door.")
    http_port: int = Field(8025, ge=0, le=65535, description="0 picks a free port.")
    bind_host: str = Field("127.0.0.1", description="Where the doors listen.")
    inbox_address: str = Field(
        "inbox@localhost", description="The private address mail is forwarded to."
    )
    http_token: SecretStr = Field(
        SecretStr(""), description="Bearer token of POST /mail; empty: made once, in DATA_DIR."
    )
    mail_size_mib: int = Field(
        50, ge=1, le=1024, description="MiB of the largest mail that is taken in and read."
    )
    connections_per_address: int = Field(
        10, ge=1, description="The most connections from one address at each door."
    )
    trusted_peers: str = Field(
        "",
        description="Addresses and networks of your own relays and proxies, separated by commas; "
        "they are not limited by address.",
    )
    tls_cert: Path | None = Field(None, description="PEM; with TLS_KEY, SMTP offers STARTTLS.")
    tls_key: Path | None = None

    discord_token: SecretStr = Field(
        SecretStr(""), description="A bot's token; with one, you talk to the assistant on Discord."
    )
    discord_owner_ids: str = Field(
        "",
        description="Your user ids there, separated by commas; empty: who sends back a code "
        "that `assistant pair` makes.",
    )
    discord_channel_id: str = Field(
        "", description="The channel where notices go; empty: your direct messages."
    )
    discord_public_key: str = Field(
        "", description="Opens /discord on the HTTP door for signed interactions (64 hex digits)."
    )
    discord_api_base: str = Field("", description="Another REST API than Discord's own.")
    discord_gateway: str = Field("", description="Another gateway than Discord's own.")

    owner_name: str = Field("Owner", description="Your name, as the assistant uses it.")
    owner_addresses: str = Field(
        "",
        description="Your mail addresses, separated by commas: by them an invitation is known to "
        "be for you.",
    )
    timezone: str = Field(
        "", description="IANA zone, such as Europe/Berlin; empty: this machine's."
    )
    working_hours: str = Field(
        "",
        description="When you may be given appointments, such as Mon-Fri 09:00-17:00, "
        "Sat 10:00-12:00; empty: Mon-Fri 09:00-17:00.",
    )
    approval_hours: float = Field(
        72.0, gt=0, le=24 * 31, description="How long a calendar change waits for your yes."
    )
    approval_hours_destroys: float = Field(
        24.0, gt=0, le=24 * 31, description="How long a call that destroys something waits."
    )
    approval_minutes_executes: float = Field(
        15.0, gt=0, le=24 * 60, description="How long a command waits."
    )
    brief_at: str = Field(
        "", description="When the morning brief comes, such as 07:30; empty: none."
    )
    quiet_hours: str = Field(
        "",
        description="When notices wait that nobody asked for, such as 22:00-07:00; empty: never.",
    )
    heartbeat_url: SecretStr = Field(
        SecretStr(""),
        description="An address that is called every 5 minutes while all is told on time.",
    )
    autorun: Autorun | None = Field(
        None,
        description="all: ask only where risk and policy ask; no_public: ask also before touching "
        "public:/; none: ask before all but reads. Empty: as your policy says, or no_public.",
    )
    policy: Path | None = Field(None, description="Your rules; empty: DATA_DIR/policy.yaml.")
    tools: str = Field(
        "", description="Names of installed third parties' tools to offer, separated by commas."
    )

    keep_mail_days: int = Field(
        0, ge=0, description="After these days a mail is forgotten, as by its owner; 0: never."
    )
    keep_conversations_days: int = Field(
        0, ge=0, description="After these days the words of a conversation are deleted; 0: never."
    )
    keep_settled_days: int = Field(
        400,
        ge=0,
        description="After these days what was shown, and what is left of ended work, is deleted; "
        "0: never.",
    )
    keep_audit_days: int = Field(
        0,
        ge=0,
        description="After these days entries of the audit move to files in "
        "DATA_DIR/audit-archive; 0: never.",
    )

    log_format: Literal["auto", "console", "json"] = "auto"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    disk_free_mib: int = Field(
        256, ge=0, description="With less free in DATA_DIR the assistant is degraded; 0: never."
    )
    memory_free_mib: int = Field(
        64, ge=0, description="With less memory free the assistant is degraded; 0: never."
    )
    lease_seconds: float = Field(
        30.0, gt=0, description="After this time without a beat, a worker loses its job to another."
    )
    tick_seconds: float = Field(
        1.0, gt=0, description="Seconds between ticks, which find lost and due work."
    )
    canary_seconds: float = Field(5.0, gt=0, description="Seconds between canaries in each queue.")
    tries: int = Field(8, ge=1, description="How often a failing job is tried.")
    retry_seconds: float = Field(1.0, gt=0, description="The first wait between tries; it doubles.")
    calendar_timeout: float = Field(
        15.0, gt=0, le=TOOL_SECONDS, description="Seconds a calendar may take."
    )
    tool_processes: int = Field(2, ge=1, description="Processes that execute tools.")
    threads: int = Field(8, ge=1, description="Threads for everything else.")
    failpoints: str = Field("", description="For tests only; see workers/failpoints/places.py.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del file_secret_settings
        return (
            init_settings,
            env_settings,
            SecretFiles(settings_cls),
            dotenv_settings,
            YamlConfigSettingsSource(settings_cls, yaml_file=_yaml_file()),
        )

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        name = value or _local_zone()
        try:
            zone_of(name)
        except BadArguments as error:
            raise ValueError(error.args[0]) from error
        return name

    @field_validator("working_hours")
    @classmethod
    def _readable_hours(cls, value: str) -> str:
        try:
            read_working_hours(value)
        except BadArguments as error:
            raise ValueError(error.args[0]) from error
        return value

    @field_validator("brief_at")
    @classmethod
    def _time_of_day(cls, value: str) -> str:
        return f"{clock_time(value):%H:%M}" if value else ""

    @field_validator("quiet_hours")
    @classmethod
    def _quiet(cls, value: str) -> str:
        if value:
            QuietHours.read(value)
        return value

    @field_validator("heartbeat_url")
    @classmethod
    def _web_address(cls, value: SecretStr) -> SecretStr:
        given = value.get_secret_value()
        if given and not re.fullmatch(r"https?://[^\s/]+\S*", given):
            raise ValueError("it is no address, such as https://hc-ping.com/...")
        return value

    @field_validator("caldav_provider")
    @classmethod
    def _known_provider(cls, value: str) -> str:
        if value and value not in PROVIDERS and not _is_profile(value):
            raise ValueError(unknown(value))
        return value

    @field_validator("secret_key")
    @classmethod
    def _long_enough(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < _SHORTEST_KEY:
            example = "`openssl rand -base64 32` makes one"
            raise ValueError(f"it needs {_SHORTEST_KEY} characters; {example}")
        return value

    @field_validator("inbox_address")
    @classmethod
    def _address(cls, value: str) -> str:
        if "@" not in value:
            raise ValueError("it is no address, such as inbox@example.org")
        return value

    @field_validator("discord_owner_ids", "discord_channel_id")
    @classmethod
    def _snowflakes(cls, value: str) -> str:
        ids = [id.strip() for id in value.split(",") if id.strip()]
        if wrong := [id for id in ids if not id.isascii() or not id.isdigit()]:
            raise ValueError(f"{wrong[0]!r} is not a Discord id, which has digits only")
        return ",".join(ids)

    @field_validator("trusted_peers")
    @classmethod
    def _networks(cls, value: str) -> str:
        try:
            networks(value)
        except ValueError as error:
            example = "separate addresses and networks by commas, as in 10.0.0.5, 192.168.1.0/24"
            raise ValueError(f"{error}; {example}") from error
        return value

    @field_validator("discord_public_key")
    @classmethod
    def _ed25519(cls, value: str) -> str:
        if value and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
            raise ValueError("a Discord public key has 64 hexadecimal digits")
        return value.lower()

    @field_validator("data_dir", "tls_cert", "tls_key", "policy")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return value.expanduser().absolute() if value else None

    @field_validator("database_url")
    @classmethod
    def _absolute_file(cls, value: str) -> str:
        file = value.removeprefix("sqlite:///")
        return value if file == value else f"sqlite:///{Path(file).absolute()}"

    @field_validator("blobs")
    @classmethod
    def _blob_url(cls, value: str) -> str:
        if value and not value.startswith(("file:///", "s3://")):
            raise ValueError("either file:///dir or s3://bucket")
        return value

    @model_validator(mode="after")
    def _pairs(self) -> "Settings":
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError(
                f"{PREFIX}TLS_CERT and {PREFIX}TLS_KEY belong together: set both, or neither"
            )
        if self.blobs.startswith("s3://") and not (
            self.s3_access_key and self.s3_secret_key.get_secret_value()
        ):
            raise ValueError(
                f"{PREFIX}BLOBS names a bucket, so {PREFIX}S3_ACCESS_KEY and "
                f"{PREFIX}S3_SECRET_KEY are needed"
            )
        return self

    @property
    def own_calendar(self) -> bool:
        """Whether the settings name a calendar server; if not, the private one is used."""
        return bool(self.caldav_url or self.caldav_provider)

    @property
    def quiet(self) -> QuietHours | None:
        return QuietHours.read(self.quiet_hours) if self.quiet_hours else None

    @property
    def addresses(self) -> frozenset[str]:
        """The owner's mail addresses, in small letters."""
        named = (each.strip().lower() for each in self.owner_addresses.split(","))
        return frozenset(filter(None, named))

    @property
    def calendar_source(self) -> str:
        """Name what leads to the calendar, without a secret: its copy is found by that."""
        if not self.own_calendar:
            return "private"
        named = ("caldav_url", "caldav_provider", "caldav_username", "caldav_calendar")
        return digest({name: getattr(self, name) for name in named})

    @property
    def on_discord(self) -> bool:
        """Whether a Discord bot is set up."""
        return bool(self.discord_token.get_secret_value())

    @property
    def discord_owners(self) -> frozenset[str]:
        return frozenset(filter(None, self.discord_owner_ids.split(",")))

    @property
    def office_hours(self) -> WorkingHours:
        """When the owner may be given appointments."""
        return read_working_hours(self.working_hours)

    @property
    def budget(self) -> Budget:
        """The tokens that models may use in a day."""
        shares = {
            Trigger.CHAT: self.model_daily_tokens_chat,
            Trigger.MAIL: self.model_daily_tokens_mail,
        }
        return Budget(tokens=self.model_daily_tokens, shares=shares)

    def connection_limits(self, *, most: int) -> ConnectionLimits:
        """Return the limits of a door that takes ``most`` connections."""
        return ConnectionLimits(
            most=most, each=self.connections_per_address, trusted=networks(self.trusted_peers)
        )

    @property
    def mail_limits(self) -> MailLimits:
        return MailLimits(message=self.mail_size_mib * MiB)

    @property
    def call_limits(self) -> CallLimits:
        return CallLimits(
            wait=self.approval_hours * 3600,
            wait_destroys=self.approval_hours_destroys * 3600,
            wait_executes=self.approval_minutes_executes * 60,
        )

    @property
    def retention(self) -> Retention:
        return Retention(
            mail=self.keep_mail_days,
            conversations=self.keep_conversations_days,
            settled=self.keep_settled_days,
            audit=self.keep_audit_days,
        )

    @property
    def signal_limits(self) -> SignalLimits:
        return SignalLimits(disk=self.disk_free_mib * MiB, memory=self.memory_free_mib * MiB)

    @property
    def lately(self) -> timedelta:
        """The longest time since the last canary of a queue that works."""
        return timedelta(seconds=3 * self.canary_seconds + 5)

    @property
    def policy_file(self) -> Path:
        return self.policy or self.data_dir / "policy.yaml"

    @property
    def enabled_tools(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.tools.split(",") if name.strip())

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.model.split(",") if name.strip())


def _is_profile(name: str) -> bool:
    """Whether the caldav library has a profile of this name, of which we know nothing."""
    from caldav import compatibility_hints  # noqa: PLC0415 (heavy; few name one)

    return isinstance(getattr(compatibility_hints, name, None), dict)


def as_written(settings: Settings) -> dict[str, Any]:
    """Return every setting by its name, with secrets, as ``assistant.yaml`` would hold it."""
    return {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in settings
        if value not in (None, "")
    } | {"data_dir": str(settings.data_dir)}


@dataclass(frozen=True)
class UnreadableFile:
    """Stands for a value whose file cannot be read; no setting takes it, and its fault says why."""

    why: str


class SecretFiles(PydanticBaseSettingsSource):
    """Reads ``ASSISTANT_<NAME>_FILE``: a value that is in a file, as container secrets are."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        del field
        path = os.environ.get(f"{PREFIX}{field_name.upper()}_FILE", "")
        if not path:
            return None, field_name, False
        try:
            return Path(path).read_text(encoding="utf-8").strip(), field_name, False
        except OSError as error:
            return UnreadableFile(f"{path} cannot be read ({error.strerror})"), field_name, False
        except UnicodeDecodeError:
            return UnreadableFile(f"{path} is no text"), field_name, False

    def __call__(self) -> dict[str, Any]:
        found = {
            name: self.get_field_value(field, name)[0]
            for name, field in self.settings_cls.model_fields.items()
        }
        return {name: value for name, value in found.items() if value is not None}


_NEAR = 0.75
"""How alike a misspelt name is to the one that is suggested, of 1 at the most."""


def load(**given: Any) -> Settings:
    """Load the settings, ``given`` ones first.

    Raises ``WrongSettings``, which has a line for each that is wrong: all of them at once.
    """
    env = _dotenv(given)
    wrong = list(_unknown(env))
    try:
        with env_file.without_warnings():
            loaded = Settings(**given)
    except ValidationError as error:
        faults = [_said(one, given, env) for one in error.errors()]
        raise WrongSettings([*wrong, *faults]) from None
    if wrong:
        raise WrongSettings(wrong)
    return loaded


def places(settings: Iterable[str]) -> dict[str, str]:
    """Say of each of these settings where it stands: ``in /home/ada/.env``; empty for a default."""
    env = _dotenv({})
    return {name: _place(name, {}, env) for name in settings}


def faults_of_models(settings: Settings) -> list[str]:
    """Return a sentence for each thing that keeps the configured models from being asked.

    They are no fault of ``load``: what needs no model, such as a lockdown, works without one.
    """
    if not settings.models:
        return []
    where = places(("model", "model_base_url", "model_api_key"))
    return model_faults(settings, os.environ, places=where)


def _said(problem: Mapping[str, Any], given: Mapping[str, Any], env: Mapping[str, Any]) -> str:
    """Name the setting that is wrong, where it stands, and what is wrong with it."""
    name = ".".join(str(part) for part in problem["loc"])
    if not name:  # the message names the settings that do not go together
        return str(problem["msg"]).removeprefix("Value error, ")
    if isinstance(unreadable := problem["input"], UnreadableFile):
        return said_of(f"{PREFIX}{name.upper()}_FILE", "in the environment", unreadable.why)
    reason = why(problem, Settings.model_fields.get(name), name)
    return said_of(f"{PREFIX}{name.upper()}", _place(name, given, env), reason)


def _place(name: str, given: Mapping[str, Any], env: Mapping[str, Any]) -> str:
    """Say where the value of a setting comes from, by the order of the sources."""
    variable = f"{PREFIX}{name}".upper()
    if name in given:
        return "on the command line"
    if any(key.upper() == variable and value for key, value in os.environ.items()):
        return "in the environment"
    if file := os.environ.get(f"{variable}_FILE"):
        return f"in {file}"
    if any(key.upper() == variable and value for key, value in env.items()):
        return f"in {Path(ENV_FILE).absolute()}"
    return f"in {Path(_yaml_file()).absolute()}" if name in _yaml_names() else ""


def _dotenv(given: Mapping[str, Any]) -> Mapping[str, str | None]:
    """Return what ``.env`` sets. Raises ``WrongLines``."""
    file = given.get("_env_file", ENV_FILE)
    return env_file.read(Path(file).absolute()) if file else {}


def only(**given: Any) -> Settings:
    """Make settings of these values and defaults alone, without the environment and files."""
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    return Settings(**{**defaults, **given})


def _unknown(env: Mapping[str, str | None]) -> Iterator[str]:
    """Tell of each unknown ``ASSISTANT_`` name: a misspelt one would silently mean its default."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    known |= {f"{name}_FILE" for name in known} | {f"{PREFIX}CONFIG"}
    given = {f"{PREFIX}{name}".upper(): _yaml_file() for name in _yaml_names()}
    given |= {name.upper(): ENV_FILE for name in env}
    given |= dict.fromkeys(map(str.upper, os.environ), "")
    for name in sorted(given.keys() - known):
        if name.startswith(PREFIX):
            file = given[name]
            place = f"in {Path(file).absolute()}" if file else "in the environment"
            yield said_of(name, place, f"there is no setting {name}{_meant(name, known)}")


def _meant(name: str, known: Iterable[str]) -> str:
    """Name the setting that is near; the prefix, which all have, makes none of them near."""
    short = {one.removeprefix(PREFIX): one for one in known}
    near = get_close_matches(name.removeprefix(PREFIX), short, n=1, cutoff=_NEAR)
    return f"; did you mean {short[near[0]]}?" if near else "; take it out (.env.example lists all)"


def _yaml_file() -> str:
    return os.environ.get(f"{PREFIX}CONFIG", "assistant.yaml")


def _yaml_names() -> list[str]:
    file = Path(_yaml_file())
    if not file.exists():
        if f"{PREFIX}CONFIG" in os.environ:
            raise Misconfigured(f"{PREFIX}CONFIG in the environment: there is no file {file}")
        return []
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    except OSError as error:
        raise Misconfigured(f"{file.absolute()} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Misconfigured(f"{file.absolute()} is not UTF-8; save it as UTF-8") from error
    except yaml.YAMLError as error:  # its words quote the file, where secrets are
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1} of " if mark else ""
        raise Misconfigured(
            f"{line}{file.absolute()} is no YAML; write names and values, such as `timezone: UTC`"
        ) from None
    if not isinstance(found, dict):
        raise Misconfigured(
            f"{file.absolute()} must hold names and values, such as `timezone: UTC`"
        )
    return [str(name) for name in found]


def _local_zone() -> str:
    from tzlocal import get_localzone_name  # noqa: PLC0415 (looks at the machine)

    name = get_localzone_name() or "UTC"
    return "UTC" if name == "Etc/UTC" else name
