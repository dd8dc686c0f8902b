package main

// model is a published one.
type model struct {
	name       string
	parameters float64 // 0: not stated where the figures were read
	source     string
}

// nModels is the number of models.
const nModels = 4

// Models whose figures are quoted below.
var models = [nModels]model{
	{"DNABERT-2", 117e6, "Zhou et al., ICLR 2024, arXiv:2306.15006; mouse-2, mouse-4 and prom-300-tata unchecked"},
	{"Nucleotide Transformer", 2.5e9, "Dalla-Torre et al., the multi-species model, in later comparisons; tf unchecked"},
	{"GROVER", 0, "Sanabria et al., Nat. Mach. Intell. 2024, in later comparisons"},
	{"VQDNA", 0, "Li et al., ICML 2024"},
}

// published has the MCC on the official test part of each task, in the order of models; 0 where none is known.
var published = map[string][nModels]float64{
	"mouse-0":          {0.568, 0.633, 0.533},
	"mouse-2":          {0.793, 0.715, 0.823},
	"mouse-4":          {0.527, 0.471, 0.415},
	"tf-0":             {0.720, 0.666, 0.645, 0.725},
	"tf-1":             {0.761, 0.703, 0.641, 0.764},
	"tf-3":             {0.585, 0.517, 0.501, 0.589},
	"prom-300-tata":    {0.716, 0.794, 0.597},
	"prom-core-notata": {0.680, 0.716, 0.658, 0.706},
	"prom-core-all":    {0.694, 0.703, 0.611, 0.710},
}
