"""The pure room: values, states, the policy. No clocks, no environment, no vendors."""
