"""Measure processor seconds precisely enough for a verdict."""

import time

REPEATS = 3


def least_seconds(work, *arguments, **named):
    """Call a function three times; return the fewest processor seconds of a call, and the last result.

    Processor seconds do not count what other programs do on the machine; the fewest of three hold no compilation.
    """
    calls = 1
    while True:
        times = []
        for _ in range(REPEATS):
            started = time.process_time()
            for _ in range(calls):
                result = work(*arguments, **named)
            times.append((time.process_time() - started) / calls)
        if min(times) > 0.0:
            return min(times), result
        calls *= 4  # the clock of the processor may have steps of a hundredth of a second
