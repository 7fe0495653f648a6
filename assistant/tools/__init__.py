"""What the model may ask for: tools, declared by kind.

This is the one place that a third party's package imports from; what is named here stays. The
built-in tools are in a folder for each noun, and what they share is in ``contract``.
"""

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.tool_errors import ErrorType, ToolFailure
from assistant.domain.conversation.deliveries import Line
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
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Category, Confirmation, Group, Scopes
from assistant.domain.text.fence import fence
from assistant.domain.text.truncation import truncated
from assistant.tools.contract.arguments import ContentLimit
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
    "ContentLimit",
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
