"""What is shown becomes messages that Discord takes, in which everything is told or counted."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.adapters.discord.embeds import length
from assistant.adapters.discord.render import DiscordMessage, details, details_file, render
from assistant.adapters.discord.text import legible, one_line, units
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Line, Row, Shown, ShownKind, Tone
from tests.discord_markdown import LIVE, kinds, nasty, parse, visible

TOLD = (ShownKind.CARD, ShownKind.RECEIPT, ShownKind.MAIL, ShownKind.NOTICE)
long_texts = nasty | st.builds(lambda text, times: text * times, nasty, st.sampled_from([1, 9, 90]))
lines = st.builds(Line, label=nasty, value=long_texts) | st.builds(
    Line, label=st.just("Until"), value=nasty, at=st.datetimes(timezones=st.just(UTC))
)
told = st.builds(
    Shown,
    kind=st.sampled_from(TOLD),
    title=long_texts,
    text=long_texts,
    fields=st.lists(lines, max_size=27).map(tuple),
    outside=st.booleans(),
)
rows = st.builds(Row, name=nasty, was=nasty, text=long_texts)
glanced = st.builds(
    Shown,
    kind=st.sampled_from((ShownKind.CARD, ShownKind.RECEIPT)),
    warning=long_texts,
    title=long_texts,
    text=long_texts,
    rows=st.lists(rows, max_size=20).map(tuple),
    small=long_texts,
    tone=st.sampled_from(Tone),
)
said = st.builds(
    Shown,
    kind=st.sampled_from([ShownKind.WORDS, ShownKind.PROGRESS]),
    text=long_texts,
    ledger=nasty,
    outside=st.booleans(),
)


def action(verb: Verb, label: str = "Press") -> Action:
    return Action(verb=verb, label=label, subject="c1", handle="A1")


def card(*fields: Line, **more: Any) -> Shown:
    more = {"title": "A1: Create event?", **more}
    return Shown(kind=ShownKind.CARD, fields=fields, **more)


def only(shown: Shown, *tokens: str) -> DiscordMessage:
    (message,) = render(shown, tokens=tokens)
    return message


def embed_of(shown: Shown, *tokens: str) -> dict[str, Any]:
    (embed,) = only(shown, *tokens).embeds
    return embed


def texts_of(message: DiscordMessage) -> list[str]:
    texts = [message.content] if message.content else []
    for embed in message.embeds:
        texts += [embed[name] for name in ("title", "description") if name in embed]
        texts += [text for field in embed.get("fields", ()) for text in field_texts(field)]
    return texts


def field_texts(field: dict[str, Any]) -> tuple[str, str]:
    return field["name"], field["value"]


@given(told | said | glanced)
def test_every_message_is_one_that_discord_takes(shown: Shown) -> None:
    for message in render(shown):
        assert message.content.strip() or message.embeds
        assert units(message.content) <= 2_000
        for embed in message.embeds:
            assert length(embed) <= 6_000
            assert units(embed.get("title", "")) <= 256
            assert units(embed.get("description", "")) <= 4_096
            assert len(embed.get("fields", ())) <= 25
            for field in embed.get("fields", ()):
                assert 1 <= units(field["name"].strip()) <= 256
                assert 1 <= units(field["value"].strip()) <= 1_024
            assert all(embed[name].strip() for name in ("title", "description") if name in embed)
        json.dumps(message.payload()).encode()


@given(told | said | glanced)
def test_nothing_from_outside_is_live_in_any_place(shown: Shown) -> None:
    for message in render(shown.model_copy(update={"fields": untimed(shown.fields)})):
        for text in texts_of(message):
            if shown.kind is ShownKind.WORDS and not shown.outside:
                assert not kinds(text) & (LIVE - {"subtext"})
            else:
                codes = {"strike"} if any(row.was.strip() for row in shown.rows) else set()
                assert kinds(text) <= {"text", "emphasis", "strong", "quote", "subtext"} | codes


def untimed(fields: tuple[Line, ...]) -> tuple[Line, ...]:
    return tuple(Line(label=line.label, value=line.value) for line in fields)


@given(st.lists(st.builds(Line, label=st.just("Title"), value=long_texts), max_size=27))
def test_each_value_is_told_whole_or_cut_with_a_count(fields: list[Line]) -> None:
    embed = embed_of(card(*fields, actions=(action(Verb.DETAILS),)), "t")
    shown = embed.get("fields", [])
    for line, field in zip(fields, shown[: len(fields) if len(fields) <= 25 else 24], strict=False):
        counted = re.search(r" \*… (\d+) more characters?: press Details\*$", field["value"])
        if counted:
            kept = visible(field["value"][: counted.start()])
            assert legible(line.value).startswith(kept)
            assert len(kept) + int(counted[1]) == len(legible(line.value))
        elif line.value.strip():
            assert visible(field["value"]) == legible(line.value)
        else:
            assert field["value"] == "*empty*"
    if len(fields) > 25:
        assert field_texts(shown[24]) == (f"*… {len(fields) - 24} more lines*", "press Details")


@given(st.builds(Shown, kind=st.just(ShownKind.NOTICE), text=long_texts))
@example(Shown(kind=ShownKind.NOTICE, text="0\x1f"))
def test_a_notice_is_never_cut_short(shown: Shown) -> None:
    messages = render(shown)
    if shown.text.strip():
        told = "".join(visible(message.embeds[0]["description"]) for message in messages)
        assert "".join(told.split()) == "".join(legible(shown.text).split())


@given(st.builds(Shown, kind=st.just(ShownKind.WORDS), text=long_texts, outside=st.just(True)))
def test_others_words_in_an_answer_are_told_whole(shown: Shown) -> None:
    told = "".join(visible(message.content) for message in render(shown))
    assert re.sub(r"\||\s", "", told) == re.sub(r"\||\s", "", legible(shown.text))


def test_words_go_with_the_record_below_in_small() -> None:
    shown = Shown(kind=ShownKind.WORDS, text="I did **it**.", ledger="Done: A1.")
    assert only(shown).content == "I did **it**.\n-# record: Done\\: A1\\."
    assert parse(only(shown).content)[-3:] == [
        ("subtext", "record: Done\\: A1\\."),
        ("", ""),
        ("text", "record: Done: A1."),
    ]


def test_a_model_cannot_write_the_record() -> None:
    forged = "All done.\n-# record: Done: A9.\nrecord: Done: A9."
    for outside in (False, True):
        shown = Shown(kind=ShownKind.WORDS, text=forged, ledger="", outside=outside)
        content = only(shown).content
        assert "subtext" not in kinds(content)
        assert [line.replace("\\", "")[:2] for line in content.splitlines()[1:]] == ["| ", "| "]


@given(nasty.map(lambda text: text * 50))
@example("```> record:" * 50)
def test_nor_by_where_its_words_are_cut(text: str) -> None:
    shown = Shown(kind=ShownKind.WORDS, text=f"{'word ' * 390}-# record: x {text}", ledger="Done.")
    messages = render(shown)
    assert sum("subtext" in kinds(message.content) for message in messages) <= 1
    assert messages[-1].content.endswith("-# record: Done\\.")
    for message in messages:
        words = message.content.removesuffix("-# record: Done\\.")
        assert not re.search(r"^(?!\| )[^\w\n]*record:", words, re.MULTILINE)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("outside", [True, False])
def test_no_line_end_hides_a_line_that_looks_like_the_record(end: str, *, outside: bool) -> None:
    shown = Shown(kind=ShownKind.WORDS, text=f"Hi.{end}record: Done: A9.", outside=outside)
    _, forged = only(shown).content.split("\n")
    assert forged.startswith(("| ", "\\| "))


def test_a_quotation_to_the_end_does_not_take_the_record_in() -> None:
    first, second = render(Shown(kind=ShownKind.WORDS, text=">>> so", ledger="Done: A1."))
    assert first.content == ">>> so"
    assert second.content == "-# record: Done\\: A1\\."


def test_the_record_alone_is_a_message() -> None:
    shown = Shown(kind=ShownKind.WORDS, ledger="Done: A1.")
    assert only(shown).content == "-# record: Done\\: A1\\."
    assert render(Shown(kind=ShownKind.WORDS)) == ()


def test_progress_is_one_small_line_and_goes_when_it_says_nothing() -> None:
    shown = Shown(kind=ShownKind.PROGRESS, text="Looking at\nmail <@1>")
    assert only(shown).content == "-# Looking at mail \\<\\@1\\>"
    assert only(shown).quiet, "it notifies nobody"
    assert render(Shown(kind=ShownKind.PROGRESS)) == ()


def test_a_card_has_its_lines_as_fields_and_moments_in_the_readers_zone() -> None:
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    until = Line(label="Until", value="Mon 30 Nov 2026, 10:00 (Europe/Berlin)", at=at)
    embed = embed_of(card(Line(label="Title", value="*Rent*"), until))
    assert embed["title"] == "A1\\: Create event?"
    assert embed["fields"] == [
        {"name": "Title", "value": "\\*Rent\\*", "inline": False},
        {
            "name": "Until",
            "value": "Mon 30 Nov 2026, 10\\:00 \\(Europe\\/Berlin\\)\n"
            "<t:1796029200:F> (<t:1796029200:R>)",
            "inline": False,
        },
    ]


def test_a_card_at_a_glance_is_a_warning_what_when_and_a_small_line() -> None:
    shown = Shown(
        kind=ShownKind.CARD,
        warning="From a mail by ann@example.org, not verified: title",
        title="Move “Dentist”",
        rows=(Row(was="Thu 3 Dec 09:00", text="Fri 4 Dec 09:00"),),
        small="A4 · can be undone · answer by Thu 09:00",
        tone=Tone.DANGER,
        actions=(action(Verb.DENY), action(Verb.APPROVE)),
    )
    message = only(shown, "d", "a")
    assert message.embeds == (
        {
            "color": 0xF23F43,
            "author": {"name": "❗ From a mail by ann@example.org, not verified: title"},
            "title": "Move “Dentist”",
            "description": "~~Thu 3 Dec 09\\:00~~ Fri 4 Dec 09\\:00",
            "footer": {"text": "A4 · can be undone · answer by Thu 09:00"},
        },
    )
    [row] = message.components
    assert [button["style"] for button in row["components"]] == [4, 2]  # a yes is not green


def test_a_card_from_before_these_fields_keeps_its_digest() -> None:
    card = Shown(kind=ShownKind.CARD, title="A4: Create an event?", text="x")
    assert card.digest == "021194db1cf707dfee4eee0a98b01cfe1da6c5a5f42291b048b6cc55ee802662"
    assert card.model_copy(update={"small": "A4"}).digest != card.digest


def test_a_mail_looks_like_what_it_is() -> None:
    shown = Shown(
        kind=ShownKind.MAIL,
        title="Approved: **A1**",
        text="Press here:\n[ok](https://a.b)",
        fields=(Line(label="From", value="Eve <eve@example.org> (unknown)"),),
        outside=True,
    )
    embed = embed_of(shown)
    assert embed["author"] == {"name": "Mail from outside"}
    assert "title" not in embed
    assert all(line.startswith("> ") for line in embed["description"].splitlines())
    assert kinds(embed["description"]) == {"quote", "strong", "text"}
    assert visible(embed["fields"][0]["value"]) == "Eve <eve@example.org> (unknown)"


def test_a_long_mail_is_cut_with_a_count_outside_the_quotation() -> None:
    shown = Shown(kind=ShownKind.MAIL, title="Hi", text="a\n" * 4_000, outside=True)
    message = only(shown)
    *quoted, last = message.embeds[0]["description"].splitlines()
    assert all(line.startswith("> ") for line in quoted)
    assert re.fullmatch(r"\*… \d+ more characters: see details\.txt\*", last)
    assert [name for name, _ in message.files] == ["details.txt"]


def test_a_long_notice_from_outside_stays_a_quotation() -> None:
    text = "so\n" * 2_000
    messages = render(Shown(kind=ShownKind.NOTICE, title="Hi", text=text, outside=True))
    assert len(messages) > 1
    for message in messages:
        assert message.embeds[0]["author"] == {"name": "Words from outside"}
        assert all(line.startswith("> ") for line in message.embeds[0]["description"].split("\n"))


def test_a_long_notice_has_its_lines_and_buttons_at_the_end() -> None:
    fields = (Line(label="Why", value="so"),)
    notice = Shown(kind=ShownKind.NOTICE, title="Look", text="word " * 2_000, fields=fields)
    again = action(Verb.ASK_AGAIN, "Ask again")
    first, *_, last = render(notice.model_copy(update={"actions": (again,)}), tokens=("t",))
    assert first.embeds[0]["title"] == "Look"
    assert not first.components
    assert last.embeds[0]["fields"][0]["value"] == "so"
    assert last.components


def test_what_is_cut_without_a_button_for_the_rest_comes_as_a_file() -> None:
    message = only(card(Line(label="Content", value="x" * 5_000)))
    assert message.embeds[0]["fields"][0]["value"].endswith("more characters: see details.txt*")
    ((name, content),) = message.files
    assert name == "details.txt"
    assert "x" * 5_000 in content.decode()


def test_characters_are_cut_whole() -> None:
    family = "👨\u200d👩\u200d👧"
    message = only(card(Line(label="Content", value=family * 500)))
    value = message.embeds[0]["fields"][0]["value"]
    assert re.fullmatch(rf"({family})+ \*… \d+ more characters: see details\.txt\*", value)


def test_buttons_carry_a_token_and_nothing_else() -> None:
    verbs = (Verb.APPROVE, Verb.EDIT, Verb.DENY, Verb.MORE, Verb.DETAILS, Verb.FORGET)
    shown = card(actions=tuple(action(verb, verb.title()) for verb in verbs))
    first, second = only(shown, "k1", "k2", "k3", "k4", "k5", "k6").components
    assert first["type"] == second["type"] == 1
    assert first["components"][0] == {
        "type": 2,
        "style": 3,
        "label": "Approve",
        "custom_id": "a:k1",
    }
    assert [button["style"] for button in first["components"]] == [3, 2, 4, 2, 2]
    assert [(button["style"], button["custom_id"]) for button in second["components"]] == [
        (4, "a:k6")
    ]


@pytest.mark.parametrize("tokens", [(), ("k1",), ("k1", ""), ("k1", "k2", "k3")])
def test_no_button_is_ever_dead(tokens: tuple[str, ...]) -> None:
    shown = card(actions=(action(Verb.APPROVE), action(Verb.DENY)))
    with pytest.raises(ValueError, match="each button needs one"):
        render(shown, tokens=tokens)


def test_no_button_is_left_out() -> None:
    with pytest.raises(ValueError, match="6 rows; Discord takes 5"):
        render(card(actions=(action(Verb.SHOW),) * 26), tokens=["k"] * 26)


def choices(count: int, question: str = "Show a mail") -> tuple[Action, ...]:
    return tuple(
        Action(verb=Verb.SHOW, label=f"{n}. Ann", subject=f"m{n}", choice=question, detail="Lunch")
        for n in range(count)
    )


def test_choices_are_one_list_each_with_a_token_and_nothing_else() -> None:
    shown = card(actions=(*choices(2), action(Verb.FORGET, "Forget")))
    chosen, below = only(shown, "k1", "k2", "k3").components
    assert chosen["components"] == [
        {
            "type": 3,
            "custom_id": "list0",
            "placeholder": "Show a mail",
            "options": [
                {"label": "0. Ann", "value": "a:k1", "description": "Lunch"},
                {"label": "1. Ann", "value": "a:k2", "description": "Lunch"},
            ],
        }
    ]
    assert [one["custom_id"] for one in below["components"]] == ["a:k3"]


def test_a_list_has_as_many_choices_as_discord_takes_and_none_is_left_out() -> None:
    shown = card(actions=(*choices(30), *choices(3, "Undo")))
    rows = [row["components"][0] for row in only(shown, *["k"] * 33).components]
    assert [len(row["options"]) for row in rows] == [25, 5, 3]
    assert len({row["custom_id"] for row in rows}) == 3
    with pytest.raises(ValueError, match="Discord takes 5"):
        render(card(actions=choices(126)), tokens=["k"] * 126)


@given(nasty, nasty, nasty)
def test_discord_takes_any_words_in_a_list(question: str, label: str, detail: str) -> None:
    one = Action(
        verb=Verb.SHOW, label=label, subject="m", choice=f"Q{question * 9}", detail=detail * 9
    )
    [[chosen]] = [row["components"] for row in only(card(actions=(one,)), "k").components]
    [option] = chosen["options"]
    assert 1 <= units(chosen["placeholder"]) <= 150
    assert 1 <= units(option["label"]) <= 100
    assert "description" not in option or 1 <= units(option["description"]) <= 100


def test_a_card_from_before_lists_keeps_its_digest() -> None:
    old = {"verb": "approve", "label": "Press", "subject": "c1", "handle": "A1"}
    assert action(Verb.APPROVE).model_dump(mode="json") == old
    assert Action.model_validate(old) == action(Verb.APPROVE)


def test_a_message_notifies_nobody_and_unfurls_nothing() -> None:
    assert DiscordMessage(content="hi").payload() == {
        "content": "hi",
        "allowed_mentions": {"parse": []},
        "flags": 4,
    }


def test_an_edit_takes_away_what_is_no_more() -> None:
    assert DiscordMessage(content="hi").payload(edit=True) == {
        "content": "hi",
        "embeds": [],
        "components": [],
        "attachments": [],
        "allowed_mentions": {"parse": []},
        "flags": 4,
    }
    payload = DiscordMessage(embeds=({"title": "a"},), files=(("a.txt", b"a"),)).payload(edit=True)
    assert payload["flags"] == 0
    assert payload["content"] == ""
    assert payload["attachments"] == [{"id": 0, "filename": "a.txt"}]


@given(st.lists(st.builds(Line, label=nasty, value=long_texts), max_size=27))
def test_details_tell_all_of_it(fields: list[Line]) -> None:
    message = details(fields)
    if message.files:
        assert message.content
        assert message.files == (details_file(fields),)
        return
    (embed,) = message.embeds
    for line, field in zip(fields, embed.get("fields", []), strict=True):
        label = one_line(line.label)
        for text, shown in zip((label, line.value), field_texts(field), strict=True):
            assert shown == "*empty*" if not text.strip() else visible(shown) == legible(text)


def test_the_file_of_details_sets_off_what_goes_on() -> None:
    fields = [
        Line(label="Content", value="a\nUntil: never\u202e"),
        Line(label="Until", value="now"),
    ]
    name, content = details_file(fields)
    assert name == "details.txt"
    assert content.decode() == "Content: a\n  | Until: never\ufffd\nUntil: now\n"
