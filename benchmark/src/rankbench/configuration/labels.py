"""Method labels as the yaml writes them (``SVM_multi^SP``, ``name_5``) in the markup of each output."""

import difflib
import html
import math
import re

_PARTS = re.compile(r"([^_^]+)(?:_([^_^]+))?(?:\^([^_^]+))?")
_IN_MATH = re.compile(r"[\w .,:;()+*/=-]*")  # characters that need no escape in TeX and matplotlib
_TEX_SPECIAL = {character: rf"\{character}" for character in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
}


_METRICS = {
    "rank_inversions": "inversions (fraction of pairs)",
    "swapped_pairs": "swapped pairs (fraction)",
    "mean_absolute_error": "mean absolute error (ranks)",
    "zero_one": "wrong labels (fraction)",
    "balanced_absolute_error": "mean absolute error, mean over the ranks",
    "balanced_zero_one": "wrong ranks (fraction), mean over the ranks",
    "quadratic_kappa": "quadratic kappa",
    "kendall_tau": "Kendall's tau-b",
    "spearman": "Spearman's rank correlation",
    "concordance_index": "concordance index",
    "ndcg": "NDCG",
    "mean_reciprocal_rank": "mean reciprocal rank",
    "average_precision": "average precision",
    "precision_at_k": "precision at k",
    "comparison_error": "wrong pairs (fraction)",
    "comparison_auc": "AUC of comparisons",
    "comparison_log_loss": "log loss of comparisons",
    "ranked_probability_score": "ranked probability score (ranks)",
}
GAINS = (  # metrics where higher is better
    "average_precision",
    "comparison_auc",
    "comparison_auc_any_direction",
    "concordance_index",
    "kendall_tau",
    "mean_reciprocal_rank",
    "ndcg",
    "precision_at_k",
    "quadratic_kappa",
    "spearman",
)


MOST_DECIMALS = 8
TINIEST = 0.5 * 10.0**-MOST_DECIMALS  # a smaller number counts as 0


def counted(count, noun):
    """Return a number of things in words.

    >>> counted(1, "run"), counted(1200, "run")
    ('1 run', '1,200 runs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def one_line(text):
    """Return a text on one line: runs of blanks, line breaks and characters that cannot be shown are one blank.

    >>> one_line(" price\\n in\\t\\x1b[31mEUR ")
    'price in [31mEUR'
    """
    text = str(text)
    return " ".join((text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)).split())


def listed(names, most=8):
    """Return names for a line, and how many more there are."""
    names = list(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def meant(name, known):
    """Return the name that the user may have meant, and all accepted ones, as the end of a message."""
    close = difflib.get_close_matches(str(name), known, 1)
    return (f"did you mean {close[0]!r}? " if close else "") + f"accepted: {', '.join(known)}"


def quoted(words):
    """Return words as the value of an option: with commas between them if one of them holds a blank."""
    return '"' + (", " if any(" " in word for word in words) else " ").join(words) + '"'


def join(names):
    """Return names as a list in words."""
    return names[0] if len(names) == 1 else f"{'; '.join(names[:-1])} and {names[-1]}"


def two_digits(value):
    """Return a number with two significant digits, and never in powers of ten.

    >>> two_digits(0.354), two_digits(12.3), two_digits(99.7), two_digits(1234.0)
    ('0.35', '12', '100', '1,234')
    """
    return f"{value:.2g}" if value < 99.5 else f"{value:,.0f}"


def shown(value, metric="", least=4):
    """Return a number with four decimals, or with as many more as a small one needs for two digits, eight at most.

    Of a metric that is best at 1, the distance to 1 is what is small. The minus is a proper one.

    Parameters
    ----------
    value : float
    metric : str
        The metric whose value it is; of a difference none.
    least : int
        The fewest decimals.

    Examples
    --------
    >>> shown(0.125), shown(0.00012), shown(-0.00004), shown(0.0), shown(0.99988, "kendall_tau", least=3)
    ('0.1250', '0.00012', '−0.000040', '0.0000', '0.99988')
    """
    value = 0.0 if abs(value) < TINIEST else value
    size = min(abs(value), abs(1 - value)) if metric in GAINS else abs(value)
    decimals = max(least, 1 - math.floor(math.log10(size))) if size >= TINIEST else least  # least of nan too
    return f"{value:.{min(decimals, MOST_DECIMALS)}f}".replace("-", "−")


def sign_of(metric):
    """Return 1 for an error and -1 where higher is better: the metric times this sign is better lower."""
    return -1 if metric in GAINS else 1


def error_of(metric, values):
    """Return errors as they are, and one minus the values of a metric that is better higher and at most 1."""
    return 1 - values if metric in GAINS else values


def metric_label(metric):
    """Return the description of a metric with its unit; its name if it has no description."""
    return _METRICS.get(metric, metric)


def method_labels(experiment, markup=str):
    """Return method key -> label in the given markup; the label of a method without ``label:`` is its key."""
    return {name: markup(method.label or name) for name, method in experiment.methods.items()}


def condition_label(experiment, condition):
    """Return what a condition changes in the preprocessing, in words; its name if it changes nothing there."""
    changed = experiment.conditions[condition].preprocess
    return ", ".join(f"{key} {value}" for key, value in changed.items()) or condition


def tex_label(label):
    r"""Return ``name_sub^sup`` as LaTeX math, other labels as LaTeX text."""
    return _math(label) or tex_text(label)


def figure_label(label):
    """Return ``name_sub^sup`` as the math that matplotlib reads, other labels as they are."""
    return _math(label) or figure_text(label)


def figure_text(text):
    """Return plain text, such as the title of a data set, so that matplotlib does not read it as math."""
    return text.replace("$", r"\$")


def html_label(label):
    """Return ``name_sub^sup`` as HTML (``name<sub>sub</sub><sup>sup</sup>``)."""
    label = html.escape(label)
    parts = _PARTS.fullmatch(label)
    if parts is None:
        return label
    sub, sup = parts[2], parts[3]
    return parts[1] + (f"<sub>{sub}</sub>" if sub else "") + (f"<sup>{sup}</sup>" if sup else "")


def tex_text(text):
    """Return plain text with LaTeX's special characters escaped."""
    return "".join(_TEX_SPECIAL.get(character, character) for character in text)


def _math(label):
    r"""Return ``$\mathrm{name}_{\mathrm{sub}}^{\mathrm{sup}}$``, or None if the label has neither sub nor sup."""
    parts = _PARTS.fullmatch(label)
    if (
        parts is None
        or not (parts[2] or parts[3])
        or not all(_IN_MATH.fullmatch(part or "") for part in parts.groups())
    ):
        return None
    scripts = "".join(f"{sign}{{\\mathrm{{{part}}}}}" for sign, part in zip("_^", parts.groups()[1:]) if part)
    return f"$\\mathrm{{{parts[1]}}}{scripts}$"
