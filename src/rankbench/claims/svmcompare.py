"""Claims of svmcompare, none yet."""
