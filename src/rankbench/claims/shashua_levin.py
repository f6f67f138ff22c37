"""Claims of shashua_levin, none yet."""
