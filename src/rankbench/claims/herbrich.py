"""Claims of herbrich, none yet."""
