"""Methods of this paper that the library does not offer."""
