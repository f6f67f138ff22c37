"""Writing a figure: three formats, each whole or not at all, the same bytes each time."""

from pathlib import Path

from rankbench.records.files import aside

from .style import style

# a date would change the file on every run; None omits it
_METADATA = {
    "svg": lambda title, description: {"Title": title, "Description": description, "Date": None},
    "pdf": lambda title, description: {"Title": title, "Subject": description, "CreationDate": None},
    "png": lambda title, description: {"Title": title, "Description": description},
}


def save_figure(figure, stem, *, title, description):
    """Write a figure as svg, pdf and png.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to write.
    stem : path-like
        Path without ending; its folder is made if it does not exist.
    title, description : str
        Name of the figure and its text alternative, kept in each file's metadata.
    """
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    for ending, metadata in _METADATA.items():
        with style(), aside(stem.with_name(f"{stem.name}.{ending}")) as beside:
            figure.savefig(beside, format=ending, metadata=metadata(title, description))
