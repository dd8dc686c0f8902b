package lines

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/drawn"
)

// bgzip compresses data into members of BGZF, the last one empty.
func bgzip(data []byte) []byte {
	var out []byte
	for {
		block := data[:min(len(data), 0xff00)]
		var member bytes.Buffer
		w := gzip.NewWriter(&member)
		w.Extra = []byte("BC\x02\x00\x00\x00")
		w.Write(block)
		w.Close()
		b := member.Bytes()
		b[3], b[9] = 4, 0xff
		b[16], b[17] = byte(len(b)-1), byte((len(b)-1)>>8)
		out = append(out, b...)
		if len(block) == 0 {
			return out
		}
		data = data[len(block):]
	}
}

// plain makes members of BGZF members of gzip alone.
func plain(packed []byte) []byte {
	packed = bytes.Clone(packed)
	for at := 0; at+bgzfHeader <= len(packed); {
		size := bgzfSize(packed[at:])
		if size == 0 {
			break
		}
		packed[at+12] = 'X'
		at += size
	}
	return packed
}

func inflate(packed []byte) (data []byte, message string) {
	in, err := Open(bytes.NewReader(packed), "a.gz")
	if err != nil {
		return nil, err.Error()
	}
	defer in.Close()
	data, err = io.ReadAll(in)
	return data, fmt.Sprint(err)
}

// Members of BGZF inflate to what the same members of gzip do, cut off anywhere or followed by anything.
func TestBGZF(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	rng := rand.New(rand.NewPCG(1, 1))
	data := drawn.Text(rng, "ACGT", 3_000_000)
	packed := bgzip(data)
	if got, message := inflate(packed); !bytes.Equal(got, data) || message != "<nil>" {
		t.Fatalf("%d bytes, %s", len(got), message)
	}
	var other bytes.Buffer
	w := gzip.NewWriter(&other)
	w.Write([]byte("more"))
	w.Close()
	inputs := map[string][]byte{
		"empty": bgzip(nil), "short": bgzip(data[:100]), "another member": append(bytes.Clone(packed), other.Bytes()...),
		"zeros": append(bytes.Clone(packed), 0, 0, 0), "garbage": append(bytes.Clone(packed), "ACGT"...),
		"half a header": append(bytes.Clone(packed), packed[:9]...),
	}
	for range 20 {
		n := rng.IntN(len(packed))
		inputs[fmt.Sprint("cut at ", n)] = packed[:n]
	}
	for name, input := range inputs {
		got, message := inflate(input)
		want, wantMessage := inflate(plain(input))
		if !bytes.Equal(got, want) || message != wantMessage {
			t.Errorf("%s: %d bytes, %s; gzip: %d bytes, %s", name, len(got), message, len(want), wantMessage)
		}
	}
}

// A byte that was changed is an error, and never more data than that of gzip; sizes that lie are errors too.
func TestDamagedBGZF(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	packed := bgzip(bytes.Repeat([]byte("ACGTTGCAAC"), 40_000))
	for range 300 {
		bad := bytes.Clone(packed)
		at := rng.IntN(len(bad))
		bad[at] ^= byte(1 << rng.IntN(8))
		got, message := inflate(bad)
		want, wantMessage := inflate(plain(bad))
		if message == "<nil>" && (wantMessage != "<nil>" || !bytes.Equal(got, want)) {
			t.Fatalf("byte %d: %d bytes without an error; gzip: %d, %s", at, len(got), len(want), wantMessage)
		}
	}
}
