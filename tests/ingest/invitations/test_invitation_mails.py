"""Invitations as mail programs and booking sites write them, and what they say."""

from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from assistant.domain.calendar.invitations.invitation import Invitation
from ingest.invitations.find import invitations_in

FOLDER = Path(__file__).parents[1] / "corpus" / "invitations"
FACTS: dict[str, list[dict[str, Any]]] = yaml.safe_load((FOLDER / "facts.yaml").read_text())
ZONE = ZoneInfo("Europe/Berlin")
MINE = frozenset({"robin@home.example"})


def moment(told: str) -> date:
    if " " not in told:
        return date.fromisoformat(told)
    return datetime.fromisoformat(told).replace(tzinfo=ZONE)


def value(invitation: Invitation, name: str) -> object:
    if name in {"start", "end"}:
        assert invitation.when
        return getattr(invitation.when, name)
    return getattr(invitation, name)


def expected(name: str, told: Any) -> object:
    if name in {"start", "end", "recurrence_id"}:
        return moment(told)
    return tuple(map(moment, told)) if name == "left_out" else told


def test_each_mail_has_its_facts() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(FACTS)
    assert len(FACTS) > 40


@pytest.mark.parametrize("name", sorted(FACTS))
def test_a_mail_is_read_as_it_was_meant(name: str) -> None:
    found = invitations_in((FOLDER / f"{name}.eml").read_bytes(), ZONE, MINE)
    assert len(found) == len(FACTS[name])
    for invitation, facts in zip(found, FACTS[name], strict=True):
        for field, told in facts.items():
            if field != "defects":
                assert value(invitation, field) == expected(field, told), field
        said = invitation.defects
        wanted = facts.get("defects", [])
        assert all(any(word in defect for defect in said) for word in wanted), said
        if not wanted:
            assert said == ()
        assert Invitation.model_validate_json(invitation.model_dump_json()) == invitation
