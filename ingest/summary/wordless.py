"""Say of a mail that has no words to sum up what it is."""

from assistant.domain.mail.mail import Mail

_NO_TEXT = "This mail has no text"
_ENCRYPTED = "This mail is encrypted"
_SEALED = "it is encrypted"
"""How the defect begins that names an encrypted mail."""
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_HOW = "Only your own mail program, which has the key, can read it."


def sealed(mail: Mail, about: str) -> str:
    """Return what the card says of an encrypted mail; empty of one with words to read.

    Args:
        mail: its row, after it was read.
        about: the words of the letter that it is about.
    """
    if about.strip() and not about.lstrip().startswith(_ARMOUR):
        return ""
    said = next((one for one in mail.defects if one.startswith(_SEALED)), "")
    return f"This mail {said.removeprefix('it ')}. {_HOW}" if said else ""


def wordless(mail: Mail) -> str:
    """Return what the card says where nothing was found to sum up."""
    count = len(mail.attachments)
    only = f", only {count} attachment{'' if count == 1 else 's'}" if count else ""
    return f"{_NO_TEXT}{only}."


def is_wordless(mail: Mail) -> bool:
    """Return whether the summary of a mail is that there is nothing to sum up."""
    return not mail.understood.gist and mail.summary.startswith((_NO_TEXT, _ENCRYPTED))
