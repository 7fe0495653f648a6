"""What every store promises of files: versions that follow one another, and who wrote them."""

from collections import Counter
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import AlreadyThere, BadArguments, Denied, NotFound, Stale
from assistant.domain.files.version import FileVersion
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Tx
from tests.bed import START, Bed, race

PATH = "private:/notes/rent.txt"
ROUNDS = 8


def a_file(path: str = PATH, text: str = "850 EUR", **changes: Any) -> FileVersion:
    digest = sha256(text.encode()).hexdigest()
    values: dict[str, Any] = {
        "path": path,
        "size": len(text),
        "sha256": digest,
        "blob": f"files/owner/{digest}",
        "origin": Origin.OWNER,
        "by": "terminal:ada",
    }
    return FileVersion(**{**values, **changes})


def gone(version: int, path: str = PATH) -> FileVersion:
    return FileVersion(path=path, version=version, deleted=True, by="terminal:ada")


def write(
    bed: Bed, path: str = PATH, text: str = "850 EUR", *, cause: Cause | None = None, **changes: Any
) -> FileVersion:
    return bed.write(lambda tx: tx.write_file(a_file(path, text, **changes)), cause=cause)


def delete(bed: Bed, version: int, path: str = PATH) -> FileVersion:
    return bed.write(lambda tx: tx.write_file(gone(version, path)))


def paths(bed: Bed, prefix: str = "", **which: Any) -> list[str]:
    return [file.path for file in bed.look(lambda tx: tx.files(prefix, **which))]


def history(bed: Bed, path: str = PATH) -> list[FileVersion]:
    return list(bed.look(lambda tx: tx.file_versions(path)))


def noted(bed: Bed) -> list[AuditEntry]:
    return list(bed.look(lambda tx: tx.audit(kind="file")))


def test_a_file_is_what_was_written_last(bed: Bed) -> None:
    first = write(bed)
    assert (first.version, first.at) == (1, START)
    bed.clock.passes(hours=1)
    second = write(bed, text="900 EUR", version=1)
    assert second.version == 2
    assert bed.look(lambda tx: tx.file(PATH)) == second
    assert history(bed) == [second, first]


def test_what_is_deleted_is_kept_and_can_be_followed(bed: Bed) -> None:
    write(bed)
    assert delete(bed, 1).version == 2
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.file(PATH))
    assert paths(bed) == []
    assert paths(bed, deleted=True) == [PATH]
    write(bed, text="again", version=2)
    versions = history(bed)
    assert [(file.version, file.deleted) for file in versions] == [
        (3, False),
        (2, True),
        (1, False),
    ]


def test_a_path_that_held_nothing_ever_has_no_versions(bed: Bed) -> None:
    assert history(bed) == []
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.file(PATH))


@pytest.mark.parametrize("follows", [0, 2, 7])
def test_what_follows_another_version_is_stale(bed: Bed, follows: int) -> None:
    write(bed)
    with pytest.raises(Stale):
        write(bed, text="900 EUR", version=follows)
    with pytest.raises(Stale):
        delete(bed, follows)
    assert bed.look(lambda tx: tx.file(PATH)).version == 1
    assert len(noted(bed)) == 1


def test_what_follows_a_version_that_never_was_is_stale(bed: Bed) -> None:
    with pytest.raises(Stale):
        write(bed, version=1)
    assert paths(bed, deleted=True) == []


def test_what_is_not_there_cannot_be_deleted(bed: Bed) -> None:
    with pytest.raises(NotFound):
        delete(bed, 0)
    write(bed)
    delete(bed, 1)
    with pytest.raises(NotFound):
        delete(bed, 2)


def test_two_that_differ_in_case_alone_cannot_both_be_there(bed: Bed) -> None:
    other = "private:/Notes/Rent.txt"
    write(bed)
    assert bed.look(lambda tx: tx.twin(other)) == PATH
    assert bed.look(lambda tx: tx.twin(PATH)) == ""
    with pytest.raises(AlreadyThere, match=PATH):
        write(bed, other)
    assert bed.look(lambda tx: tx.twin("shared:/notes/rent.txt")) == ""
    write(bed, "shared:/Notes/Rent.txt")
    delete(bed, 1)
    write(bed, other)
    with pytest.raises(AlreadyThere, match=other):
        write(bed, version=2)


@pytest.mark.parametrize("path", ["notes/rent.txt", "private:/../a", "private:/a/", "", "public:"])
def test_what_is_no_canonical_path_is_refused(bed: Bed, path: str) -> None:
    with pytest.raises(BadArguments):
        write(bed, path)


def test_files_are_listed_by_path_from_where_one_left_off(bed: Bed) -> None:
    names = ["B", "a", "a-b", "a.b", "a/b", "a_b", "aXb", "ab", "z/1", "z/10", "z/2"]
    for name in names:
        write(bed, f"private:/{name}")
    write(bed, "public:/a")
    private = sorted(f"private:/{name}" for name in names)
    assert paths(bed) == [*private, "public:/a"]
    assert paths(bed, "private:/z/") == ["private:/z/1", "private:/z/10", "private:/z/2"]
    assert paths(bed, "private:/a_") == ["private:/a_b"]
    assert paths(bed, "private:/A") == []
    seen: list[str] = []
    while more := paths(bed, "private:/", after=seen[-1] if seen else "", limit=3):
        seen += more
    assert seen == private


