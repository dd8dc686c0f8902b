// Package seqio turns files into corpora: FASTA, FASTQ, text in lines, TSV, CSV, JSONL, folders and trees. It writes
// FASTA; package [github.com/seqsvm/seqsvm/seqio/matrix] writes matrices.
//
// # Reading
//
// [Read] and [ReadFile] give a [Set]: a [stringkernel.Corpus] with the id, the description, the label and the line of
// every record. An input is a byte stream, possibly compressed with gzip (any number of members) or zstd, both known by
// their first bytes. Its format is that of [Options], or is inferred as follows.
//
//  1. The name, before .gz or .zst: .tsv .tab mean TSV, .csv means CSV, .jsonl .ndjson mean JSONL, .klp .kelp KeLP,
//     .dbn dot-bracket.
//  2. Else the first byte that is neither blank nor part of a byte order mark: '>' means FASTA, '@' means FASTQ,
//     whatever the name. A text whose first line begins with one of the two needs [Lines] in the options.
//  3. Else the name: .fa .fasta .fna .faa .ffn .fas mean FASTA; .fq .fastq mean FASTQ; .txt means lines, .sgm Reuters.
//  4. Else a first byte '{' means JSONL, “<!DOCTYPE lewis” Reuters, and a first line with |BT, |BS, |BV or |BDV KeLP.
//  5. Otherwise it is an error.
//
// A folder holds documents, a file each.
//
// FASTA. A record is a line “>id description” and any number of sequence lines, none included. Line ends are LF or
// CRLF; lone CR is an error. White space at the end of a line and blank lines are ignored, white space
// inside a sequence line is an error. Lines that begin with ';' are comments before the first header and an error after
// it. A sequence consists of ASCII letters, '*', '-' and '.'; every other byte is an error with its line and column.
// Ids are not empty and occur once.
//
// FASTQ. A record is “@id description”, sequence lines, “+” (alone or with the header repeated) and quality lines. A
// sequence on one line has its quality on one line; a wrapped one may have it wrapped anyhow. Qualities are bytes '!'
// to '~', as many as letters; they are checked and dropped.
//
// Lines. Every line is a record, blank ones too, and its id is its line number. A last line without a line end counts,
// nothing after the last line end does not. NUL and lone CR are errors: such a file is not text.
//
// # Documents
//
// TSV, CSV and JSONL have the label, the text and the id of a document in columns or fields with names, see [Columns].
// Without their own ids, documents are called by their line; ids occur once. Ids and labels have no control
// characters, labels no blanks around them. Texts may be empty.
//
// TSV. A line is a record; columns are separated by tabs, quotes are letters, blank lines are skipped. Every line has
// as many columns as the first. Without a header it is label<TAB>text, or text alone; with more columns [Columns] say
// which is which.
//
// CSV. RFC 4180 as encoding/csv reads it: a field in quotes may hold commas, quotes twice and line ends, of which CRLF
// becomes LF. The first record names the columns, unless [Columns].Header is [HeaderNo]. All records have as many
// columns.
//
// JSONL. A line is an object; blank lines are skipped. The text is a string; label and id are strings or numbers, true
// or false, kept as they are written. null is as if it were not there. Of members with the same name the last one
// counts. A list of labels is an error: a document has one.
//
// Reuters. The SGML files of Reuters-21578. The id is NEWID, the text that of TITLE and BODY, or of TEXT itself,
// references replaced and control characters left out. A document has any number of topics: [Set].Topics has all, and
// the first is its label. [Options].Split keeps one part of the ModApte split: LEWISSPLIT is TRAIN or TEST, TOPICS is
// YES, and there is a topic. One of the original files is not UTF-8; latin1 reads all of them.
//
// Documents. A file is a document, called by its name. Of a folder each sub-folder is a label, as in scikit-learn's
// load_files: all files below it, at any depth, are documents with that label, and their ids are paths in the folder
// with slashes. Files beside sub-folders are ignored; a folder without sub-folders holds documents without labels.
// Names come in the order of their bytes, those that begin with a dot are ignored. Links are followed, and one that
// leads back to a folder it is in is an error.
//
// Encoding. Text is UTF-8, and a byte that is not is an error with its line and column, unless [Options].Encoding is
// bytes, which keeps what there is (but in JSONL), or names an encoding to turn into UTF-8: utf-16, which goes by its
// byte order mark, or any label of the WHATWG Encoding Standard, where latin1 means windows-1252. A byte order mark is
// believed before that. What an encoding does not define is an error.
//
// HTML. With [Options].HTML the text of a document is what is between tags: references such as &eacute; replaced;
// without comments, script, style, template and iframe; each run of white space, and each tag that is not one of those
// inside a word such as b or span, one blank. The charset that a document claims for itself is not looked at.
//
// # Trees
//
// With [Options].Tree the text of a document is one tree or several, in one of the syntaxes of package
// [github.com/seqsvm/seqsvm/seqio/trees], in any text format: a line, a column, a field of JSONL (which may be an
// object or a list, if the trees are JSON), a file, the files of a folder. The record is then in the notation of
// package [github.com/seqsvm/seqsvm/treekernel/bracket], whatever the syntax was. Names imply the format of trees in
// more cases: .xml .html .htm .xhtml .svg .json .mrg .ptb are documents, .nwk .newick .tre .tree .trees lines. Without
// the option a text in that notation is a record as it is, whose errors the kernel reports.
//
// KeLP. An example per line: labels, of which the first counts and [Set].Topics has all, and representations |BT:name|
// … |ET|. [Columns].Text is the name of the one that is the text, its number from 0 if it has none; by default it is
// the first tree. Pairs of examples are an error.
//
// Dot-bracket. A record is a line “>id description” with the label as in FASTA, a line with the sequence and one with
// the structure, or the structure alone, which an energy may follow. It is always a tree.
//
// # Letters and labels
//
// Letters of FASTA and FASTQ are turned into upper case unless [Options].SoftMask is set; then lower-case letters stay,
// lie outside every nucleotide and protein alphabet, and break matches. What else lies outside the alphabet breaks
// matches too, or is an error if [Options].Ambiguous is [AmbiguousError].
//
// [AllBatches] reads any format by the same rules, for inputs that need not fit in memory, and gives sets of
// consecutive records. [Stream] reads FASTA and keeps none of it: it gives records chunk by chunk, for sequences that
// need not fit in memory. [genome.AppendBED], [genome.AppendBedGraph] and [genome.AppendGFF3] write places of them.
//
// The label of a record of FASTA or FASTQ is X of the first white-space separated token label=X in its description,
// else the description's first word, else "". [ReadLabels] reads labels from a separate file, [ReadGroups] the
// groups that folds keep together.
//
// [Decompress] is for other packages that read their own formats. Package [github.com/seqsvm/seqsvm/seqio/genome] reads
// genomes, annotations and variants.
//
// # Errors
//
// An error in an input is an [*Error], one line long:
//
//	train.fa.gz:1234: record "chr1": letter 'E' is not DNA
//
// # Cost
//
// Reading is one pass over the input through a buffer of fixed size, with no allocation per line; validation and case
// take eight letters per step. It takes 1 byte per letter, the header text, and 64 bytes per record; while reading also
// 28 to 40 bytes per record to find duplicate ids. When the size of the input is known beforehand (a file, a
// [bytes.Reader]) the arena is allocated once, otherwise it doubles. BenchmarkFASTA, BenchmarkFASTQ, BenchmarkTSV,
// BenchmarkCSV and BenchmarkJSONL give the throughput, BenchmarkBiogoFASTA that of biogo's reader on the same bytes. A
// gzip stream inflates several times slower than that; it does so in a separate goroutine.
//
// # Limits
//
// A line or a document in text formats is held twice while it is read. A set holds fewer than 2³¹−1 letters and as many
// records, since indices are 32-bit; a header line is shorter than 512 KiB; a zstd window is at most 128 MiB. Memory
// grows with what was read and not with what a header promises.
//
// # References
//
// W. R. Pearson, D. J. Lipman, Improved tools for biological sequence comparison, PNAS 85 (1988),
// doi:10.1073/pnas.85.8.2444 (FASTA); P. J. A. Cock et al., The Sanger FASTQ file format, Nucleic Acids Research 38
// (2010), doi:10.1093/nar/gkp1137; A. Cornish-Bowden, Nomenclature for incompletely specified bases, Nucleic Acids
// Research 13 (1985), doi:10.1093/nar/13.9.3021; R. D. Kortschak et al., bíogo: a simple high-performance
// bioinformatics toolkit for the Go language, JOSS 2 (2017), doi:10.21105/joss.00167, whose alphabets decide what is
// DNA, RNA and protein here and whose sequences [FromBiogo] and [ToBiogo] convert. Y. Shafranovich, Common format and
// MIME type for CSV files, RFC 4180 (2005), doi:10.17487/RFC4180; T. Bray, The JSON data interchange format, RFC 8259
// (2017), doi:10.17487/RFC8259; F. Pedregosa et al., Scikit-learn: machine learning in Python, JMLR 12 (2011) 2825–2830
// (load_files); D. D. Lewis, Reuters-21578 text categorization test collection, distribution 1.0, README (1997).
package seqio
