"""The claims of the papers: each is one line that says what is measured and which rule judges it.

A claim is a `rankbench.claims.verdict.Claim` in ``papers/<paper>/claims.py``::

    def _lead(records):
        return Measured(paired(records, "swapped_pairs", "few_partners", "all_pairs", scale=100))

    add(Claim("A02", ("my_experiment/records",), _lead, each, "Differences are paired over the hold-outs.",
              "8 of 12", {"least": 1.0}, unit=" points"))

Its id is a row of ``published/claims.csv`` of the room, where ``quote`` is the paper's sentence: the claim is that
sentence, and what it says is tested. The eleven rules are functions of `rankbench.claims.rules`; what they judge is
measured by `rankbench.claims.evidence`. Thresholds are halved and doubled, and the ledger says what that changes.

A verdict says two things:

- the *direction*: does the statement hold in our data? ``no_direction`` if it is nothing but a figure;
- the *number*: does the figure that the statement prints agree with ours? ``no_number`` if it prints none. The cells of
  a table or of a figure are judged once, by the claim about that table. A figure about other data is not checkable.

Each is ``holds``, ``mixed`` (it holds in part: more cells are as claimed than against), ``fails``, ``inconclusive``
(more draws could change it), ``depends_on_the_machine`` or ``not_checkable``.

No point estimate decides, and no wider interval makes a claim easier to hold. If a sentence allows several readings,
their verdicts stand side by side. If the paper describes a procedure, that procedure counts, and ours stands beside it.
A cell in which no method is better than a blind answer is left out: nothing was learned there.

A claim that is true by construction, that hangs on seconds, or of which our data leave nothing to test, is not counted
(`Claim.aside`). A claim names what it compares, so that the ledger can tell which claims have no evidence of their own.

If the frames lack what a claim compares, `rankbench.claims.verdict.Lacking` is raised, and the claim is ``not_judged``.
Any other error is a bug. ``resources/reproduced/claims.csv`` has the verdicts on the kept frames.
"""
