"""Read mails that were changed at random: no crash, no hang, no mail lost, nothing without bounds.

    python -m tests.ingest.mutations                      # 20,000, a few minutes
    python -m tests.ingest.mutations --count 400 --seed 7

Each comes in by ``receive`` and is read by ``read_mail`` over the real store, with blobs in memory.
What was received must be kept byte for byte, and the mail must be read, or held with a reason.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from assistant.adapters.sql.driver import Engines
from assistant.adapters.system_clock import SystemClock
from assistant.domain.conversation.deliveries import Home
from assistant.domain.errors import Unreadable
from assistant.domain.jobs.job import Cause, Doorbell
from assistant.domain.limits import MailLimits, MiB
from assistant.domain.mail.mail import Mail, MailContext, MailState, Parsed
from assistant.domain.mail.words import letters_of
from assistant.domain.messages import ReadMail
from ingest.announce import Notices
from ingest.parse import DEFECTS, parse
from ingest.receive import receive
from ingest.stages import read_mail
from tests.ingest.charset_samples import SAMPLES
from tests.ingest.mails.all_cases import all_cases
from tests.ingest.messages import nested
from tests.memory_blobs import MemoryBlobs
from tests.stores import sql_store, sqlite_engines
from workers.settings import OWNER

LIMITS = MailLimits()
HANG = 2.0
"""CPU seconds after which a mail counts as one that hangs."""
LETTERS = 250
"""More letters than these are no honest count of what a mail of the corpus holds."""
TIMES = 60
"""How often as long as the mail its text may be: marks of quotes are longer than their tags."""

_BOUNDARY = re.compile(rb'boundary="?([^"\r\n;]+)')
_CHARSET = re.compile(rb"(?i)(charset=\"?)([a-z0-9_-]+)")
_LABELS = tuple(sample.label.encode() for sample in SAMPLES)
_PIECES = (
    *(b"\r\n\r\n", b"\r\n", b"\n", b"\r", b"\0", b"=", b"=?utf-8?q?", b"?=", b'"', b";", b"<"),
    *(b"Content-Type: multipart/mixed; boundary=x\r\n\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b">"),
    *(b"Content-Type: message/rfc822\r\n\r\n", b"Content-Transfer-Encoding: base64\r\n"),
    *(b"Content-Transfer-Encoding: quoted-printable\r\n", b"Content-Disposition: attachment\r\n"),
    *(b"Content-Type: text/html\r\n", b"*0*=", b"''", b"\x1b$B", b"+AGE-", b"~{", b"&#x110000;"),
    *(b"begin 644 a\r\n", b"end\r\n", b"<style>", b"<!--", b"<table><td>", b"> > > "),
    *(b"<div style='display:none'>", b"From: a\r\n", b"-----Original Message-----\r\n", b"--\r\n"),
    b"---------- Forwarded message ---------\r\n",
)


def mutated(raw: bytes, other: bytes, random: Random) -> bytes:
    """Return a mail with one to six changes; ``other`` is one that pieces are taken from."""
    for _ in range(random.randint(1, 6)):
        raw = random.choice(_CHANGES)(raw, other, random)
    return raw[: 2 * MiB]


def _span(raw: bytes, random: Random, most: int = 60) -> tuple[int, int]:
    at = random.randint(0, len(raw))
    return at, min(len(raw), at + random.randint(1, most))


def _flip(raw: bytes, _other: bytes, random: Random) -> bytes:
    for _ in range(random.randint(1, 8)):
        at = random.randint(0, max(0, len(raw) - 1))
        raw = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
    return raw


def _cut(raw: bytes, _other: bytes, random: Random) -> bytes:
    at, end = _span(raw, random, 400)
    return raw[:at] if random.random() < 0.3 else raw[:at] + raw[end:]


def _repeat(raw: bytes, _other: bytes, random: Random) -> bytes:
    at, end = _span(raw, random, 400)
    return raw[:at] + raw[at:end] * random.choice((2, 3, 5, 50)) + raw[end:]


def _insert(raw: bytes, _other: bytes, random: Random) -> bytes:
    at, _ = _span(raw, random)
    return raw[:at] + random.choice(_PIECES) * random.choice((1, 1, 1, 20)) + raw[at:]


def _swap_fields(raw: bytes, _other: bytes, random: Random) -> bytes:
    header, blank, body = raw.partition(b"\r\n\r\n")
    lines = header.split(b"\r\n")
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    if random.random() < 0.3:
        lines.insert(one, lines[two])
    return b"\r\n".join(lines) + blank + body


def _edit_boundary(raw: bytes, _other: bytes, random: Random) -> bytes:
    found = [match[1] for match in _BOUNDARY.finditer(raw)]
    if not found:
        return raw
    one = random.choice(found)
    new = random.choice((one[:-1], one + b"--", b"", random.choice(found), b"x" * 200, one + b" "))
    return raw.replace(one, new, random.choice((1, 1, 2, -1)))


def _rename_charset(raw: bytes, _other: bytes, random: Random) -> bytes:
    label = random.choice((*_LABELS, b"", b"x" * 50, b"utf-8\xff"))
    return _CHARSET.sub(lambda found: found[1] + label, raw, count=random.randint(0, 2))


def _splice(raw: bytes, other: bytes, random: Random) -> bytes:
    at, _ = _span(raw, random)
    start, _ = _span(other, random)
    return raw[:at] + other[start:] + (raw[at:] if random.random() < 0.5 else b"")


def _nest(raw: bytes, _other: bytes, random: Random) -> bytes:
    depth = random.choice((2, 10, 19, 25, 200))
    if random.random() < 0.5:
        return nested(depth, raw)
    return b"Subject: Fwd\r\nContent-Type: message/rfc822\r\n\r\n" * depth + raw


def _grow(raw: bytes, _other: bytes, random: Random) -> bytes:
    """Repeat a piece until it is long, which is seldom, as it takes time."""
    if random.random() < 0.9:
        return raw
    at, end = _span(raw, random, random.choice((3, 30, 300)))
    piece = raw[at:end] + random.choice((b"", *_PIECES))
    return raw[:at] + piece * (random.choice((10_000, 300_000)) // max(len(piece), 1)) + raw[end:]


_Change = Callable[[bytes, bytes, Random], bytes]
_CHANGES: tuple[_Change, ...] = (
    *(_flip, _flip, _cut, _cut, _repeat, _insert, _insert, _insert, _swap_fields),
    *(_edit_boundary, _edit_boundary, _rename_charset, _splice, _nest, _grow),
)


@dataclass
class Finding:
    """What came of one run."""

    count: int = 0
    read: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Why mails are held."""
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0
    """CPU seconds of the mail that took longest."""
    seconds: float = 0.0
    """CPU seconds of all of it."""

    def lines(self) -> Iterator[str]:
        held = sum(self.reasons.values())
        yield f"{self.count} mails: {self.read} read, {held} held, {len(self.wrong)} wrong"
        yield f"the slowest took {self.slowest:.3f} s of CPU, all of them {self.seconds:.0f} s"
        for reason, count in self.reasons.most_common():
            yield f"  held {count}: {reason}"
        yield from (f"  WRONG {wrong}" for wrong in self.wrong[:20])


