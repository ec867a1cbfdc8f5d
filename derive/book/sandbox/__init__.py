"""Where templates run: what they may reach, and the process of their own that renders them."""
