"""What changed in a CalDAV calendar: by sync token, by CTag, or by listing it.

The best way that the server has is used: a sync-collection REPORT (RFC 6578); else its CTag, and a
listing if that differs; else a listing. A token that the server refuses means everything again.
"""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from caldav.lib import error as dav

from assistant.adapters.calendar.copying.stripping import stripped
from assistant.adapters.calendar.dav_client import AnswerTooLarge
from assistant.domain.calendar.copies.changes import CopiedObject, ObjectVersions, SyncKind

_D, _C, _CS = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_SPACES = (
    'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
    'xmlns:cs="http://calendarserver.org/ns/"'
)
_ABLE = f"""<d:propfind {_SPACES}>
  <d:prop><d:supported-report-set/><cs:getctag/></d:prop>
</d:propfind>"""
_SYNC = f"""<d:sync-collection {_SPACES}>
  <d:sync-token>{{token}}</d:sync-token><d:sync-level>1</d:sync-level>
  <d:prop><d:getetag/></d:prop>
</d:sync-collection>"""
_LIST = f"""<c:calendar-query {_SPACES}>
  <d:prop><d:getetag/></d:prop>
  <c:filter>
    <c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter>
  </c:filter>
</c:calendar-query>"""
_FETCH = f"""<c:calendar-multiget {_SPACES}>
  <d:prop><d:getetag/><c:calendar-data/></d:prop>{{hrefs}}
</c:calendar-multiget>"""

_PASSING = frozenset({0, 401, 404, 408, 423, 425, 429, 503})
"""Statuses that say nothing about the request itself, so that another is no use now."""
_PAGES = 1000
"""How many parts of one answer are asked for."""
_LONGEST_UID = 1_000
"""The most bytes of a UID. Postgres refuses to index a longer text than 2,704 bytes."""
_UNREADABLE = "the server cannot give it"


class _Row(NamedTuple):
    """One ``response`` of a multistatus: its status, and the properties that were found."""

    href: str
    status: int
    found: Mapping[str, Any]


def changes_since(client: Any, url: str, token: str) -> ObjectVersions:
    """See the port. ``token`` begins with the way in which it was found.

    Raises:
        DAVError: the server refused, with its status.
        requests.RequestException: no answer came.
    """
    kind, _, rest = token.partition(":")
    if kind == SyncKind.TOKEN.name:
        try:
            return _synced(client, url, rest)
        except dav.DAVError as refused:
            if (refused.status or 0) in _PASSING:
                raise
    able, ctag = _able(client, url)
    if able:
        try:
            return _synced(client, url, "")
        except dav.DAVError as refused:
            if (refused.status or 0) in _PASSING:
                raise
    if ctag and kind == SyncKind.CTAG.name and rest == ctag:
        return ObjectVersions(etags={}, whole=False, token=token, kind=SyncKind.CTAG)
    etags = {
        row.href: row.found[f"{_D}getetag"].text or ""
        for row in _ask(client, url, "REPORT", _LIST, depth=1)
        if f"{_D}getetag" in row.found
    }
    how = SyncKind.CTAG if ctag else SyncKind.LISTING
    return ObjectVersions(etags=etags, whole=True, token=f"{how.name}:{ctag}", kind=how)


def fetched(client: Any, url: str, names: Sequence[str]) -> list[CopiedObject]:
    """Return objects as they are now, stripped. What the server cannot give has a defect.

    Raises:
        DAVError: the server refused, with its status.
        requests.RequestException: no answer came.
    """
    if not names:
        return []
    hrefs = "".join(f"<d:href>{escape(name)}</d:href>" for name in names)
    try:
        rows = list(_ask(client, url, "REPORT", _FETCH.format(hrefs=hrefs), depth=1))
    except (dav.DAVError, AnswerTooLarge) as refused:
        if isinstance(refused, dav.DAVError) and (refused.status or 0) in _PASSING:
            raise
        if len(names) == 1:
            return [CopiedObject(name=names[0], etag="", defect=_UNREADABLE)]
        half = len(names) // 2
        return [*fetched(client, url, names[:half]), *fetched(client, url, names[half:])]
    named = {_path(name): name for name in names}
    return [
        _object(named[_path(row.href)], row)
        for row in rows
        if _path(row.href) in named and row.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
    ]


