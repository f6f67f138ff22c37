"""What comes before a fit: the import, the first fit of a process, the first after an installation, and Ctrl-C in one.

    OMP_NUM_THREADS=1 python benchmarks/start.py

Processor seconds, the least of three processes each, beside the import of ``sklearn.svm``; wall seconds from Ctrl-C,
two seconds into a kernel fit of 8,000 rows, to the end of the process.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

IMPORT = "import time; from rankmargin import SwappedPairsSVM; print(time.process_time())"
RIVAL = "import time; from sklearn import svm; print(time.process_time())"
FIT = """
import time
from rankmargin import SwappedPairsSVM
import numpy as np
X = np.random.default_rng(0).standard_normal((100, 4))
start = time.process_time()
SwappedPairsSVM(kernel={kernel!r}).fit(X, X[:, 0])
print(time.process_time() - start)
"""
LONG = """
import numpy as np
from rankmargin import SwappedPairsSVM
X = np.random.default_rng(0).standard_normal(({rows}, 10))
print("fits", flush=True)
SwappedPairsSVM(gamma=0.1, C=100).fit(X, X[:, 0] * X[:, 1])
"""


def least(program, environment=None, repeats=3):
    """Return the least of the numbers that processes with this program print."""
    told = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
        for _ in range(repeats)
    ]
    return min(float(one.stdout) for one in told)


def seconds_to_end(rows=8000, wait=2.0):
    """Return the wall seconds from Ctrl-C until a process that fits has ended."""
    process = subprocess.Popen([sys.executable, "-c", LONG.format(rows=rows)], stdout=-1, stderr=-1, text=True)
    process.stdout.readline()
    time.sleep(wait)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    process.communicate()
    return time.perf_counter() - start


def main(rows=8000, repeats=3, kernels=("rbf", "linear")):
    print(f"import of sklearn.svm         {least(RIVAL, repeats=repeats):6.2f} s")
    print(f"import of SwappedPairsSVM     {least(IMPORT, repeats=repeats):6.2f} s")
    for kernel in kernels:
        print(f"first fit, {kernel:6}             {least(FIT.format(kernel=kernel), repeats=repeats):6.2f} s")
        with tempfile.TemporaryDirectory() as folder:
            installed = least(FIT.format(kernel=kernel), {**os.environ, "NUMBA_CACHE_DIR": folder}, repeats=1)
        print(f"first after installation, {kernel:6}{installed:5.2f} s", flush=True)
    print(f"from Ctrl-C to the end        {seconds_to_end(rows):6.2f} s (wall)")


if __name__ == "__main__":
    main()
