"""Make the audit entry of each event, with hashes in place of secrets and words.

Readable arguments, an owner's reason, results and errors stay with the call and its approval, where
they can be erased. The audit cannot be erased, so none of them enters it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any

from assistant.domain.approvals.approval import Approval, ApprovalState
from assistant.domain.approvals.tokens import Token
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState
from assistant.domain.canonical import digest
from assistant.domain.conversation.people import Person
from assistant.domain.errors import BadArguments
from assistant.domain.mail.mail import Mail
from assistant.domain.policy.grants import Grant
from assistant.domain.text.sound import sound

REASON = 500
"""The most characters of a reason."""
_QUOTED = 4
"""An argument's text with at least so many characters is cut out of a reason that quotes it."""
KEPT = "effect.kept"
"""Kind of entry: the owner reviewed the effect of a call and kept it."""
UNDO_REFUSED = "undo.refused"
"""Kind of entry: a call could not be undone, as what it changed was changed or gone since."""
FORGOTTEN = "mail.forgotten"
RETENTION = "retention"
"""Who forgets what is older than the settings keep it."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,63}")


def call_added(call: Call, *, at: datetime) -> AuditEntry:
    """Return the entry of a new call: ``call.parked``, ``call.refused``, a read's ``call.done``."""
    ended = call.state is CallState.DONE
    return AuditEntry(
        kind=f"call.{call.state.value}",
        subject=call.id,
        actor=call.actor,
        tool=_name(call.tool),
        version=_name(call.version),
        args=args_digest(call),
        verdict=call.verdict,
        reason=_reason(call),
        result=_result(call),
        began=call.started or (at if ended else None),
        ended=call.ended or (at if ended else None),
    )


def call_moved(call: Call, changes: Mapping[str, Any]) -> AuditEntry:
    """Return the entry of a call's step, of the call after it and the fields that changed."""
    judged = bool({"verdict", "reasons", "facts"} & changes.keys())
    return AuditEntry(
        kind=f"call.{call.state.value}",
        subject=call.id,
        actor=call.actor,
        tool=_name(call.tool),
        version=_name(call.version),
        args=args_digest(call) if judged else "",
        verdict=call.verdict if judged else "",
        reason=_reason(call) if judged else "",
        result=_result(call),
        began=call.started,
        ended=call.ended,
    )


def approval_settled(
    approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
) -> AuditEntry:
    """Return the entry of an approval that is answered, expired or void.

    The entry keeps only the length of the owner's reason: from a hash of so short a text, anybody
    could guess the text after it was erased.
    """
    return AuditEntry(
        kind=f"approval.{to.value}",
        subject=approval.call,
        actor=by,
        args=approval.binding,
        reason=f"{len(reason)} characters of why, kept with the approval" if reason else "",
        began=approval.created,
        ended=at,
    )


def effect_written(effect: Effect) -> AuditEntry:
    """Return the entry of an effect: ``effect.intended``, ``effect.done``."""
    return AuditEntry(
        kind=f"effect.{effect.state.value}",
        subject=effect.call,
        tool=_name(effect.kind),
        args=effect_digest(effect.kind, effect.destination, effect.key),
    )


def effect_kept(call: Call, *, by: str) -> AuditEntry:
    """Return the entry of an owner who reviewed what a call did, and kept it.

    It is a note about the call: it names no effect, and its kind is no state of one.
    """
    return AuditEntry(kind=KEPT, subject=call.id, actor=by, tool=_name(call.tool))


def undo_refused(call: Call, *, by: str) -> AuditEntry:
    """Return the entry of an undo that was refused, as its object is not as the call left it."""
    return AuditEntry(kind=UNDO_REFUSED, subject=call.id, actor=by, tool=_name(call.tool))


def effect_digest(kind: str, destination: str, key: str) -> str:
    """Return the SHA-256 by which entries name an effect of a call."""
    return sha256(f"{kind}\n{destination}\n{key}".encode(errors="replace")).hexdigest()


def args_digest(call: Call) -> str:
    """Return the SHA-256 of a call's arguments, as 64 hexadecimal characters.

    It is the hash of the resolved arguments. Where there are none, ``asked:`` precedes the hash of
    the arguments that the model gave. ``json:`` precedes the hash of arguments without a canonical
    form, ``none:`` says that there is no hash.
    """
    return _args_digest(call.facts.args, call.asked)


def request_digest(
    tool: str, version: str, args: Mapping[str, Any], asked: Mapping[str, Any]
) -> str:
    """Return what a call asks for as its first entry has it: tool, version, hash of arguments."""
    return requested(_name(tool), _name(version), _args_digest(args, asked))


def requested(tool: str, version: str, args: str) -> str:
    """Return what an entry says that its call asks for; empty if its arguments have no hash."""
    return (
        ""
        if args.startswith(("json:", "asked:json:", "none:", "asked:none:"))
        else (f"{tool} {version} {args}" if args else "")
    )


