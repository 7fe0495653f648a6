"""What the model may ask for: tools, declared by kind.

This is the one place that a third party's package imports from; what is named here stays. The
built-in tools are in a folder for each noun, and what they share is in ``contract``.
"""

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.effects import Effect
from assistant.domain.errors import (
    AssistantError,
    BadArguments,
    Denied,
    NotFound,
    Permanent,
    Stale,
    Transient,
    Unreachable,
    Unsure,
)
from assistant.domain.fence import fence
from assistant.domain.inverse import Inverse
from assistant.domain.modes import Mode
from assistant.domain.output import truncated
from assistant.domain.tool_errors import ErrorType, ToolFailure
from assistant.domain.traits import Category, Confirmation, Group, Scopes
from assistant.tools.contract.checks import problems_of, stock_context
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import (
    AskFirst,
    cannot_tell,
    change_tool,
    keyed_effect,
    read_tool,
)
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Irreversible, Tool

__all__ = [
    "AskFirst",
    "AssistantError",
    "BadArguments",
    "Category",
    "Confirmation",
    "Denied",
    "Effect",
    "ErrorType",
    "Facts",
    "Group",
    "Inverse",
    "Irreversible",
    "Line",
    "Mode",
    "NotFound",
    "Permanent",
    "Reach",
    "Result",
    "Risk",
    "Scopes",
    "Stale",
    "Tool",
    "ToolContext",
    "ToolFailure",
    "Transient",
    "Unreachable",
    "Unsure",
    "cannot_tell",
    "change_tool",
    "fence",
    "keyed_effect",
    "problems_of",
    "read_tool",
    "stock_context",
    "truncated",
]
