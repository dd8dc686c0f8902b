package genome

// Helpers that tests on both sides need.
var (
	GzipText    = gzipText
	ReadVCF     = readVCF
	WriteGenome = writeGenome
)
