# The Gram matrix of kernlab's spectrum kernel: Rscript stringdot.R FILE.fa LENGTH
suppressMessages(library(kernlab))
arguments <- commandArgs(trailingOnly = TRUE)
lines <- readLines(arguments[1])
headers <- startsWith(lines, ">")
sequences <- tapply(lines[!headers], cumsum(headers)[!headers], paste, collapse = "")
kernel <- stringdot(type = "spectrum", length = as.integer(arguments[2]), normalized = TRUE)
gram <- kernelMatrix(kernel, as.list(as.vector(sequences)))
cat(dim(gram), "\n")
