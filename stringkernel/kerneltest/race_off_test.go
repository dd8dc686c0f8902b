//go:build !race

package kerneltest

// raceDetector reports whether the tests run under the race detector, which fails a test for races that a kernel made
// wrong on purpose has.
const raceDetector = false
