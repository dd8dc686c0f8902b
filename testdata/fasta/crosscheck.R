# crosscheck.R: compares promoters.fa and splice.fa with other copies of the same
# UCI sets and prints how many records agree.
#
#   SEQSVM_DATA=FOLDER Rscript testdata/fasta/crosscheck.R
#
# FOLDER holds promoter-uci-ecoli/all.fa.gz and splice-uci-primate/all.fa.gz, in
# which a header's first two words are a name and the label. Base R is enough.

# read_fasta returns the labels and sequences of a file, compressed or not.
read_fasta <- function(path) {
  input <- gzfile(path)
  on.exit(close(input))
  lines <- readLines(input)
  header <- startsWith(lines, ">")
  list(label = vapply(strsplit(lines[header], "[ \t]+"), `[`, "", 2),
       sequence = unname(vapply(split(lines[!header], cumsum(header)[!header]), paste, "", collapse = "")))
}

# shared counts the records of x that have a partner in y, each used once.
shared <- function(x, y) {
  a <- table(paste(x$label, x$sequence))
  b <- table(paste(y$label, y$sequence))
  both <- intersect(names(a), names(b))
  sum(pmin(a[both], b[both]))
}

keep <- function(x, which) list(label = x$label[which], sequence = x$sequence[which])

data <- Sys.getenv("SEQSVM_DATA")
if (data == "") {
  cat("crosscheck.R: SEQSVM_DATA is not set, nothing compared\n")
  quit(status = 0)
}
file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- if (length(file) == 1) dirname(file) else "."

p <- read_fasta(file.path(here, "promoters.fa"))
q <- read_fasta(file.path(data, "promoter-uci-ecoli", "all.fa.gz"))
cat(sprintf("promoters.fa: %d of %d records agree, in the same order: %s\n",
  shared(p, q), length(p$label), identical(p, q)))

s <- read_fasta(file.path(here, "splice.fa"))
original <- read_fasta(file.path(data, "splice-uci-primate", "all.fa.gz"))
other <- grepl("[^ACGTN]", original$sequence)
cat(sprintf("splice.fa: the other copy has %d records, %d with letters other than A, C, G, T, N\n",
  length(original$label), sum(other)))
original <- keep(original, !other)
cat(sprintf("splice.fa: %d of %d records agree letter for letter; %d of the other copy hold N\n",
  shared(s, original), length(s$label), sum(grepl("N", original$sequence))))
for (base in c("A", "C", "G", "T")) {
  read <- original
  read$sequence <- gsub("N", base, read$sequence)
  cat(sprintf("splice.fa: %d agree when N is read as %s\n", shared(s, read), base))
}
