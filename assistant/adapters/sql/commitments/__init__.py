"""The ledger of commitments."""
