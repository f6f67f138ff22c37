"""Common parts of all displays."""

import numpy as np

SMALLEST_GAP = 1e-6  # the lower end of the axis of gaps, unless a gap is smaller


class Display:
    """A plot that can be drawn again."""

    def _axes(self, ax):
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(layout="constrained")
        self.ax_ = ax
        return ax

    @staticmethod
    def _style(artist, given, **defaults):
        """Return our own style of a class of artists, or what the user gave in its place under any of its names: both
        ``lw`` and ``linewidth``."""
        from matplotlib import cbook

        return {**defaults, **cbook.normalize_kwargs(given, artist)}

    def _draw_gaps(self, x, gaps):
        """Draw the largest of the relative gaps (k, folds) at each x (k,), on an axis on the right, if any is > 0."""
        if not np.any(gaps > 0):
            return
        self.gap_ax_ = self.ax_.twinx()
        style = {"color": "0.55", "linewidth": 0.8, "linestyle": ":", "marker": ".", "zorder": 1}
        self.gap_ax_.plot(x, np.nanmax(gaps, axis=1), **style)
        lowest = np.nanmin(gaps, initial=SMALLEST_GAP, where=gaps > 0)
        self.gap_ax_.set(yscale="log", ylim=(lowest, 1.0), ylabel="largest gap of the fits (dotted)")
