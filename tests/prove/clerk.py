"""A provider of models that asks for the calls it is told to ask for."""

import json
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from assistant.domain.mail.understanding.report_tool import REPORT
from tests.prove.traffic import turn_for
from tests.servers.openai_api import Asked, OpenAIServer, Reply


@dataclass(frozen=True)
class _OwnIds(Reply):
    """A reply whose calls have an id each."""

    def body(self) -> dict[str, Any]:
        made = super().body()
        for call in made["choices"][0]["message"].get("tool_calls", ()):
            call["id"] = token_hex(8)
        return made


class ProveClerk(OpenAIServer):
    def reply_to(self, asked: Asked) -> Reply:
        said = asked.messages[-1]
        if asked.reports_a_mail:
            gist = json.dumps({"gist": "It is about rent."})
            return _OwnIds(calls=((REPORT.name, gist),))
        turn = turn_for(str(said["content"]) if said["role"] == "user" else "")
        return _OwnIds(
            text=turn.text,
            calls=tuple((want.tool, json.dumps(want.args)) for want in turn.wants),
        )
