"""One spelling for each place, and no way out of a scope."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.domain.errors import BadArguments
from assistant.domain.files.blob_names import check_name
from assistant.domain.files.paths import (
    IGNORE_FILES,
    LONGEST,
    LONGEST_SEGMENT,
    RESERVED_FOLDERS,
    folded,
    governs,
    parse_path,
    parse_prefix,
    scope_of,
)
from assistant.domain.files.version import Scope

GOOD_SEGMENT = re.compile(r"[A-Za-z0-9_-]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
"""Written down once more, apart from the code: what a name may be."""

names = st.from_regex(GOOD_SEGMENT, fullmatch=True).filter(lambda name: len(name) <= 40)
keys = st.lists(names, min_size=1, max_size=4).map("/".join)
scopes = st.sampled_from(Scope)
paths = st.builds(lambda scope, key: f"{scope}:/{key}", scopes, keys)
near_paths = st.text(
    st.sampled_from("aZ09-_/.: \\~%\0\n\u0430\uff0f\u2024\u0131\u212a\u00e9e\u0301"), max_size=12
)
"""Texts that are nearly paths: separators, dots, look-alikes."""


def accepted(text: str) -> str:
    try:
        return parse_path(text)
    except BadArguments:
        return ""


def refusal(text: str) -> str:
    try:
        parse_path(text)
    except BadArguments as error:
        return str(error)
    return ""


def is_good(path: str) -> bool:
    """Whether a text is a canonical path, said in another way than the code says it."""
    match = re.fullmatch(r"(private|shared|public):/(.+)", path, re.DOTALL)
    if match is None or len(path) > LONGEST:
        return False
    *folders, name = match[2].split("/")
    if folders and match[1] == "private" and folders[0] in RESERVED_FOLDERS:
        folders = folders[1:]
    plain = all(GOOD_SEGMENT.fullmatch(folder) for folder in folders)
    named = GOOD_SEGMENT.fullmatch(name) is not None or name in IGNORE_FILES
    short = all(len(segment) <= LONGEST_SEGMENT for segment in (*folders, name))
    return plain and named and short


@given(paths)
def test_a_canonical_path_is_its_own_spelling(path: str) -> None:
    assert parse_path(path) == path


@given(keys)
def test_a_key_without_a_scope_is_private(key: str) -> None:
    assert parse_path(key) == f"private:/{key}"


@given(st.text() | near_paths)
@example("../../etc/passwd")
@example("private:/../shared:/a")
@example("private:/.skills/mail/SKILL.md")
@example("private:/.gitignore/a")
@example("shared:/.skills/a")
@example("a\n")
def test_what_is_accepted_is_canonical_and_inside_its_scope(text: str) -> None:
    path = accepted(text)
    scoped = text if ":/" in text else f"private:/{text}"
    assert path == (scoped if is_good(scoped) else "")
    if path:
        assert parse_path(path) == path
        assert path.startswith(f"{scope_of(path)}:/")
        assert check_name(f"files/{scope_of(path)}/{path.partition(':/')[2]}")


@given(st.text() | near_paths)
def test_a_refusal_can_be_shown_anywhere(text: str) -> None:
    said = refusal(text)
    assert said.isascii()
    assert len(said) < 1_000


@given(paths, st.characters(exclude_categories=["Cs"], min_codepoint=128), st.data())
def test_no_other_alphabet_looks_like_this_one(path: str, odd: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(path.index("/") + 1, len(path)))
    spelt = f"{path[:place]}{odd}{path[place:]}"
    with pytest.raises(BadArguments, match=rf"U\+{ord(odd):04X}"):
        parse_path(spelt)


@pytest.mark.parametrize(
    ("given", "fix"),
    [
        ("", "leave out a slash"),
        ("/a", "leave out a slash"),
        ("a//b", "leave out a slash"),
        ("a/", "leave out a slash"),
        ("private:/", "leave out a slash"),
        ("private://a", "leave out a slash"),
        ("a/../b", "write out where the file is"),
        ("./a", "write out where the file is"),
        (".env", "leave the dot out"),
        ("a/.ssh/b", "leave the dot out"),
        ("a.", "leave the dot out"),
        ("a./b", "leave the dot out"),
        ("a ", "U+0020 SPACE at place 2"),
        ("a\\b", "U+005C REVERSE SOLIDUS"),
        ("n\u043ete", "U+043E CYRILLIC SMALL LETTER O at place 2"),
        ("private:a", "a scope is followed by :/"),
        ("Private:/a", "these are: private:/, shared:/, public:/"),
        ("secret:/a", "these are: private:/, shared:/, public:/"),
        ("a" * (LONGEST_SEGMENT + 1), f"{LONGEST_SEGMENT} characters at the most"),
        ("/".join(["a" * 100] * 4), f"{LONGEST} at the most"),
    ],
)
def test_a_refusal_names_what_is_wrong_and_what_would_do(given: str, fix: str) -> None:
    with pytest.raises(BadArguments) as refused:
        parse_path(given)
    assert fix in str(refused.value)


@given(paths, st.integers(0, 60))
def test_the_beginning_of_a_path_is_a_prefix(path: str, length: int) -> None:
    begun = path[: path.index("/") + 1 + length]
    assert parse_prefix(begun) == begun


@given(near_paths)
def test_a_prefix_stays_inside_its_scope(text: str) -> None:
    try:
        prefix = parse_prefix(text)
    except BadArguments:
        return
    assert parse_prefix(prefix) == prefix
    assert prefix.startswith(tuple(f"{scope}:/" for scope in Scope))
    assert ".." not in prefix.split("/")[:-1]


def test_paths_that_differ_in_case_alone_fold_to_one() -> None:
    assert folded("private:/Notes/A.txt") == folded("private:/notes/a.TXT")


@pytest.mark.parametrize(
    ("path", "steers"),
    [
        ("private:/.gitignore", True),
        ("public:/a/.ignore", True),
        ("private:/.skills/mail/SKILL.md", True),
        ("private:/.results/A17.txt", True),
        ("private:/skills/mail/SKILL.md", False),
        ("private:/gitignore", False),
    ],
)
def test_what_steers_the_assistant_is_known_by_its_path(path: str, *, steers: bool) -> None:
    assert governs(parse_path(path)) is steers