def _object(name: str, row: _Row) -> CopiedObject:
    etag, data = (
        (row.found[key].text or "") if key in row.found else ""
        for key in (f"{_D}getetag", f"{_C}calendar-data")
    )
    if not data:
        return CopiedObject(name=name, etag=etag, defect=_UNREADABLE)
    try:
        kept = stripped(data.encode())
    except ValueError as problem:
        return CopiedObject(name=name, etag=etag, defect=str(problem))
    if len(kept.uid.encode()) > _LONGEST_UID:
        kept = kept._replace(uid="")
    defect = "" if kept.uid or not kept.ics else "it has no UID that can be used"
    return CopiedObject(name=name, etag=etag, **kept._asdict(), defect=defect)


def _able(client: Any, url: str) -> tuple[bool, str]:
    """Return whether the server tells changes by token, and the calendar's CTag, if it has one."""
    found: dict[str, Any] = {}
    for row in _ask(client, url, "PROPFIND", _ABLE, depth=0):
        found |= row.found
    reports = found.get(f"{_D}supported-report-set")
    offered = reports is not None and reports.find(f".//{_D}sync-collection") is not None
    tag = found.get(f"{_CS}getctag")
    return offered and _trusted(client), (tag.text or "") if tag is not None else ""


def _trusted(client: Any) -> bool:
    """Return whether the provider's profile says nothing against its sync tokens."""
    token, deletes = (
        client.features.is_supported(name, dict) for name in ("sync-token", "sync-token.delete")
    )
    return (
        token.get("support", "full") in ("full", "fragile", "unknown")
        and token.get("behaviour") != "time-based"
        and deletes.get("support", "full") in ("full", "fragile", "unknown")
    )


def _synced(client: Any, url: str, token: str) -> ObjectVersions:
    etags: dict[str, str] = {}
    gone: set[str] = set()
    newest = token
    for _ in range(_PAGES):
        cut = False
        tree = _tree(client, url, "REPORT", _SYNC.format(token=escape(newest)), depth=0)
        for row in _rows(tree):
            if row.status == HTTPStatus.INSUFFICIENT_STORAGE:
                cut = True
            elif row.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                gone.add(row.href)
                etags.pop(row.href, None)
            elif f"{_D}getetag" in row.found and _path(row.href) != _path(url):
                etags[row.href] = row.found[f"{_D}getetag"].text or ""
                gone.discard(row.href)
        before, newest = newest, tree.findtext(f".//{_D}sync-token") or ""
        if not newest or (cut and newest == before):
            raise dav.ReportError(f"{url} gave no sync token")
        if not cut:
            break
    else:
        raise dav.ReportError(f"{url} never came to an end")
    whole = not token
    return ObjectVersions(
        etags=etags,
        gone=frozenset() if whole else frozenset(gone),
        whole=whole,
        token=f"{SyncKind.TOKEN.name}:{newest}",
        kind=SyncKind.TOKEN,
    )


def _ask(client: Any, url: str, method: str, body: str, *, depth: int) -> Iterator[_Row]:
    return _rows(_tree(client, url, method, body, depth=depth))


def _tree(client: Any, url: str, method: str, body: str, *, depth: int) -> Any:
    headers = {"Depth": str(depth), "Content-Type": "application/xml; charset=utf-8"}
    answer = client.request(url, method, body, headers)
    if answer.status != HTTPStatus.MULTI_STATUS or answer.tree is None:
        refused = dav.ReportError(f"{url} answered {answer.status}")
        refused.status = answer.status
        raise refused
    return answer.tree


def _rows(tree: Any) -> Iterator[_Row]:
    for response in tree.iter(f"{_D}response"):
        href = (response.findtext(f"{_D}href") or "").strip()
        found = {
            str(prop.tag): prop
            for part in response.findall(f"{_D}propstat")
            if _status(part) == HTTPStatus.OK
            for prop in part.find(f"{_D}prop")
        }
        yield _Row(href=urlsplit(href).path, status=_status(response), found=found)


def _status(element: Any) -> int:
    """Return the status that an element says; 200 where it says none."""
    words = (element.findtext(f"{_D}status") or "HTTP/1.1 200").split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _path(href: str) -> str:
    """Return an address as it is compared: without its server, and decoded."""
    return unquote(urlsplit(href).path).rstrip("/")
