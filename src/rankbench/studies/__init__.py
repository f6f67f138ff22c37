"""Studies: computations that are not fits on splits (illustrations, maps, counts, timings, tests of theorems).

The folder is the registry. A study is a module with

``PARAMS : dict``
    a literal: name of an argument -> JSON schema of its values. All are required; the yaml of an experiment sets them.
``COLUMNS : tuple of str``
    a literal: the columns of its frame.
``READS : tuple of str``
    a literal, where it reads the yaml: the keys of the experiment that it is given. Editing another key does not run it
    again; editing a method does where ``methods`` is one of them.
``run(data, experiment, **params) -> DataFrame``
    one tidy frame, written to ``results/{experiment}/statistics/{study}.csv``.

Parameters of every study
-------------------------
data : dict of str to (Table, list of Split)
    The data sets that the yaml names under ``studies.{study}.datasets``, with their splits under the first condition,
    one for each seed; without splits where they are no data sets of the experiment.
experiment : Experiment
    It has the name of the study and what `READS` names. A study with an argument ``method`` is given that one of
    ``methods``.

What the frame holds does not depend on when or where it runs, but for columns of seconds. A study that fits a method
calls its arguments ``uses`` and ``params``, as an experiment does; they are checked in the same way.
"""
