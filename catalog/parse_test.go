package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

func TestParse(t *testing.T) {
	overWords := func(k substring.Kernel) bow.Sequence { return bow.Sequence{Kernel: k} }
	lmers := func(l, k, d int) gapped.Kernel { return gapped.Kernel{L: l, K: k, D: d, Filter: gapped.Truncated} }
	constant := overWords(substring.Kernel{Weight: substring.Constant})
	length := func(weights ...float64) bow.Sequence {
		return overWords(substring.Kernel{Weight: substring.Length, Weights: weights})
	}
	for _, c := range []struct {
		text string
		want Term
	}{
		{"spectrum", Term{Name: "spectrum", Kernel: spectrum.Kernel{K: 6}}},
		{"spectrum:k=3", Term{Name: "spectrum", Kernel: spectrum.Kernel{K: 3}}},
		{"spectrum:k=-3", Term{Name: "spectrum", Kernel: spectrum.Kernel{K: -3}}}, // Build refuses it
		{"spectrum:rc", Term{Name: "spectrum", RC: true, Kernel: spectrum.Kernel{K: 6}}},
		{"spectrum:rc=true,k=2", Term{Name: "spectrum", RC: true, Kernel: spectrum.Kernel{K: 2}}},
		{"spectrum:rc=0", Term{Name: "spectrum", Kernel: spectrum.Kernel{K: 6}}},
		{"spectrum:k=8,bounded,alphabet=dna,rc", Term{Name: "spectrum", RC: true, Kernel: spectrum.Kernel{K: 8, Bounded: true, Alphabet: stringkernel.DNA}}},
		{"spectrum:bounded=false,k=8", Term{Name: "spectrum", Kernel: spectrum.Kernel{K: 8}}},
		{"spectrum:rbf=0.5,rc", Term{Name: "spectrum", RC: true, Around: Around{RBF: 0.5}, Kernel: spectrum.Kernel{K: 6}}},
		{"spectrum:rank=9,k=2", Term{Name: "spectrum", Around: Around{Rank: 9}, Kernel: spectrum.Kernel{K: 2}}},
		{"spectrum:rbf=0.5,fourier=20,seed=7", Term{Name: "spectrum", Around: Around{RBF: 0.5, Fourier: 20, Seed: 7}, Kernel: spectrum.Kernel{K: 6}}},
		{"substring", Term{Name: "substring", Kernel: constant}},
		{"substring:weight=bounded,k=8", Term{Name: "substring", Kernel: overWords(substring.Kernel{Weight: substring.Bounded, K: 8})}},
		{"substring:weight=decay,lambda=0.5", Term{Name: "substring", Kernel: overWords(substring.Kernel{Weight: substring.Decay, Lambda: 0.5})}},
		{"substring:lambda=5e-1,weight=tfidf", Term{Name: "substring", Kernel: overWords(substring.Kernel{Weight: substring.TFIDF, Lambda: 0.5})}},
		{"substring:weight=length,weights=1", Term{Name: "substring", Kernel: length(1)}},
		{"substring:weights=1:0.5:0.25,weight=length", Term{Name: "substring", Kernel: length(1, 0.5, 0.25)}},
		{"substring:weight=length,weights=0:1e-3:+2:.5", Term{Name: "substring", Kernel: length(0, 1e-3, 2, 0.5)}},
		{"substring:unit=rune,ends", Term{Name: "substring", Kernel: overWords(substring.Kernel{Weight: substring.Constant, Unit: substring.RuneUnit, Ends: true})}},
		{"substring:unit=word,weight=decay,lambda=0.8,case,nfkc,stop=a:b", Term{Name: "substring", Kernel: bow.Sequence{
			Kernel: substring.Kernel{Weight: substring.Decay, Lambda: 0.8, Unit: bow.Word}, Case: true, NFKC: true,
			Stop: []string{"a", "b"}}}},
		{"gapped", Term{Name: "gapped", Kernel: lmers(11, 7, 3)}},
		{"gapped:l=8,k=4", Term{Name: "gapped", Kernel: lmers(8, 4, 3)}},
		// d = 3, the default elsewhere, is more than l − k
		{"gapped:k=3,l=5", Term{Name: "gapped", Kernel: lmers(5, 3, 2)}},
		{"gapped:l=5,k=5", Term{Name: "gapped", Kernel: lmers(5, 5, 0)}},
		{"gapped:l=5,k=3,d=3", Term{Name: "gapped", Kernel: lmers(5, 3, 3)}}, // given, Build refuses it
		{"gapped:l=5,k=9", Term{Name: "gapped", Kernel: lmers(5, 9, 3)}},     // as it does this
		{"mismatch:k=4,subst=blosum62", Term{Name: "mismatch", Kernel: gapped.Mismatch{K: 4, M: 4, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein}}},
		{"spectrum:k=4,subst=blosum62", Term{
			Name: "mismatch", asked: "spectrum with subst",
			Kernel: gapped.Mismatch{K: 4, M: 4, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		}},
		{"spectrum:rc,subst=transitions,count=sqrt,alphabet=dna", Term{
			Name: "mismatch", RC: true, asked: "spectrum with subst",
			Kernel: gapped.Mismatch{
				K: 6, M: 6, Subst: []string{"transitions"}, Count: stringkernel.CountSqrt, Alphabet: stringkernel.DNA,
			},
		}},
		{"mismatch:k=4,m=1,subst=transitions,beta=2", Term{Name: "mismatch", Kernel: gapped.Mismatch{K: 4, M: 1, Subst: []string{"transitions"}, Beta: 2}}},
		{"words:ngram=1-2,tfidf,stem=english,stop=english", Term{Name: "words", Kernel: bow.Kernel{NGram: "1-2", TFIDF: true, Stem: "english", Stop: []string{"english"}}}},
		{"words:dict=heart attack:immun*,mindf=2", Term{Name: "words", Kernel: bow.Kernel{NGram: "1", MinDF: 2, Dict: []string{"heart attack", "immun*"}}}},
	} {
		if got, err := parse(c.text); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", c.text, got, err, c.want)
		}
	}
}

