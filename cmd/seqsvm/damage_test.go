package main_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
)

// Offsets in a model file (docs/model-format.md): eight bytes that say what it is, then three little-endian words of
// four bytes.
const (
	magicSize    = 8
	versionField = magicSize
	headerField  = magicSize + 4 // length of the header
)

// damagedModels are a compiled model and one of support vectors, by file name.
func damagedModels(t *testing.T) map[string][]byte {
	t.Helper()
	inGoodFolder(t)
	mustTool(t, "train", "--kernel", "substring:weight=tfidf,k=3", "--probability", "-o", "vectors.seqsvm", "two.fa")
	models := map[string][]byte{}
	for _, name := range []string{"m.seqsvm", "vectors.seqsvm"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		models[name] = data
	}
	return models
}

// A truncated model is an error of every command that reads one.
func TestTruncatedModel(t *testing.T) {
	for name, whole := range damagedModels(t) {
		t.Run(name, func(t *testing.T) {
			for n := range whole {
				if n > 100 && n < len(whole)-100 && n%7 != 0 {
					continue
				}
				checkDamaged(t, whole[:n], fmt.Sprintf("cut at %d of %d bytes", n, len(whole)))
			}
		})
	}
}

// A model with a flipped bit is an error, wherever the bit is, also in the zeros between arrays.
func TestFlippedModel(t *testing.T) {
	for name, whole := range damagedModels(t) {
		t.Run(name, func(t *testing.T) {
			for at := range whole {
				if at > 200 && at%5 != 0 {
					continue
				}
				broken := append([]byte{}, whole...)
				broken[at] ^= 1 << (at % 8)
				checkDamaged(t, broken, fmt.Sprintf("bit %d of byte %d of %d turned", at%8, at, len(whole)))
			}
		})
	}
}

// checkDamaged wants a one-line error from predict and info that names the file.
func checkDamaged(t *testing.T, model []byte, what string) {
	t.Helper()
	writeFiles(t, map[string]string{"broken": string(model)})
	for _, args := range [][]string{{"predict", "-m", "broken", "two.fa"}, {"info", "broken"}} {
		r := tool(t, "", args...)
		if r.code != cli.ExitFailed || r.out != "" {
			t.Errorf("%s, %s: exit code %d, output %q", what, args[0], r.code, r.out)
		}
		if !strings.HasPrefix(r.err, "seqsvm: broken: ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s, %s: message %q", what, args[0], r.err)
		}
	}
}

// A model of another format is an error that says so.
func TestOtherFormat(t *testing.T) {
	for name, whole := range damagedModels(t) {
		binary.LittleEndian.PutUint32(whole[versionField:], model.FormatVersion+1)
		writeFiles(t, map[string]string{"newer.seqsvm": string(whole)})
		checkBad(t, badCase{name: name, args: "predict -m newer.seqsvm two.fa", code: cli.ExitFailed,
			want: []string{"newer.seqsvm: model format 2, want 1"}})
		checkBad(t, badCase{name: name, args: "evaluate -m newer.seqsvm two.fa", code: cli.ExitFailed,
			want: []string{"newer.seqsvm: model format 2"}})
		checkBad(t, badCase{name: name, args: "info newer.seqsvm", code: cli.ExitFailed,
			want: []string{"newer.seqsvm: model format 2"}})
	}
}

// A header that claims more than there is takes no memory and is an error.
func TestGreedyModel(t *testing.T) {
	for _, whole := range damagedModels(t) {
		binary.LittleEndian.PutUint32(whole[headerField:], 1<<31)
		writeFiles(t, map[string]string{"greedy.seqsvm": string(whole)})
		checkBad(t, badCase{args: "info greedy.seqsvm", code: cli.ExitFailed,
			want: []string{"greedy.seqsvm: truncated model"}})
	}
}

// Finite coefficients whose sums are not: the record is named, and no row is a number that JSON lacks.
func TestOverflowingModel(t *testing.T) {
	damagedModels(t)
	m, err := model.ReadFile("vectors.seqsvm")
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Coef[0] {
		m.Coef[0][i] = math.MaxFloat64
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, map[string]string{"large.seqsvm": b.String()})
	for _, args := range []string{"predict", "predict --format json", "predict --raw", "predict --raw --format json",
		"evaluate"} {
		checkBad(t, badCase{name: args, args: args + " -m large.seqsvm two.fa", code: cli.ExitFailed,
			want: []string{"two.fa:", "the score of machine 1 is NaN, want a finite number"}})
	}
}
