package main

// What the tests need of the tool beyond its command lines.
var (
	NewApp = newApp
	Main   = main
)

// Sizes of pieces and times, which tests make small.
var (
	CheckpointEvery = &checkpointEvery
	LearnBatch      = &learnBatch
	WarmUp          = &warmUp
	PartScores      = &partScores
	PieceSize       = &pieceSize
	PredictBatch    = &predictBatch
	StreamBatch     = &streamBatch
)
