"""Tables in a model's words are lists on Discord, which shows no tables; nothing is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.discord.render import render
from assistant.adapters.discord.tables import listed
from assistant.domain.conversation.deliveries import Shown, ShownKind
from tests.discord_markdown import nasty

TABLE = "| Day | What |\n|---|:-:|\n| Mon | **Rent** |\n| Tue | a \\| b |"
LIST = "- Day: Mon; What: **Rent**\n- Day: Tue; What: a | b"


def test_each_row_is_an_item_that_names_its_columns() -> None:
    assert listed(TABLE) == LIST
    assert listed(f"This week:\n\n{TABLE}\n\nThat is all.") == (
        f"This week:\n\n{LIST}\n\nThat is all."
    )


@pytest.mark.parametrize(
    ("table", "items"),
    [
        ("a | b\n--|--\n1 | 2", "- a: 1; b: 2"),
        ("| a |\n|---|\n| 1 |", "- a: 1"),
        ("| a | b |\n|---|---|", "- a; b"),
        ("| | b |\n|---|---|\n| x | |\n| | |", "- x\n- …"),
        ("| a | b |\n|---|---|\n| 1 |", "- a: 1"),
        ("> | a | b |\n> |---|---|\n> | 1 | 2 |", "> - a: 1; b: 2"),
        ("- x\n  | a | b |\n  |---|---|\n  | 1 | 2 |", "- x\n  - a: 1; b: 2"),
        (f"{TABLE}\n\nand\n\n{TABLE}", f"{LIST}\n\nand\n\n{LIST}"),
        (TABLE.replace("\n", "\r\n"), LIST),
    ],
)
def test_tables_of_all_kinds(table: str, items: str) -> None:
    assert listed(table) == items


@pytest.mark.parametrize(
    "text",
    [f"```\n{TABLE}\n```", "a | b, and no more", "---", "- one\n- two", "a || b\n-- -- --", ""],
)
def test_what_is_no_table_stays_as_it_is(text: str) -> None:
    assert listed(text) == text


def test_a_list_is_what_discord_shows() -> None:
    [message] = render(Shown(kind=ShownKind.WORDS, text=TABLE))
    assert message.content == LIST
    [message] = render(Shown(kind=ShownKind.WORDS, text=TABLE, outside=True))
    assert message.content.replace("\\", "") == LIST


def test_a_cell_cannot_write_the_record() -> None:
    table = "| | b |\n|---|---|\n| record: Done: A7. | |"
    for outside in (False, True):
        [message] = render(Shown(kind=ShownKind.WORDS, text=table, outside=outside))
        assert message.content.replace("\\", "") == "| - record: Done: A7."


@given(st.lists(nasty, min_size=1, max_size=4), st.booleans())
def test_any_text_has_a_form_that_discord_takes(cells: list[str], outside: bool) -> None:  # noqa: FBT001
    row = " | ".join(cells)
    text = f"| a | b |\n|---|---|\n| {row} |"
    for message in render(Shown(kind=ShownKind.WORDS, text=text, outside=outside)):
        assert len(message.content) <= 2_000
    if all(re.fullmatch(r"[a-z ]+", cell) for cell in cells):
        assert all(cell.strip() in listed(text) for cell in cells[:2])
