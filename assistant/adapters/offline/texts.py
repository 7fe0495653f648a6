"""What the grammar says where it proposes nothing."""

HELP = """\
I answer without a language model and understand this much, in any case:

- hello · pending (what waits for your yes, and what is new)
- commands begin with a slash: /help lists them

Mail
- newest mails · mail · inbox
- search WORDS · find mail about WORDS · mail from NAME · mail from NAME about WORDS · mail today
- read it (the newest listed) · read 2 (the second listed) · read ID · read ID page 2

Calendar, looking
- today · calendar · am I free tomorrow afternoon? · am I free on 2026-11-30 10:00-11:00?
- free for 45 minutes · next free hour
- what is on tomorrow? · friday · what's on this week? · what is next?

Calendar, changing (each waits for your approval)
- create "Title" 2026-11-30 10:00-10:30 · create "Title" tomorrow at 15:00 for 45 minutes
- lunch tomorrow 12:00 and dentist at 15:00
- create "Title" 2026-12-24 (all day)
- standup every tuesday at 9:00 until 31 march · create "Rent" monthly on the 3rd
- move "Title" to friday 10:00 · move "Title" on 2026-11-30 to 16:00
- rename "Title" to "New title"
- cancel "Title" · cancel "Title" on friday
- of one that repeats: cancel only "Title" on friday · cancel all "Title"
- move "Title" on 2026-12-01 and following to 11:00
- up to five at once: cancel "Title" and create "Other title" tomorrow 10:00"""

BUTTONS = (
    "Words approve and deny nothing: answer {call} on its card, "
    "or type /approve {call} or /deny {call}."
)
GREETING = "Hello. I answer without a language model; `help` shows what I know."
WAITING = "This waits for you; its card answers it."
NO_ANSWER = "Words approve and deny nothing: the card does."
SETTINGS = "Settings stand in .env: in a shell `assistant init` asks for them."
FILES = "In a shell `assistant files ls` lists what is stored; without a model I cannot."
WHICH_MAIL = "I do not know which mail. Search first, such as: mail from Anna. Then: read it."
WHICH_EVENT = 'Say which event, by its title, such as: cancel "Dentist".'
WHICH_OF_SERIES = (
    "{name} was not done: the event repeats. Of one of them say the day, with `only` or "
    "`and following`. Copy one of these:"
)
WHICH_DAY = "Say on which day the one is now that is meant, such as:\n- {such}"
DAY_ALONE = """\
I understood: "{title}" on {day}, but not at what time. If it is an event, copy one of these:
- create "{title}" {days} all day"""
HOUR_TOO = '\n- create "{title}" {days} 10:00'
LANGUAGES = "I read days and times in English and German only: tomorrow at 19:00, morgen um 19 Uhr."
COPY = "Copy one of these:"
WHICH_TIME = "Say when, such as: am I free tomorrow afternoon?"
NO_MAIL_OUT = "I cannot send mail: I keep, find and read what is forwarded to me."
NO_TITLE = 'I understood when, but no title. Write it in quotes: create "Team lunch" friday 12:00.'
QUOTES = 'The quotes do not fit. Write titles like this: create "Team lunch" friday 12:00-13:00.'
WITH_A_NO = "I am not sure what you do not want, so nothing was done."
MANY_TIMES = "I am not sure of the time, or of the title: put the title in quotes."
MANY_DAYS = "I am not sure whether that is one event or several."
ONLY = "Write only what I am to do, such as: {clear}"
EXAMPLE = 'create "Team lunch" friday 12:00'
TOO_MANY = "I take at most five changes at once: nothing was done. Ask for fewer."
UNKNOWN = "I do not understand it."
UNCLEAR = "Nothing was done, as this is not clear:"
ROUGH = "That is too vague to book; say at what time, such as: {clear}."
ROUGH_EXAMPLE = "tomorrow at 15:00 for 45 minutes"
PAST = "{when} is over: a new event has to be ahead."
TIME_IN_TITLE = "I am not sure how it repeats, or of the title: put the title in quotes."
