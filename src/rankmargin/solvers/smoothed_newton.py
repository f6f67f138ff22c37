"""Newton's method on a smoothed loss, for linear functions f(x) = w.x.

    min_w  1/2 ||w||^2 + C loss(s),   s = X w

The loss is that of all pairs, which are not listed (:mod:`rankmargin.oracles.pair_losses`), or that of any rows with
the best values of their thresholds (:mod:`rankmargin.oracles.row_losses`). The ramp of a loss with a cap is longer by a
width h that shrinks. The slopes of the smoothed loss are feasible in the dual of the problem *without* smoothing, so
each point proves a bound. Its gap is 1/2 ||w - X^T beta||^2 plus the cost of smoothing. Five choices make it fast:

1. The search on all rows starts from the solution on a twelfth of the rows, which is found in the same way; for a
   further C, from the solution for the last one, with the width at which that was found roughly.
2. A Newton step is solved by conjugate gradients, with O(n log n + nnz) per iteration, preconditioned by a diagonal,
   and where that takes too many iterations, by the exact Hessian of some rows, then of more; if these are all rows, the
   step is exact. So badly scaled columns do no harm. For kernels the Hessian is exact in the span of some functions. A
   step is *sharp* if these span all functions, or with a Cholesky factor of all rows, which is next (`KernelRows`).
3. The line search uses the derivative only: s and X step are known, so no product with X is needed.
4. Where steps are sharp, the first one at a smaller width follows the path of solutions: it would be exact if no pair
   entered or left the window. A step from the pairs in the smaller window is cut short by all those that it moves.
5. Where f = 0 seems to be the best function of listed rows, a proof of it is tried before h shrinks.
"""

from dataclasses import replace

import numpy as np

from rankmargin.oracles.objective import Solution, relative_gap
from rankmargin.oracles.pair_losses import PairLoss, SlopesAt
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem.products import inverse_of
from rankmargin.problem.rows.rows import Rows
from rankmargin.solvers.progress import current
from rankmargin.solvers.solution import MOST_DENSE, without_pull
from rankmargin.solvers.solver import solver

FIRST_WIDTH = 4.0  # in margins: at w = 0 every pair lies in the window, and the first step is least squares
FEWER, FEWEST, ENOUGH_ROWS = 12, 500, 4  # rows of a sample: a part of all; at least this number, and per feature
ROUGH, ROUGHER = 1e-2, 5e-2  # gaps: of a solution from which the next C starts, and on a sample of the rows
SAMPLE, MORE_ROWS, MOST_ENTRIES = 2000, 4, 8_000_000  # rows of a Hessian, factor of the next sample, its most entries
CHEAP = 2_000_000  # flops of a Hessian that is taken at once
MORE = 4  # steps after the gap is reached, until the dual variables of listed rows belong to a function as good
LONGEST_SEARCH, LONGEST_STRETCH = 40, 20
NEARLY, NEAR = 0.999, 0.9  # NEAR: part of the last width from which on a width is not made wider again
PATIENCE = 20  # steps without a better point: with a large C most steps at a new width are short
ENOUGH, DRIFT = 0.3, 1e-9  # share of the gap that smoothing may cost; relative change of a bound by rounding
MOST_INNER, SINGLE = 200, 1e-5  # steps of conjugate gradients; gaps from here on are found in single precision
FAST, SLOW = 0.2, 0.5  # factors of the width: the least (with 0.1 a C of 1e5 or more never came back) and the largest
SHARPER, PART, UNBALANCED = 1e-5, 0.2, 1e-3  # shares that sharp steps leave, of residual and slope; of a sum that is 0


