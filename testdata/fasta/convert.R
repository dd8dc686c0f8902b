# convert.R: writes promoters.fa and splice.fa beside itself.
#
#   Rscript testdata/fasta/convert.R [OUTPUT FOLDER]
#
# Needs the R packages kernlab (data set promotergene) and mlbench (data set
# DNA), in Debian: r-cran-kernlab and r-cran-mlbench. The script checks every
# assumption it makes about the two codings and stops where one fails, prints
# the counts quoted in the SOURCE.md files, and writes the same bytes each time.

suppressPackageStartupMessages({
  library(kernlab)
  library(mlbench)
})

# script_folder is where this file lives, so that the script runs from anywhere.
script_folder <- function() {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  if (length(file) == 1) dirname(file) else "."
}

# write_fasta writes ">nameI label" and one line of bases per record, with line
# feeds on every platform.
write_fasta <- function(path, name, label, sequence) {
  out <- file(path, "wb")
  on.exit(close(out))
  writeLines(sprintf(">%s%d %s\n%s", name, seq_along(sequence), label, sequence), out, sep = "\n")
}

# describe prints the counts that the SOURCE.md files quote. Extra copies are
# the records that repeat an earlier sequence.
describe <- function(what, label, sequence) {
  conflicting <- tapply(label, sequence, function(l) length(unique(l)) > 1)
  cat(sprintf("%s: %d records, length %s, labels %s, extra copies %d, sequences with two labels %d\n",
    what, length(sequence), paste(unique(nchar(sequence)), collapse = " "),
    paste(sprintf("%s=%d", names(table(label)), table(label)), collapse = " "),
    sum(duplicated(sequence)), sum(conflicting)))
}

# promoters reads kernlab's data frame: Class is "+" or "-", V2 to V58 are
# factors with levels a, c, g, t for positions -50 to +7.
promoters <- function() {
  data(promotergene, package = "kernlab", envir = environment())
  bases <- vapply(promotergene[, -1], as.character, character(nrow(promotergene)))
  stopifnot(dim(bases) == c(106, 57), bases %in% c("a", "c", "g", "t"),
    promotergene$Class %in% c("+", "-"))
  list(label = paste0(promotergene$Class, "1"),
       sequence = toupper(apply(bases, 1, paste, collapse = "")))
}

# splice reads mlbench's data frame: three 0/1 indicators per position, in the
# order of the positions, A = 100, C = 010, G = 001, T = 000 (help page of DNA).
splice <- function() {
  data(DNA, package = "mlbench", envir = environment())
  bits <- vapply(DNA[, 1:180], function(v) as.integer(as.character(v)), integer(nrow(DNA)))
  stopifnot(dim(bits) == c(3186, 180), bits %in% 0:1, DNA$Class %in% c("ei", "ie", "n"))
  code <- bits[, seq(1, 180, 3)] + 2L * bits[, seq(2, 180, 3)] + 3L * bits[, seq(3, 180, 3)]
  ones <- bits[, seq(1, 180, 3)] + bits[, seq(2, 180, 3)] + bits[, seq(3, 180, 3)]
  stopifnot(ones <= 1)
  bases <- matrix(c("T", "A", "C", "G")[code + 1L], nrow = nrow(code))
  label <- toupper(as.character(DNA$Class))
  check_splice_biology(label, bases)
  list(label = label, sequence = apply(bases, 1, paste, collapse = ""))
}

# check_splice_biology is the evidence that the coding was read rightly: the
# junction lies between columns 30 and 31, introns begin with GT (columns 31, 32
# of EI records) and end with AG (columns 29, 30 of IE records), with few
# exceptions; a chance pair is near 1/16.
check_splice_biology <- function(label, bases) {
  pair <- function(l, i) mean(paste0(bases[label == l, i], bases[label == l, i + 1]) == if (l == "EI") "GT" else "AG")
  gt <- pair("EI", 31)
  ag <- pair("IE", 29)
  cat(sprintf("splice.fa: GT in columns 31-32 of EI %.4f, AG in columns 29-30 of IE %.4f\n", gt, ag))
  stopifnot(gt > 0.98, ag > 0.98)
}

argument <- commandArgs(TRUE)
folder <- if (length(argument) > 0) argument[1] else script_folder()
cat(sprintf("%s; kernlab %s, mlbench %s\n", R.version.string,
  packageDescription("kernlab")$Version, packageDescription("mlbench")$Version))

p <- promoters()
describe("promoters.fa", p$label, p$sequence)
write_fasta(file.path(folder, "promoters.fa"), "promoter", p$label, p$sequence)

s <- splice()
describe("splice.fa", s$label, s$sequence)
write_fasta(file.path(folder, "splice.fa"), "splice", s$label, s$sequence)
