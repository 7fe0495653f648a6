"""``assistant events``: what is in the calendar, for its owner's eyes."""

from datetime import timedelta
from typing import Annotated

import typer

from assistant.commands.typed import moment
from assistant.domain.decisions import one_line
from assistant.domain.errors import BadArguments
from assistant.domain.events import When
from assistant.domain.moments import zone_of
from assistant.tools.calendar import agenda
from workers.cli.output import AsJson, print_json, print_table
from workers.cli.session import Data, existing

app = typer.Typer(no_args_is_help=True)
_DAYS = 7
_TITLE = 80
"""Characters of a title in the list; ``--json`` has all of it."""


@app.callback()
def events() -> None:
    """What is in the calendar."""


@app.command("list")
def list_(
    *,
    since: Annotated[str, typer.Option("--from", help="ISO date or time; today by default.")] = "",
    until: Annotated[str, typer.Option("--to", help="The end, excluded; a week later.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Events that touch a range of days."""
    with existing(data) as opened:
        zone = opened.settings.timezone
        now = opened.assistant.clock.now().astimezone(zone_of(zone))
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        start = moment(since, zone=zone) if since else today
        end = moment(until, zone=zone) if until else start + timedelta(days=_DAYS)
        if end <= start:
            raise BadArguments("--to must be later than --from")
        if end - start > timedelta(days=366):
            raise BadArguments("ask for 366 days at the most")
        found = agenda(opened.assistant.calendar, When(start=start, end=end), zone)
        if as_json:
            print_json(found)
            return
        rows = [(str(event["when"]), one_line(str(event["title"]), _TITLE)) for event in found]
        print_table(("when", "title"), rows, empty="Nothing is on.")
