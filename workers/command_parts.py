"""What commands use, from the real parts: each is made when a command first asks for it."""

from typing import TYPE_CHECKING

from assistant.domain.deliveries import Home
from assistant.domain.limits import TalkLimits
from assistant.flows.context import Context as FlowContext
from assistant.flows.people import Listening
from assistant.ports import Blobs, Calendar, Clock, Store
from assistant.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from workers.parts import Assistant


class CommandParts:
    """See ``assistant.commands.context.Parts``."""

    def __init__(self, assistant: "Assistant") -> None:
        self._assistant = assistant

    @property
    def store(self) -> Store:
        return self._assistant.store

    @property
    def clock(self) -> Clock:
        return self._assistant.clock

    @property
    def zone(self) -> str:
        return self._assistant.settings.timezone

    @property
    def flows(self) -> FlowContext:
        return self._assistant.ctx

    @property
    def toolbox(self) -> Toolbox:
        return self._assistant.toolbox

    @property
    def blobs(self) -> Blobs:
        return self._assistant.blobs

    @property
    def calendar(self) -> Calendar:
        return self._assistant.calendar

    @property
    def home(self) -> Home:
        return self._assistant.home

    @property
    def people(self) -> Listening:
        return self._assistant.listening

    @property
    def limits(self) -> TalkLimits:
        return self._assistant.talk_limits
