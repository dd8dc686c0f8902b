package main_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
)

// Offsets in a model file (docs/model-format.md): eight bytes that say what it is, then the version and the length of
// the header, little-endian words of four bytes.
const (
	versionField = 8
	headerField  = 12
)

// A damaged model is a one-line error of every command that reads one, whether it is compiled or of support vectors.
// Package model tries every byte.
func TestDamagedModels(t *testing.T) {
	inGoodFolder(t)
	mustTool(t, "train", "--kernel", "spectrum:k=3", "--keep-sequences", "--probability", "-o", "vectors.seqsvm", "two.fa")
	for _, name := range []string{"m.seqsvm", "vectors.seqsvm"} {
		whole := []byte(mustRead(t, name))
		last := len(whole) - 1
		for _, c := range []struct {
			model []byte
			want  string
		}{
			{whole[:last], ""}, {whole[:last/2], "truncated model"}, {whole[:5], "not a seqsvm model"},
			{withWord(whole, versionField, model.FormatVersion+1), "model format 2, want 1"},
			{withWord(whole, headerField, 1<<31), "truncated model"},
			{withWord(whole, 0, 0), "not a seqsvm model"},
			{withWord(whole, last/2, 12345), ""}, {withWord(whole, last-5, 12345), ""},
		} {
			writeFiles(t, map[string]string{"broken.seqsvm": string(c.model)})
			for _, args := range []string{"predict -m broken.seqsvm two.fa", "model info broken.seqsvm",
				"evaluate -m broken.seqsvm two.fa"} {
				checkBad(t, badCase{args: args, code: cli.ExitFailed, want: []string{"broken.seqsvm: ", c.want}})
			}
		}
	}
}

// withWord returns a file with four other bytes.
func withWord(file []byte, at int, word uint32) []byte {
	file = slices.Clone(file)
	binary.LittleEndian.PutUint32(file[at:], word)
	return file
}

// A model that was made by hand, with the right checksums, names a syntax of trees that is not known, or has finite
// coefficients whose sums are not: no row is a number that JSON lacks.
func TestForgedModels(t *testing.T) {
	inGoodFolder(t)
	mustTool(t, "train", "--kernel", "spectrum:k=3", "--keep-sequences", "--probability", "-o", "m.seqsvm", "two.fa")
	forge := func(change func(m *model.Model)) {
		m := must.Get(model.ReadFile("m.seqsvm"))(t)
		change(m)
		var b bytes.Buffer
		must.Succeed(t, m.Write(&b))
		writeFiles(t, map[string]string{"forged.seqsvm": b.String()})
	}
	forge(func(m *model.Model) { m.Input.Reading.Tree = "lisp" })
	checkBad(t, badCase{args: "predict -m forged.seqsvm two.fa", code: cli.ExitFailed,
		want: []string{`forged.seqsvm: `, `tree = "lisp", want one of: penn`}})
	forge(func(m *model.Model) {
		for i := range m.Coef[0] {
			m.Coef[0][i] = math.MaxFloat64
		}
	})
	for _, args := range []string{"predict", "predict --format json", "predict --raw", "predict --raw --format json",
		"evaluate"} {
		checkBad(t, badCase{args: args + " -m forged.seqsvm two.fa", code: cli.ExitFailed,
			want: []string{"two.fa:", "the score of machine 1 is +Inf, want a finite number"}})
	}
}
