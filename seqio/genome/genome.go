package genome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Genome gives pieces of the sequences of a FASTA file, by name and place, without reading the rest.
//
// A plain file is found its way in by the index beside it, FILE.fai as samtools faidx writes it, or, if there is none,
// by one made in memory in one pass over the file (nothing is written). Sequences stay on disk: a genome of any size
// takes about 100 bytes per record. A file that is compressed, or whose lines are not equally long within a record, is
// held in memory whole, and then has at most [seqio.MaxLetters] letters.
//
// Letters are turned into upper case unless soft-masked ones are to be told apart. An index that does not belong to the
// file is noticed when a record is first asked for. A Genome is not safe for concurrent use.
type Genome struct {
	source   string
	softMask bool
	file     *os.File // nil if the sequences are in memory
	index    []faiRecord
	whole    *seqio.Set
	row      map[string]int // of a record, in index or whole
	verified map[string]bool
	bytes    []byte // scratch
}

// Open opens a file. With softMask, lower-case letters stay as they are. It takes the time of reading FILE.fai or,
// without one, the file. What is wrong with either is an [*seqio.Error]. The genome must be closed.
func Open(path string, softMask bool) (*Genome, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, err
	}
	g := &Genome{source: path, softMask: softMask, file: f, row: map[string]int{}, verified: map[string]bool{}}
	if err := g.load(); err != nil {
		f.Close()
		return nil, err
	}
	if g.whole != nil {
		g.file = nil
		return g, f.Close()
	}
	return g, nil
}

// load finds an index, makes one or reads the file whole.
func (g *Genome) load() error {
	indexed, err := g.findIndex()
	if err != nil {
		return err
	}
	if indexed {
		return g.addNames(len(g.index), func(i int) (string, int) { return g.index[i].name, g.index[i].line })
	}
	if g.whole, err = seqio.Read(g.file, g.source,
		seqio.Options{Format: seqio.FASTA, SoftMask: g.softMask}); err != nil {
		return err
	}
	return g.addNames(g.whole.Len(), func(i int) (string, int) { return g.whole.Corpus.Name(i), g.whole.Lines[i] })
}

// findIndex reports whether there is an index now, read or made. If not, the file is to be read from where it stands.
func (g *Genome) findIndex() (bool, error) {
	info, err := g.file.Stat()
	if err != nil {
		return false, &seqio.Error{File: g.source, Err: lines.BareError(err)}
	}
	start := make([]byte, 1)
	if !info.Mode().IsRegular() {
		return false, nil
	}
	if n, err := g.file.ReadAt(start, 0); n < 1 || start[0] != '>' {
		if err != nil && err != io.EOF {
			return false, &seqio.Error{File: g.source, Err: lines.ReadError(err)}
		}
		return false, nil
	}
	path := g.source + ".fai"
	switch _, err := os.Stat(path); {
	case err == nil:
		g.index, err = readFAI(path, info.Size())
		return true, err
	case !errors.Is(err, fs.ErrNotExist):
		return false, &seqio.Error{File: path, Err: lines.BareError(err)}
	}
	var regular bool
	if g.index, regular, err = indexFASTA(g.file); err != nil || regular {
		return regular, err
	}
	if _, err := g.file.Seek(0, io.SeekStart); err != nil {
		return false, &seqio.Error{File: g.source, Err: lines.BareError(err)}
	}
	return false, nil
}

// addNames fills in row; names are distinct.
func (g *Genome) addNames(n int, record func(i int) (name string, line int)) error {
	for i := range n {
		name, line := record(i)
		if first, twice := g.row[name]; twice {
			source := g.source
			if line > 0 && g.whole == nil {
				source += ".fai"
			}
			return &seqio.Error{File: source, Line: line, Record: name,
				Err: fmt.Errorf("records %d and %d have the same name", first+1, i+1)}
		}
		g.row[name] = i
	}
	return nil
}

// Length returns the number of letters of a record, and false if there is none of that name.
func (g *Genome) Length(name string) (int, bool) {
	i, found := g.row[name]
	switch {
	case !found:
		return 0, false
	case g.whole != nil:
		return len(g.whole.Corpus.Seq(i)), true
	default:
		return int(g.index[i].length), true
	}
}

// AppendSlice appends letters start … end − 1 (0-based, half-open) of a record to dst. A name that is not there, a
// range that is not within the record, and a file that is not what its index says are an [*seqio.Error]. It takes one
// read of the file.
func (g *Genome) AppendSlice(dst []byte, name string, start, end int) ([]byte, error) {
	length, found := g.Length(name)
	if !found {
		return dst, &seqio.Error{File: g.source, Err: fmt.Errorf("there is no record %s", lines.Quote(name))}
	}
	if start < 0 || end < start || end > length {
		return dst, &seqio.Error{File: g.source, Record: name,
			Err: fmt.Errorf("letters %d to %d, want a range within its %d", start+1, end, length)}
	}
	if g.whole != nil {
		return append(dst, g.whole.Corpus.Seq(g.row[name])[start:end]...), nil
	}
	if start == end {
		return dst, nil
	}
	record := &g.index[g.row[name]]
	if err := g.verify(record); err != nil {
		return dst, err
	}
	return g.readSlice(dst, record, int64(start), int64(end))
}

