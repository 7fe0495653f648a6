"""How a mail was forwarded, and what a provider asks before it forwards any."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class HowForwarded(StrEnum):
    NOT = "not forwarded"
    AUTOMATIC = "automatic"
    """By a rule, or redirected: the mail as it came, and nobody added words to it."""
    BY_HAND = "by hand"
    """Somebody pressed Forward: From is theirs, and the message is inside."""


class ForwardedMail(BaseModel):
    """How a mail was forwarded, by whom, and what that rests on."""

    model_config = ConfigDict(frozen=True)
    how: HowForwarded = HowForwarded.NOT
    keeps_sender: bool = True
    """Whether From is still the sender's. False by hand, and for rules that forward in words."""
    forwarder: str = ""
    """The address that forwarded; empty where only its domain is known, or nothing."""
    original_recipient: str = ""
    """The address that the mail was first delivered to."""
    original_mail_from: str = ""
    """The envelope's sender before the forward, where the forwarder's address holds it."""
    rests_on: tuple[str, ...] = ()
    """The headers and addresses that say so, for people."""


class ForwardingConfirmation(BaseModel):
    """A provider's question, as a mail says it. Press only if you have just set this up."""

    model_config = ConfigDict(frozen=True)
    provider: str
    code: str = ""
    """What the owner types at the provider; digits only."""
    link: str = ""
    """On the provider's own site; for people to press, never followed by a program."""
    for_address: str = ""
    """The address whose mail is to be forwarded."""
