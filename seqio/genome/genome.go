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

// Genome gives pieces of the sequences of a FASTA or 2bit file, by name and place, without reading the rest.
//
// A plain file is accessed through its index, FILE.fai as samtools faidx writes it, or, if there is none, through one
// made in memory in one pass over the file (nothing is written). Sequences stay on disk: a genome of any size takes
// about 100 bytes per record. So do those of a file of BGZF that has both indexes, FILE.fai and FILE.gzi, and of 2bit.
// A file that is compressed otherwise, or whose lines are not equally long within a record, is held in memory whole,
// and then has at most [seqio.MaxLetters] letters.
//
// Letters are turned into upper case unless soft-masked ones are to be kept. An index that does not belong to the
// file is noticed when a record is first asked for. A Genome is not safe for concurrent use.
type Genome struct {
	source   string
	softMask bool
	file     *os.File // nil if the sequences are in memory
	text     io.ReaderAt
	index    []faiRecord
	whole    *seqio.Set
	packed   *twoBit
	names    []string
	row      map[string]int // of a record, in names, and index or whole
	verified map[string]bool
	bytes    []byte // scratch

	lastRow, lastStart int // what AppendSlice was asked for last
	ahead              struct {
		row, start int
		letters    []byte
	} // letters of a record that were read before they were asked for
}

// A piece that begins at most nearby letters after the one before makes the genome read aheadSize letters, so that
// places in order take few reads.
const nearby, aheadSize = 1 << 10, 1 << 14

// Open opens a file. Lower-case letters stay as they are if c is [seqio.CaseKept], else they become upper case. It
// takes the time of reading FILE.fai or, without one, the file. An error in either is an [*seqio.Error]. The genome
// must be closed.
func Open(path string, c seqio.Case) (*Genome, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, err
	}
	g := &Genome{source: path, softMask: c == seqio.CaseKept, file: f, row: map[string]int{},
		verified: map[string]bool{}}
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
	head := make([]byte, 4)
	if n, err := g.file.ReadAt(head, 0); n == len(head) && (err == nil || err == io.EOF) {
		if order, found := isTwoBit(head); found {
			_, size := sized(g.file)
			if g.packed, err = openTwoBit(g.file, size, order, g.softMask); err != nil {
				return g.fail("", "%w", err)
			}
			return g.addNames(len(g.packed.records), func(i int) (string, int) { return g.packed.records[i].name, 0 })
		}
	}
	indexed, err := g.findIndex()
	if err != nil {
		return err
	}
	if indexed {
		return g.addNames(len(g.index), func(i int) (string, int) { return g.index[i].name, g.index[i].line })
	}
	options := seqio.Options{Format: seqio.FASTA}
	if g.softMask {
		options.Case = seqio.CaseKept
	}
	if g.whole, err = seqio.Read(g.file, g.source, options); err != nil {
		return err
	}
	return g.addNames(g.whole.Len(), func(i int) (string, int) { return g.whole.Corpus.Name(i), g.whole.Lines[i] })
}

// findIndex reports whether there is an index now, read or made. If not, the file is to be read from its current
// offset.
func (g *Genome) findIndex() (bool, error) {
	info, err := g.file.Stat()
	if err != nil {
		return false, g.fail("", "%w", lines.BareError(err))
	}
	start := make([]byte, 1)
	if !info.Mode().IsRegular() {
		return false, nil
	}
	path, size := g.source+".fai", info.Size()
	_, missing := os.Stat(path)
	switch n, err := g.file.ReadAt(start, 0); {
	case err != nil && err != io.EOF:
		return false, g.fail("", "%w", lines.ReadError(err))
	case n == 1 && start[0] == '>':
		g.text = g.file
	case missing != nil:
		return false, nil
	default:
		blocks, err := openBGZF(g.file)
		if blocks == nil {
			return false, err
		}
		g.text, size = blocks, blocks.size()
	}
	switch {
	case missing == nil:
		g.index, err = readFAI(path, size)
		return true, err
	case !errors.Is(missing, fs.ErrNotExist):
		return false, &seqio.Error{File: path, Err: lines.BareError(missing)}
	}
	var regular bool
	if g.index, regular, err = indexFASTA(g.file); err != nil || regular {
		return regular, err
	}
	if _, err := g.file.Seek(0, io.SeekStart); err != nil {
		return false, g.fail("", "%w", lines.BareError(err))
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
		g.names = append(g.names, name)
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
	case g.packed != nil:
		return g.packed.records[i].length, true
	default:
		return int(g.index[i].length), true
	}
}

