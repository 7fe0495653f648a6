"""The queue of record: job rows, in transactions and outside of them."""
