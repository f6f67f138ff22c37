"""The problem of RankSVR."""
