package seqio

// MakeFolder is a helper that tests on both sides need.
var MakeFolder = makeFolder