@solver(forms=(Rows, PairLoss), losses=None, blocks=True, most_steps=1000)
def smoothed_newton(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C by Newton steps; ``seed`` is that of the samples of rows.

    For all pairs, ``alpha`` is a SlopesAt with one point, and ``w`` is given. For rows, ``alpha`` is an array, and the
    function is X^T beta; ``w`` is given if rounding makes the gap of X^T beta larger than tol.
    """
    loss = RowLoss(problem.rows) if isinstance(problem.rows, Rows) else problem.rows
    rng, rows = np.random.default_rng(seed), problem.space.rows_for(loss)
    ladder = _ladder(loss, rows if tol >= SINGLE else rows.exact, rng)
    w, first = ladder[0][1].zero(), FIRST_WIDTH * loss.margin
    width = first
    for C in C_values:
        used, flat, steep = 0, loss.listed and rows.complete, C * (loss.loss.cap if loss.loss.capped else 1.0)
        ladder = [(part, rows.priced(steep * scale * part.total_weight), scale) for part, rows, scale in ladder]
        while ladder:
            (part, rows, scale), search = ladder.pop(0), None  # the last sample goes: it is as large as columns of X
            search = _Search(problem, part, rows, C * scale, w, width, rng, flat)
            search.run(C, tol if part is loss else max(tol, ROUGHER), max_iter - used)
            w, width, used, flat = rows.carried(search.w), search.width, used + search.n_iter, search.flat
        if not search.confirmed(tol):
            search = _Search(problem, loss, rows.exact, search.C, search.best_w, first, rng, drifted=search)
            search.run(C, tol, max_iter - used)
            search.confirmed(tol)
            w, used = search.w, used + search.n_iter
        solution = search.solution(used, tol)
        width = search.rough_width if solution.converged and not search.rows.sharp else first
        ladder = [(part, rows, scale)]  # the next C starts here: the solution on a sample is further from its own
        yield solution


def _ladder(loss, rows, rng):
    """Return (loss, rows, scale of C) for samples of the rows, each FEWER times as large as the last, and for all."""
    ladder, weight = [(loss, rows, loss.cost)], loss.total_weight
    while ladder[0][0].n > FEWER * max(FEWEST, ENOUGH_ROWS * rows.d):  # fewer rows would be another problem
        part, chosen = ladder[0][0].sample(ladder[0][0].n // FEWER, rng)
        if part.total_weight == 0:
            break
        ladder.insert(0, (part, ladder[0][1].take(chosen), loss.cost * weight / part.total_weight))
    return ladder


class _Search:
    """The search for one C on one set of rows; after one that ``drifted``, scores are recomputed in each step."""

    def __init__(self, problem, loss, rows, C, w, width, rng, flat=False, drifted=None):
        self.problem, self.loss, self.rows, self.C, self.w, self.width = problem, loss, rows, C, w, width
        self.rough_width, self.wider = width, FIRST_WIDTH * loss.margin
        self.s = rows.times(w)
        self.objective, self.dual, self.n_iter, self.rng = np.inf, -np.inf, 0, rng
        self.first = self.slopes(self.s)
        self.best_w, self.best_slopes, self.beta = w, self.kept(self.first, 0.0), None
        self.exact, self.flat, self.proved = drifted is not None, flat, None
        if self.exact:
            self.objective, self.dual, self.best_slopes = drifted.objective, drifted.dual, drifted.best_slopes
        self.part, self.chosen, self.sample, self.n_sampled = loss, slice(None), None, rows.n
        if rows.complete and not loss.listed:
            self.part, self.n_sampled = None, 0  # a diagonal preconditions
            if min(rows.n, SAMPLE) * rows.d**2 <= CHEAP:  # with few features the Hessian costs no more
                self.sample_more()

    def run(self, C, tol, max_iter):
        """Take Newton steps until the gap is closed or no step improves anything; C is for the progress line."""
        slopes, idle, reached, progress, least = self.first, 0, 0, current(), np.inf
        self.first = None  # it is as large as some columns of X
        while True:
            self.n_iter += 1
            # 1. the bounds that this point proves
            pull = self.rows.transposed(self.C * slopes.beta)
            g = self.w - pull
            gained, gap, residual, smoothing = self.prove(slopes, pull)
            reached += gap <= tol
            stop = self.n_iter >= max_iter or progress.expired or reached > MORE
            stop |= bool(reached) and (not self.loss.listed or self.solution(self.n_iter, tol).w is None)
            if gap > ROUGH:  # the next C starts at this width: from that of a sharper fit its steps would be short
                self.rough_width = self.width
            progress.report("smoothed_newton", C, self.n_iter, self.objective, gap, done=stop)
            if stop:
                return
            idle = 0 if gained or residual < SLOW * least else idle + 1
            least = min(least, residual)  # at this width
            # 2. a smaller width, if smoothing costs more than the residual
            enough = ENOUGH * tol * self.objective
            if idle > PATIENCE and residual > smoothing and self.goes_back():
                idle, slopes, least = 0, self.slopes(self.s), np.inf
                continue
            if self.loss.smoothed and (residual <= smoothing > enough or idle > PATIENCE):
                if self.flat and self.proves_zero(slopes):
                    return
                self.wider = self.width if self.rows.sharp else 0.0
                self.width *= min(max((enough / max(smoothing, np.finfo(float).tiny, enough)) ** 0.5, FAST), SLOW)
                idle, follows, least = 0, self.rows.sharp and slopes.steepness > 0.0, np.inf
                if follows:
                    ahead = self.loss.narrowed(slopes, self.s, self.width)
                    self.w = self.w - self.newton(ahead, self.w - self.rows.transposed(self.C * ahead.beta))
                    self.s = self.rows.times(self.w)
                slopes = ahead = None  # not beside the next ones: each is as large as some columns of X
                slopes = self.slopes(self.s)
                if slopes.steepness == 0.0:
                    return
                if follows:
                    continue
                g = self.w - self.rows.transposed(self.C * slopes.beta)
            elif idle > PATIENCE:
                return
            # 3. the Newton step and its length
            step = -self.newton(slopes, g)
            moved, slopes = self.rows.times(step), None
            slopes = self.along(step, moved, -float(g @ self.rows.image(step, moved)))

    def proves_zero(self, slopes):
        """Return whether f = 0 seems best for a sample of listed rows, or dual variables near the slopes prove it."""
        zero = self.C * replace(self.problem, rows=self.loss.rows).loss_of_zero()
        self.flat, of_all = 0.0 < zero <= self.objective, self.loss.rows is self.problem.rows
        if self.flat and of_all and self.w.any():  # scores of 0 would have no order
            alpha, beta = self.loss.dual_variables(slopes.slope, self.C)
            near = Solution(beta, None, alpha, np.inf, 0.0, 0, False, self.w)
            self.proved = without_pull(self.problem, self.C, zero, near)
        return self.proved is not None if of_all else self.flat

    def goes_back(self):
        """Go on from the best point: with sharper steps, or else with a wider window; return whether that is new."""
        rows = self.rows.sharpened()
        if rows is self.rows:
            if self.width >= NEAR * self.wider:
                return False
            self.width = (self.width * self.wider) ** 0.5
        self.rows, self.w, self.s, self.sample = rows, self.best_w, rows.times(self.best_w), None
        return True

    def slopes(self, s):
        return self.loss.slopes(s, self.width)

    def kept(self, slopes, scale):
        """Return what determines dual variables, and no more of the large arrays."""
        slope, s = slopes.slope if self.loss.listed else None, None if self.rows.complete else self.s
        return slope, self.w, s, self.width, scale

    def prove(self, slopes, pull):
        """Keep the best primal and dual points; return whether one of them got better, the gap, and its two parts at
        this point: half of the squared residual, and the cost of smoothing."""
        # 1. w and the slopes without a factor
        image, pull_image = self.rows.image(self.w, self.s), self.rows.image(pull)
        objective, w = 0.5 * float(self.w @ image) + self.C * slopes.loss, self.w
        reward, penalty = self.C * self.loss.reward(slopes), 0.5 * float(pull @ pull_image)
        if not self.loss.loss.kinked:
            penalty += self.C * slopes.conjugate
        residual = 0.5 * float((self.w - pull) @ (image - pull_image))
        smoothing = objective - (reward - penalty) - residual
        # 2. the slopes times the factor with the best bound
        whole = reward >= 2.0 * penalty and (self.loss.loss.capped or penalty == 0.0)
        scale = 1.0 if whole else reward / (2.0 * penalty)
        dual = scale * (reward - scale * penalty)
        # 3. w times a factor as well: if all pairs can be ordered, smoothing mainly changes the required margin, so the
        # length of w is wrong, but not its direction
        if self.loss.loss.kinked and scale < NEARLY and residual <= smoothing:
            objective, factor = self.stretch(slopes, objective, scale)
            w = factor * self.w
            smoothing = objective - dual - 0.5 * float((w - scale * pull) @ (factor * image - scale * pull_image))
        better = 0.0 <= objective < self.objective  # one below 0 is made of rounding alone
        gained = max(self.objective - objective if better else 0.0, dual - self.dual) > DRIFT * abs(objective)
        if better:
            self.objective, self.best_w = objective, w
        if dual > self.dual:
            self.dual, self.best_slopes = dual, self.kept(slopes, scale * self.C)
        return gained, relative_gap(self.objective, self.dual), residual, max(smoothing, 0.0)

    def stretch(self, slopes, objective, factor):
        """Return the smallest objective found on the ray of w, and the factor of w there."""
        norm, low, high, best = float(self.w @ self.rows.image(self.w, self.s)), 0.0, np.inf, (objective, 1.0)
        for _ in range(LONGEST_STRETCH):
            loss, derivative = self.loss.stretched(slopes, self.s, factor)
            found, derivative = 0.5 * norm * factor**2 + self.C * loss, norm * factor + self.C * derivative
            best = min(best, (found, factor))
            if abs(derivative) * factor <= 0.1 * (best[0] - self.dual):
                break
            low, high = (factor, high) if derivative < 0.0 else (low, factor)
            factor = 1.1 * factor if high == np.inf else max(0.5 * (low + high), 0.9 * factor)
        return best

    def newton(self, slopes, g):
        """Return H^-1 g, nearly, or exactly if there are few features."""
        precondition, rows, factorised = self.preconditioner(slopes), self.rows, self.rows.factorised
        if rows.complete and self.n_sampled == rows.n and rows.d <= MOST_DENSE:
            return precondition(g)
        widest = self.n_sampled >= self.most_sampled
        x, steps = self.conjugate_gradients(slopes, g, precondition, MOST_INNER if widest else rows.patience + 2)
        again = factorised and not 0 < steps < MOST_INNER - 1
        if not widest and steps > rows.patience:
            self.sample_more()
            again = True
        elif steps > rows.patience or again:
            self.precondition_better(again)
        return self.newton(slopes, g) if again else x

    @property
    def most_sampled(self):
        """The most rows whose Hessian may precondition."""
        few = self.loss.listed or not self.rows.complete or self.rows.d > MOST_DENSE
        return 0 if few else min(self.rows.n, max(SAMPLE, MOST_ENTRIES // max(self.rows.d, 1)))

    def sample_more(self):
        """Precondition with the Hessian of rows, or of more rows."""
        n, least = self.rows.n, max(FEWEST, 10 * self.rows.d, self.rows.n // 16)
        size = MORE_ROWS * self.n_sampled or (n if n <= SAMPLE else min(least, SAMPLE))
        self.n_sampled = min(size, self.most_sampled)
        self.part, self.chosen, self.sample = self.loss, slice(None), None
        if self.n_sampled < n:
            self.part, self.chosen = self.loss.sample(self.n_sampled, self.rng)

    @np.errstate(over="ignore", invalid="ignore")
    def conjugate_gradients(self, slopes, g, precondition, most):
        """Return H^-1 g, nearly, and the number of steps, below ``most``; 0 if rounding spoils the preconditioner."""
        rows, x, r = self.rows, np.zeros_like(g), g.copy()
        p, along, before, target = 0.0, 0.0, np.inf, 0.0  # p is a direction, and ``along`` its scores
        for step in range(min(2 * len(g), most)):
            z = precondition(r)
            scores = rows.times(z)
            rz = float(r @ rows.image(z, scores))
            if step == 0:
                target = max((SHARPER if rows.sharp else rows.forcing) ** 2 * rz, 0.0)
            if rz <= target:
                break
            p, along, before = z + (rz / before) * p, scores + (rz / before) * along, rz
            product = p + rows.transposed(self.C * self.loss.curvature_times(slopes, along)[:, 0])
            a = rz / float(product @ rows.image(p, along))
            if not abs(a) > 0.0:  # with kernel values beyond 1e150
                break
            x += a * p
            r -= a * product
        return x, step

    def precondition_better(self, spoiled):
        """Precondition in another way, or use double precision: all pairs need factors if C is so large that products
        in single precision are too rough. ``spoiled`` says whether rounding left factors of no use."""
        exact, before = self.rows.exact, self.rows.factorised
        rough = self.rows is not exact and exact.K is not None
        if (not before or (spoiled and not rough)) and self.rows.widened():
            self.sample = None
        if rough and self.rows.factorised and (before or not self.loss.listed):
            self.rows, self.s, exact.factorised, self.sample = exact, exact.times(self.w), True, None

    def preconditioner(self, slopes):
        """Return r -> M^-1 r for the Hessian M of the sampled rows; an estimate of its diagonal for many features."""
        if self.rows.factorised:
            solve = self.rows.solver(self.loss, slopes, self.C)
            if solve is not None:
                return solve
        if self.part is None or self.rows.d > MOST_DENSE:
            return self.diagonal(slopes)
        H = self.loss.hessian(slopes, self.rows.span) if self.loss.listed else self.sampled_hessian(slopes)
        if H is None:
            return self.diagonal(slopes)
        H = self.C * H
        H[np.diag_indices_from(H)] += 1.0
        solve, _ = inverse_of(H)
        return lambda r: self.rows.lifted(solve, r)

    def diagonal(self, slopes):
        """Return r -> M^-1 r for an estimate M of the diagonal of the Hessian."""
        if not self.rows.complete:
            return lambda r: r
        diagonal = 1.0 + self.C * slopes.steepness * float(slopes.in_window.sum()) * self.rows.variance
        return lambda r: r / diagonal

    def sampled_hessian(self, slopes):
        """Return the Hessian of the loss, (d, d), from the sampled rows; None if no pair of theirs is in the window."""
        if self.sample is None:
            self.sample = self.rows.dense(self.chosen)
        found = slopes if self.part is self.loss else self.part.slopes(self.s[self.chosen], self.width)
        inside = float(found.in_window.sum())
        if inside == 0.0:
            return None
        scale = float(slopes.in_window.sum()) / inside
        return scale * self.part.hessian(found, self.sample)

    def along(self, step, moved, slope):
        """Go where the derivative along the step is at most half of ``slope`` > 0, its size here; a fifth if sharp."""
        enough = (PART if self.rows.sharp else 0.5) * slope
        low, high, t = 0.0, np.inf, 1.0
        for _ in range(LONGEST_SEARCH):
            s, found = self.s + t * moved, None
            found = self.slopes(s)
            image = self.rows.image(self.w + t * step, s)
            left = self.C * float(found.beta @ moved) - float(step @ image)
            if abs(left) <= enough:
                break
            low, high = (t, high) if left > 0 else (low, t)
            t = 2.0 * t if high == np.inf else 0.5 * (low + high)
        self.w, self.s = self.w + t * step, s
        if self.exact:
            self.s, found = self.rows.times(self.w), None
            found = self.slopes(self.s)
        return found

    def confirmed(self, tol):
        """Compute the bounds of all pairs anew from the best points; return whether they were right, or prove ``tol``.

        Scores are a sum of steps, which loses digits after a long one; those of a kernel may be in single precision.
        """
        if self.loss.listed:
            return True
        rows = self.rows.exact
        _, w, scores, width, scale = self.best_slopes
        if rows.complete:
            scores = rows.times(w)
        found = self.loss.slopes(scores, width)
        self.beta = scale * found.beta
        pull = rows.transposed(self.beta)
        dual = scale * self.loss.reward(found) - 0.5 * float(pull @ rows.image(pull))
        dual -= scale**2 * found.conjugate / self.C
        dual *= bool(abs(found.beta.sum()) <= UNBALANCED * np.abs(found.beta).sum())  # lost digits prove nothing
        best = rows.times(self.best_w)
        objective = 0.5 * float(self.best_w @ rows.image(self.best_w, best)) + self.C * self.loss.value(best)
        right = max(abs(self.objective - objective), abs(self.dual - dual)) <= DRIFT * objective
        self.objective, self.dual = objective, dual
        return right or (not rows.complete and relative_gap(objective, dual) <= tol)

    def solution(self, n_iter, tol):
        """Return the best points as a Solution."""
        if self.proved is not None:
            return replace(self.proved, n_iter=n_iter)
        slope, w, scores, width, scale = self.best_slopes
        if not self.loss.listed:
            alpha = SlopesAt(self.rows.point(w, scores)[None], width, np.array([scale]))
            proof = np.empty(0), alpha, self.objective, self.dual
            beta, w = (self.beta, self.best_w) if self.rows.complete else (self.best_w, None)
            return Solution(beta, *proof, n_iter, relative_gap(*proof[2:]) <= tol, w)
        alpha, beta = self.loss.dual_variables(slope, scale)
        w, weights, rows = self.rows.transposed(beta), None, self.rows.exact
        dual = float(self.loss.rows.margin @ alpha) - 0.5 * float(w @ rows.image(w))
        dual -= self.loss.rows.penalty(self.C, alpha)
        theta, objective, scale = self.primal(w)
        if relative_gap(objective, dual) > tol:
            at_w = self.primal(self.best_w)
            if at_w[1] < objective:
                (theta, objective, scale), w = at_w, self.best_w
            weights = w  # rounding made another function of X^T beta, whose thresholds would be others
        if not rows.complete:
            beta, weights = w, None
        objective, dual = self.problem.rounded(objective, dual, scale)
        return Solution(beta, theta, alpha, objective, dual, n_iter, relative_gap(objective, dual) <= tol, weights)

    def primal(self, w):
        """Return the best thresholds of listed rows, the objective there and the scale of its rounding errors."""
        rows = self.rows.exact
        scores = rows.times(w)
        half_norm = 0.5 * float(w @ rows.image(w, scores))
        return replace(self.problem, rows=self.loss.rows).primal(self.C, half_norm, scores)
