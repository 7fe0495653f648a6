"""Recognise the mail by which a provider asks whether an address takes forwarded mail.

Anybody can write such a mail. What is found here is a claim, to be shown to somebody who may just
have set forwarding up; the link is never followed.
"""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from assistant.domain.mail.forward import ForwardingConfirmation
from ingest.letters.mailboxes import is_address
from ingest.text import visible

_READ = 20_000
_MOST_WORDS = 4_000
_LINK = 2_000
_SHORTEST, _LONGEST = 6, 12
"""The digits of a code."""
_AROUND = "<>()[]{}\"'`.,;:*_|«»„“”「」『』、。"


class _Provider(NamedTuple):
    name: str
    domains: tuple[str, ...]
    locals: frozenset[str]
    """Left of the @: what people cannot have, as its domains also give addresses to people."""
    hosts: tuple[str, ...]
    """Where its links lead: hosts that show nobody else's pages and lead nowhere else."""
    paths: tuple[str, ...] = ()
    """How the path of the link begins; empty for any."""
    has_code: bool = False


_NOBODY = frozenset(
    ("no-reply", "noreply", "no.reply", "donotreply", "do-not-reply", "no_reply", "notify")
)

_FASTMAIL = ("fastmail.com", "www.fastmail.com", "app.fastmail.com")

_PROVIDERS = (
    _Provider(
        "Gmail",
        ("google.com",),
        frozenset({"forwarding-noreply"}),
        ("mail.google.com", "mail-settings.google.com"),
        ("/mail/vf-", "/mail/f-", "/mail/u/"),
        has_code=True,
    ),
    # These ask too; how their mails read was not seen, so the words below must say "forward".
    _Provider(
        "Proton Mail",
        ("proton.me", "notify.proton.me", "protonmail.com"),
        _NOBODY,
        ("proton.me", "account.proton.me", "mail.proton.me", "account.protonmail.com"),
    ),
    _Provider(
        "Yahoo Mail",
        ("yahoo.com", "cc.yahoo-inc.com", "yahooinc.com", "mail.yahoo.com"),
        _NOBODY,
        ("login.yahoo.com", "mail.yahoo.com"),
    ),
    _Provider(
        "Zoho Mail",
        ("zoho.com", "zoho.eu", "zohomail.com", "zohoaccounts.com"),
        _NOBODY,
        ("mail.zoho.com", "mail.zoho.eu", "accounts.zoho.com", "accounts.zoho.eu"),
        has_code=True,
    ),
    _Provider("Fastmail", ("fastmail.com",), _NOBODY, _FASTMAIL, has_code=True),
)
"""Outlook and iCloud send none to the address that mail is forwarded to."""

_FORWARDING = (
    "forwarding",
    "forward",
    "weiterleitung",
    "weiterleiten",
    "transfert",
    "transférer",
    "redirection",
    "reenvío",
    "reenviar",
    "inoltro",
    "inoltrare",
    "doorsturen",
    "doorstuur",
    "encaminhamento",
    "reencaminhamento",
    "encaminhar",
    "przekazywani",
    "przekierowani",
    "przesyłania dalej",
    "vidarebefordr",
    "転送",
    "转发",
    "轉寄",
    "videresend",
    "edelleenlähety",
    "přeposílání",
    "přesměrování",
    "továbbítás",
    "пересылк",
    "yönlendirme",
    "iletme",
    "전달",
    "prosljeđivanj",
    "preposielani",
)
"""What is in the subject or the first words of such a mail, by language."""

_CODE = (
    "confirmation code",
    "verification code",
    "bestätigungscode",
    "code de confirmation",
    "código de confirmación",
    "codice di conferma",
    "bevestigingscode",
    "código de confirmação",
    "kod potwierdzający",
    "kod potwierdzenia",
    "bekräftelsekod",
    "verifieringskod",
    "確認コード",
    "确认码",
    "確認碼",
    "bekræftelseskode",
    "bekreftelseskode",
    "vahvistuskoodi",
    "potvrzovací kód",
    "megerősítő kód",
    "код подтверждения",
    "onay kodu",
    "확인 코드",
)


def forwarding_confirmation(
    sender_address: str, subject: str, text: str
) -> ForwardingConfirmation | None:
    """Return what a provider's mail asks to confirm, or None for any other mail.

    Recognised by the address in From and by its form: words for forwarding in the subject or the
    text, and a code or a link to the provider's own site.
    """
    provider = _provider(sender_address)
    if provider is None:
        return None
    said, body = visible(subject[:_READ]), visible(text[:_READ])
    folded = f"{said}\n{body}".casefold()
    if not any(word in folded for word in _FORWARDING):
        return None
    code = _code(said, body) if provider.has_code else ""
    link = next(_links(body, provider), "")
    if not code and not link:
        return None
    return ForwardingConfirmation(
        provider=provider.name, code=code, link=link, for_address=_address(said, body)
    )


def _provider(sender: str) -> _Provider | None:
    local, _, domain = sender.strip().casefold().rpartition("@")
    for provider in _PROVIDERS:
        if domain in provider.domains and local in provider.locals:
            return provider
    return None


def _code(subject: str, text: str) -> str:
    """Read ``(#123456789)`` in the subject, or the digits behind "Confirmation code"."""
    marked = subject.find("#")
    if marked >= 0 and (digits := _digits(subject[marked + 1 : marked + 40])):
        return digits
    folded = text.casefold()
    if len(folded) != len(text):
        folded = text.lower()
    for words in _CODE:
        at = folded.find(words)
        if at >= 0:
            behind = folded[at + len(words) : at + len(words) + 60]
            start = next((i for i, char in enumerate(behind) if char.isdecimal()), -1)
            if start >= 0 and (digits := _digits(behind[start:])):
                return digits
    return ""


def _digits(words: str) -> str:
    count = 0
    while count < len(words) and words[count] in "0123456789":
        count += 1
    return words[:count] if _SHORTEST <= count <= _LONGEST else ""


def _links(text: str, provider: _Provider) -> Iterator[str]:
    place = 0
    while (place := text.find("https://", place)) >= 0:
        end = place
        while end < len(text) and end - place < _LINK and text[end] not in " \n\r\t<>\"')]}|":
            end += 1
        link = text[place:end].rstrip(".,;:")
        place = end + 1
        if _is_of(link, provider):
            yield link


def _is_of(link: str, provider: _Provider) -> bool:
    try:
        parts = urlsplit(link)
        host, port, user = (parts.hostname or "").rstrip("."), parts.port, parts.username
    except ValueError:
        return False
    if parts.scheme != "https" or port not in {None, 443} or user is not None or "\\" in link:
        return False
    if host not in provider.hosts or "://" in unquote(parts.query):
        return False
    return not provider.paths or parts.path.startswith(provider.paths)


def _address(subject: str, text: str) -> str:
    """Return the first address in the subject, or else in the text, that is no provider's."""
    for words in (subject, text):
        for word in words.split()[:_MOST_WORDS]:
            bare = word.strip(_AROUND)
            if is_address(bare) and "://" not in bare and _provider(bare) is None:
                return bare[:320]
    return ""
