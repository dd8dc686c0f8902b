package simd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHaar transforms digits by each set of loops and by the definition, and back.
func TestHaar(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	for _, size := range []struct{ stride, columns, parts int }{
		{16, 16, 1}, {16, 16, 5}, {37, 32, 3}, {256, 64, 4}, {1024, 1024, 1},
	} {
		n := (4*size.parts-1)*size.stride + size.columns
		x, untouched := integers(r, n), make([]float64, n)
		want := slices.Clone(x)
		for part := range size.parts {
			for c := range size.columns {
				digit(want[4*part*size.stride+c:], size.stride)
			}
		}
		for name, loops := range haarSets {
			got := slices.Clone(x)
			loops.forward(got, size.stride, size.columns, size.parts)
			checkEqual(t, name+" forward", got, want)
			for i := range got {
				switch row := i / size.stride; {
				case i%size.stride >= size.columns:
					untouched[i] = x[i]
				case row%4 >= 2:
					got[i] *= 2
					fallthrough
				default:
					untouched[i] = 4 * x[i]
				}
			}
			loops.backward(got, size.stride, size.columns, size.parts)
			checkEqual(t, name+" backward", got, untouched)
		}
	}
}

// digit replaces four values by the products with (1, 1, 1, 1), (1, 1, −1, −1), (1, −1, 0, 0) and (0, 0, 1, −1).
func digit(x []float64, stride int) {
	x0, x1, x2, x3 := x[0], x[stride], x[2*stride], x[3*stride]
	x[0], x[stride], x[2*stride], x[3*stride] = x0+x1+x2+x3, x0+x1-x2-x3, x0-x1, x2-x3
}

// TestScale takes coordinates of two digits, multiplies them and goes back, on integers.
func TestScale(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 6))
	x := integers(r, 64)
	class, factors := []uint8{1, 0, 2, 1}, make([]Factors, 3)
	for i := range factors {
		copy(factors[i][:], integers(r, 12))
	}
	want := slices.Clone(x)
	for m, c := range class {
		q := want[16*m : 16*m+16]
		for i := range 4 {
			digit(q[i:], 4)
		}
		for i := range 4 {
			digit(q[4*i:], 1)
		}
		for i := range 4 {
			for j := range 4 {
				q[4*i+j] *= factors[c][4*min(j, 2)+i]
			}
		}
		for i := range 4 {
			q[4*i], q[4*i+1], q[4*i+2], q[4*i+3] = Unhaar(q[4*i], q[4*i+1], q[4*i+2], q[4*i+3])
		}
		for i := range 4 {
			q[i], q[i+4], q[i+8], q[i+12] = Unhaar(q[i], q[i+4], q[i+8], q[i+12])
		}
	}
	for name, loops := range haarSets {
		got := slices.Clone(x)
		loops.scale(got, class, factors)
		checkEqual(t, name, got, want)
	}
}

// TestHaarBits compares the loops on numbers that round, bit by bit.
func TestHaarBits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	x := make([]float64, 4096)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	class, factors := make([]uint8, len(x)/16), make([]Factors, 7)
	for i := range class {
		class[i] = uint8(r.IntN(len(factors)))
	}
	for i := range factors {
		for j := range factors[i] {
			factors[i][j] = r.NormFloat64()
		}
	}
	for _, loop := range []func(haarLoops, []float64){
		func(h haarLoops, x []float64) { h.forward(x, 256, 64, 4) },
		func(h haarLoops, x []float64) { h.backward(x, 16, 16, 64) },
		func(h haarLoops, x []float64) { h.scale(x, class, factors) },
	} {
		want := slices.Clone(x)
		loop(goHaar, want)
		for name, loops := range haarSets {
			got := slices.Clone(x)
			loop(loops, got)
			checkEqual(t, name, got, want)
		}
	}
}

func integers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(201) - 100)
	}
	return x
}

func checkEqual(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: entry %d: %v, want %v", name, i, got[i], want[i])
		}
	}
}

// TestChecks refuses what would leave an array.
func TestChecks(t *testing.T) {
	numbers := func(n int) []float64 { return make([]float64, n) }
	const words, depth = 3, 2
	degrees := func(x, windows, d int) {
		masks := make([]uint64, (WindowsAtOnce+1)*words)
		AddDegrees(numbers(8), make([]uint64, x), make([]uint64, windows), masks, words, d, 1)
	}
	for name, call := range map[string]func(){
		"short":   func() { Forward(make([]float64, 7*16+15), 16, 16, 2) },
		"columns": func() { Forward(make([]float64, 64), 16, 8, 1) },
		"overlap": func() { Backward(make([]float64, 128), 16, 32, 1) },
		"parts":   func() { Backward(make([]float64, 128), 16, 16, 0) },
		"class":   func() { Scale(make([]float64, 16), []uint8{1}, make([]Factors, 1)) },
		"entries": func() { Scale(make([]float64, 15), []uint8{0}, make([]Factors, 1)) },

		"a row beyond the table":   func() { GatherRows(numbers(4), numbers(8), []uint32{2}, []float64{1}) },
		"a row without its factor": func() { GatherRows(numbers(4), numbers(8), []uint32{1}, nil) },
		"a row with less room":     func() { GatherRows(numbers(3), numbers(8), []uint32{1}, []float64{1}) },
		"a table that ends early":  func() { ScatterRows(numbers(7), []uint32{1}, []float64{1}, numbers(4)) },
		"more planes of windows":   func() { degrees(words*(depth+1), WindowsAtOnce*words*(depth+2), 1) },
		"fewer planes of windows":  func() { degrees(words*(depth+1), WindowsAtOnce*words*(depth-1), 1) },
		"half a plane":             func() { degrees(words*(depth+1)+1, WindowsAtOnce*words*depth, 1) },
		"degree 0":                 func() { degrees(words*(depth+1), WindowsAtOnce*words*depth, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestTranspose64(t *testing.T) {
	src := make([]float64, 64*64)
	for i := range src {
		src[i] = float64(i)
	}
	for name, transpose := range map[string]func(dst, src []float64){"go": goTranspose64, "chosen": Transpose64} {
		dst := make([]float64, 64*64)
		transpose(dst, src)
		for i := range 64 {
			for j := range 64 {
				if dst[64*j+i] != src[64*i+j] {
					t.Fatalf("%s: (%d, %d) is %v, want %v", name, j, i, dst[64*j+i], src[64*i+j])
				}
			}
		}
	}
}
