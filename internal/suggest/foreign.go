package suggest

// lsgkm is the kernel of LS-GKM.
const lsgkm = "gapped:l=11,k=7,rc"

// foreign has, of names of other programs for kernels, metrics and options, what is written here: a known name, and
// perhaps a value after it.
var foreign = map[string]string{
	"gkm": lsgkm, "gkmsvm": lsgkm, "lsgkm": lsgkm,
	"negative": "neg", "port": "listen localhost:PORT", "input": "genome", "gff": "annotation", "gtf": "annotation",
	"auc": "auroc", "threshold": "min-score", "kernel": "matrix gram", "label-column": "input label=COLUMN",
	"rc": "kernel spectrum:k=6,rc", "width": "window",
}
