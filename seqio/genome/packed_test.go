package genome_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// blocksOf compresses a text in blocks, and returns it with its index: both as the specification of BGZF has them.
func blocksOf(text string, size int) (packed, index string) {
	var b, places bytes.Buffer
	count := uint64(0)
	for at := 0; at < len(text); at += size {
		if at > 0 {
			binary.Write(&places, binary.LittleEndian, []uint64{uint64(b.Len()), uint64(at)})
			count++
		}
		w := gzip.NewWriter(&b)
		w.Write([]byte(text[at:min(at+size, len(text))]))
		w.Close()
	}
	var all bytes.Buffer
	binary.Write(&all, binary.LittleEndian, count)
	return b.String(), all.String() + places.String()
}

// twoBitOf writes 2bit from its definition.
func twoBitOf(order binary.ByteOrder, names []string, seqs map[string]string) string {
	number := func(b *bytes.Buffer, list ...int) {
		for _, n := range list {
			binary.Write(b, order, uint32(n))
		}
	}
	runs := func(b *bytes.Buffer, seq string, in func(byte) bool) {
		var starts, sizes []int
		for i := range len(seq) {
			if in(seq[i]) && (i == 0 || !in(seq[i-1])) {
				starts, sizes = append(starts, i), append(sizes, 0)
			}
			if in(seq[i]) {
				sizes[len(sizes)-1]++
			}
		}
		number(b, len(starts))
		number(b, starts...)
		number(b, sizes...)
	}
	var head, records bytes.Buffer
	number(&head, 0x1a412743, 0, len(names), 0)
	start := head.Len()
	for _, name := range names {
		start += 1 + len(name) + 4
	}
	for _, name := range names {
		seq := seqs[name]
		head.WriteByte(byte(len(name)))
		head.WriteString(name)
		number(&head, start+records.Len())
		number(&records, len(seq))
		runs(&records, seq, func(c byte) bool { return c|32 == 'n' })
		runs(&records, seq, func(c byte) bool { return c >= 'a' })
		number(&records, 0)
		packed := make([]byte, (len(seq)+3)/4)
		for i := range len(seq) {
			packed[i/4] |= byte(max(0, strings.IndexByte("TCAG", seq[i]&^32))) << (6 - 2*(i%4))
		}
		records.Write(packed)
	}
	return head.String() + records.String()
}

// Files that are cut off, and indexes of others, are errors.
func TestPackedErrors(t *testing.T) {
	var w wrapped
	w.add("chr1", strings.Repeat("ACGT", 100), 10, "\n")
	packed, index := blocksOf(w.fasta.String(), 64)
	bits := twoBitOf(binary.LittleEndian, []string{"chr1"}, map[string]string{"chr1": strings.Repeat("ACGTN", 80)})
	other, _ := blocksOf(strings.Repeat("x", 500), 50)
	for name, files := range map[string]map[string]string{
		"no index":        {"g.fa": packed, "g.fa.gzi": "abc", "g.fa.fai": w.index.String()},
		"another's index": {"g.fa": other, "g.fa.gzi": index, "g.fa.fai": w.index.String()},
		"cut off":         {"g.fa": packed[:len(packed)/2], "g.fa.gzi": index, "g.fa.fai": w.index.String()},
		"2bit cut off":    {"g.fa": bits[:len(bits)-20]},
		"2bit of a head":  {"g.fa": bits[:20]},
		"2bit of version": {"g.fa": bits[:4] + "\x09" + bits[5:]},
	} {
		path := writeGenome(t, files)
		g, err := genome.Open(path, seqio.CaseUpper)
		if err == nil {
			_, err = g.AppendSlice(nil, "chr1", 0, 400)
			g.Close()
		}
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want an error about the file", name, err)
		}
	}
}

// Whatever is in a file of 2bit, it is an error or a genome.
func FuzzTwoBit(f *testing.F) {
	f.Add([]byte(twoBitOf(binary.LittleEndian, []string{"a", "b"}, map[string]string{"a": "ACGNNacg", "b": "T"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := t.TempDir() + "/g.2bit"
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		g, err := genome.Open(path, seqio.CaseKept)
		if err != nil {
			return
		}
		defer g.Close()
		for _, name := range g.Names() {
			if n, _ := g.Length(name); n > 0 {
				g.AppendSlice(nil, name, 0, min(n, 1000))
			}
		}
		genome.StreamFile(path, seqio.StreamOptions{Size: 7, Overlap: 2}, func(seqio.Chunk) error { return nil })
	})
}
