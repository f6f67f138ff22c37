"""Common parts of all displays."""


class Display:
    """A plot that can be drawn again."""

    def _axes(self, ax):
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(layout="constrained")
        self.ax_ = ax
        return ax
