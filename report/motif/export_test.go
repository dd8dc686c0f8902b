package motif

// Helpers that tests on both sides need.
var (
	Likeness      = likeness
	PlantedMatrix = plantedMatrix
	Trained       = trained
)
