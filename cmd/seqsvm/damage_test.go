package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Offsets in a model file (docs/model-format.md): eight bytes that say what it is, then three little-endian words of four bytes.
const (
	magicSize    = 8
	versionField = magicSize
	headerField  = magicSize + 4 // length of the header
	prologueEnd  = magicSize + 12
	arrayBlock   = 64 // arrays begin at multiples of it
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

// A model cut off anywhere is refused by every command that reads one.
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

// A model with a bit turned is refused, wherever the bit is. Between arrays there are zero bytes that mean nothing; they may be anything.
func TestFlippedModel(t *testing.T) {
	for name, whole := range damagedModels(t) {
		t.Run(name, func(t *testing.T) {
			want := mustTool(t, "predict", "-m", name, "two.fa")
			for at := range whole {
				if at > 200 && at%5 != 0 {
					continue
				}
				broken := append([]byte{}, whole...)
				broken[at] ^= 1 << (at % 8)
				what := fmt.Sprintf("bit %d of byte %d of %d turned", at%8, at, len(whole))
				if isPadding(whole, at) {
					checkPadding(t, broken, what, want)
					continue
				}
				checkDamaged(t, broken, what)
			}
		})
	}
}

// isPadding tells whether a byte is one of the zeros that fill up to the next array: all zeros from it to the end of its block, and
// behind the header.
func isPadding(model []byte, at int) bool {
	header := int(binary.LittleEndian.Uint32(model[headerField:]))
	end := min(len(model), (at/arrayBlock+1)*arrayBlock)
	return at >= prologueEnd+header && strings.Trim(string(model[at:end]), "\x00") == ""
}

// checkPadding accepts a model that is refused or gives the same predictions.
func checkPadding(t *testing.T, model []byte, what, want string) {
	t.Helper()
	writeFiles(t, map[string]string{"broken": string(model)})
	if r := tool(t, "", "predict", "-m", "broken", "two.fa"); r.code == exitOK && r.out != want {
		t.Errorf("%s: other predictions", what)
	}
}

// checkDamaged wants a one-line error from predict, evaluate and info that names the file.
func checkDamaged(t *testing.T, model []byte, what string) {
	t.Helper()
	writeFiles(t, map[string]string{"broken": string(model)})
	for _, args := range [][]string{{"predict", "-m", "broken", "two.fa"}, {"info", "broken"}} {
		r := tool(t, "", args...)
		if r.code != exitFailed || r.out != "" {
			t.Errorf("%s, %s: exit code %d, output %q", what, args[0], r.code, r.out)
		}
		if !strings.HasPrefix(r.err, "seqsvm: broken: ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s, %s: message %q", what, args[0], r.err)
		}
	}
}

// A model of a newer format says so.
func TestNewerModel(t *testing.T) {
	for name, whole := range damagedModels(t) {
		binary.LittleEndian.PutUint32(whole[versionField:], 2)
		writeFiles(t, map[string]string{"newer.seqsvm": string(whole)})
		checkBad(t, badCase{name: name, args: "predict -m newer.seqsvm two.fa", code: exitFailed, want: []string{"newer.seqsvm: model format 2", "reads format 1"}})
		checkBad(t, badCase{name: name, args: "evaluate -m newer.seqsvm two.fa", code: exitFailed, want: []string{"newer.seqsvm: model format 2"}})
		checkBad(t, badCase{name: name, args: "info newer.seqsvm", code: exitFailed, want: []string{"newer.seqsvm: model format 2"}})
	}
}

// A header that claims more than there is takes no memory and is refused.
func TestGreedyModel(t *testing.T) {
	for _, whole := range damagedModels(t) {
		binary.LittleEndian.PutUint32(whole[headerField:], 1<<31)
		writeFiles(t, map[string]string{"greedy.seqsvm": string(whole)})
		checkBad(t, badCase{args: "info greedy.seqsvm", code: exitFailed, want: []string{"greedy.seqsvm: truncated model"}})
	}
}
