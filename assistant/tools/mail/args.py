"""The arguments of the mail tools, and their results."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict, Field


class SearchEmails(BaseModel):
    """Search the mails that were forwarded here, by words in subject, sender and summary.

    Returns id, sender, subject, date and summary of the best matches; with no words, the newest.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"query": "rent"}, {"sender": "ada", "after": "2026-11-01"}]
        },
    )
    query: str = Field("", max_length=500, description="words that must all occur")
    sender: str = Field("", max_length=200, description="part of the sender's name or address")
    after: date | None = Field(None, description="received on this day or later")
    before: date | None = Field(None, description="received before this day")
    limit: int = Field(10, ge=1, le=50)


class ReadEmail(BaseModel):
    """Read the full text of one mail, page by page."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "57822d6a923edf2c"}]}
    )
    id: str = Field(min_length=4, max_length=64, description="the mail's id, from search_emails")
    page: int = Field(1, ge=1)


class ReadAttachment(BaseModel):
    """Read the text of what is attached to a mail, page by page: PDF, Word, Excel, text and more.

    read_email numbers what is attached. Pictures, sound and programs have no text here.
    """

    model_config = ConfigDict(
        extra="forbid",
        coerce_numbers_to_str=True,
        json_schema_extra={"examples": [{"mail": "57822d6a923edf2c", "name": "1"}]},
    )
    mail: str = Field(min_length=4, max_length=64, description="the mail's id, from search_emails")
    name: str = Field(
        min_length=1, max_length=1_000, description="the attachment's number, or its exact name"
    )
    page: int = Field(1, ge=1)


class ListCommitments(BaseModel):
    """List what mails ask of the owner, and what the owner promised, by when it is due.

    Each has the words of its mail that say so. Only the owner marks one as done, by a command.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{}, {"settled": True}]}
    )
    settled: bool = Field(False, description="also what is done or dropped")
    limit: int = Field(20, ge=1, le=50)


class MailHead(BaseModel):
    """One mail without its text."""

    id: str
    sender: str
    """Of what was forwarded in it, or of the mail itself; so are subject and time."""
    subject: str
    at: datetime
    """When it was sent, or received where it does not say."""
    forwarded_by: str = ""
    attachments: list[str]
    """Their names."""


class FoundMail(MailHead):
    summary: str
    """Empty while there is none."""


class FoundMails(BaseModel):
    """The mails that match."""

    mails: list[FoundMail]


class MailPage(MailHead):
    """A mail with one page of its text."""

    content: str
    """Where several people wrote in it, a line above the words of each says who is said to."""
    hidden_words: int = 0
    """Words of its HTML that nobody sees, which are left out."""
    page: int
    pages: int


class AttachmentPage(BaseModel):
    """What is attached to a mail, with one page of its text."""

    mail: str
    number: int
    name: str
    kind: str
    """Its media type, by content."""
    said: str
    """What it is, in words."""
    doubt: str
    """Where its name or its declared type says something else; else empty."""
    size: int
    readable: bool
    """Whether text is read from files of its kind."""
    content: str
    page: int
    pages: int
    truncated: bool
    """True where the file has more text than all pages."""
    defects: list[str]


class FoundCommitment(BaseModel):
    """What a mail asks of the owner, or what the owner promised in it."""

    number: int
    kind: str
    """``asked`` or ``promised``."""
    who: str
    """The address of who asks, or to whom it was promised. Not verified; empty if not known."""
    what: str
    quote: str
    due: str
    """A day or a time of ISO 8601; empty where there is none."""
    state: str
    """``open``, ``done`` or ``dropped``."""
    mail: str
    """The id of the mail that says so."""


class FoundCommitments(BaseModel):
    """What is open, or all there is."""

    commitments: list[FoundCommitment]
