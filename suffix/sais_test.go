package suffix_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/suffix"
)

func TestArrayExhaustive(t *testing.T) {
	for _, c := range []struct {
		lo, hi byte
		n      int
	}{{1, 2, 14}, {1, 3, 9}, {0, 2, 10}, {0, 1, 14}} {
		for n := 0; n <= c.n; n++ {
			eachString(n, c.lo, c.hi, func(s []byte) {
				sa := wantArray(t, s, int(c.hi)+1)
				if wide, err := suffix.Array(ctx, widen(s), int(c.hi)+1); err != nil || !slices.Equal(wide, sa) {
					t.Fatalf("text %v as int32: %v, %v, want %v", s, wide, err, sa)
				}
			})
		}
	}
}

// fibonacci, thueMorse and deBruijn are classical words that are hard for suffix sorting.
func fibonacci(n int) []byte {
	a, b := []byte{1}, []byte{1, 2}
	for len(b) < n {
		a, b = b, append(slices.Clone(b), a...)
	}
	return b[:n]
}

func thueMorse(n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = 1 + byte(strings.Count(strconv.FormatInt(int64(i), 2), "1")%2)
	}
	return s
}

// deBruijn is a cyclic sequence that holds every word of length k over {1 … m} once.
func deBruijn(m, k int) []byte {
	var out []byte
	a := make([]byte, k+1)
	var extend func(t, p int)
	extend = func(t, p int) {
		if t > k {
			if k%p == 0 {
				out = append(out, a[1:p+1]...)
			}
			return
		}
		a[t] = a[t-p]
		extend(t+1, p)
		for a[t]++; int(a[t]) < m; a[t]++ {
			extend(t+1, t)
		}
	}
	extend(1, 1)
	for i := range out {
		out[i]++
	}
	return out
}

// pathological are texts without breaks, symbols 1 to 4.
func pathological(n int) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, n)
	falling := make([]byte, n)
	for i := range random {
		random[i] = 1 + byte(rng.IntN(4))
		falling[i] = 4 - byte(i*4/n)
	}
	rising := slices.Clone(falling)
	slices.Reverse(rising)
	return map[string][]byte{
		"all equal": bytes.Repeat([]byte{1}, n), "fibonacci": fibonacci(n), "thue-morse": thueMorse(n),
		"de bruijn": deBruijn(4, 5), "random": random, "falling": falling, "rising": rising,
		"period 2":     bytes.Repeat([]byte{1, 2}, n/2),
		"period 3":     bytes.Repeat([]byte{2, 1, 3}, n/3),
		"square":       append(slices.Clone(random), random...),
		"runs":         append(bytes.Repeat([]byte{2}, n/2), bytes.Repeat([]byte{1}, n/2)...),
		"equal then 2": append(bytes.Repeat([]byte{1}, n), 2),
		"2 then equal": append([]byte{2}, bytes.Repeat([]byte{1}, n)...),
	}
}

func TestArrayPathological(t *testing.T) {
	for name, s := range pathological(20000) {
		t.Run(name, func(t *testing.T) {
			sa := must(suffix.Array(ctx, s, 5))
			wantSorted(t, s, sa)
			wide, err := suffix.Array(ctx, widen(s), 1000)
			if err != nil || !slices.Equal(sa, wide) {
				t.Fatalf("int32 text: another order (%v)", err)
			}
		})
	}
}

func TestArrayRandom(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		sigma := rapid.SampledFrom([]int{2, 3, 5, 30, 256}).Draw(r, "sigma")
		s := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) byte {
			return byte(rapid.IntRange(0, sigma-1).Draw(r, "c"))
		}), 0, 200).
			Draw(r, "text")
		wantArray(t, s, sigma)
	})
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sigma := range []int{10, 300, 5000, 200000} { // many distinct symbols: the recursion's buckets are large
		for range 20 {
			s := make([]int32, 1+rng.IntN(5000))
			for i := range s {
				s[i] = int32(rng.IntN(sigma))
			}
			sa := must(suffix.Array(ctx, s, sigma))
			wantSorted(t, s, sa)
		}
	}
}

func TestArrayErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(suffix.Array(ctx, []byte{1, 2, 3}, 3)), "symbol 3 at position 2"},
		{second(suffix.Array(ctx, []int32{1, -2}, 3)), "symbol -2 at position 1"},
		{second(suffix.Array(ctx, []byte{}, 0)), "sigma = 0"},
		{second(suffix.Array(ctx, []byte{}, -1)), "sigma = -1"},
		{second(suffix.NewTree(ctx, textOf([]byte{1, 1}, 2, always), -1)), "maxDepth = -1"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

// second is the error of a call.
func second[T any](_ T, err error) error { return err }
