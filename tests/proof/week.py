"""A week of one owner with a phone: what they have done, and how many buttons it takes.

Each task is done over the whole program, on a Discord without a wire, by a model that asks for
what the owner meant. Words and slash commands are no buttons; each press of one is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from assistant.domain.calendar.events import Event, When
from assistant.domain.conversation.conversation import Turn, Want
from tests.proof.phone import Phone
from tests.world import MONDAY

DAYS = {"start": "2026-11-23T00:00:00+01:00", "end": "2026-11-28T00:00:00+01:00"}
HOURS = {"start": "2026-11-24T13:00:00+01:00", "end": "2026-11-24T18:00:00+01:00"}
TITLES = "Show me my own titles for 30 days"


def furnish(phone: Phone) -> None:
    """Put into the calendar what the owner has there at the beginning."""
    for uid, title, day, hour in (
        ("mine-1", "Dentist", 3, 13),
        ("mine-2", "Lunch with Tom", 2, 11),
        ("mine-3", "Standup", 1, 8),
    ):
        start = MONDAY.replace(hour=hour) + timedelta(days=day)
        when = When(start=start, end=start + timedelta(hours=1))
        phone.calendar.put(Event(uid=uid, title=title, when=when))


@dataclass(frozen=True)
class Task:
    wanted: str
    """What the owner wants, in a few words."""
    do: Callable[[Phone], None]
    done: Callable[[Phone], bool]
    buttons: int = 0


def _want(tool: str, **args: Any) -> Want:
    return Want(tool=tool, args=args)


def _event(title: str, day: int, hours: str) -> Want:
    start, end = (f"2026-11-{day}T{clock}:00+01:00" for clock in hours.split("-"))
    return _want("create_event", title=title, start=start, end=end)


def _asks(words: str, *wants: Want, then: str = "") -> Callable[[Phone], None]:
    """The owner writes, the model asks for these calls, and nothing needs a button."""
    return lambda phone: phone.says(words, Turn(wants=wants), Turn(text=then or "Here it is."))


def _asks_and(label: str, words: str, *wants: Want) -> Callable[[Phone], None]:
    """The same, and the owner presses this button of what then waits."""

    def do(phone: Phone) -> None:
        _asks(words, *wants)(phone)
        phone.presses(label)

    return do


def lunch(phone: Phone, then: str) -> None:
    """A lunch is asked for and approved, with these words of the model below its card."""
    wanted = Turn(wants=(_event("Team lunch", 27, "12:00-13:00"),))
    phone.says("team lunch on Friday from 12 to 13", wanted, Turn(text=then))
    phone.stage.world.model.will(Turn())
    phone.presses("Approve")


def _asks_and_approves_all(words: str, *wants: Want) -> Callable[[Phone], None]:
    """The same for a plan, which one yes covers."""

    def do(phone: Phone) -> None:
        _asks(words, *wants)(phone)
        phone.presses("Approve all")

    return do


def _presses(label: str) -> Callable[[Phone], None]:
    def do(phone: Phone) -> None:
        phone.presses(label)

    return do


def _types(command: str, **options: str) -> Callable[[Phone], None]:
    def do(phone: Phone) -> None:
        phone.types(command, **options)

    return do


def _did(tool: str) -> Callable[[Phone], bool]:
    return lambda phone: phone.did(tool)


def _answered(words: str) -> Callable[[Phone], bool]:
    return lambda phone: words in phone.answer


def _has(*titles: str) -> Callable[[Phone], bool]:
    return lambda phone: set(titles) <= set(phone.titles())


def _lacks(title: str) -> Callable[[Phone], bool]:
    return lambda phone: title not in phone.titles()


def _mail(sender: str, subject: str, text: str) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, "ann@example.org", subject
    mail["Date"] = MONDAY
    mail.set_content(text)
    return mail.as_bytes()


HEATING = _mail(
    "Juerg <juerg@example.org>", "The heating", "I can come on Friday the 27th at ten.\n"
)
RENT = _mail("Ada <ada@example.org>", "Rent for December", "850 EUR are due on the 30th.\n")


def _comes(raw: bytes) -> Callable[[Phone], None]:
    def do(phone: Phone) -> None:
        phone.mail(raw)

    return do


def _reads_the_newest(phone: Phone) -> None:
    newest = phone.stage.world.mails()[0].id
    _asks("what does it say?", _want("read_email", id=newest))(phone)


def _asks_for_titles(phone: Phone) -> None:
    _asks("what is on this week?", _want("get_events_details", **DAYS))(phone)
    phone.presses(TITLES)


def _denies_and_gets_another(phone: Phone) -> None:
    _asks("a walk on Friday", _event("Walk", 27, "12:00-13:00"))(phone)
    phone.stage.world.model.will(Turn(text="Not then. When?"))
    phone.presses("Deny")
    _asks_and("Approve", "at two", _event("Walk", 27, "14:00-15:00"))(phone)


def _takes_back_the_lunch(phone: Phone) -> None:
    _asks_and("Delete", "no lunch with Tom", _want("delete_event", event="Lunch with Tom"))(phone)


WEEK: tuple[Task, ...] = (
    Task("what is on this week", _asks_for_titles, _did("get_events_details"), 1),
    Task(
        "am I free on Tuesday afternoon",
        _asks("am I free?", _want("get_events_availability", **HOURS)),
        _did("get_events_availability"),
    ),
    Task(
        "a lunch for the team",
        _asks_and("Approve", "team lunch on Friday", _event("Team lunch", 27, "12:00-13:00")),
        _has("Team lunch"),
        1,
    ),
    Task(
        "note the menu",
        _asks("note the menu", _want("write_file", path="menu.txt", content="soup")),
        _did("write_file"),
    ),
    Task("take the lunch back", _types("undo", call="A3"), _lacks("Team lunch")),
    Task(
        "three hours of focus",
        _asks_and_approves_all(
            "focus time on Tuesday, Wednesday and Thursday",
            _event("Focus on Tuesday", 24, "10:00-11:00"),
            _event("Focus on Wednesday", 25, "09:00-10:00"),
            _event("Focus on Thursday", 26, "09:00-10:00"),
        ),
        _has("Focus on Tuesday", "Focus on Wednesday", "Focus on Thursday"),
        1,
    ),
    Task(
        "the dentist later, and a walk before",
        _asks_and_approves_all(
            "move the dentist to 15:00 and put a walk before it",
            _want("update_event", event="Dentist", start="2026-11-26T15:00:00+01:00"),
            _event("Walk to the dentist", 26, "13:30-14:00"),
        ),
        _has("Walk to the dentist"),
        1,
    ),
    Task(
        "change the menu",
        _asks(
            "no, noodles",
            _want("write_file", path="menu.txt", content="noodles", overwrite=True),
        ),
        _did("write_file"),
    ),
    Task(
        "read the menu", _asks("the menu?", _want("read_file", path="menu.txt")), _did("read_file")
    ),
    Task(
        "share the menu",
        _asks_and(
            "Approve",
            "share it",
            _want("write_file", path="shared:/menu.txt", content="noodles"),
        ),
        _did("write_file"),
        1,
    ),
    Task("which files are there", _asks("my files?", _want("list_files")), _did("list_files")),
    Task("rent is due", _comes(RENT), lambda phone: len(phone.stage.world.mails()) == 1),
    Task(
        "the heating man writes", _comes(HEATING), lambda phone: len(phone.stage.world.mails()) == 2
    ),
    Task(
        "find the rent",
        _asks("find the rent", _want("search_emails", query="rent")),
        _did("search_emails"),
    ),
    Task("read the newest mail", _reads_the_newest, _did("read_email")),
    Task(
        "what is on, beside the mail",
        _asks("and what is on?", _want("get_events_details", **DAYS)),
        _did("get_events_details"),
    ),
    Task(
        "put the heating into the calendar",
        _asks_and("Approve", "put it in", _event("The heating", 27, "10:00-10:30")),
        _has("The heating"),
        1,
    ),
    Task(
        "am I free on Tuesday, again",
        _asks("am I free?", _want("get_events_availability", **HOURS)),
        _did("get_events_availability"),
    ),
    Task(
        "note the rent",
        _asks("note it", _want("write_file", path="rent.txt", content="850 EUR by the 30th")),
        _did("write_file"),
    ),
    Task("a new conversation", _types("new"), _answered("new")),
    Task(
        "what is on, the next day",
        _asks("what is on?", _want("get_events_details", **DAYS)),
        _did("get_events_details"),
    ),
    Task("a walk, but later", _denies_and_gets_another, _has("Walk"), 2),
    Task("no lunch with Tom", _takes_back_the_lunch, _lacks("Lunch with Tom"), 1),
    Task("the lunch after all", _presses("Undo"), _has("Lunch with Tom"), 1),
    Task("what waits", _types("pending"), _answered("othing waits")),
    Task("how it is", _types("status"), _answered("Running: ")),
    Task(
        "look, then note",
        _asks(
            "am I free, and note it",
            _want("get_events_availability", **HOURS),
            _want("write_file", path="free.txt", content="from four"),
        ),
        _did("write_file"),
    ),
    Task(
        "what is on, on Wednesday",
        _asks("and today?", _want("get_events_details", **DAYS)),
        _did("get_events_details"),
    ),
    Task(
        "look for a sender",
        _asks("mails of Ada?", _want("search_emails", sender="ada")),
        _did("search_emails"),
    ),
    Task(
        "read the note beside it",
        _asks("and my note?", _want("read_file", path="rent.txt")),
        _did("read_file"),
    ),
    Task(
        "am I free at all",
        _asks("free?", _want("get_events_availability", **DAYS)),
        _did("get_events_availability"),
    ),
    Task("why was that so", _types("why", call="A3"), _answered("A3")),
    Task("what was done", _types("log"), _answered("A3")),
)
