"""Adapters to libraries and services, one library per file. They decide nothing."""
