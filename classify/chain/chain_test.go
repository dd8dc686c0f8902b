package chain_test

import (
	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
)

var _ risk.Risk = chain.Risk{}

var _ svm.Progress
