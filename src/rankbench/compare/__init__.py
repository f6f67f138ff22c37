"""A user's own table: from one file to a folder that the workflow runs (``make compare``).

``read`` reads the file, ``look`` decides how each column is used, ``described`` says so, ``protocol`` chooses what is
compared and how often, ``folder`` writes the data, their row of the sheet (``own``) and the experiment; the workflow
does the rest.
``answers`` puts the outcome into words, ``figures``, ``tables`` and ``report`` show it.
"""
