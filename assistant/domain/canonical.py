"""Write a value in one canonical form, so that equal values have equal hashes."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import rfc8785

from assistant.domain.errors import BadArguments


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return the value as canonical JSON (RFC 8785).

    Raises:
        BadArguments: it holds NaN, an infinity, an integer beyond 2**53 - 1, a lone surrogate or
            a type that JSON does not have.
    """
    try:
        return rfc8785.dumps(dict(value))
    except rfc8785.CanonicalizationError as error:
        raise BadArguments(str(error)) from error


def digest(value: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON, as 64 hexadecimal characters."""
    return sha256(canonical(value)).hexdigest()
