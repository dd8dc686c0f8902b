// Package seqio reads files into corpora: FASTA, FASTQ, text by lines, TSV, CSV, JSONL, folders and trees. It writes
// FASTA; package [github.com/seqsvm/seqsvm/seqio/matrix] writes matrices.
//
// # Reading
//
// [Read] and [ReadFile] return a [Set]: a [stringkernel.Corpus] with the id, description, label and line of every
// record. An input is a byte stream, possibly compressed with gzip (any number of members) or zstd, which are
// recognised by their first bytes. Its format is that of [Options], or is inferred as follows; docs/input.md has this,
// and what follows on folders, letters and labels, as tables.
//
//  1. From the name, before .gz or .zst: .tsv .tab are TSV, .csv CSV, .jsonl .ndjson JSONL, .klp .kelp KeLP, .dbn
//     dot-bracket.
//  2. Else from the first bytes that are neither blank nor a byte order mark: '>' is FASTA, also where [BED] is asked
//     for, '@' FASTQ, __label__ FastText, whatever the name. A text whose first line begins with one of these needs
//     [Lines] in the options. So does one of .txt, or of a name that implies no format, that begins with a sequence, a
//     start and an end, with tabs between them: it is BED.
//  3. Else from the name: .fa .fasta .fna .faa .ffn .fas are FASTA, .fq .fastq FASTQ, .txt lines, .sgm Reuters.
//  4. Else a first byte '{', or '[' before '{', is JSONL, “<!DOCTYPE lewis” Reuters, and a first line with |BT, |BS,
//     |BV or |BDV KeLP.
//  5. Otherwise it is an error.
//
// A folder whose files are all FASTA or FASTQ, or all of one format that its name implies by rule 1, is these files;
// any other holds documents, one per file. Files of several kinds are an error, [ErrMixedFolder], unless the format is
// given. In a folder, '>' and '@' count only if sequences follow. See [ExpandFolders].
//
// FASTA. A record is a line “>id description” and any number of sequence lines, possibly none. Line ends are LF or
// CRLF; lone CR is an error. White space at the end of a line and blank lines are ignored; white space inside a
// sequence line is an error. Lines that begin with ';' are comments before the first header and an error after it. A
// sequence consists of ASCII letters, '*', '-' and '.'; every other byte is an error with its line and column. Blanks
// before an id are ignored. Ids are non-empty and unique, unless [Options].RepeatedIDs is set: a record without an id
// is then named by its number.
//
// FASTQ. A record is “@id description”, sequence lines, “+” (alone or with the header repeated) and quality lines. A
// sequence on one line has its quality on one line; a wrapped one may have its quality wrapped differently. Qualities
// are bytes '!' to '~', one per letter; they are checked and dropped.
//
// Lines. Every line is a record, including blank ones, and its id is its line number. A last line without a line end
// counts. NUL and lone CR are errors: such a file is not text.
//
// # Documents
//
// TSV, CSV and JSONL have the label, the text and the id of a document in named columns or fields, see [Columns]. The
// default id is the line number; ids are unique. Ids and labels have no control characters, labels no surrounding
// blanks. Texts may be empty.
//
// TSV. A line is a record with columns separated by tabs; quotes are ordinary letters, blank lines are skipped. Every
// line has as many columns as the first. Without a header the columns are label and text, or text alone; for more
// columns they must be named in [Columns].
//
// CSV. RFC 4180 as encoding/csv reads it: a quoted field may hold commas, doubled quotes and line ends, of which CRLF
// becomes LF. Semicolons, tabs or bars may stand for the commas ([Columns].Delimiter), also in a file whose name says
// TSV and that has no tabs, or whose first line quotes all its columns or the name of the text or the label. The first
// record is the header, unless [Columns].Header is [HeaderNo]; of quoted TSV it is one as in TSV. All records have the
// same number of columns.
//
// JSONL. A line is an object; blank lines are skipped. The text is a string; label and id are strings or numbers, true
// or false, kept as written, but for numbers other than ids: equal ones have one spelling, 1 for 1.0 and 1e0. null
// counts as missing. A field that is read may not occur twice in an object. A list of labels is an error unless
// [Options].LabelLists or OptionalLabels is set. An input that begins with '[' is one list of objects, on one line or
// many, which is read element by element; the default id of these is their number, from 1.
//
// FastText. A line is a record, as fastText reads it: words that begin with __label__ are its labels, what follows that
// prefix, and the rest is its text. Several labels are an error as in JSONL. Blank lines are skipped.
//
// Reuters. The SGML files of Reuters-21578. The id is NEWID; the text is that of TITLE and BODY, or of TEXT itself,
// with references replaced and control characters removed. A document has any number of topics: [Set].LabelSets has all
// of them, the first is its label. One of the original files is not UTF-8; latin1 reads all of them.
//
// Documents. A file is a document, identified by its name. Each sub-folder of a folder is a label, as in scikit-learn's
// load_files: all files below it, at any depth, are documents with that label, and their ids are paths relative to the
// folder, with slashes. Files beside sub-folders are ignored; a folder without sub-folders holds documents without
// labels. Names are in byte order; those that begin with a dot are ignored. Links are followed; one that leads back to
// a folder that contains it is an error.
//
// Encoding. Text is UTF-8, and a byte that is not is an error with its line and column, unless [Options].Encoding is
// bytes, which keeps all bytes (except in JSONL), or names an encoding to convert to UTF-8: utf-16, which uses the byte
// order mark, or any label of the WHATWG Encoding Standard, where latin1 means windows-1252. A byte order mark takes
// precedence. What an encoding does not define is an error. A file that is one document of XML or HTML is in the
// encoding that it declares (<?xml encoding="…"?>, <meta charset>, the mark of UTF-16) unless [Options].Encoding is
// given.
//
// HTML. With [Options].HTML the text of a document is the text between tags: references such as &eacute; are replaced;
// comments, script, style, template and iframe are removed; each run of white space, and each tag except those inside a
// word such as b or span, becomes one blank.
//
// # Trees
//
// With [Options].Tree the text of a document is one or more trees, in one of the syntaxes of package
// [github.com/seqsvm/seqsvm/seqio/trees], in any text format: a line, a column, a field of JSONL (which may be an
// object or a list, if the trees are JSON), a file, the files of a folder. The record is then in the notation of
// package [github.com/seqsvm/seqsvm/treekernel/bracket], whatever the syntax. More names imply a format then: .xml
// .html .htm .xhtml .svg .json .mrg .ptb are documents, .nwk .newick .tre .tree .trees lines. In lines of Newick
// a record goes on up to the first line that ends after a semicolon, and lines without a tree are skipped. Without the
// option a text in the notation of brackets is kept as it is, and the kernel reports its errors.
//
// KeLP. One example per line: labels, all of which are in [Set].LabelSets and the first of which is the label, and
// representations |BT:name| … |ET|. [Columns].Text is the name of the representation that is the text, or its number
// from 0 if it has no name; the default is the first tree. Pairs of examples are an error.
//
// Dot-bracket. A record is a line “>id description” with the label as in FASTA, a line with the sequence and one with
// the structure, or the structure alone, optionally followed by an energy. It is always a tree.
//
// # Letters and labels
//
// Letters of sequences are converted to upper case unless [Options].Case is [CaseKept], or [CaseSites] and nucleotides
// have sites in upper case; then lower-case letters lie outside every nucleotide and protein alphabet, and break
// matches. Other letters outside the alphabet break matches too, or are an error if [Options].Ambiguous is
// [AmbiguousError]. U is read as T where the alphabet, that of [Options].Alphabet or of the letters, is DNA, and T as U
// where it is RNA.
//
// FASTA and FASTQ hold sequences. The records of Lines, TSV, CSV, JSONL, FastText and Documents are sequences if all of
// them consist of such letters, but for white space at their ends and, in a document, at the ends of lines, and if
// together they look like nucleotides, with two different bases at least, or like proteins in upper case
// ([DetectAlphabet]) of which 98 % are of the 20 amino acids. White space at the ends is then removed. Otherwise they
// are text and kept as written. Trees, HTML and lines with their ends are text. [AllBatches] does not see all letters
// at once and goes by [Options].Case and [Options].Alphabet, which a model remembers, or with [Options].FirstDecides by
// the first records.
//
// [AllBatches] reads any format by the same rules, for inputs that do not fit in memory, and returns sets of
// consecutive records. [Stream] reads FASTA and FASTQ without keeping them: it returns records chunk by chunk, for
// sequences that do not fit in memory. [genome.AppendBED], [genome.AppendBedGraph] and [genome.AppendGFF3] write places
// in them.
//
// The label of a record of FASTA or FASTQ is what [Columns].Label names in its header, else X of the first white-space
// separated token label=X in its description, else the first word of the description, else "". If ids may recur and no
// record has a description, ids that make few classes are labels, and the records are named by their numbers.
// [Collection.CheckTraining] refuses first words that are prose, and first columns that are texts or ids. [ReadLabels]
// reads labels from a separate file, [ReadGroups] the groups that folds keep together. [Options].Fields names further
// values of every record, such as its weight: columns of TSV and CSV, fields of JSONL, and NAME of NAME=X in the header
// of FASTA, FASTQ and dot-bracket.
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
// Reading is one pass over the input through a buffer of fixed size, without an allocation per line; validation and
// case conversion process eight letters per step. Memory is 1 byte per letter, the header text, and 64 bytes per
// record; while reading also 30 to 60 bytes per record to detect duplicate ids. If the size of the input is known (a
// file, a [bytes.Reader]) the arena is allocated once, otherwise it doubles. BenchmarkFASTA, BenchmarkFASTQ,
// BenchmarkTSV, BenchmarkCSV and BenchmarkJSONL measure the throughput. gzip decompression is several times slower and
// runs in a separate goroutine.
//
// # Limits
//
// A line or a document of a text format is held twice while it is read, a record of CSV four times: encoding/csv has
// the lines, the fields and a string of these. One that would take more than the limit is refused as it is read. A set
// holds fewer than 2³¹−1 records, whose numbers are 32-bit in indices, and as many letters as memory has room for; some
// kernels want fewer than 2³¹ letters, see [stringkernel.CheckLetters]. A header line is shorter than 512 KiB; a zstd
// window is at most 128 MiB. Memory grows with what was read, not with the sizes that a header declares.
//
// # References
//
// W. R. Pearson, D. J. Lipman, Improved tools for biological sequence comparison, PNAS 85 (1988),
// doi:10.1073/pnas.85.8.2444 (FASTA); P. J. A. Cock et al., The Sanger FASTQ file format, Nucleic Acids Research 38
// (2010), doi:10.1093/nar/gkp1137; A. Cornish-Bowden, Nomenclature for incompletely specified bases, Nucleic Acids
// Research 13 (1985), doi:10.1093/nar/13.9.3021; R. D. Kortschak et al., bíogo: a simple high-performance
// bioinformatics toolkit for the Go language, JOSS 2 (2017), doi:10.21105/joss.00167, whose alphabets define DNA, RNA
// and protein here and whose sequences [FromBiogo] and [ToBiogo] convert. Y. Shafranovich, Common format and MIME type
// for CSV files, RFC 4180 (2005), doi:10.17487/RFC4180; T. Bray, The JSON data interchange format, RFC 8259 (2017),
// doi:10.17487/RFC8259; F. Pedregosa et al., Scikit-learn: machine learning in Python, JMLR 12 (2011) 2825–2830
// (load_files); D. D. Lewis, Reuters-21578 text categorization test collection, distribution 1.0, README (1997).
package seqio
