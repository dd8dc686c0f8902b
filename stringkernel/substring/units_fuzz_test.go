package substring

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzRunes holds the reader of code points to what package utf8 says of each.
func FuzzRunes(f *testing.F) {
	for _, x := range []string{"", "abca", "éa\xc3", "\xff\xfe\x00", "\ufffd猫𝄞猫", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		f.Add([]byte(x))
	}
	f.Fuzz(func(t *testing.T, x []byte) {
		r := runeUnits.open()
		numbers, places := r.Read(x), r.Places()
		known, at := map[string]int32{}, 0
		for i, p := range places {
			_, size := utf8.DecodeRune(x[at:])
			if p.Lo != at || p.Hi != at+size {
				t.Fatalf("%q: unit %d is at %v, want %d … %d", x, i, p, at, at+size)
			}
			unit := string(x[p.Lo:p.Hi])
			at = p.Hi
			if !utf8.ValidString(unit) {
				if numbers[i] != 0 {
					t.Fatalf("%q: %q has the number %d, want a break", x, unit, numbers[i])
				}
				continue
			}
			if _, met := known[unit]; !met {
				known[unit] = int32(len(known)) + 1
			}
			if numbers[i] != known[unit] {
				t.Fatalf("%q: %q has the number %d, want %d", x, unit, numbers[i], known[unit])
			}
		}
		if at != len(x) || r.Len() != len(known) || len(numbers) != len(places) {
			t.Fatalf("%q: %d numbers and %d units up to byte %d, want %d units", x, len(numbers),
				r.Len(), at, len(known))
		}
		if again := r.Closed().Read(x); !slices.Equal(again, numbers) {
			t.Fatalf("%q: %v, read again %v", x, numbers, again)
		}
		if unknown := r.Closed().Read([]byte("\u2603")); unknown[0] > 0 && known["\u2603"] != unknown[0] ||
			r.Len() != len(known) {
			t.Fatalf("%q: a closed reader has learned", x)
		}
	})
}
