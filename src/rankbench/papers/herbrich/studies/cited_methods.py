"""What Herbrich et al. cite of other methods, tried on sets that come with scikit-learn (H22, H23)."""

import pandas as pd

COLUMNS = ("dataset", "seed", "tree", "boosted_tree", "svm", "nearest")


def run(data, experiment, *, draws, trees):
    """Test four classifiers on hold-outs of 30 percent of three sets.

    Parameters
    ----------
    data, experiment
        Not used: the sets are scikit-learn's wine, breast cancer and digits.
    draws : int
        Hold-outs of each set.
    trees : int
        Rounds of boosting.

    Returns
    -------
    DataFrame
        ``dataset seed tree boosted_tree svm nearest``: shares of wrong classes on the test part.
    """
    from sklearn import datasets
    from sklearn.model_selection import train_test_split

    rows = []
    for name, load in (
        ("wine", datasets.load_wine),
        ("breast_cancer", datasets.load_breast_cancer),
        ("digits", datasets.load_digits),
    ):
        X, y = load(return_X_y=True)
        for seed in range(draws):
            parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
            rows.append((name, seed, *_errors(*parts, seed, trees)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _errors(X, X_test, y, y_test, seed, trees):
    """Return the shares of wrong classes of a tree, boosted trees, a support vector machine, the nearest neighbour."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=seed)
    boosted = AdaBoostClassifier(DecisionTreeClassifier(max_depth=4), n_estimators=trees, random_state=seed)
    machines = (tree, boosted, make_pipeline(StandardScaler(), SVC(C=10.0)), KNeighborsClassifier(1))
    return [1 - float(machine.fit(X, y).score(X_test, y_test)) for machine in machines]
