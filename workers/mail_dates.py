"""The day or time that a mail names, for its owner's calendar."""

import logging

from assistant.domain.calendar.events import When
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.mail import Mail
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import zone_of

log = logging.getLogger(__name__)


def time_in(mail: Mail, text: str, *, zone: str, clock: Clock) -> When | None:
    """Return the first time to come in subject, summary or text; None where there is none.

    Words such as ``tomorrow`` are relative to when it was sent; all is that of what was forwarded.
    """
    from assistant.adapters.offline.found_dates import first_time  # noqa: PLC0415 (only with mail)

    heading = heading_of(mail)
    try:
        return first_time(
            (heading.subject, mail.summary, text),
            base=min(heading.sent or mail.sent or mail.received, mail.received),
            after=clock.now(),
            zone=zone_of(zone),
        )
    except Exception:  # a mail is read and shown whatever is odd about its dates
        log.exception("mail %s: no date could be looked for", mail.id)
        return None
