package reading

import (
	"slices"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Item is a key of a specification.
type Item struct {
	Key     string         `json:"key"`
	Value   string         `json:"value"`             // the name of its value, "" of a flag
	Choices []string       `json:"choices,omitempty"` // all values that it may have, if they are few
	Formats []seqio.Format `json:"formats,omitempty"` // of the inputs that have it; nil: all
	Doc     string         `json:"meaning"`

	field func(*Spec) any
}

// The formats of inputs by what they have.
var (
	tables   = []seqio.Format{seqio.TSV, seqio.CSV}
	fields   = append([]seqio.Format{seqio.JSONL, seqio.Parquet}, tables...)
	headers  = []seqio.Format{seqio.FASTA, seqio.FASTQ, seqio.BED, seqio.DotBracket}
	plain    = []seqio.Format{seqio.Lines, seqio.Documents, seqio.FastText, seqio.Reuters, seqio.KeLP}
	texts    = append(append([]seqio.Format{}, fields...), plain...)
	withTree = append([]seqio.Format{seqio.DotBracket}, texts...)
	encoded  = append([]seqio.Format{seqio.FASTA, seqio.FASTQ}, withTree...)
)

// Items lists the keys in the order of [Spec.String].
func Items() []Item { return items }

var items = []Item{{
	Key: "text", Value: "COLUMN", Formats: append([]seqio.Format{seqio.KeLP}, fields...),
	Doc: "text column of tsv, csv or parquet, by name or number, or field of jsonl (a.b is nested); several, as title+body, are " +
		"joined by blanks; a pair of sequences, as peptide:receptor; kelp: the representation, by default the first tree " +
		"(default: text)",
	field: func(s *Spec) any { return &s.Columns.Text },
}, {
	Key: "label", Value: "COLUMN", Formats: append(append([]seqio.Format{}, headers...), fields...),
	Doc: "label column or field; in headers of sequences: id, regex:PATTERN (as of --group) or NAME for X of NAME=X " +
		"(default: label, if there is one; headers: label=X, else the first word after the id)",
	field: func(s *Spec) any { return &s.Columns.Label },
}, {
	Key: "id", Value: "COLUMN", Formats: fields,
	Doc:   "id column or field (default: id, if there is one, otherwise the line number)",
	field: func(s *Spec) any { return &s.Columns.ID },
}, {
	Key: "header", Value: "WHETHER", Choices: []string{auto, "yes", "no"}, Formats: tables,
	Doc: "whether the first line names columns (default: auto, that is csv: yes; tsv: if it has the name of the text or " +
		"of the label)",
	field: func(s *Spec) any { return &s.Columns.Header },
}, {
	Key: "delimiter", Value: "NAME", Choices: []string{auto, "comma", "semicolon", "tab", "bar"}, Formats: tables,
	Doc:   "what separates the columns (default: auto, found in the first lines)",
	field: func(s *Spec) any { return &s.Columns.Delimiter },
}, {
	Key: "encoding", Value: "NAME", Formats: encoded,
	Doc: "utf-8 (checked in text), latin1, utf-16, shift_jis, …, or bytes (not checked) (default: what a document of XML " +
		"or HTML declares, otherwise utf-8)",
	field: func(s *Spec) any { return &s.Encoding },
}, {
	Key: "html", Formats: texts,
	Doc:   "strip HTML from documents",
	field: func(s *Spec) any { return &s.HTML },
}, {
	Key: "tree", Value: "SYNTAX", Formats: withTree,
	Choices: []string{string(trees.Penn), string(trees.Newick), string(trees.XML), string(trees.HTML), string(trees.JSON),
		string(trees.DotBracket), string(trees.Graph), string(NoTree)},
	Doc: "read the text of each record as one tree or several; graph: dot-bracket for kernels of graphs; none: plain " +
		"text, whatever the model says",
	field: func(s *Spec) any { return &s.Tree },
}, {
	Key: "tree-labels", Value: "KINDS", Formats: withTree,
	Doc: "labels of trees that count, some of names+text+words+attributes+values+lengths (of newick), or none (default: " +
		"names+words for xml and html, otherwise names+text)",
	field: func(s *Spec) any { return &s.TreeLabels },
}, {
	Key: "alphabet", Value: "NAME", Choices: append([]string{auto}, stringkernel.Alphabets()...),
	Doc: "of the sequences: dna, rna, protein, bytes or groups of amino acids, one letter each (default: auto, what the " +
		"letters look like)",
	field: func(s *Spec) any { return &s.Alphabet },
}, {
	Key: "soft-mask", Value: "WHAT", Choices: []string{string(MaskUpper), string(MaskBreak)},
	Doc:   "lower-case letters: upper (convert to upper case) or break (break matches) (default: upper)",
	field: func(s *Spec) any { return &s.SoftMask },
}, {
	Key: "ambiguous", Value: "WHAT", Choices: []string{string(seqio.AmbiguousBreak), string(seqio.AmbiguousError)},
	Doc:   "letters outside the alphabet: break (break matches) or error (default: break)",
	field: func(s *Spec) any { return &s.Ambiguous },
}, {
	Key: "genome", Value: "FILE", Formats: []seqio.Format{seqio.BED},
	Doc: "FASTA file that the intervals of BED, narrowPeak and broadPeak are cut from; the model has its name without " +
		"folders",
	field: func(s *Spec) any { return &s.Genome },
}, {
	Key: "columns", Value: "FILE",
	Doc: "columns of numbers beside the records, for the kernel table: a table with a column id, or in their order, or " +
		"NumPy's .npy, whose columns are x1, x2, …; not stored in the model",
	field: func(s *Spec) any { return &s.Beside },
}, {
	Key: "width", Value: "LETTERS", Formats: []seqio.Format{seqio.BED},
	Doc:   "letters around a point of each interval (default: the whole interval)",
	field: func(s *Spec) any { return &s.Width },
}, {
	Key: "at", Value: "POINT", Choices: []string{string(genome.Centre), string(genome.Summit)},
	Formats: []seqio.Format{seqio.BED},
	Doc:     "point of each interval: centre, or summit (of narrowPeak) (default: centre)",
	field:   func(s *Spec) any { return &s.At },
}}

// Of reports whether the item means something for inputs of a format, which may be open.
func (i Item) Of(f seqio.Format) bool {
	return i.Formats == nil || f == seqio.Auto || f == auto || slices.Contains(i.Formats, f)
}

// itemNamed returns the item with a key, nil if there is none.
func itemNamed(key string) *Item {
	for i := range items {
		if items[i].Key == key {
			return &items[i]
		}
	}
	return nil
}
