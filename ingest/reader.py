"""Read mail in processes that may be killed: at first in a quick one, then in a slow one.

Every mail gets ``parse_cpu_seconds`` of computing time in the first process. What does not finish
moves to a second one, which has a lower priority, reads one mail at a time, and gives it
``slow_cpu_seconds``. While other mails wait for the first process, a mail that has had its share
there makes way. It comes again later, when nobody waits, until it has had its seconds in all. So a
mail that takes long costs those behind it its share, and no thread waits for the second process.
"""

from collections import OrderedDict
from hashlib import sha256

from assistant.domain.errors import ReaderBusy, Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import MailContext, Parsed
from ingest.child import ChildOrder, ChildProcess, ChildReply

SHARE = 0.04
"""CPU seconds that a mail keeps others waiting, beside those for its size."""
SHARE_OF_BYTE = 30e-9
"""CPU seconds more for each byte: what an honest attachment takes."""
SLOW_NICE = 10
REMEMBERED = 10_000
"""Mails that did not finish, of which is known what they took."""
_NOT_KNOWN = MailContext()


class ParseProcess:
    """Runs ``parse`` in other processes. Any thread may use it, also after a fork.

    They start with the first mail that needs them, and again when needed. They end with
    ``close()``, or when the process that started them ends for any reason.
    """

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        self._quick = ChildProcess(limits)
        self._slow = ChildProcess(limits, nice=SLOW_NICE)
        self._spent: OrderedDict[bytes, float] = OrderedDict()

    def read(self, raw: bytes, context: MailContext = _NOT_KNOWN) -> Parsed:
        """Parse one message. ``context`` is what is known of it from elsewhere.

        Raises:
            Unreadable: ``parse`` raised it; or parsing took more than ``slow_cpu_seconds``,
                ``parse_seconds`` or ``memory``; or the process died twice, as once may be
                an accident.
            ReaderBusy: this mail takes long, and others come first. Read it again later.
            Outage: the process could not be started.
        """
        if len(raw) > self._limits.message:
            raise Unreadable(f"it has {len(raw)} bytes, and {self._limits.message} is the most")
        about = (context.model_dump_json(),)
        if not self._had_its_time(raw):
            reply = self._read_quickly(raw, about)
            if not reply.unfinished:
                return _parsed(reply)
            self._note(raw, reply.seconds)
            if not self._had_its_time(raw):
                raise ReaderBusy("this one takes longer, and others wait")
        return self._read_slowly(raw, about)

    def close(self) -> None:
        self._quick.close()
        self._slow.close()

    def _read_quickly(self, raw: bytes, about: tuple[str, ...]) -> ChildReply:
        """Have it read in the first process. A mail that comes again keeps nobody waiting."""
        seconds = self._limits.parse_cpu_seconds
        if self._spent and _key(raw) in self._spent:
            again = ChildOrder(kind="parse", seconds=seconds, share=0, about=about)
            return self._quick.ask(again, raw, wait=False)
        share = SHARE + len(raw) * SHARE_OF_BYTE
        order = ChildOrder(kind="parse", seconds=seconds, share=share, about=about)
        return self._quick.ask(order, raw)

    def _read_slowly(self, raw: bytes, about: tuple[str, ...]) -> Parsed:
        seconds = self._limits.slow_cpu_seconds
        # Nobody waits for it.
        order = ChildOrder(kind="parse", seconds=seconds, share=seconds, about=about)
        reply = self._slow.ask(order, raw, wait=False)
        self._spent.pop(_key(raw), None)
        if reply.unfinished:
            raise Unreadable(f"reading it took more than {seconds:g} s of computing time")
        return _parsed(reply)

    def _had_its_time(self, raw: bytes) -> bool:
        if not self._spent:
            return False
        return self._spent.get(_key(raw), 0.0) >= self._limits.parse_cpu_seconds

    def _note(self, raw: bytes, seconds: float) -> None:
        key = _key(raw)
        self._spent[key] = self._spent.get(key, 0.0) + seconds
        if len(self._spent) > REMEMBERED:
            self._spent.popitem(last=False)


def _key(raw: bytes) -> bytes:
    return sha256(raw).digest()


def _parsed(reply: ChildReply) -> Parsed:
    if not isinstance(reply.value, Parsed):
        raise Unreadable(reply.refused)
    return reply.value
