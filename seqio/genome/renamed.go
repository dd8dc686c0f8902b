package genome

import (
	"maps"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
)

// Renamed is a genome whose sequences are asked for by the names of another file. A name is, in this order, what a
// table says, a name of the genome, or one with "chr" before it or without, where M and MT are the same.
type Renamed struct {
	*Genome
	table map[string]string
	known map[string]string // names in the genome of those that were asked for
	last  [2]string         // of these, the last that was asked for
}

// NewRenamed returns a genome with a table of names, as [seqio.ReadNames] reads it: an id is a name of the other file.
// It may be nil.
func NewRenamed(g *Genome, names *seqio.LabelTable) *Renamed {
	r := &Renamed{Genome: g, table: map[string]string{}, known: map[string]string{}}
	if names != nil {
		for i, id := range names.IDs {
			r.table[id] = names.Labels[i]
		}
	}
	return r
}

// name returns the name in the genome.
func (r *Renamed) name(asked string) string {
	if asked == r.last[0] {
		return r.last[1]
	}
	name, known := r.known[asked]
	if !known {
		name = r.find(asked)
		if _, found := r.Genome.Length(name); !found {
			return name // it is not kept: a file may have any number of them
		}
		r.known[asked] = name
	}
	r.last = [2]string{asked, name}
	return name
}

func (r *Renamed) find(asked string) string {
	if name, found := r.table[asked]; found {
		return name
	}
	bare := strings.TrimPrefix(asked, "chr")
	names := []string{asked, bare, "chr" + bare}
	if bare == "M" || bare == "MT" {
		names = append(names, "M", "MT", "chrM", "chrMT")
	}
	for _, name := range names {
		if _, found := r.Genome.Length(name); found {
			return name
		}
	}
	return asked
}

// Length returns the number of letters of a sequence, and false if there is none of that name.
func (r *Renamed) Length(name string) (int, bool) { return r.Genome.Length(r.name(name)) }

// AppendSlice appends letters as [Genome.AppendSlice] does.
func (r *Renamed) AppendSlice(dst []byte, name string, start, end int) ([]byte, error) {
	return r.Genome.AppendSlice(dst, r.name(name), start, end)
}

// Differing lists the names that were asked for and are others in the genome, each with the other, in order.
func (r *Renamed) Differing() (pairs []string) {
	for _, asked := range slices.Sorted(maps.Keys(r.known)) {
		if name := r.known[asked]; name != asked {
			pairs = append(pairs, asked+" is "+name)
		}
	}
	return pairs
}
