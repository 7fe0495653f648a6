"""What the process that reads mail does for each kind of order."""

from functools import partial

from assistant.domain.limits import MailLimits
from assistant.domain.mail.attached import FileKind
from assistant.domain.mail.mail import MailContext
from ingest.child import ChildOrder
from ingest.cpu_time import limit_html
from ingest.extract.kinds import kind_of
from ingest.html.seen import SeenText, seen_text
from ingest.parse import parse
from ingest.parse_server import MakeWork, Work

_LATER, _LATEST = 1.5, 0.2
"""The seconds of HTML times the one and plus the other: when the signal comes."""


def _parsing(order: ChildOrder, limits: MailLimits) -> Work:
    context = MailContext.model_validate_json(order.about[0])
    return partial(parse, limits=limits, context=context, read_html=_read_html)


def _read_html(source: str, seconds: float) -> SeenText:
    """Read HTML, which looks at its time itself. The signal is for where it does not."""
    later = _LATER * seconds + _LATEST
    try:
        return limit_html(later, partial(seen_text, seconds=seconds), source)
    except TimeoutError:  # the signal came while the tags were stripped
        return seen_text(source, seconds=0)


def _telling_kind(order: ChildOrder, _limits: MailLimits) -> Work:
    return partial(kind_of, declared=order.about[0], name=order.about[1])


def _extracting(order: ChildOrder, _limits: MailLimits) -> Work:
    from ingest.extract.extracted import ExtractLimits  # noqa: PLC0415 (not for mails alone)
    from ingest.extract.text import load, text_of  # noqa: PLC0415

    kind = FileKind(*order.about)
    load(kind)
    return partial(text_of, kind=kind, limits=ExtractLimits())


WORK: dict[str, MakeWork] = {
    "parse": _parsing,
    "kind": _telling_kind,
    "text": _extracting,
}
