"""The policy: rules, limits, grants, and the function that decides."""