// readSlice reads letters from the file and checks that there are letters, and line ends where they have to be.
func (g *Genome) readSlice(dst []byte, r *faiRecord, start, end int64) ([]byte, error) {
	from, to := r.at(start), r.at(end-1)+1
	g.bytes = slices.Grow(g.bytes[:0], int(to-from))[:to-from]
	if _, err := g.file.ReadAt(g.bytes, from); err != nil {
		return dst, &seqio.Error{File: g.source, Record: r.name, Err: lines.ReadError(err)}
	}
	before, rest := len(dst), g.bytes
	for i := start; i < end; {
		n := min(r.lineBases-i%r.lineBases, end-i)
		dst = append(dst, rest[:n]...)
		rest = rest[n:]
		i += n
		if i < end {
			gap := rest[:r.lineWidth-r.lineBases]
			if len(lines.TrimRight(bytes.TrimSuffix(gap, []byte{'\n'}))) > 0 {
				return dst[:before], g.misfit(r)
			}
			rest = rest[len(gap):]
		}
	}
	piece, bad := dst[before:], 0
	if g.softMask {
		bad = lines.CheckSequence(piece)
	} else {
		bad = lines.UpperSequence(piece)
	}
	if bad < len(piece) {
		if r.line > 0 {
			return dst[:before], g.misfit(r)
		}
		return dst[:before], &seqio.Error{File: g.source, Record: r.name,
			Err: fmt.Errorf("%s in the sequence, letter %d; want letters, '*', '-' or '.'", lines.ByteName(piece[bad]),
				start+int64(bad)+1)}
	}
	return dst, nil
}

// misfit is the error of an index that belongs to another file, or of a file that has changed.
func (g *Genome) misfit(r *faiRecord) error {
	return &seqio.Error{File: g.source + ".fai", Line: r.line, Record: r.name,
		Err: fmt.Errorf("does not fit %s; make the index anew", g.source)}
}

// verify checks once that the header line before a record has its name, and that no letters are left behind its last
// one.
func (g *Genome) verify(r *faiRecord) error {
	if r.line == 0 || g.verified[r.name] {
		return nil
	}
	if err := g.verifyHeader(r); err != nil {
		return err
	}
	if err := g.verifyEnd(r); err != nil {
		return err
	}
	g.verified[r.name] = true
	return nil
}

// verifyEnd checks that a line end and no more letters follow the last letter of a record that has some.
func (g *Genome) verifyEnd(r *faiRecord) error {
	g.bytes = append(g.bytes[:0], make([]byte, 4<<10)...)
	n, err := g.file.ReadAt(g.bytes, r.at(r.length-1)+1)
	if err != nil && err != io.EOF {
		return &seqio.Error{File: g.source, Record: r.name, Err: lines.ReadError(err)}
	}
	behind := g.bytes[:n]
	if next := bytes.TrimLeft(behind, " \t\r\n"); len(next) > 0 && (len(next) == n || next[0] != '>') {
		return g.misfit(r)
	}
	return nil
}

func (g *Genome) verifyHeader(r *faiRecord) error {
	for _, size := range []int64{4 << 10, lines.BufferSize} {
		from := max(0, r.offset-size)
		g.bytes = append(g.bytes[:0], make([]byte, r.offset-from)...)
		if _, err := g.file.ReadAt(g.bytes, from); err != nil {
			return &seqio.Error{File: g.source, Record: r.name, Err: lines.ReadError(err)}
		}
		text, ended := bytes.CutSuffix(g.bytes, []byte{'\n'})
		begin := bytes.LastIndexByte(text, '\n') + 1
		if begin == 0 && from > 0 {
			continue
		}
		if header, ok := bytes.CutPrefix(text[begin:], []byte{'>'}); ended && ok && string(headerID(header)) == r.name {
			return nil
		}
		break
	}
	return g.misfit(r)
}

// Close ends the use of the genome.
func (g *Genome) Close() error {
	if g.file == nil {
		return nil
	}
	return g.file.Close()
}

// Names returns the names of the records, in the order of the file.
func (g *Genome) Names() []string {
	if g.whole == nil {
		names := make([]string, len(g.index))
		for i := range g.index {
			names[i] = g.index[i].name
		}
		return names
	}
	names := make([]string, g.whole.Len())
	for i := range names {
		names[i] = g.whole.Corpus.Name(i)
	}
	return names
}
