"""Mails changed at random: a share of 400 each time, all 20,000 where there is time for them."""

import pytest

from tests.ingest.mutations import Finding, prove


def looked_at(finding: Finding) -> Finding:
    print("\n".join(finding.lines()))
    assert finding.wrong == []
    assert finding.read > 0.95 * finding.count
    return finding


def test_no_changed_mail_is_lost() -> None:
    assert looked_at(prove(400, seed=0)).count > 380


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(1, 5))
def test_none_of_twenty_thousand_changed_mails_is_lost(seed: int) -> None:
    assert looked_at(prove(5_000, seed)).count > 4_900
