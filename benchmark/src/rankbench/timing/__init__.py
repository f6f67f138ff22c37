"""How long jobs take: what is expected of them, in which order they run, and how much time is left."""