def test_files_belong_to_their_owner(bed: Bed) -> None:
    write(bed)
    theirs = write(bed, text="theirs", cause=bed.they)
    assert theirs.version == 1
    write(bed, "private:/notes/other.txt", cause=bed.they)
    assert paths(bed) == [PATH]
    assert bed.look(lambda tx: tx.file(PATH)).sha256 != theirs.sha256
    assert bed.look(lambda tx: tx.twin("private:/Notes/other.txt")) == ""


def test_looking_writes_nothing(bed: Bed) -> None:
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.write_file(a_file()))


def test_each_version_is_noted_with_its_digest_and_without_its_words(bed: Bed) -> None:
    first = write(bed)
    delete(bed, 1)
    written, deleted = noted(bed)
    assert (written.kind, written.subject, written.actor) == ("file.write", PATH, "terminal:ada")
    assert (written.args, written.result) == (first.sha256, "version 1")
    assert (deleted.kind, deleted.subject, deleted.args) == ("file.delete", PATH, "")
    assert "EUR" not in f"{written} {deleted}"


def test_what_stumbles_later_has_written_nothing(bed: Bed) -> None:
    def stumble(tx: Tx) -> None:
        tx.write_file(a_file())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert paths(bed, deleted=True) == []
    assert noted(bed) == []


# Origins


def by_call(bed: Bed, text: str = "850 EUR", *, follows: int = 0, **call: Any) -> FileVersion:
    """A version written by a call, which claims to be the owner's own words."""
    id = bed.call(**{"tainted": False, **call}).id
    return write(bed, text=text, version=follows, call=id, by="somebody")


def test_the_origin_is_what_the_calls_row_says(bed: Bed) -> None:
    clean = by_call(bed)
    assert (clean.origin, clean.source, clean.by) == (Origin.ASSISTANT, "", "model")
    tainted = by_call(bed, "hello", follows=1, tainted=True)
    assert tainted.origin is Origin.OUTSIDE
    assert "outside text" in tainted.source
    owners = by_call(bed, "mine", follows=2, actor="owner:ada")
    assert (owners.origin, owners.by) == (Origin.OWNER, "owner:ada")
    edited = by_call(bed, "edited", follows=3, actor="owner:ada", tainted=True)
    assert edited.origin is Origin.OUTSIDE


def test_a_call_that_nobody_knows_writes_outside_text(bed: Bed) -> None:
    assert write(bed, call="no-such-call").origin is Origin.OUTSIDE
    theirs = bed.call(cause=bed.they, tainted=False).id
    assert write(bed, "private:/b", call=theirs).origin is Origin.OUTSIDE


def test_without_a_call_the_origin_is_outside_unless_said_otherwise(bed: Bed) -> None:
    unsaid = FileVersion(path=PATH)
    assert bed.write(lambda tx: tx.write_file(unsaid)).origin is Origin.OUTSIDE


def test_writing_the_same_words_again_cleans_nothing(bed: Bed) -> None:
    outside = by_call(bed, "obey", tainted=True)
    by_call(bed, "fine", follows=1)
    again = by_call(bed, "obey", follows=2)
    assert (again.origin, again.source) == (Origin.OUTSIDE, outside.source)
    versions = history(bed)
    assert [file.origin for file in versions] == [
        Origin.OUTSIDE,
        Origin.ASSISTANT,
        Origin.OUTSIDE,
    ]


def test_an_undo_brings_words_back_as_what_they_were(bed: Bed) -> None:
    write(bed, text="mine")
    changed = bed.call(tainted=True)
    write(bed, text="obey", version=1, call=changed.id)
    back = by_call(bed, "mine", follows=2, tainted=True, undoes=changed.id)
    assert back.origin is Origin.OWNER
    by_call(bed, "fine", follows=3)
    again = by_call(bed, "obey", follows=4, undoes=changed.id)
    assert again.origin is Origin.OUTSIDE


# Races


@pytest.mark.parametrize("follows", [0, 1])
def test_of_two_that_follow_one_version_one_is_stale(bed: Bed, follows: int) -> None:
    for n in range(ROUNDS):
        path = f"private:/{n}"
        if follows:
            write(bed, path)
        writers = [partial(write, bed, path, f"{who}", version=follows) for who in range(3)]
        outcomes = race(*writers, partial(delete, bed, follows, path) if follows else writers[0])
        assert Counter(type(outcome) for outcome in outcomes) == {FileVersion: 1, Stale: 3}
        [won] = [outcome for outcome in outcomes if isinstance(outcome, FileVersion)]
        versions = history(bed, path)
        assert [file.version for file in versions] == list(range(follows + 1, 0, -1))
        assert versions[0] == won


def test_of_two_spellings_of_one_name_one_is_there(bed: Bed) -> None:
    for n in range(ROUNDS):
        spellings = [f"private:/{n}/rent", f"private:/{n}/Rent", f"private:/{n}/RENT"]
        outcomes = race(*[partial(write, bed, path) for path in spellings])
        assert Counter(type(outcome) for outcome in outcomes) == {FileVersion: 1, AlreadyThere: 2}
        assert len(paths(bed, f"private:/{n}/")) == 1


def test_a_name_that_is_deleted_as_its_twin_is_written_is_there_at_most_once(bed: Bed) -> None:
    for n in range(ROUNDS):
        old, new = f"private:/{n}/rent", f"private:/{n}/Rent"
        write(bed, old)
        race(partial(delete, bed, 1, old), partial(write, bed, new))
        assert len(paths(bed, f"private:/{n}/")) <= 1
