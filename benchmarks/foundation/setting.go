package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/usage"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// recipes are the kernels of the setting fixed, with C = 1: for records of a kind, as many letters long at most,
// aligned on a site or not. They were chosen by dev parts, or by folds of training parts, before a test was looked at.
// The first that fits is taken; kinds that have none have catalog.Usual.
var recipes = []struct {
	kind            catalog.Kind
	most            int
	aligned         bool
	records, kernel string
}{
	{catalog.NucleotideWindows, 50, false, "modified bases", "wd:d=6,shift=1 + gapped:l=8,k=5,d=3"},
	{catalog.NucleotideWindows, 80, false, "core promoters", places + " + spectrum:k=6,bounded"},
	{catalog.NucleotideWindows, 150, false, "binding sites", motifs},
	{catalog.NucleotideWindows, math.MaxInt, true, "promoters, splice sites", places},
	{catalog.NucleotideWindows, math.MaxInt, false, "enhancers, histone marks", regions},
	{catalog.Nucleotides, math.MaxInt, false, "enhancers, genes", regions},
	{catalog.Proteins, math.MaxInt, false, "peptides", acids},
	{catalog.Texts, math.MaxInt, false, "sentences, documents", words},
	{catalog.Strings, math.MaxInt, false, "names", words},
}

const (
	places  = "wd:d=8,shift=8 + gapped:l=8,k=5,d=3"                              // by place and anywhere
	motifs  = "gapped:l=10,k=6,rc + spectrum:k=6,bounded,rc"                     // on either strand
	regions = "gapped:l=10,k=6,rc + spectrum:k=3,bounded,rc,rbf=median,rank=200" // and composition
	acids   = "mismatch:k=3,subst=blosum62 + oligo:k=1,sigma=4 + oligo:k=2,sigma=4"
	words   = "words:sublinear,tfidf + words:letters,ngram=2-5,sublinear,tfidf"

	// features and cost are those of the setting probe for all tasks: as GENEB has it for the numbers that a network
	// makes, logistic regression decides by features that know nothing of the task, but that it is of DNA.
	features = "gapped:l=8,k=5,d=3 + spectrum:k=6,bounded,rc + oligo:k=3,sigma=2"
	cost     = 10
)

// choices say what a setting fits to a task.
var choices = map[string]string{
	"fixed": "recipe by kind", "probe": "weights of a probe", "searched": "kernel and C by folds",
}

// recipe returns the recipe for records.
func recipe(c *stringkernel.Corpus) string {
	a := seqio.DetectAlphabet(c)
	kind, aligned := catalog.KindOf(c, a), catalog.SiteOf(c, a).Aligned()
	for _, r := range recipes {
		if r.kind == kind && len(c.Seq(0)) <= r.most && (aligned || !r.aligned) {
			return r.kernel
		}
	}
	return strings.Join(catalog.Usual(c, a).Terms(), " + ")
}

// learn writes a model of a setting to a file, and returns the CPU time that it took.
func learn(setting string, d *dataset.Dataset, path string) time.Duration {
	before := usage.CPU()
	kernel, o := "", seqsvm.Options{NoSketch: true}
	switch setting {
	case "fixed":
		kernel = recipe(d.Corpus)
	case "probe":
		kernel, o.C, o.Loss, o.Multiclass = features, cost, classify.LossLogistic, decide.Multinomial
	case "searched":
		return tune(d, path)
	default:
		log.Fatalf("setting %q, want fixed, probe or searched", setting)
	}
	must(0, must(seqsvm.FitDataset(background, kernel, d, o)).Save(path))
	return usage.CPU() - before
}

// tune has the tool search for a model.
func tune(d *dataset.Dataset, path string) time.Duration {
	file := must(os.Create(path + ".tsv"))
	for i := range d.Len() {
		must(fmt.Fprintf(file, "%s\t%s\n", d.Classes[d.Y[i]], d.Corpus.Seq(i)))
	}
	must(0, file.Close())
	command := exec.Command(*tool, "tune", "-q", "-o", path, file.Name())
	command.Stderr = os.Stderr
	must(command.Output())
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}
