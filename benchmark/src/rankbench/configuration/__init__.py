"""What describes an experiment: its keys with their kinds, defaults and meanings, and the labels of its methods."""
