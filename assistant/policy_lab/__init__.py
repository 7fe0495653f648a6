"""Try a policy before it counts: replay, explain, suggest. Nothing on a call's path imports it."""
