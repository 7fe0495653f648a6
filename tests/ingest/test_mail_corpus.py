"""Four hundred mails and more, each read as a person would read it."""

import pytest

from assistant.domain.limits import MailLimits
from ingest.parse import parse
from tests.ingest.mails.all_cases import all_cases
from tests.ingest.mails.case import MailCase, misses

LIMITS = MailLimits()
MANY = 400


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_a_mail_is_read_as_a_person_would_read_it(case: MailCase) -> None:
    found = parse(case.raw, LIMITS, case.context)
    assert misses(case, found) == []


def test_there_are_many_and_none_twice() -> None:
    cases = all_cases()
    assert len(cases) >= MANY
    assert len({case.name for case in cases}) == len(cases)
    assert len({(case.raw, case.envelope.mail_from) for case in cases}) == len(cases)
