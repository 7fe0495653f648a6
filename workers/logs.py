"""Set up logging: structlog over the standard library, for people or as JSON, always on stderr."""

import logging
import sys

import structlog

from workers.settings import Settings

_QUIET = (
    "alembic",
    "httpx2",
    "celery",
    "kombu",
    "amqp",
    "botocore",
    "urllib3",
    "mail.log",
    "httpx",
    "tzlocal",
    "discord",
)


def configure(settings: Settings, *, process: str) -> None:
    """Set up logging for this process. ``process`` names it in every line."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    as_json = settings.log_format == "json" or (
        settings.log_format == "auto" and not sys.stderr.isatty()
    )
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel("WARNING")
    structlog.contextvars.bind_contextvars(process=process)
