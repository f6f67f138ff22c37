"""The five papers, in the order of the ledger and the report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """Name in yaml and claims, short reference, surnames, full reference."""

    name: str
    short: str
    authors: str
    reference: str


PAPERS = (
    Paper(
        "diez",
        "Díez et al.",
        "Díez, del Coz, Bahamonde",
        "J. Díez, J. J. del Coz, A. Bahamonde: A support vector method for ranking minimizing the number of "
        "swapped pairs",
    ),
    Paper(
        "herbrich",
        "Herbrich et al.",
        "Herbrich, Graepel, Obermayer",
        "R. Herbrich, T. Graepel, K. Obermayer: Large margin rank boundaries for ordinal regression. In Advances in "
        "Large Margin Classifiers, MIT Press",
    ),
    Paper(
        "shashua_levin",
        "Shashua, Levin",
        "Shashua, Levin",
        "A. Shashua, A. Levin: Ranking with large margin principle: two approaches. Advances in Neural Information "
        "Processing Systems",
    ),
    Paper(
        "svmcompare",
        "Venuto et al.",
        "Venuto, Hocking, Spanurattana, Sugiyama",
        "D. Venuto, T. D. Hocking, S. Spanurattana, M. Sugiyama: Support vector comparison machines",
    ),
    Paper(
        "ranksvr",
        "Yu et al.",
        "Yu, Kim, Na",
        "H. Yu, S. Kim, S. Na: RankSVR: can preference data help regression? CIKM 2010",
    ),
)
