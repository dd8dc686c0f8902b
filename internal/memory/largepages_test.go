package memory

import (
	"slices"
	"testing"
	"unsafe"
)

// Vectors of all lengths are zero and can be written and read, and the pages within are whole and as many as fit.
func TestLargePages(t *testing.T) {
	for _, n := range []int{0, 1, largePage/8 - 1, largePage / 8, 3*largePage/8 + 5} {
		v := InLargePages[uint64](n)
		if len(v) != n {
			t.Fatalf("got %d entries, want %d", len(v), n)
		}
		for i := range v {
			if v[i] != 0 {
				t.Fatalf("entry %d of %d is %d, want 0", i, n, v[i])
			}
			v[i] = uint64(i)
		}
		for i := range v {
			if v[i] != uint64(i) {
				t.Fatalf("entry %d of %d is %d, want what was written", i, n, v[i])
			}
		}
	}
	memory := make([]byte, 5*largePage)
	for _, from := range []int{0, 1, 4096, largePage - 1, largePage} {
		for _, size := range []int{0, 1, largePage - 1, largePage, 2*largePage - 1, 2 * largePage, 3 * largePage} {
			got, want := wholePages(memory[from:from+size]), 0
			begin := uintptr(unsafe.Pointer(&memory[from]))
			for p := begin; p+largePage <= begin+uintptr(size); p++ {
				if p%largePage == 0 {
					want += largePage
					p += largePage - 1
				}
			}
			if len(got) != want {
				t.Errorf("%d bytes from %d on: got %d, want %d", size, from, len(got), want)
			}
			if want > 0 && uintptr(unsafe.Pointer(&got[0]))%largePage != 0 {
				t.Errorf("%d bytes from %d on: got an address that is not that of a page", size, from)
			}
		}
	}
}

// A slice that grows keeps its entries, and its place where there is room.
func TestGrow(t *testing.T) {
	s := []int32{1, 2, 3}
	grown := Grow(s, largePage)
	if !slices.Equal(grown, s) || cap(grown) < len(s)+largePage {
		t.Errorf("got %d entries of %d with room for %d", len(grown), len(s), cap(grown))
	}
	if again := Grow(grown, largePage); &again[0] != &grown[0] {
		t.Error("moved with room for all")
	}
}
