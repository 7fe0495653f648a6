"""The arguments of the file tools, and their results."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.files.paths import LONGEST
from assistant.domain.limits import MiB
from assistant.tools.contract.arguments import ContentLimit

WRITABLE = MiB
"""The most bytes that ``write_file`` takes."""

_PATH = "private:/notes/a.txt, shared:/... or public:/...; without a scope it is private"


def _strict(*examples: dict[str, Any]) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [*examples]})


class ListFiles(BaseModel):
    """List stored files whose paths begin in a certain way, with size, version and date."""

    model_config = _strict({}, {"prefix": "shared:/", "limit": 10})
    prefix: str = Field(
        "private:/", max_length=LONGEST, description="a scope, a folder or the beginning of a name"
    )
    after: str = Field("", max_length=LONGEST, description="go on after this path")
    limit: int = Field(50, ge=1, le=200)


class ReadFile(BaseModel):
    """Read a stored text file: all of it, or a range of its lines, page by page."""

    model_config = _strict({"path": "notes/rent.txt"}, {"path": "notes/rent.txt", "start_line": 2})
    path: str = Field(max_length=LONGEST, description=_PATH)
    start_line: int | None = Field(None, ge=1, description="the first line, counted from 1")
    end_line: int | None = Field(None, ge=1, description="the last line, included")
    page: int = Field(1, ge=1)


class WriteFile(BaseModel):
    """Store a text as a file. What is there is replaced only with overwrite; old versions are kept.

    Others can see what is in shared:/, anybody what is in public:/.
    """

    model_config = _strict(
        {"path": "notes/plan.txt", "content": "Pay the rent on the 30th.\n"},
        {"path": "public:/hello.txt", "content": "Hello", "overwrite": True},
    )
    path: str = Field(max_length=LONGEST, description=_PATH)
    content: Annotated[str, ContentLimit(WRITABLE)]
    overwrite: bool = Field(False, description="replace what is there")


class DeleteFile(BaseModel):
    """Delete a stored file. Its versions are kept, so that it can be brought back."""

    model_config = _strict({"path": "notes/rent.txt"})
    path: str = Field(max_length=LONGEST, description=_PATH)


class RestoreFile(BaseModel):
    """Make a file what an earlier version of it was; version 0 is before there was any."""

    model_config = _strict({"path": "notes/rent.txt", "version": 1})
    path: str = Field(max_length=LONGEST)
    version: int = Field(ge=0)
    current: int = Field(
        0, ge=0, description="the version that is taken back; 0 for whichever is there"
    )


class Listed(BaseModel):
    path: str
    version: int
    size: int
    sha256: str
    origin: str
    at: str


class Listing(BaseModel):
    """What was found; ``more`` is true where more paths follow."""

    files: list[Listed]
    more: bool


class FilePart(BaseModel):
    """Lines ``first`` to ``last`` of ``lines``. ``content`` is one page of them, unchanged."""

    path: str
    version: int
    text: bool
    """False for a file that is not text; it is described and has no content."""
    content: str
    first: int
    last: int
    lines: int
    page: int
    pages: int


class FileChange(BaseModel):
    """The version that a change made. ``deleted`` ones hold nothing."""

    path: str
    version: int
    deleted: bool
    size: int
    sha256: str
