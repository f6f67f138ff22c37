"""Your own table: from one file to a folder of the user's own that the workflow runs (``make compare``).

``read`` reads the file, ``look`` says what it takes each column for, ``protocol`` chooses what is compared and how
often, ``folder`` writes the data, their row of the sheet (``own``) and the experiment; the workflow does the rest.
``answers`` puts the outcome into words, ``figures``, ``tables`` and ``report`` show it.
"""
