package lsgkm

import (
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// File is the content of a model file.
type File struct {
	Source     string               // the file's name, as it appears in errors
	Regression bool                 // svm_type is epsilon_svr: there are no labels, and f(x) − Rho is a number
	Classic    bool                 // two files of gkm-SVM, see ReadClassic
	KernelType string               // gkm_cnt, gkm_estfull, gkm_esttrunc, wgkm, gkmrbf, wgkmrbf or gkm_cnt_rbf
	L, K, D    int                  // letters of an l-mer, letters that count, most mismatches
	OneStrand  bool                 // norc is 1
	Peak       int                  // M: the greatest weight; 0 without centre weights
	HalfLife   float64              // H: the distance of half the weight, in l-mers
	Gamma      float64              // of an RBF, else 0
	Rho        float64              // the decision is f(x) − Rho
	Labels     [2]string            // the decision is positive for the first
	Sigmoid    *threshold.Sigmoid   // of the first label; nil without probA and probB
	Counts     [2]int               // support vectors of each label
	Coef       []float64            // y_i α_i of each support vector
	Support    *stringkernel.Corpus // upper case, A C G T alone; without names
	// letters of the support vectors other than A, C, G and T, which LS-GKM read as A and are A here
	Replaced int
	Dropped  int     // such letters of gkm-SVM, which are dropped
	Norms    float64 // of gkm-SVM: how far apart its norm and that of the kernel are for a support vector, relative
}
