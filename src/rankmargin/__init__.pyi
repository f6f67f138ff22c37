from rankmargin.estimators.compare import ComparisonSVM as ComparisonSVM
from rankmargin.estimators.comparison_link import ComparisonLink as ComparisonLink
from rankmargin.estimators.cumulative_link import CumulativeLink as CumulativeLink
from rankmargin.estimators.fixed_margin import FixedMarginSVM as FixedMarginSVM
from rankmargin.estimators.pairs import (
    ItemKFold as ItemKFold,
)
from rankmargin.estimators.pairs import (
    PairTransformer as PairTransformer,
)
from rankmargin.estimators.pairs import (
    stack_pairs as stack_pairs,
)
from rankmargin.estimators.pairwise import PairwiseRankSVM as PairwiseRankSVM
from rankmargin.estimators.path import rank_path as rank_path
from rankmargin.estimators.prank import KernelPRank as KernelPRank
from rankmargin.estimators.prank import PRank as PRank
from rankmargin.estimators.rank_boundaries import RankBoundarySVM as RankBoundarySVM
from rankmargin.estimators.rank_threshold import RankThreshold as RankThreshold
from rankmargin.estimators.ranksvr import RankSVR as RankSVR
from rankmargin.estimators.sum_of_margins import SumOfMarginsSVM as SumOfMarginsSVM
from rankmargin.estimators.svor import SVOR as SVOR
from rankmargin.estimators.swapped_pairs import SwappedPairsSVM as SwappedPairsSVM
from rankmargin.estimators.thresholded_ranker import ThresholdedRanker as ThresholdedRanker
from rankmargin.search.rank_average import RankAverage as RankAverage
from rankmargin.search.search import RankSearchCV as RankSearchCV

_HOMES: dict[str, str]
__all__: list[str]
__version__: str

def show_versions() -> None: ...
