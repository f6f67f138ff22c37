"""What Doe states."""

from rankbench.claims.evidence import paired
from rankbench.claims.rules import each
from rankbench.claims.verdict import Claim, Measured, add


def _lead(records):
    return Measured(paired(records, "swapped_pairs", "few_partners", "all_pairs", scale=100))


WHY = "Differences are paired over the hold-outs."
add(Claim("X01", ("doe_table1/records",), _lead, each, WHY, limits={"least": 1.0}, unit=" points"))
