"""The claims of the papers: each has one small function from frames to a verdict, in the room of its paper.

The function of a claim has the decorator ``claim(claim_id, *needs)``::

    @claim("A02", "my_experiment/overall")
    def fewer_swapped_pairs_than_ordinal_regression(overall):
        row = overall.query("method == 'svor'").iloc[0]
        ...
        return Finding(HOLDS, ours="11 wins, 0 ties, 1 loss", published="8 wins, 1 tie, 3 losses", why="...",
                       effect="...", number=FAILS, difference="...")

``claim_id`` is a row of ``published/claims.csv`` of the room. ``needs`` names the frames that the function gets, in
this order: ``{experiment}/{frame}`` is ``results/{experiment}/statistics/{frame}.csv``; ``{experiment}/records`` are
the runs (``records.parquet``: one row per run, ``dataset condition method seed status``, one column per metric);
``published/{name}`` is ``published/{name}.csv`` of a room. A claim that needs a computation of its own reads the frame
of a study (`rankbench.room.Study`). A claim without needs can only be ``not_checkable``.

Most claims are about an order, an agreement or a theorem. They are rows of a table in the same files: a row says what
is measured, by which rule and with which thresholds (`rankbench.claims.rows`). The thresholds of a function are its
keyword arguments.

A verdict says two things, each ``holds``, ``fails``, ``mixed`` (with counts), ``inconclusive`` (with the number of runs
that would settle it, where that is known) or ``not_checkable`` (with what would be needed):

- the *direction*: does the statement hold in our data? ``no_direction`` if it is nothing but a figure;
- the *number*: does the figure that the statement prints agree with ours? ``no_number`` if it prints none. The cells of
  a table or of a figure are judged once, by the claim about that table. A figure with a stated error agrees if a rerun
  of ours could print it; one without agrees if our whole interval lies within a tenth of it
  (`rankbench.claims.numbers.about`).

No point estimate decides, and no wider interval makes a claim easier to hold. An ordering is judged by 95 percent
intervals of paired differences: it holds if most of its cells lie above 0 and hardly any lies below 0; if the claim
names its data sets, all of them must lie above 0 (`rankbench.claims.evidence.ordering` has the rule). A claim that two
things are alike, or one as good as the other, needs a margin that contains the whole interval. Growth is judged by the
interval of a fitted slope. If a cell pools conditions, the conditions of one seed are averaged first. An interval is
over the draws of one table. It says nothing about another table, and it does not take into account that hold-outs of
one table overlap.

A claim that is true by definition, or of which our data leave nothing to test, says so (`Finding.aside`) and is not
counted. A claim names what it compares (`Finding.compared`), so that the ledger can tell which claims have no evidence
of their own. The column ``published_numbers_agree`` of the printed claims says whether the printed numbers support the
claim.

If the frames lack what a claim compares, its function raises `rankbench.claims.verdict.Lacking`, and the claim is
``not_judged``. Any other error is a bug in the function.

``resources/reproduced/claims.csv`` has the verdicts on the kept frames, and ``tests/papers/test_claims.py`` compares
them with what the functions return.
"""
