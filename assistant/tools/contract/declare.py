"""Declare a tool: ``read_tool`` for what only looks, ``change_tool`` for what changes something."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.errors import Permanent
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import (
    EVERY_MODE,
    UNLOCKED,
    Category,
    Confirmation,
    Group,
    Scopes,
    ToolTraits,
)
from assistant.tools.contract.arguments import A
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import (
    CANNOT_TELL,
    Execute,
    ExpiresAt,
    Inspect,
    Irreversible,
    MakeEffect,
    MakeGlance,
    MakeInverse,
    MakeLines,
    Preview,
    Reconcile,
    Tool,
    ToolChange,
)

ChangingReach = Literal[Reach.WRITES, Reach.SENDS, Reach.DESTROYS, Reach.EXECUTES, Reach.GOVERNS]


@dataclass(frozen=True, kw_only=True)
class AskFirst:
    """Makes a read ask a person: for which calls, and with which card."""

    when: Callable[[Facts], bool]
    card: MakeLines
    glance: MakeGlance | None = None


def read_tool(
    name: str,
    *,
    title: str,
    args: type[A],
    result: type[BaseModel],
    scopes: Scopes,
    inspect: Inspect[A],
    execute: Execute,
    description: str = "",
    version: str = "1",
    group: Group = Group.SEARCH,
    category: str = Category.READ_ONLY,
    ask_first: AskFirst | None = None,
    can_execute: Callable[[Facts, ToolContext], None] | None = None,
    source: Callable[[Facts], str] | None = None,
    allowed_modes: frozenset[Mode] = EVERY_MODE,
    rate_per_hour: int | None = None,
    free_args: tuple[str, ...] = (),
    timeout: float = 20.0,
    quick: bool = False,
    sandbox: bool = False,
    internal: bool = False,
) -> Tool[A]:
    """Declare a tool that changes nothing. It runs without asking, except as ``ask_first`` says.

    Each parameter is explained at the field of ``Tool`` or ``ToolTraits`` of its name.
    """
    asks = ask_first.when if ask_first else None
    return Tool(
        traits=ToolTraits(
            name=name,
            version=version,
            group=group,
            category=category,
            allowed_modes=allowed_modes,
            rate_per_hour=rate_per_hour,
            free_args=free_args,
        ),
        title=title,
        description=description,
        internal=internal,
        args=args,
        result=result,
        reach=Reach.READS,
        risk=lambda facts: Risk.HIGH if asks and asks(facts) else Risk.LOW,
        scopes=scopes,
        sandbox=sandbox,
        timeout=timeout,
        quick=quick,
        inspect=inspect,
        can_execute=can_execute,
        execute=execute,
        source=source,
        preview=Preview(card=ask_first.card, glance=ask_first.glance) if ask_first else None,
    )


def change_tool(
    name: str,
    *,
    title: str,
    args: type[A],
    result: type[BaseModel],
    scopes: Scopes,
    reach: ChangingReach,
    risk: Risk | Callable[[Facts], Risk],
    inspect: Inspect[A],
    execute: Execute,
    effect: MakeEffect,
    reconcile: Reconcile,
    inverse: MakeInverse | Irreversible,
    card: MakeLines,
    expires_at: ExpiresAt | None,
    details: MakeLines | None = None,
    glance: MakeGlance | None = None,
    description: str = "",
    version: str = "1",
    group: Group = Group.EDIT,
    category: str = Category.SYSTEM_WRITE,
    reach_by: Callable[[Facts], Reach] | None = None,
    confirmation: Confirmation = Confirmation.NEVER,
    enforced: bool = False,
    can_execute: Callable[[Facts, ToolContext], None] | None = None,
    final: Callable[[Facts], str] | None = None,
    out_of_reach: Callable[[Facts], str] | None = None,
    pin: Callable[[Facts], dict[str, Any]] | None = None,
    creates_event: Callable[[Facts], tuple[str, str] | None] | None = None,
    source: Callable[[Facts], str] | None = None,
    allowed_modes: frozenset[Mode] = UNLOCKED,
    rate_per_hour: int | None = None,
    remembers: bool = False,
    free_args: tuple[str, ...] = (),
    made_args: tuple[str, ...] = (),
    timeout: float = 20.0,
    sandbox: bool = False,
    internal: bool = False,
) -> Tool[A]:
    """Declare a tool that changes something.

    It must say what keys its effect (``keyed_effect``), how to find out whether an interrupted call
    happened (or ``cannot_tell``), what takes it back (or ``Irreversible``), what a person is shown,
    and when nobody needs it any more (or None). Each parameter is explained at the field of its
    name of ``Tool``, ``ToolTraits``, ``ToolChange`` or ``Preview``.
    """
    return Tool(
        traits=ToolTraits(
            name=name,
            version=version,
            group=group,
            category=category,
            confirmation=confirmation,
            enforced=enforced,
            allowed_modes=allowed_modes,
            rate_per_hour=rate_per_hour,
            remembers=remembers,
            free_args=free_args,
            made_args=made_args,
        ),
        title=title,
        description=description,
        internal=internal,
        args=args,
        result=result,
        reach=reach,
        reach_by=reach_by,
        risk=risk if callable(risk) else lambda _facts: risk,
        scopes=scopes,
        sandbox=sandbox,
        timeout=timeout,
        inspect=inspect,
        can_execute=can_execute,
        execute=execute,
        source=source,
        preview=Preview(card=card, glance=glance, details=details, expires_at=expires_at),
        change=ToolChange(
            effect=effect,
            reconcile=reconcile,
            inverse=inverse,
            final=final,
            out_of_reach=out_of_reach,
            pin=pin,
            creates_event=creates_event,
        ),
    )


def keyed_effect(
    kind: str, key: Callable[[Facts, str], str], *, without: Collection[str] = ()
) -> MakeEffect:
    """Make the effect of a call from its facts and id.

    Args:
        kind: such as ``calendar.create``.
        key: what makes doing it twice show once, from the facts and the call's id.
        without: parts of ``Facts.before`` that are too large to keep with the effect.
    """

    def effect(facts: Facts, call: str) -> Effect:
        before = {name: value for name, value in facts.before.items() if name not in without}
        return Effect(
            call=call,
            kind=kind,
            key=key(facts, call),
            destination=facts.destination,
            before=before,
        )

    return effect


def cannot_tell(_facts: Facts, _context: ToolContext) -> Result | None:
    """Reconcile a change of which the world shows nothing: its owner is told so."""
    raise Permanent(CANNOT_TELL)
