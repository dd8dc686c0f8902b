package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// sequence is a labelled record.
type sequence struct{ id, label, letters string }

// drawSequences draws records of 24 letters, of two classes that differ in composition.
func drawSequences(letters string, n int) []sequence {
	rng := rand.New(rand.NewPCG(1, 2))
	list := make([]sequence, n)
	for i := range list {
		x := make([]byte, 24)
		for j := range x {
			x[j] = letters[rng.IntN(len(letters))]
			if i%2 == 0 && rng.IntN(3) == 0 {
				x[j] = letters[0]
			}
		}
		list[i] = sequence{fmt.Sprint("r", i), []string{"A", "B"}[i%2], string(x)}
	}
	return list
}

// containers are the files that hold records in every container, by the operands to read them; change is applied to
// letters.
func containers(list []sequence, change func(string) string) (files map[string]string, operands []string) {
	fasta, fastq, tsv, csv, jsonl, text := "", "", "id\tlabel\ttext\n", "id,label,text\n", "", ""
	files = map[string]string{}
	for i, s := range list {
		x := change(s.letters)
		fasta += fmt.Sprintf(">%s label=%s\n%s\n%s\n", s.id, s.label, x[:10], x[10:])
		fastq += fmt.Sprintf("@%s label=%s\n%s\n+\n%s\n", s.id, s.label, x, strings.Repeat("I", len(x)))
		tsv += fmt.Sprintf("%s\t%s\t%s \n", s.id, s.label, x)
		csv += fmt.Sprintf("%s,%s, %s\n", s.id, s.label, x)
		object, _ := json.Marshal(map[string]string{"id": s.id, "label": s.label, "text": x})
		jsonl += string(object) + "\n"
		text += x + "\n"
		files[fmt.Sprintf("documents/%s/%03d", s.label, i)] = x[:20] + "\n" + x[20:] + "\n"
	}
	for name, text := range map[string]string{"x.fa": fasta, "x.fq": fastq, "x.tsv": tsv, "x.csv": csv,
		"x.jsonl": jsonl, "x.txt": text, "folder/x.fa": fasta} {
		files[name] = text
	}
	return files, []string{"x.fa", "x.fq", "x.tsv", "x.csv", "x.jsonl", "x.txt", "folder", "documents"}
}

// alternate turns every other letter into lower case.
func alternate(x string) string {
	i := 0
	return strings.Map(func(r rune) rune {
		if i++; i%2 == 0 {
			return unicode.ToLower(r)
		}
		return r
	}, x)
}

// scoresOf are the decisions of a table of predictions, in the order of the records: documents have other ids and
// another order, lines of text are called by their numbers.
func scoresOf(t *testing.T, table, operand string, list []sequence) string {
	t.Helper()
	documents := operand == "documents"
	byRecord := map[string]string{}
	for line := range strings.Lines(table) {
		id, rest, _ := strings.Cut(line, "\t")
		if documents {
			id = id[strings.LastIndex(id, "/")+1:]
		}
		byRecord[id] = rest
	}
	var out strings.Builder
	for i, s := range list {
		id := s.id
		switch operand {
		case "documents":
			id = fmt.Sprintf("%03d", i)
		case "x.txt":
			id = fmt.Sprint(i + 1)
		}
		out.WriteString(byRecord[id])
	}
	return out.String()
}

// Sequences have the same scores to the last bit whatever container they come in, in whatever case, for every kernel of
// sequences, and so do models that were trained on them.
func TestContainers(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, kind := range []struct {
		name, letters string
		change        func(string) string
	}{
		{"dna", "ACGT", alternate},
		{"rna", "UGCA", alternate},
		{"protein", "ACDEFGHIKLMNPQRSTVWY", func(x string) string { return x }},
	} {
		list := drawSequences(kind.letters, 24)
		files, operands := containers(list, kind.change)
		writeFiles(t, files)
		kernels := sequenceKernels(kind.name)
		if kind.name == "rna" && !long.Tests {
			kernels = kernels[:4] // all are those of DNA
		}
		for i, kernel := range kernels {
			others := operands[1:]
			if !long.Tests { // two each, by turns
				others = []string{others[i%len(others)], others[(i+3)%len(others)]}
			}
			t.Run(kind.name+" "+kernel, func(t *testing.T) {
				mustTool(t, "train", "-q", "-k", kernel, "-o", "first.seqsvm", operands[0])
				want := scoresOf(t, mustTool(t, "predict", "-q", "-m", "first.seqsvm", operands[0]), operands[0], list)
				for _, operand := range others {
					got := scoresOf(t, mustTool(t, "predict", "-q", "-m", "first.seqsvm", operand), operand, list)
					if got != want {
						t.Errorf("%s: other scores than %s", operand, operands[0])
					}
					if operand != "x.tsv" && operand != "folder" {
						continue // documents are in another order, with other last bits
					}
					mustTool(t, "train", "-q", "-k", kernel, "-o", "other.seqsvm", operand)
					out := mustTool(t, "predict", "-q", "-m", "other.seqsvm", operands[0])
					if scoresOf(t, out, operands[0], list) != want {
						t.Errorf("%s: another model than of %s", operand, operands[0])
					}
				}
			})
		}
	}
}

// sequenceKernels are the examples of the catalogue that take sequences of an alphabet.
func sequenceKernels(alphabet string) (list []string) {
	for _, e := range catalog.Default() {
		term := catalog.Term{Name: e.Name, Kernel: e.Defaults}
		if term.OfStructures() || term.OfNumbers() || alphabet == "protein" && strings.Contains(e.Example, "rc") {
			continue
		}
		switch e.Name {
		case "gapped":
			list = append(list, "gapped:l=4,k=2")
		case "mismatch":
			list = append(list, "mismatch:k=3,m=1")
		default:
			list = append(list, e.Example)
		}
	}
	return append(list, "spectrum:k=2,alphabet=bytes")
}

// Decide folds case as the reader of the training data did, and reads U as T.
func TestDecideAsTrained(t *testing.T) {
	t.Chdir(t.TempDir())
	list := drawSequences("ACGT", 24)
	files, _ := containers(list, alternate)
	writeFiles(t, files)
	for _, operand := range []string{"x.fa", "x.tsv", "documents"} {
		mustTool(t, "train", "-q", "-k", "spectrum:k=3", "-o", "m.seqsvm", operand)
		m := must.Get(seqsvm.Open("m.seqsvm"))(t)
		want := m.Classifier.Decide([]byte(list[0].letters)).Scores[0]
		for _, x := range []string{alternate(list[0].letters), strings.ToLower(list[0].letters),
			strings.ReplaceAll(list[0].letters, "T", "U")} {
			if got := m.Classifier.Decide([]byte(x)).Scores[0]; got != want {
				t.Errorf("%s: %s scores %v, want %v", operand, x, got, want)
			}
		}
	}
	files, _ = containers(list, strings.ToUpper)
	writeFiles(t, files)
	mustTool(t, "train", "-q", "-k", "spectrum:k=3", "--input", "soft-mask=break", "-o", "m.seqsvm", "x.fa")
	m := must.Get(seqsvm.Open("m.seqsvm"))(t)
	if p := m.Classifier.Decide([]byte(strings.ToLower(list[0].letters))); !p.Unknown {
		t.Errorf("soft-masked letters have features: %v", p.Scores)
	}
}
