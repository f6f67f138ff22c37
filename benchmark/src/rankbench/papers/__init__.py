"""The rooms: a folder for each paper, with everything that belongs to it; ``rooms.py`` lists them."""
