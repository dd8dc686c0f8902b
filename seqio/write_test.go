package seqio_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestWriteFASTA(t *testing.T) {
	s := mustRead(t, ">x +1\nacgtACGTa\n>y\n>z label=A b\nAC\n", "a.fa", seqio.Options{Case: seqio.CaseKept})
	for width, want := range map[int]string{
		0: ">x +1\nacgtACGTa\n>y\n>z label=A b\nAC\n",
		4: ">x +1\nacgt\nACGT\na\n>y\n>z label=A b\nAC\n",
		9: ">x +1\nacgtACGTa\n>y\n>z label=A b\nAC\n",
	} {
		var out bytes.Buffer
		if err := seqio.WriteFASTA(&out, s, width); err != nil || out.String() != want {
			t.Errorf("width %d: %q, %v, want %q", width, out.String(), err, want)
		}
	}
	// Labels that do not follow from the description travel in a token before it.
	s.Labels = []string{"-1", "new", ""}
	var out bytes.Buffer
	must.Succeed(t, seqio.WriteFASTA(&out, s, 0))
	if want := ">x label=-1 +1\nacgtACGTa\n>y label=new\n>z label= label=A b\nAC\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if back := mustRead(t, out.String(), "b.fa", seqio.Options{}); !slices.Equal(back.Labels, s.Labels) {
		t.Errorf("labels %q read back, want %q", back.Labels, s.Labels)
	}
}

func TestWriteFASTAErrors(t *testing.T) {
	for _, c := range []struct {
		id, description, label, sequence string
		want                             string
	}{
		{"", "", "", "A", "s: record 1 has no id, which FASTA needs"},
		{"a b", "", "", "A", `s: record "a b": white space in the id cannot be written as FASTA`},
		{"a", "b\nc", "b\nc", "A", `s: record "a": the description "b\nc" cannot be written as FASTA`},
		{"a", " b", "b", "A", `s: record "a": the description " b" cannot be written as FASTA`},
		{"a", "b", "c d", "A", `s: record "a": the label "c d" has white space and cannot be written as FASTA`},
		{"a", "b", "b", "AC GT", `s: record "a": white space at position 3 cannot be written as FASTA`},
		{"a", "b", "b", "AC1", `s: record "a": letter '1' at position 3 cannot be written as FASTA`},
	} {
		corpus := must.Get(stringkernel.NewCorpus([][]byte{[]byte(c.sequence)}, []string{c.id}))(t)
		s := &seqio.Set{Source: "s", Corpus: corpus, Descriptions: []string{c.description}, Labels: []string{c.label}}
		if err := seqio.WriteFASTA(&bytes.Buffer{}, s, 60); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	s := mustRead(t, ">x\nA\n", "a.fa", seqio.Options{})
	if err := seqio.WriteFASTA(&bytes.Buffer{}, s, -1); err == nil || err.Error() != "seqio: FASTA width = -1, want ≥ 0" {
		t.Error(err)
	}
	if err := seqio.WriteFASTA(inputtest.FullDisk{}, s, 0); !errors.Is(err, inputtest.ErrDisk) {
		t.Error(err)
	}
}

// A header is written as long as it can be read back, and not a byte more.
func TestWriteFASTALongHeader(t *testing.T) {
	for _, c := range []struct {
		letters int
		fits    bool
	}{{lines.BufferSize - 2, true}, {lines.BufferSize - 1, false}} {
		s := mustRead(t, ">x\nA\n", "a.fa", seqio.Options{})
		s.Descriptions = []string{strings.Repeat("d", c.letters-len("x "))}
		s.Labels = []string{s.Descriptions[0]}
		var out bytes.Buffer
		err := seqio.WriteFASTA(&out, s, 0)
		if (err == nil) != c.fits {
			t.Errorf("a header of %d bytes: %v", c.letters, err)
		}
		if back, readErr := seqio.Read(&out, "a.fa", seqio.Options{}); err == nil &&
			(readErr != nil || back.Descriptions[0] != s.Descriptions[0]) {
			t.Errorf("a header of %d bytes is written and not read back: %v", c.letters, readErr)
		}
	}
}
