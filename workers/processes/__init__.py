"""Start and supervise the processes of one machine, and check that they live."""
