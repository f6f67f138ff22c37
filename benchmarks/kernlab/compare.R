# compare of Venuto et al. by kernlab's ksvm on a kernel matrix, with shrinking (its default) and without, on the
# authors' own simulated sets of 50 or 100 pairs. Labels are numbers, as in their call: with a factor the solver stops
# elsewhere, and the sd of the squared 2-norm at 50 pairs is 5.9. No test runs this; output.csv is what it printed
# before it was stopped (a cell of 100 pairs takes minutes).
#   python export.py sets && Rscript compare.R sets 50 100 > output.csv
library(kernlab)
folder <- commandArgs(trailingOnly = TRUE)[1]
costs <- 10^seq(-3, 3, length.out = 10)
gammas <- 2^seq(-7, 4, length.out = 10)

rbf <- function(A, B, g) exp(-g * pmax(outer(rowSums(A^2), rowSums(B^2), "+") - 2 * A %*% t(B), 0))
differences <- function(P, Q, g) {  # <phi(p') - phi(p), phi(q') - phi(q)>
  p <- P[, 1:2]; p2 <- P[, 3:4]; q <- Q[, 1:2]; q2 <- Q[, 3:4]
  rbf(p2, q2, g) - rbf(p2, q, g) - rbf(p, q2, g) + rbf(p, q, g)
}
scaled <- function(P, mean, sd) sweep(sweep(P, 2, rep(mean, 2)), 2, rep(sd, 2), "/")

errors <- function(file, shrinking) {
  data <- read.csv(file)
  of <- function(name) data[data$part == name, ]
  train <- of("train")
  pairs <- as.matrix(train[, 1:4])
  items <- rbind(pairs[, 1:2], pairs[, 3:4])
  mean <- colMeans(items); sd <- apply(items, 2, sd)
  parts <- lapply(c(train = "train", validation = "validation", test = "test"), function(name) {
    list(X = scaled(as.matrix(of(name)[, 1:4]), mean, sd), y = of(name)$label)
  })
  X <- parts$train$X; y <- parts$train$y
  back <- function(P) P[, c(3, 4, 1, 2), drop = FALSE]
  flipped <- X  # in the order of the rows, as the authors have it
  flipped[y == -1, ] <- back(X[y == -1, , drop = FALSE])
  flipped <- rbind(flipped, back(X[y == 0, ]))
  sign <- ifelse(c(y, 0 * y[y == 0]) == 0, -1, 1)
  best <- Inf; found <- NA
  for (g in gammas) {
    K <- as.kernelMatrix(differences(flipped, flipped, g))
    for (C in costs) {
      fit <- ksvm(K, sign, type = "C-svc", C = C, shrinking = shrinking)
      at <- SVindex(fit)
      weights <- coef(fit)[[1]]
      predicted <- function(part) {
        f <- differences(part$X, flipped[at, , drop = FALSE], g) %*% weights
        r <- f / b(fit)  # decision = f - b: r = f / -beta
        ifelse(r > 1, 1, ifelse(r < -1, -1, 0))
      }
      wrong <- sum(predicted(parts$validation) != parts$validation$y)
      if (wrong < best) { best <- wrong; found <- mean(predicted(parts$test) != parts$test$y) }
    }
  }
  100 * found
}

cat("function,pairs,shrinking,mean,sd\n")
for (n in as.integer(commandArgs(trailingOnly = TRUE)[-1])) for (shrinking in c(TRUE, FALSE)) for (norm in c("l2", "l1", "linf")) {
  values <- sapply(1:4, function(seed) errors(file.path(folder, sprintf("%s_%d_%d.csv", norm, n, seed)), shrinking))
  cat(sprintf("%s,%d,%s,%.3f,%.3f\n", norm, n, shrinking, mean(values), sd(values)))
}
