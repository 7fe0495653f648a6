"""The parts of a process with places in them. See ``places``."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from assistant.bus import Around
from assistant.domain.conversation.ports import Channel
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.ports import Bell
from workers.failpoints.places import arm, parse_failpoints
from workers.failpoints.ports import (
    FailpointBell,
    FailpointBlobs,
    FailpointChannel,
    FailpointStore,
    with_effects,
    with_kinds,
)
from workers.parts import Assistant
from workers.settings import Settings
from workers.wiring import Parts


class FailpointAssistant(Assistant):
    """All parts of one process, each port wrapped. Arms what the settings name."""

    def __init__(self, settings: Settings, *, bell: Bell, one_job_at_a_time: bool = False) -> None:
        super().__init__(settings, bell=FailpointBell(bell), one_job_at_a_time=one_job_at_a_time)
        arm(parse_failpoints(settings.failpoints))

    @cached_property
    def store(self) -> FailpointStore:
        return FailpointStore(engines=self.engines, bell=self.bell, clock=self.clock)

    @cached_property
    def blobs(self) -> Blobs:
        return FailpointBlobs(super().blobs)

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        return {name: FailpointChannel(channel) for name, channel in super().channels.items()}

    @cached_property
    def parts(self) -> Parts:
        parts = super().parts
        return replace(parts, watch=with_effects(parts.watch))

    @cached_property
    def around(self) -> Around:
        return with_kinds(super().around)
