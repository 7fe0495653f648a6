"""Approvals of calls, and the tokens of their buttons."""
