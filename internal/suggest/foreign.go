package suggest

// lsgkm is the kernel of LS-GKM.
const lsgkm = "gapped:l=11,k=7,rc"

// foreign has, of names of other programs for kernels, metrics and options, what is written here: a known name, and
// perhaps a value after it.
var foreign = map[string]string{
	"gkm": lsgkm, "gkmsvm": lsgkm, "lsgkm": lsgkm,
	"auc": "auroc", "kernel": "matrix gram", "label-column": "input label=COLUMN", "rc": "kernel spectrum:k=6,rc", "width": "window",
}
