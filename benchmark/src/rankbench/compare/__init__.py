"""A user's own table: from one file to a folder that the workflow runs (``make compare``).

``read`` reads the file, ``cells`` says what its cells mean, ``columns`` decides how each column is used, ``plan``
chooses what is compared and how often, ``folder`` writes the table and the experiment; the workflow does the rest.
``report`` puts the outcome into words, and ``program`` writes the program that uses it.
"""
