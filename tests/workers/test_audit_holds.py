"""Whatever a command writes into the audit, the audit holds after it."""

from pathlib import Path

from tests.process.command import Ended
from tests.workers.test_owner_commands import Desk

_WRITTEN = {
    *("approval.approved", "approval.denied", "approval.void"),
    *("call.cleared", "call.denied", "call.done", "call.failed", "call.parked", "call.running"),
    *("call.superseded", "call.undone", "call.void"),
    *("effect.done", "effect.intended", "effect.kept", "file.delete", "file.write"),
    *("grant.revoked", "grant.saved", "grant.used", "mail.forgotten"),
    *("mode.alert", "mode.degraded", "mode.lockdown", "mode.normal", "mode.recovery", "mode.word"),
    "zone.chosen",
}
"""The kinds of entries that these commands write."""


class Checked(Desk):
    """Verifies the audit after each command."""

    def __call__(self, *words: str, **settings: str) -> Ended:
        ended = super().__call__(*words, **settings)
        checked = super().__call__("audit", "verify")
        assert checked.code == 0, (words, checked)
        return ended


def test_the_audit_holds_after_every_command(tmp_path: Path) -> None:
    house = Checked(tmp_path)

    def does(*words: str, code: int = 0) -> Ended:
        ended = house(*words)
        assert ended.code == code, (words, ended)
        return ended

    kept, undone, written = house.writes("a"), house.writes("b"), house.writes("c")
    does("approvals", "deny", house.asks("denied"), "--reason", "no")
    does("approvals", "edit", house.books("Rent", 10), "--args", '{"title": "Tax"}', code=6)
    does("approvals", "approve", house.books("Tea", 12), "--similar", "--yes")
    house.books("Tea", 14)
    does("grants", "revoke", "G1")
    does("call", "read_file", "path=private:/none", code=1)
    does("undo", written)
    does("zone", "Europe/Lisbon")
    (tmp_path / "mail.eml").write_bytes(b"From: a@b.example\r\nSubject: x\r\n\r\nx\r\n")
    does("mail", "add", str(tmp_path / "mail.eml"))
    [mail] = does("mail", "list", "--json").value
    does("mail", "forget", mail["id"], "--yes")
    does("mode", "set", "recovery")
    does("mode", "keep", kept)
    undoing = does("undo", undone, "--json", code=6).value[0]["by"]["id"]
    does("approvals", "approve", undoing)
    does("undo", kept, code=6)
    for mode in ("normal", "alert", "degraded", "lockdown"):
        does("mode", "set", mode)
    does(*_typed(does("mode", "set", "normal", code=6)))
    listed = does("audit", "list", "--json", "--limit", "500").value
    assert {entry["kind"] for entry in listed} >= _WRITTEN


def _typed(ended: Ended) -> list[str]:
    """Return the command that the words of another ask for."""
    return ended.out.splitlines()[-1].removeprefix("Type: assistant ").split()
