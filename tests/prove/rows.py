"""Read rows as they are, past every flow."""

from typing import Any

from sqlalchemy import text

from assistant.adapters.sql.driver import translated
from workers.parts import Assistant


def rows(assistant: Assistant, sql: str, **values: Any) -> list[dict[str, Any]]:
    with translated(), assistant.engines.read.connect() as connection:
        return [dict(row) for row in connection.execute(text(sql), values).mappings()]
