package genome_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// chunksOf lists what a stream passes on.
func chunksOf(r io.Reader, opt seqio.StreamOptions) (list []string, err error) {
	err = genome.Stream(r, "g", opt, func(c seqio.Chunk) error {
		list = append(list, fmt.Sprintf("%s %d %d %s %v", c.Record, c.Index, c.Start, c.Seq, c.Last))
		return nil
	})
	return list, err
}

// TestStream: the chunks of 2bit are those of the same letters in FASTA, from a file and from memory.
func TestStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.2bit")
	rapid.Check(t, func(rt *rapid.T) {
		seqs, names, text := map[string]string{}, []string{}, ""
		for i := range rapid.IntRange(1, 4).Draw(rt, "records") {
			name := fmt.Sprint("s", i)
			seqs[name] = rapid.StringOfN(rapid.SampledFrom([]rune("ACGTNacgtn")), 0, 40, -1).Draw(rt, "letters")
			names, text = append(names, name), text+">"+name+"\n"+seqs[name]+"\n"
		}
		opt := seqio.StreamOptions{Size: rapid.IntRange(1, 30).Draw(rt, "size"),
			Overlap:  rapid.IntRange(0, 9).Draw(rt, "overlap"),
			Case:     rapid.SampledFrom([]seqio.Case{seqio.CaseUpper, seqio.CaseKept}).Draw(rt, "case"),
			Alphabet: rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA}).Draw(rt, "alphabet")}
		want := must.Get(chunksOf(strings.NewReader(text), opt))(rt)
		packed := twoBitOf(binary.BigEndian, names, seqs)
		must.Succeed(rt, os.WriteFile(path, []byte(packed), 0o666))
		f := must.Get(os.Open(path))(rt)
		defer f.Close()
		for _, r := range []io.Reader{f, strings.NewReader(packed)} {
			if got, err := chunksOf(r, opt); err != nil || !slices.Equal(got, want) {
				rt.Fatalf("%q, %v, want %q", got, err, want)
			}
		}
	})
}

// TestStreamErrors: errors name the file.
func TestStreamErrors(t *testing.T) {
	opt := seqio.StreamOptions{Size: 5}
	packed := twoBitOf(binary.LittleEndian, []string{"a", "b"}, map[string]string{"a": "ACGNNacg", "b": "T"})
	twice := twoBitOf(binary.LittleEndian, []string{"a", "a"}, map[string]string{"a": "ACG"})
	for _, c := range []struct {
		r    io.Reader
		want string
	}{
		{bytes.NewBufferString(packed), "g: 2bit is not read from a pipe"},
		{strings.NewReader(packed[:len(packed)-1]), `g: record "b": the file is cut off`},
		{strings.NewReader(twice), "duplicate id"},
		{strings.NewReader("ACGT\n"), "g:1: expected '>' or '@'"},
		{bytes.NewBufferString("AC"), "g:1: expected '>' or '@'"},
		{strings.NewReader(""), "g: the file is empty"},
	} {
		if _, err := chunksOf(c.r, opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := genome.StreamFile("none.2bit", opt, nil); err == nil || !strings.Contains(err.Error(), "none.2bit: no such file") {
		t.Error(err)
	}
}