def prove(count: int, seed: int) -> Finding:
    """Have so many changed mails received and read. The seed decides all of them."""
    began = time.process_time()
    finding = Finding()
    with sqlite_engines() as engines:
        desk = _Desk(engines, finding)
        for number in range(count):
            desk.take(changed(number, seed), f"mail {number} of seed {seed}")
    finding.seconds = time.process_time() - began
    return finding


def changed(number: int, seed: int) -> bytes:
    """Return one of the changed mails, the same each time."""
    random = Random(f"{seed} {number}")
    cases = all_cases()
    return mutated(cases[number % len(cases)].raw, random.choice(cases).raw, random)


class _Desk:
    """Takes mails in and reads them, as the program does."""

    def __init__(self, engines: Engines, finding: Finding) -> None:
        self._clock = SystemClock()
        self._store = sql_store(engines, _Silent(), self._clock)
        self._blobs = MemoryBlobs()
        self._finding = finding
        self._cause = Cause(owner=OWNER, trace="mutations")

    def take(self, raw: bytes, name: str) -> None:
        if not raw.strip():
            return
        self._finding.count += 1
        id = receive(
            raw, owner=OWNER, door="file", trace="mutations", store=self._store, blobs=self._blobs,
            clock=self._clock, limits=LIMITS,
        ).id  # fmt: skip
        try:
            self._read(id, raw, name)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            self._finding.wrong.append(f"{name}: {error!r}")
            return
        with self._store.read(self._cause) as tx:
            mail = tx.mail(id)
        self._look_at(mail, raw, name)

    def _read(self, id: str, raw: bytes, name: str) -> None:
        job = self._store.claim(ReadMail(id=id).name, worker="mutations")
        if job is None:  # equal to one that was read
            self._finding.count -= 1
            return
        assert isinstance(job.message, ReadMail)
        notices = Notices(home=Home(channel="none", place="none"), zone="UTC", clock=self._clock)
        began = time.process_time()

        def read(data: bytes, context: MailContext) -> Parsed:
            assert data == raw
            try:
                found = parse(data, LIMITS, context)
            except Unreadable as error:
                self._finding.reasons[re.sub(r"\d+", "N", str(error.args[0]))] += 1
                raise
            finally:
                took = time.process_time() - began
                self._finding.slowest = max(self._finding.slowest, took)
                if took > HANG:
                    self._finding.wrong.append(f"{name}: it took {took:.1f} s of CPU")
            self._finding.read += 1
            self._finding.wrong += (f"{name}: {beyond}" for beyond in beyond_bounds(raw, found))
            return found

        read_mail(
            job.message, job, store=self._store, blobs=self._blobs, read=read, notices=notices
        )

    def _look_at(self, mail: Mail, raw: bytes, name: str) -> None:
        if self._blobs.get(mail.raw) != raw:
            self._finding.wrong.append(f"{name}: its bytes are not those that came")
        if mail.state is MailState.HELD and mail.reason:
            return
        if mail.state is not MailState.READ:
            self._finding.wrong.append(f"{name}: it is {mail.state}, {mail.reason!r}")
        letters_of(mail, self._blobs)


