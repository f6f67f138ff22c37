"""Where the files of a run are: patterns below the checkout, for the rules of the workflow and for `str.format`.

Beside each file lies its note, of the same name with the ending ``.json`` (`rankbench.records.files`).
"""

SOURCE = "resources/raw/{dataset}/source.json"
TABLE = "resources/tables/{dataset}.npz"
SPLIT = "resources/splits/{experiment}/{dataset}/{condition}/{seed}.npz"
WARM_UP = "resources/warm_up/{digest}.txt"
RUN = "results/{experiment}/jobs/{dataset}/{condition}/{method}/{seed}.npz"
RECORDS = "results/{experiment}/records.parquet"
SCORES = "results/{experiment}/test_scores.parquet"
STATISTIC = "results/{experiment}/statistics/{statistic}.csv"
SHOWN = "results/{experiment}/tables/{table}.html"
DRAWN = "results/{experiment}/figures/{figure}.svg"
CLAIMS = "results/claims.csv"
REPORT = "results/report.html"