// kernelNames lists the catalogue.
const kernelNames = "spectrum, substring, gapped, mismatch, spaced, subsequence, wd, poly, locality, oligo, markov, words, " +
	"subtree, tag, sst, ptk, wl, walk, table"

func TestParseRefuses(t *testing.T) {
	const near = `; did you mean "spectrum"?`
	const spectrumParameters = "want one of: k, bounded, count, tfidf, alphabet, subst, beta, rc, from, to, anycase, raw, rbf, fourier, seed, rank"
	for _, c := range []struct{ text, want string }{
		{"", `kernel "": unknown kernel "", want one of: ` + kernelNames},
		{"spectral:k=3", `kernel "spectral:k=3": unknown kernel "spectral", want one of: ` + kernelNames + near},
		{"Spectrum", `kernel "Spectrum": unknown kernel "Spectrum", want one of: ` + kernelNames + near},
		{"spectrum=3", `kernel "spectrum=3": unknown kernel "spectrum=3", want one of: ` + kernelNames + near},
		{"spectrum:k", `kernel "spectrum:k": parameter "k" has no value, want k=integer`},
		{"spectrum:k=", `kernel "spectrum:k=": parameter "k" has no value, want k=integer`},
		{"spectrum:k=three", `kernel "spectrum:k=three": k = "three", want an integer`},
		{"spectrum:k=3..5", `kernel "spectrum:k=3..5": k = "3..5", want an integer; several values are a grid, for a ` +
			"search such as tune"},
		{"oligo:sigma=1/2", `kernel "oligo:sigma=1/2": sigma = "1/2", want a number; several values are a grid, for a ` +
			"search such as tune"},
		{"spectrum:exp=1", `kernel "spectrum:exp=1": unknown parameter "exp": it stands after parentheses, as in (A + ` +
			"B):exp=2"},
		{"spectrum:k=3.5", `kernel "spectrum:k=3.5": k = "3.5", want an integer`},
		{"spectrum:k= 3", `kernel "spectrum:k= 3": k = " 3", want an integer`},
		{"spectrum:k=99999999999999999999",
			`kernel "spectrum:k=99999999999999999999": k = 99999999999999999999, want an integer of 64 bits`},
		{"spectrum:k=3,k=3", `kernel "spectrum:k=3,k=3": parameter "k" is given twice`},
		{"spectrum:rc,rc", `kernel "spectrum:rc,rc": parameter "rc" is given twice`},
		{"spectrum:rbf", `kernel "spectrum:rbf": parameter "rbf" has no value, want rbf=number`},
		{"spectrum:rbf=0", `kernel "spectrum:rbf=0": rbf = 0, want γ > 0`},
		{"spectrum:rbf=-1", `kernel "spectrum:rbf=-1": rbf = -1, want γ > 0`},
		{"spectrum:from=0", `kernel "spectrum:from=0": from = 0, want at least 1`},
		{"spectrum:to=0", `kernel "spectrum:to=0": to = 0, want at least 1`},
		{"spectrum:rank=0", `kernel "spectrum:rank=0": rank = 0, want at least 1`},
		{"spectrum:fourier=20", `kernel "spectrum:fourier=20": fourier = 20 without rbf, which it approximates`},
		{"spectrum:rbf=1,seed=2", `kernel "spectrum:rbf=1,seed=2": seed = 2 without fourier`},
		{"spectrum:rbf=1,fourier=2,seed=-2", `kernel "spectrum:rbf=1,fourier=2,seed=-2": seed = -2, want at least 0`},
		{"spectrum:rbf=1,fourier=0", `kernel "spectrum:rbf=1,fourier=0": fourier = 0, want at least 2`},
		{"spectrum:l=3", `kernel "spectrum:l=3": unknown parameter "l", ` + spectrumParameters},
		{"spaced:masks=11,101", `kernel "spaced:masks=11,101": unknown parameter "101", want one of: masks, pair, gap, ` +
			"alphabet, rc, from, to, anycase, raw, rbf, fourier, seed, rank; a list has colons, as in masks=11:101"},
		{"spectrum:subst=x,bounded", `kernel "spectrum:subst=x,bounded": spectrum with subst is mismatch: unknown ` +
			"parameter \"bounded\", want one of: k, m, count, subst, beta, alphabet, rc, from, to, anycase, raw, rbf, fourier, seed, rank"},
		{"mismatch:subst=blosum62,beta=0",
			`kernel "mismatch:subst=blosum62,beta=0": beta = 0, want a number above 0`},
		{"spectrum:subst=blosum62,beta=-0",
			`kernel "spectrum:subst=blosum62,beta=-0": spectrum with subst is mismatch: beta = -0, want a number above 0`},
		{"wd:subst=blosum62,beta=0", `kernel "wd:subst=blosum62,beta=0": beta = 0, want a number above 0`},
		{"markov:top,odds=0", `kernel "markov:top,odds=0": odds = 0, want a number above 0`},
		{"gapped:lambda=0", `kernel "gapped:lambda=0": lambda = 0, want a number above 0`},
		{"table:columns=a,kernel=rbf,gamma=0.0",
			`kernel "table:columns=a,kernel=rbf,gamma=0.0": gamma = 0.0, want a number above 0`},
		{"substring:k=0", `kernel "substring:k=0": k = 0, want a number above 0`},
		{"tag:weight=decay,lambda=0.5,k=0", `kernel "tag:weight=decay,lambda=0.5,k=0": k = 0, want a number above 0`},
		{"ptk:size=0", `kernel "ptk:size=0": size = 0, want a number above 0`},
		{"sst:depth=0", `kernel "sst:depth=0": depth = 0, want a number above 0`},
		{"wd:shift=2,ramp=0", `kernel "wd:shift=2,ramp=0": ramp = 0, want a number above 0`},
		{"words:maxdf=0", `kernel "words:maxdf=0": maxdf = 0, want a number above 0`},
		{"spectrum:K=3", `kernel "spectrum:K=3": unknown parameter "K", ` + spectrumParameters + `; did you mean "k"?`},
		{"spectrum:", `kernel "spectrum:": a parameter is missing in "", want KEY=VALUE or FLAG, separated by commas`},
		{"spectrum:k=3,",
			`kernel "spectrum:k=3,": a parameter is missing in "k=3,", want KEY=VALUE or FLAG, separated by commas`},
		{"spectrum:,k=3",
			`kernel "spectrum:,k=3": a parameter is missing in ",k=3", want KEY=VALUE or FLAG, separated by commas`},
		{"spectrum:rc,,k=3",
			`kernel "spectrum:rc,,k=3": a parameter is missing in "rc,,k=3", want KEY=VALUE or FLAG, separated by commas`},
		{"spectrum::k=3", `kernel "spectrum::k=3": unknown parameter ":k", ` + spectrumParameters + `; did you mean "k"?`},
		{"spectrum:=3", `kernel "spectrum:=3": unknown parameter "", ` + spectrumParameters},
		{"spectrum:bounded=maybe",
			`kernel "spectrum:bounded=maybe": bounded = "maybe", want the flag alone, true or false`},
		{"spectrum:rc=", `kernel "spectrum:rc=": rc = "", want the flag alone, true or false`},
		{"spectrum:alphabet", `kernel "spectrum:alphabet": parameter "alphabet" has no value, want alphabet=word`},
		{"spectrum:bounded,subst=grantham",
			`kernel "spectrum:bounded,subst=grantham": spectrum with subst is mismatch: unknown ` +
				"parameter \"bounded\", want one of: k, m, count, subst, beta, alphabet, rc, from, to, anycase, raw, rbf, fourier, seed, rank"},
		{"substring:lambda", `kernel "substring:lambda": parameter "lambda" has no value, want lambda=number`},
		{"substring:lambda=half", `kernel "substring:lambda=half": lambda = "half", want a number`},
		{"substring:lambda=NaN", `kernel "substring:lambda=NaN": lambda = "NaN", want a number`},
		{"substring:lambda=inf", `kernel "substring:lambda=inf": lambda = "inf", want a number`},
		{"substring:lambda=1e999", `kernel "substring:lambda=1e999": lambda = "1e999", want a number`},
		{"substring:weights", `kernel "substring:weights": parameter "weights" has no value, want weights=numbers`},
		{"substring:weights=1::2", `kernel "substring:weights=1::2": weights: number 2 is "", want a number`},
		{"substring:weights=1:x", `kernel "substring:weights=1:x": weights: number 2 is "x", want a number`},
		{"substring:weights=1:NaN", `kernel "substring:weights=1:NaN": weights: number 2 is "NaN", want a number`},
		{"words:stop", `kernel "words:stop": parameter "stop" has no value, want stop=words`},
		{"words:stop=a::b", `kernel "words:stop=a::b": stop: word 2 is missing, want words separated by colons`},
		{"words:stop=\xff", `kernel "words:stop=\xff": stop: word 1, "\xff", is not UTF-8; convert the file`},
	} {
		if spec, err := parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("Parse(%q) = %+v, %v, want %s", c.text, spec, err, c.want)
		}
	}
}

