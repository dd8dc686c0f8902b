package svm

import (
	"math"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// weighted returns an instance without a matrix.
func weighted(linear, weights []float64, costs Costs) *instance {
	h := &risk.Hinges{Points: linear, Weights: weights, Costs: risk.Costs(costs)}
	return &instance{Problem: Problem{Linear: linear, Weights: weights, Costs: costs, Risk: h}, hinges: h}
}

// biasLoss is the loss with the bias b by its definition.
func biasLoss(p *instance, f []float64, b float64) (loss float64) {
	for i, v := range p.Linear {
		loss += p.cost(i) * max(0, math.Copysign(v-f[i]-b, p.Weights[i]*(v-f[i]-b)))
	}
	return loss + p.Sum*b
}
