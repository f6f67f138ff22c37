"""What is kept of a run: where its files are, how they are written and read, and what their notes say."""