def beyond_bounds(raw: bytes, found: Parsed) -> Iterator[str]:
    """Say what of a parsed mail is out of proportion to the mail."""
    size = len(raw)
    if len(found.text) > TIMES * size + 1_000:
        yield f"{len(found.text)} characters of text from {size} bytes"
    if len(found.letters) > LETTERS:
        yield f"{len(found.letters)} letters"
    if sum(len(letter.text) for letter in found.letters) > 2 * len(found.text) + 1_000:
        yield "its letters have more words than its text"
    if len(found.attachments) > LIMITS.attachments:
        yield f"{len(found.attachments)} attachments"
    if sum(len(part.data) for part in found.attachments) > 3 * size + MiB:
        yield "its attachments are larger than the mail"
    if len(found.defects) > DEFECTS:
        yield f"{len(found.defects)} defects"
    if "\0" in found.text:
        yield "a zero, which Postgres does not store"
    # Half of a surrogate pair would raise here.
    found.model_dump_json(exclude={"attachments": {"__all__": {"data"}}})


class _Silent:
    """A bell that nobody hears: the mails are read one after the other."""

    def ring(self, bells: Sequence[Doorbell]) -> None: ...


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ingest.mutations", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    finding = prove(given.count, given.seed)
    sys.stdout.write("\n".join(finding.lines()) + "\n")
    return 1 if finding.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
