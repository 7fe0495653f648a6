"""Places where a test stops a process: wrappers around the ports, installed only when asked for."""
