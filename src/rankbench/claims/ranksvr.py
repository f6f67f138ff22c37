"""Claims of ranksvr, none yet."""
