package seqio

// Helpers that tests on both sides need.
var (
	CheckStream   = checkStream
	CsvOptions    = csvOptions
	FuzzRead      = fuzzRead
	IdsAndLabels  = idsAndLabels
	IsCompressed  = isCompressed
	MakeFolder    = makeFolder
	MustRead      = mustRead
	ReadBatches   = readBatches
	RecordsOf     = recordsOf
	ReutersSample = reutersSample
	TextsOf       = textsOf
)
