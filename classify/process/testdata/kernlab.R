# Writes kernlab.json: what rvm of kernlab makes of a Gaussian kernel on points of the plane that anyone can recompute.
#
#   Rscript kernlab.R > kernlab.json          (kernlab 0.9-32)
suppressMessages(library(kernlab))
i <- 0:29
a <- 2 * sin(i * i)
b <- 2 * cos(3 * i)
k <- exp(-(outer(a, a, "-")^2 + outer(b, b, "-")^2) / 2)
y <- sin(5 * i) + a
m <- rvm(as.kernelMatrix(k), y, kernel = "matrix", iterations = 10000, tol = 1e-12)
numbers <- function(v) paste(sprintf("%.17g", v), collapse = ", ")
cat(sprintf('{"vectors": [%s], "weights": [%s], "noise": %s}\n',
            numbers(RVindex(m) - 1), numbers(alpha(m)), numbers(nvar(m))))
