package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestShippedFilesAreGenerated: testdata holds what this program writes.
func TestShippedFilesAreGenerated(t *testing.T) {
	for name, want := range Files() {
		if got, err := os.ReadFile(filepath.Join("../../testdata", name)); err != nil || string(got) != want {
			t.Errorf("%s is not what the program writes (%v): go run ./benchmarks/shipped testdata", name, err)
		}
	}
}
