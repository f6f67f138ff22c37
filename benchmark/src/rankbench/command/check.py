"""Check the configuration before anything runs."""

from pathlib import Path

from rankbench.datasets.own import load_datasets
from rankbench.experiments.protocol import files_of, load_experiments, read_config, read_yaml


def check(names=(), root="."):
    """Check the sheet of data sets, the configuration, its overlays and the experiments.

    Parameters
    ----------
    names : sequence of str
        Experiments; by default every file below ``config/experiments``.
    root : path
        The checkout.

    Returns
    -------
    experiments, sheet : dict
        Name -> what is described.

    Raises
    ------
    ValueError
        If anything is wrong; the message names the file, the key and what is accepted.
    """
    root = Path(root)
    sheet, config = load_datasets(root), read_config(root)
    for overlay in sorted((root / "config").glob("*.yaml")):
        load_experiments({**config, **(read_yaml(overlay) or {})}, sheet, root)
    names = list(names or files_of(root))
    return load_experiments({**config, "experiments": names}, sheet, root), sheet
