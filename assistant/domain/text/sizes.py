"""Say how large something is, as a person reads it."""


def in_bytes(count: int) -> str:
    """Such as ``1 byte``, ``999 bytes``, ``1.0 KB`` or ``74.8 MB``, in powers of 1,000."""
    amount, units = float(count), iter(("", "KB", "MB", "GB", "TB"))
    unit = next(units)
    for larger in units:
        if amount < 999.95:  # noqa: PLR2004 (so that it is not said as 1000.0)
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.1f} {unit}" if unit else f"{count} byte{'' if count == 1 else 's'}"
