"""Deliver messages, chain the audit, and tick."""
