# String kernels of seqsvm in R: Gram matrices for kernlab, and models of the tool itself.
#
#   Rscript packaging/r/promoters.R testdata/fasta/promoters.fa
#
# It needs kernlab, and seqsvm on the PATH or in the environment variable SEQSVM.
library(kernlab)

seqsvm <- function(...) {
  status <- system2(Sys.getenv("SEQSVM", "seqsvm"), shQuote(c(...)), stdout = FALSE)
  if (status != 0) stop("seqsvm ", ..1, " failed")
}

# A matrix of NumPy's format, as seqsvm matrix gram --format npy writes it: rows of doubles.
read.npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  stopifnot(identical(readBin(file, "raw", 6), as.raw(c(0x93, utf8ToInt("NUMPY")))))
  version <- readBin(file, "integer", 2, size = 1)
  size <- readBin(file, "integer", 1, size = if (version[1] == 1) 2 else 4, endian = "little", signed = version[1] != 1)
  header <- readChar(file, size, useBytes = TRUE)
  stopifnot(grepl("'<f8'", header, fixed = TRUE), grepl("'fortran_order': False", header, fixed = TRUE))
  shape <- as.integer(strsplit(sub(".*\\(([^)]*)\\).*", "\\1", header), ",")[[1]])
  matrix(readBin(file, "double", prod(shape), endian = "little"), shape[1], shape[2], byrow = TRUE)
}

# FASTA whose headers are ">id label".
read.fasta <- function(path) {
  lines <- readLines(path)
  header <- startsWith(lines, ">")
  words <- strsplit(substring(lines[header], 2), " +")
  letters <- tapply(lines[!header], cumsum(header)[!header], paste, collapse = "")
  data.frame(id = sapply(words, `[`, 1), label = sapply(words, `[`, 2), letters = as.vector(letters))
}

write.fasta <- function(records, path) {
  writeLines(paste0(">", records$id, " ", records$label, "\n", records$letters), path)
}

records <- read.fasta(commandArgs(trailingOnly = TRUE)[1])
kernel <- "substring:weight=bounded,k=6"
folder <- tempfile("seqsvm")
dir.create(folder)
path <- function(name) file.path(folder, name)

# 1. The Gram matrix of all records, for kernlab's machines.
write.fasta(records, path("all.fa"))
seqsvm("matrix", "gram", "--quiet", "--kernel", kernel, "--format", "npy", "-o", path("gram.npy"), path("all.fa"))
gram <- as.kernelMatrix(read.npy(path("gram.npy")))
labels <- factor(records$label)
held <- seq(1, nrow(records), by = 5)
machine <- ksvm(as.kernelMatrix(gram[-held, -held]), labels[-held], type = "C-svc", C = 1)
support <- gram[held, -held][, SVindex(machine), drop = FALSE]
ours <- predict(machine, as.kernelMatrix(support), type = "decision")
cat(sprintf("kernlab: %.1f %% of %d records held out\n", 100 * mean(predict(machine, as.kernelMatrix(support)) ==
  labels[held]), length(held)))

# 2. A model of the tool, which never makes the matrix: trained, and applied, from R.
write.fasta(records[-held, ], path("train.fa"))
write.fasta(records[held, ], path("held.fa"))
seqsvm("train", "--quiet", "--kernel", kernel, "--tol", "1e-6", path("train.fa"), "-o", path("m.seqsvm"))
seqsvm("predict", "--quiet", "-m", path("m.seqsvm"), "--digits", "17", "-o", path("held.tsv"), path("held.fa"))
predictions <- read.delim(path("held.tsv"), check.names = FALSE, colClasses = c(class = "character"))
cat(sprintf("seqsvm:  %.1f %%\n", 100 * mean(predictions$class == labels[held])))

# Both are the same machine: their decisions agree as closely as the tolerances of the two solvers.
stopifnot(max(abs(abs(ours) - abs(predictions$decision))) < 1e-2)
unlink(folder, recursive = TRUE)
