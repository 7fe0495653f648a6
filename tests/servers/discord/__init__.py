"""Discord, on a loopback port: REST and the websocket gateway, as far as a bot can tell.

    with DiscordServer() as server:
        owner = server.user("owner")
        # point discord.py at server.api_base and server.gateway_url, log in with server.token
        server.wait_for_bot()
        server.say(owner, None, "good morning")
        card = server.wait_for_message(server.dm(owner), "Approve?")
        pressed = server.press(owner, card, "Approve").wait_for_answer()

``faults`` plans what goes wrong with REST requests; ``Route`` names them.
"""

from tests.servers.discord.driver import DiscordServer
from tests.servers.discord.faults import Route
from tests.servers.discord.interaction import Interaction
from tests.servers.discord.people import CannotDo
from tests.servers.discord.state import Channel, Guild, Message, Refused, User

__all__ = [
    "CannotDo",
    "Channel",
    "DiscordServer",
    "Guild",
    "Interaction",
    "Message",
    "Refused",
    "Route",
    "User",
]
