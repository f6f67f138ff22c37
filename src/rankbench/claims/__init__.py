"""Claims of the papers: frames in, a verdict out; one small function per claim, one file per paper.

A claim is a function under the decorator ``claim(claim_id, *needs)``::

    @claim("D02", "diez_table1/overall")
    def fewer_swapped_pairs_than_ordinal_regression(overall):
        row = overall.query("method == 'svor5'").iloc[0]
        ...
        return Finding(HOLDS, ours="11 wins, 0 ties, 1 loss", published="8 wins, 1 tie, 3 losses", why="...")

``claim_id`` is a row of ``resources/published/claims.csv``; ``needs`` are the frames it is called with, in this order:
``{experiment}/{frame}`` is ``results/{experiment}/statistics/{frame}.csv``, ``{experiment}/records`` the runs
(``records.parquet``: one row per run, ``dataset condition method seed status``, one column per metric), and
``published/{name}`` is ``resources/published/{name}.csv``. A claim that needs a computation of its own reads the frame
of a study (`rankbench.studies`). A claim without needs can only be ``not_checkable``.

Most claims are an order, an agreement or a theorem: those are rows of a table in the same files, with what is measured,
the rule and its thresholds (`rankbench.claims.rows`). Thresholds of a function are its keyword arguments.

Verdicts: ``holds``, ``fails``, ``mixed`` (with counts), ``inconclusive`` (say how many runs would settle it),
``not_checkable`` (say what would be needed). They are about our results; whether the printed numbers carry the claim is
the column ``published_numbers_agree`` of the printed claims. An ordering is judged by 95 percent intervals of paired
differences: it holds if most of its cells lie above 0 and hardly one below or, where the claim names its data sets, if
all of them lie above (`rankbench.claims.evidence.ordering` has the rule); growth is judged by the interval of a fitted
slope. Where a cell pools conditions, those of one seed are averaged first. Intervals are over draws, for the table at
hand; they do not cover another table, and hold-outs of one table overlap.

Frames that lack what a claim compares raise `rankbench.claims.verdict.Lacking`, and the claim is ``not_judged``; any
other error of a claim is a fault of its function.

Every claim with needs has frames that support it and frames that contradict it in ``tests/claims``.
"""
