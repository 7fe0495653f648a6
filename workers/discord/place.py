"""Where on Discord something was said, as the place of a conversation."""

CHANNEL = "discord"
"""The channel's name in rows."""


def person(user: str) -> str:
    """Who acts, by Discord's id of them."""
    return f"{CHANNEL}:{user}"


def alone(user: str) -> str:
    """The direct messages with somebody: what is said there, they alone read."""
    return f"dm:{user}"


def thread(parent: str, id: str) -> str:
    """A thread; one that hangs on a message has that message's id."""
    return f"thread:{parent}/{id}"


def channel(id: str) -> str:
    return f"channel:{id}"