// AppendSlice appends letters start … end − 1 (0-based, half-open) of a record to dst. A name that is not there, a
// range that is not within the record, and a file that is not what its index says are an [*seqio.Error]. It takes at
// most one read of the file, and none for most of many places that are in order and near each other.
func (g *Genome) AppendSlice(dst []byte, name string, start, end int) ([]byte, error) {
	row, found := g.row[name]
	a := &g.ahead
	if found && row == a.row && start >= a.start && start <= end && end <= a.start+len(a.letters) {
		return append(dst, a.letters[start-a.start:end-a.start]...), nil
	}
	length, _ := g.Length(name)
	if !found {
		return dst, g.fail("", "there is no record %s", lines.Quote(name))
	}
	if start < 0 || end < start || end > length {
		return dst, g.fail(name, "letters %d to %d, want a range within its %d", start+1, end, length)
	}
	if g.whole != nil {
		return append(dst, g.whole.Corpus.Seq(row)[start:end]...), nil
	}
	if start == end {
		return dst, nil
	}
	near := row == g.lastRow && start >= g.lastStart && start-g.lastStart <= nearby
	g.lastRow, g.lastStart = row, start
	if to := min(length, start+aheadSize); near && end <= to {
		letters, err := g.read(a.letters[:0], row, start, to)
		if a.letters = a.letters[:0]; err == nil { // else what was asked for may be all right
			a.row, a.start, a.letters = row, start, letters
			return append(dst, letters[:end-start]...), nil
		}
	}
	return g.read(dst, row, start, end)
}

// read appends letters of a record that is not in memory.
func (g *Genome) read(dst []byte, row, start, end int) ([]byte, error) {
	if g.packed != nil {
		dst, err := g.packed.appendSlice(dst, row, start, end)
		if err != nil {
			err = g.fail(g.names[row], "%w", err)
		}
		return dst, err
	}
	record := &g.index[row]
	if err := g.verify(record); err != nil {
		return dst, err
	}
	return g.readSlice(dst, record, int64(start), int64(end))
}

// readSlice reads letters from the file and checks that there are letters, and line ends where they have to be.
func (g *Genome) readSlice(dst []byte, r *faiRecord, start, end int64) ([]byte, error) {
	from, to := r.at(start), r.at(end-1)+1
	if err := g.readAt(r, from, to-from, false); err != nil {
		return dst, err
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
	piece := dst[before:]
	switch bad := lines.Sequence(piece, g.softMask); {
	case bad == len(piece):
		return dst, nil
	case r.line > 0:
		return dst[:before], g.misfit(r)
	default:
		return dst[:before], g.fail(r.name, "%s in the sequence, letter %d; want letters, '*', '-' or '.'",
			lines.ByteName(piece[bad]), start+int64(bad)+1)
	}
}

// readAt reads size bytes of the file, or with short what there is of them.
func (g *Genome) readAt(r *faiRecord, from, size int64, short bool) error {
	g.bytes = slices.Grow(g.bytes[:0], int(size))[:size]
	n, err := g.text.ReadAt(g.bytes, from)
	g.bytes = g.bytes[:n]
	if err == nil || short && err == io.EOF {
		return nil
	}
	return g.fail(r.name, "%w", lines.ReadError(err))
}

// fail returns an error about the file and a record, unless that is "".
func (g *Genome) fail(record, format string, args ...any) error {
	return &seqio.Error{File: g.source, Record: record, Err: fmt.Errorf(format, args...)}
}

// misfit is the error of an index that belongs to another file, or of a file that has changed.
func (g *Genome) misfit(r *faiRecord) error {
	return &seqio.Error{File: g.source + ".fai", Line: r.line, Record: r.name,
		Err: fmt.Errorf("does not fit %s; rebuild the index", g.source)}
}

// verify checks once that the header line before a record has its name, and that no letters follow its last
// one.
func (g *Genome) verify(r *faiRecord) error {
	if r.line == 0 || g.verified[r.name] {
		return nil
	}
	err := g.verifyHeader(r)
	if err == nil {
		err = g.verifyEnd(r)
	}
	g.verified[r.name] = err == nil
	return err
}

// verifyEnd checks that a line end and no more letters follow the last letter of a record that has some.
func (g *Genome) verifyEnd(r *faiRecord) error {
	if err := g.readAt(r, r.at(r.length-1)+1, 4<<10, true); err != nil {
		return err
	}
	next := bytes.TrimLeft(g.bytes, " \t\r\n")
	if len(next) > 0 && (len(next) == len(g.bytes) || next[0] != '>') {
		return g.misfit(r)
	}
	return nil
}

func (g *Genome) verifyHeader(r *faiRecord) error {
	for _, size := range []int64{4 << 10, lines.BufferSize} {
		from := max(0, r.offset-size)
		if err := g.readAt(r, from, r.offset-from, false); err != nil {
			return err
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
func (g *Genome) Names() []string { return slices.Clone(g.names) }