func TestTermTexts(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{[]string{"words"}, []string{"words"}},
		{[]string{"spectrum:rc,k=3", "wd:d=2"}, []string{"spectrum:rc,k=3", "wd:d=2"}},
		{[]string{"2*words + (wd:raw,d=2 * spectrum)^2", "words"}, []string{"words", "wd:raw,d=2", "spectrum", "words"}},
	} {
		if texts := Default().TermTexts(c.texts...); !slices.Equal(texts, c.want) {
			t.Errorf("TermTexts(%q) = %q, want %q", c.texts, texts, c.want)
		}
	}
}

func TestWordsFromFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"lines": "# heart\n#\nheart attack\n\n immun* \n#me\n", "dos": "heart attack\r\nimmun*\r\n#me\r\n", "empty": "\n# none\n",
		"latin1": "caf\xe9\n",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	for name, wrong := range map[string]string{"lines": "", "dos": "", "empty": "empty has no words, want one per line",
		"latin1": `dict: word 1, "caf\xe9", is not UTF-8; convert the file`, "absent": "no such file"} {
		spec, err := parse("words:dict=@" + filepath.Join(dir, name))
		if wrong != "" {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: %v, want %s", name, err, wrong)
			}
			continue
		}
		if want := []string{"heart attack", "immun*", "#me"}; err != nil ||
			!reflect.DeepEqual(spec.Kernel.(bow.Kernel).Dict, want) {
			t.Errorf("%s: %+v, %v, want the words %q", name, spec, err, want)
		}
	}
}

func TestNumbersFromFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"lines": "1\n0.5\n0.25\n", "spaces": "  1 0.5\t0.25", "dos": "1\r\n0.5\r\n0.25\r\n", "empty": "\n",
		"word": "1 0.5 x", "colons": "1:2",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	parse := func(name string) (Term, error) {
		return parse("substring:weight=length,weights=@" + filepath.Join(dir, name))
	}
	for _, name := range []string{"lines", "spaces", "dos"} {
		spec, err := parse(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := spec.Kernel.(bow.Sequence).Weights; !reflect.DeepEqual(got, []float64{1, 0.5, 0.25}) {
			t.Errorf("%s: weights %v", name, got)
		}
	}
	for name, want := range map[string]string{
		"none": "no such file", "word": `number 3 is "x", want a number`, "colons": `number 1 is "1:2", want a number`,
		".": "is a directory",
	} {
		if spec, err := parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %s", name, spec, err, want)
		}
	}
	spec, err := parse("empty")
	if err == nil {
		_, err = build([]Term{spec}, false)
	}
	if err == nil || !strings.Contains(err.Error(), "0 weights") {
		t.Errorf("an empty file: %v", err)
	}
}

// FuzzParse parses any text: the result is an error, or a specification that its own text gives again.
func FuzzParse(f *testing.F) {
	for _, e := range kernels {
		f.Add(e.Example)
	}
	f.Add("substring:weight=length,weights=1:0.5,rc,alphabet=rna")
	f.Add("spectrum:k=3,bounded=true,rc=false")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "@") {
			t.Skip("files are not the fuzzer's")
		}
		spec, err := parse(text)
		if err != nil {
			return
		}
		if _, err := build([]Term{spec}, true); err != nil {
			return
		}
		if again, err := parse(spec.String()); err != nil || !reflect.DeepEqual(again, spec) {
			t.Fatalf("%q is %+v, its text %q is %+v, %v", text, spec, spec.String(), again, err)
		}
	})
}
