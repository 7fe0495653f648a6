"""What an owner can do, once for every channel: a channel parses and renders."""
