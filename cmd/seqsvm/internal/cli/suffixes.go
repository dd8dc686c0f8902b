package cli

import (
	"path/filepath"
	"slices"
	"strings"
)

// Contents of files beside the formats of --format.
const (
	ModelFile = "model"
	FASTA     = "fasta"
	HTML      = "html"
	NPZ       = "npz"
	BED       = "bed"
	Anything  = "" // what is not known before the command runs
)

// suffixes are those of names that promise a format.
var suffixes = map[string][]string{
	TSV: {".tsv"}, "csv": {".csv"}, JSON: {".json", ".jsonl", ".ndjson"}, "npy": {".npy"}, NPZ: {".npz"},
	"mtx": {".mtx"}, "libsvm": {".libsvm", ".svmlight"}, FASTA: {".fa", ".fasta", ".fna", ".faa"}, BED: {".bed"},
	"bedgraph": {".bedgraph", ".bdg", ".bg"}, "bigwig": {".bigwig", ".bw"}, "gff3": {".gff3", ".gff"},
	"meme": {".meme"}, "jaspar": {".jaspar"}, HTML: {".html", ".htm"}, "svg": {".svg"}, "png": {".png"}, "pdf": {".pdf"},
	"vcf": {".vcf"}, "xlsx": {".xlsx"}, "parquet": {".parquet"}, "hdf5": {".h5", ".hdf5"},
}

// promised returns the format that a name promises by its suffix, which .gz or .zst may follow; "" if it promises none.
func promised(path string) string {
	name := strings.ToLower(path)
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
	}
	for format, list := range suffixes {
		if slices.Contains(list, filepath.Ext(name)) {
			return format
		}
	}
	return ""
}

// Holds says what the file of an output option holds where that is no table and not what --format says.
func (o *Option) Holds(format string) *Option {
	o.holds = format
	return o
}

// ByFormat is what the main output of a command holds: what --format says.
const ByFormat = "--format"

// checkName returns an error if the name of an output promises another format than the option holds.
func (f *Flags) checkName(o *Option, p *Output) error {
	if o.holds != ByFormat {
		return p.CheckHolds(o.holds)
	}
	format := f.find("format")
	if format == nil {
		return p.CheckHolds(TSV)
	}
	return p.CheckHolds(format.text(), format.choices()...)
}

// CheckHolds returns an error if the name of an output promises another format than it holds; it names --format if that
// has the other among its choices.
func (o *Output) CheckHolds(format string, choices ...string) error {
	want := promised(o.path)
	switch {
	case want == "" || format == Anything || want == format:
		return nil
	case slices.Contains(choices, want):
		return Usagef("--%s %s: the name promises %s, and --format is %s; want --format %s or another name", o.option, o.path,
			want, format, want)
	}
	return Usagef("--%s %s: the name promises %s, and the file would be %s; want another name", o.option, o.path, want,
		format)
}
