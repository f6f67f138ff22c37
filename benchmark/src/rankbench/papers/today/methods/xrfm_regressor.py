"""Outside rival: recursive feature machines by the program of their authors (xRFM, ICLR 2026), as it is or tuned.

It needs PyTorch, 5.7 GB, and is an extra of its own (xrfm.lock) that no command installs.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rankbench.baselines._base import Baseline
from rankbench.baselines._extra import optional_extra
from rankbench.baselines._rivals import Fitted


@dataclass(eq=False, repr=False, kw_only=True)
class XRFMRegressor(Baseline):
    """A fifth of the training rows is the validation part that xRFM needs; columns and targets are standardised.

    Parameters
    ----------
    n_settings : int
        Random settings, of which the one with the least squared error in the validation part is taken; 0: the defaults.
    random_state : int
    """

    n_settings: int = 0
    random_state: int = 0

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,)."""
        with optional_extra():
            import torch
            from xrfm import xRFM
        torch.set_num_threads(1)
        y = np.asarray(y, dtype=np.float64)[:, None]
        scaler = StandardScaler().fit(X)
        columns, targets = scaler.transform(X), StandardScaler().fit_transform(y)
        parts = train_test_split(columns, targets, test_size=0.2, random_state=self.random_state % 2**31)
        X_fit, X_val, y_fit, y_val = (torch.from_numpy(part.astype(np.float32)) for part in parts)
        rng, least = np.random.default_rng(self.random_state), np.inf
        for params in [drawn(rng) for _ in range(self.n_settings)] or [None]:
            model = xRFM(rfm_params=params, device=torch.device("cpu"), tuning_metric="mse", verbose=False)
            model.fit(X_fit, y_fit, X_val, y_val)
            error = float(np.mean((np.ravel(model.predict(X_val)) - y_val.numpy().ravel()) ** 2))
            if error < least:
                least, self.model_ = error, Fitted((scaler, model), prediction)
        return self


def prediction(fitted, X):
    """Return what a machine predicts for each row, after its scaler."""
    import torch

    scaler, machine = fitted
    return machine.predict(torch.from_numpy(scaler.transform(X).astype(np.float32)))


def drawn(rng):
    """Return a random setting of a recursive feature machine."""
    model = {
        "kernel": str(rng.choice(["l2", "l1"])),
        "bandwidth": float(np.exp(rng.uniform(0.0, np.log(200.0)))),
        "exponent": float(rng.uniform(0.7, 1.4)),
        "diag": bool(rng.integers(2)),
        "bandwidth_mode": str(rng.choice(["constant", "adaptive"])),
    }
    fit = {"reg": float(10.0 ** rng.uniform(-6.0, 1.0)), "iters": 5, "verbose": False, "early_stop_rfm": True}
    return {"model": model, "fit": fit}
