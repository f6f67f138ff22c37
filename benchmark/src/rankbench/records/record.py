"""The record of one run: what was fitted, how it ended, its metrics and its cost."""

import math
from dataclasses import asdict, dataclass, field

IDENTITY = ("experiment", "dataset", "condition", "method", "seed")
NAN = float("nan")


@dataclass
class Record:
    """One fit of one method on one split; a number is nan if a failed run does not have it.

    Attributes
    ----------
    experiment, dataset, condition, method : str
    seed : int
        Together with the four names above, the identity of the run.
    n_train, n_test, n_attributes : int
        Rows of both parts, and columns of the table.
    status : {"ok", "failed", "timeout", "memory", "missing"}
    reason : str
        Why the status is not ok, in one line.
    params : dict
        Chosen hyper-parameters.
    inner_score : float
        Mean loss of the chosen point over the inner splits: of a metric that is better higher, minus its mean.
    metrics : dict of str to float
        Values on the test part; lower is better unless `rankmargin.metrics` says otherwise.
    objective, dual_bound, gap, infeasibility, n_iter : float
        Certificate of the final fit, computed by the judge and not by the solver; nan for a method without one.
    tune_seconds, fit_seconds, predict_seconds : float
        Wall time after the warm-up: grid search, final fit, scores of the test part. (Processor time would not depend
        on other programs, but Linux counts it in hundredths of a second while there is a limit on it.)
    job_seconds : float
        Wall time from the beginning of the job's work to the end of the run, including its warm-up and all earlier
        runs of the job, but not the start of its process.
    peak_megabytes : float
        Largest resident set so far of the process that makes the runs, in 10**6 bytes.
    source_digest : str
        See `rankbench.records.sources`.
    n_pool, n_pairs : int
        Rows of the pool, and ordered pairs of them that the method got.
    sample_seconds : float
        Wall time for the choice of these pairs, after the warm-up.
    limits : dict
        The limits ``seconds`` and ``megabytes``.
    n_settings, n_failed, n_drawn : int
        Settings that the search judged, settings whose fit failed, and settings that it would have tried with more
        seconds: if the first two together are fewer than the third, the budget cut the search short.
    edges : str
        Where the chosen setting lies at an edge of its space, such as ``C high, gamma low``.
    """

    experiment: str
    dataset: str
    condition: str
    method: str
    seed: int
    n_train: int
    n_test: int
    n_attributes: int
    status: str = "ok"
    reason: str = ""
    params: dict = field(default_factory=dict)
    inner_score: float = NAN
    metrics: dict = field(default_factory=dict)
    objective: float = NAN
    dual_bound: float = NAN
    gap: float = NAN
    infeasibility: float = NAN
    n_iter: float = NAN
    tune_seconds: float = NAN
    fit_seconds: float = NAN
    predict_seconds: float = NAN
    job_seconds: float = NAN
    peak_megabytes: float = NAN
    source_digest: str = ""
    n_pool: int = 0
    n_pairs: int = 0
    sample_seconds: float = NAN
    limits: dict = field(default_factory=dict)
    n_settings: int = 0
    n_failed: int = 0
    n_drawn: int = 0
    edges: str = ""


def values_of(record):
    """Return the record as a dict that strict JSON can hold: a number that is not finite becomes null."""
    return {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in asdict(record).items()}


def record_of(values):
    """Return the record of a dict that `values_of` returned."""
    return Record(**{name: NAN if value is None else value for name, value in values.items()})
