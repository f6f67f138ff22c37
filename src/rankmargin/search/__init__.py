"""The search: settings, the learned metric, folds, and the average of the best."""
