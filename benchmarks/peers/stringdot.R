# The Gram matrix of kernlab's spectrum kernel: Rscript stringdot.R FILE.fa LENGTH
suppressMessages(library(kernlab))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 2) quit() # to measure how long R and kernlab take to start
lines <- readLines(arguments[1])
headers <- startsWith(lines, ">")
sequences <- tapply(lines[!headers], cumsum(headers)[!headers], paste, collapse = "")
kernel <- stringdot(type = "spectrum", length = as.integer(arguments[2]), normalized = TRUE)
gram <- kernelMatrix(kernel, as.list(as.vector(sequences)))
cat(dim(gram), "\n")
