"""The task of a run in plain values: an `Experiment` makes it, a job gets it, and the note of the run keeps it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Task:
    """The task of a run, without its split; `rankbench.configuration.model` says what the keys of a yaml mean.

    Attributes
    ----------
    experiment, dataset, condition, method : str
        They are empty, as is ``source_digest``, where a task stands for all that use the same code.
    uses, params, grid, stops, sampler, n_pairs, wrong_pairs : of the method, changed by data set and condition
    preprocess : dict
    metric : str
        The metric on the inner splits; it is maximised if higher is better.
    limits : dict
        ``seconds`` of one run (grid search and final fit) and ``megabytes`` (10**6 bytes) of the process.
    source_digest : str
    search : dict
        The budget of a search, ``settings`` and ``seconds``; empty where every point of the grid is tried.
    tune_on : {"validation", "test", "bins"}
        ``chosen_on`` of the method, the condition or the experiment.
    attributes : tuple of str
        The attributes that the method sees; if empty, all.
    packages : tuple of str
        The packages that the method fits with, except numpy; the note of a run has their versions.
    split : dict
        How the split was drawn: the run does not use it, but its note says it.
    """

    experiment: str = ""
    dataset: str = ""
    condition: str = ""
    method: str = ""
    uses: str | list
    params: dict
    grid: dict
    preprocess: dict = field(default_factory=dict)
    metric: str
    limits: dict
    source_digest: str = ""
    search: dict = field(default_factory=dict)
    stops: str = ""
    tune_on: str = "validation"
    sampler: str = ""
    n_pairs: int = 0
    wrong_pairs: float = 0.0
    attributes: tuple = ()
    packages: tuple = ()
    split: dict = field(default_factory=dict)

    @property
    def settings(self):
        """The fields without ``limits``: what a job is asked, and what its note says; the record has the limits."""
        return {name: value for name, value in vars(self).items() if name != "limits"}