def _args_digest(args: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    if args or not asked:
        return _digest(args)
    return f"asked:{_digest(asked)}"


def _digest(args: Mapping[str, Any]) -> str:
    with suppress(BadArguments, RecursionError):
        return digest(args)
    with suppress(ValueError, RecursionError):
        written = json.dumps(args, separators=(",", ":"), default=str)
        return f"json:{sha256(written.encode()).hexdigest()}"
    return "none: too deep, or a number too long"


def _result(call: Call) -> str:
    if call.failure is not None:
        return _name(call.failure.type)
    return "ok" if call.state is CallState.DONE else ""


def _name(text: str) -> str:
    """Return a name as it is; hash a text without the form of a name, as it may be anything."""
    if not text or _NAME.fullmatch(text) or text.isdecimal():
        return text[:64]
    return f"sha256:{sha256(text.encode(errors='replace')).hexdigest()}"


def _reason(call: Call) -> str:
    """Return the decision's lines without the arguments they quote, and the policy and mode."""
    joined = "; ".join(call.reasons)
    quoted = {*_texts(call.facts.args), *_texts(call.facts.before), *_texts(call.asked)}
    if _name(call.tool) != call.tool:
        quoted.add(call.tool)
    for text in sorted(quoted, key=len, reverse=True):
        joined = joined.replace(text, "[...]")
    by = [f"policy {call.policy}, mode {call.mode.value}"]
    by += [f"{word} {id}" for word, id in _others(call) if id]
    ending = "; ".join(("", *by)) if joined else "; ".join(by)
    return sound(joined[: REASON - len(ending)] + ending)


def _others(call: Call) -> tuple[tuple[str, str], ...]:
    return (("grant", call.grant), ("instead of", call.supersedes), ("takes back", call.undoes))


def _texts(value: Any) -> Iterator[str]:
    """Yield every text and number in a JSON value that has at least ``_QUOTED`` characters."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if len(item) >= _QUOTED:
                yield item
        elif isinstance(item, Mapping):
            waiting += item.values()
            waiting += (name for name in item if not _NAME.fullmatch(str(name)))
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, int | float):
            waiting.append(str(item))


def grant_saved(grant: Grant) -> AuditEntry:
    scope = {"scope": [bound.model_dump(mode="json") for bound in grant.scope]}
    return AuditEntry(
        kind="grant.saved",
        subject=grant.id,
        actor=grant.by,
        tool=_name(grant.tool),
        version=_name(grant.version),
        args=digest(scope),
        reason=f"from call {grant.from_call}" if grant.from_call else "",
        began=grant.created,
        ended=grant.expires,
    )


def grant_used(id: str) -> AuditEntry:
    return AuditEntry(kind="grant.used", subject=id)


def grant_ended(id: str, *, by: str) -> AuditEntry:
    return AuditEntry(kind="grant.revoked", subject=id, actor=by)


def mail_forgotten(mail: Mail, *, by: str) -> AuditEntry:
    return AuditEntry(kind=FORGOTTEN, subject=mail.id, actor=by)


def conversation_emptied(id: str) -> AuditEntry:
    return AuditEntry(kind="conversation.forgotten", subject=id, actor=RETENTION)


def person_added(person: Person) -> AuditEntry:
    return AuditEntry(kind="person.added", subject=_whom(person), actor=person.by)


def person_forgotten(person: Person) -> AuditEntry:
    return AuditEntry(kind="person.forgotten", subject=_whom(person), actor=person.by)


def zone_chosen(zone: str, *, by: str) -> AuditEntry:
    return AuditEntry(kind="zone.chosen", subject="zone", actor=by, reason=zone or "the settings'")


def credential_kept(name: str, about: str, *, by: str) -> AuditEntry:
    """Return the entry of a password that was stored. Neither it nor its cipher is told."""
    reason = sha256(about.encode()).hexdigest()
    return AuditEntry(kind="credential.kept", subject=name, actor=by, reason=reason)


def credential_forgotten(name: str, *, by: str) -> AuditEntry:
    return AuditEntry(kind="credential.forgotten", subject=name, actor=by)


def person_refused(channel: str, id: str, *, what: str) -> AuditEntry:
    """Return the entry of a stranger who talked, pressed a button or gave a command."""
    return AuditEntry(kind="person.refused", subject=f"{channel}:{_name(id)}", reason=what)


def button_refused(token: Token | None, *, by: str, why: str) -> AuditEntry:
    """Return the entry of a press whose button was not valid."""
    return AuditEntry(
        kind="button.refused", subject=token.subject if token else "", actor=by, reason=why
    )


def _whom(person: Person) -> str:
    return f"{person.channel}:{_name(person.id)}"
