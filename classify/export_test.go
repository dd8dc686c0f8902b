package classify

// Helpers that tests on both sides need.
var (
	CrossValidateByHand = crossValidateByHand
	Granted             = granted
	HierarchyToy        = hierarchyToy
	Indices             = indices
	MultilabelToy       = multilabelToy
	MustSolve           = mustSolve
	MustTargets         = mustTargets
	MustTrain           = mustTrain
	SumOf               = sumOf
	TaskData            = taskData
	TaskTrainer         = taskTrainer
	ToyData             = toyData
	Variants            = variants
	WeightsBy           = weightsBy
)

type (
	FittedToy = fittedToy
	RowsToy   = rowsToy
	ToyKernel = toyKernel
)
