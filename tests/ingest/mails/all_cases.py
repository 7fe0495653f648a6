"""Every mail of the corpus, once."""

from functools import cache

from tests.ingest.mails import characters, embedded, forwards, hidden, people, programs, structures
from tests.ingest.mails.case import MailCase

_MODULES = (embedded, structures, characters, forwards, programs, hidden, people)


@cache
def all_cases() -> tuple[MailCase, ...]:
    return tuple(case for module in _MODULES for case in module.cases())
