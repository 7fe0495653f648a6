"""The table of commands on Discord: how it is registered, given and answered."""
