"""Statistics: records in, one tidy frame out.

A `rankbench.room.Statistic` is a function ``(records, experiment) -> DataFrame``. `rankbench.registry.STATISTICS` knows
all of them, also those of rooms. The frame is written to ``results/{experiment}/statistics/{name}.csv``.

Parameters of every statistic
-----------------------------
records : DataFrame
    ``records.parquet``: one row per run, with the identity columns ``dataset condition method seed``, the sizes
    ``n_train n_test``, ``status``, ``reason`` and one column per metric. Metrics are errors: lower is better.
experiment : Experiment
    See `rankbench.experiments.experiment`. Used: ``datasets conditions methods`` (their names, in this order, are the
    rows expected), ``seeds`` (runs expected in each cell), ``metrics``, ``reference_method``.

Frames
------
Every frame starts with its identity (``dataset condition metric method``, what applies). Values are in the unit of
the metric: a fraction for swapped pairs; tables and figures turn it into percent. A run is missing when its record is
absent, is not ``ok`` or has no value: every frame counts them, none drops them silently. In each data set, condition
and metric all methods have the same hold-outs, and an incomplete method is compared with none:
`rankbench.statistics.common` has the rule.

summary
    one row per data set, condition, metric and method: ``mean sd`` (ddof 1) over the ``n_runs`` compared hold-outs,
    ``n_missing shortfall reasons`` of the method's missing runs.
    Baselines, the constant and the random answer, are in no frame but their own:
baselines
    the same of the methods that are marked ``baseline: true``.
per_dataset
    one row per data set, condition, metric and competitor, paired over seeds with the ``reference``: ``n_pairs
    n_missing mean_difference`` (competitor minus reference: above 0 the reference is better) ``standard_error t t_p
    t_mark`` (plain paired t-test and the paper's marks), ``corrected_standard_error corrected_t corrected_p
    corrected_mark`` (Nadeau and Bengio, where ``overlap``, n_test / n_train, is at most 1; elsewhere untested),
    ``holm_p bh_p`` (the plain p adjusted for the number of tests of the condition and metric).
overall
    one row per condition, metric and opponent of the reference ``method``, over the data sets: ``n_datasets n_missing
    n_incomplete wins ties losses significant_wins significant_losses n_sig_0.05 n_sig_0.01 holm_wins
    bh_wins n_correctable corrected_wins corrected_losses mean_difference t p_one_sided``.
ranks
    one row per condition, metric and method: ``average_rank n_compared n_datasets n_missing friedman friedman_p
    critical_difference`` (Nemenyi, 0.05); without a rank, a method that is incomplete on too many data sets.
ratios
    one row per data set, condition, metric and competitor, paired over seeds with the ``reference``: ``n_pairs
    n_missing shortfall ratio low high``, the ratio of the two means and its 95 percent interval.

best
    one row per data set, condition, metric and method, compared with the method of the lowest mean: ``mean sd n_runs
    n_missing shortfall best difference low high p verdict seconds megabytes params``.

The csv files can be read back with ``pandas.read_csv``: what reads them uses the p values, never the marks, which are
for the eye.
"""
