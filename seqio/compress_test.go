package seqio_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	stdgzip "compress/gzip"

	"github.com/klauspost/compress/zstd"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
)

// gzipped compresses each part as a separate gzip member, with the standard library.
func gzipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, part := range parts {
		z := stdgzip.NewWriter(&out)
		must.Get(io.WriteString(z, part))(t)
		must.Succeed(t, z.Close())
	}
	return out.Bytes()
}

func zstandard(t *testing.T, text string) []byte {
	t.Helper()
	z := must.Get(zstd.NewWriter(nil))(t)
	defer z.Close()
	return z.EncodeAll([]byte(text), nil)
}

// bigFASTA does not compress well and spans many blocks.
func bigFASTA() string {
	rng := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	for i := range 250 {
		b.WriteString(">r" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + "_" + strings.Repeat("y", i/182) +
			string(rune('a'+i/26%26)) + "\n")
		for range 8 {
			line := drawn.Text(rng, "ACGT", 80)
			b.Write(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestCompressed(t *testing.T) {
	text := bigFASTA()
	want := recordsOf(mustRead(t, text, "a.fa", seqio.Options{}))
	for name, packed := range map[string][]byte{
		"a.fa.gz":   gzipped(t, text),
		"members":   gzipped(t, text[:1000], "", text[1000:70000], text[70000:]),
		"a.fa.zst":  zstandard(t, text),
		"frames":    append(zstandard(t, text[:5000]), zstandard(t, text[5000:])...),
		"misnamed":  gzipped(t, text),
		"a.txt.bz2": zstandard(t, text),
	} {
		for _, r := range []io.Reader{bytes.NewReader(packed), iotest.HalfReader(bytes.NewReader(packed)),
			iotest.DataErrReader(bytes.NewReader(packed))} {
			s := must.Get(seqio.Read(r, name, seqio.Options{}))(t)
			if !slices.Equal(recordsOf(s), want) {
				t.Fatalf("%s: records differ", name)
			}
		}
	}
	s, err := seqio.Read(bytes.NewReader(gzipped(t, "one\ntwo\n")), "a.txt.gz", seqio.Options{})
	if err != nil || s.Format != seqio.Lines || s.Len() != 2 {
		t.Errorf("text: %v %v", s, err)
	}
}

func TestDamagedStreams(t *testing.T) {
	text := bigFASTA()
	gz, zst := gzipped(t, text), zstandard(t, text)
	for n := 0; n < 30; n += long.Or(1, 6) {
		cutGzip, cutZstd := gz[:len(gz)*(n+1)/31], zst[:len(zst)*(n+1)/31]
		if _, err := seqio.Read(bytes.NewReader(cutGzip), "e.fa.gz", seqio.Options{}); err == nil ||
			err.Error() != "e.fa.gz: the gzip stream is cut off" {
			t.Errorf("gzip cut to %d of %d bytes: %v", len(cutGzip), len(gz), err)
		}
		if _, err := seqio.Read(bytes.NewReader(cutZstd), "e.fa.zst", seqio.Options{}); err == nil ||
			err.Error() != "e.fa.zst: the zstd stream is cut off" {
			t.Errorf("zstd cut to %d of %d bytes: %v", len(cutZstd), len(zst), err)
		}
	}
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"two bytes", gz[:2], "e: the gzip stream is cut off"},
		{"no trailer", gz[:len(gz)-8], "e: the gzip stream is cut off"},
		{"cut in the trailer", gz[:len(gz)-1], "e: the gzip stream is cut off"},
		{"four bytes", zst[:4], "e: the zstd stream is cut off"},
		{"garbage after", append(slices.Clone(gz), "garbage and more of it"...),
			"e: the gzip stream is followed by garbage: data that are not compressed"},
		{"zeros and garbage after", append(slices.Clone(gz), "\x00\x00\x00garbage"...),
			"e: the gzip stream is followed by garbage"},
		{"half a member after", append(slices.Clone(gz), gz[:5]...), "e: the gzip stream is cut off"},
		{"garbage after zstd", append(slices.Clone(zst), "garbage"...), "e: the zstd stream is corrupt: "},
		{"wrong sum", flipped(gz, len(gz)-6), "e: the gzip stream is corrupt: "},
		{"empty", gzipped(t, ""), "e: the file is empty"},
	} {
		_, err := seqio.Read(bytes.NewReader(c.data), "e", seqio.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
	for at := range 200 {
		bad := flipped(gz, 10+at*(len(gz)-18)/200)
		if _, err := seqio.Read(bytes.NewReader(bad), "e", seqio.Options{}); err == nil {
			t.Errorf("bit flipped at %d of %d: no error", 10+at*(len(gz)-18)/200, len(gz))
		}
	}
}

// Zeros after the last member of a gzip stream are padding, as to gzip.
func TestZerosAfterGzip(t *testing.T) {
	text := bigFASTA()
	want, packed := must.Get(seqio.Read(strings.NewReader(text), "e.fa", seqio.Options{}))(t), gzipped(t, text)
	for _, zeros := range []int{1, 2, 3, 511, 1 << 17} {
		padded := slices.Concat(packed, make([]byte, zeros))
		got, err := seqio.Read(bytes.NewReader(padded), "e.fa.gz", seqio.Options{})
		if err != nil || got.Corpus.Letters() != want.Corpus.Letters() || got.Len() != want.Len() {
			t.Errorf("%d zeros: %v", zeros, err)
		}
	}
}

// flipped returns a copy with one bit changed.
func flipped(data []byte, at int) []byte {
	out := slices.Clone(data)
	out[at] ^= 0x10
	return out
}

// A window beyond the limit is refused before memory is taken: the frame header below asks for 2 GiB.
func TestZstdWindow(t *testing.T) {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00}
	_, err := seqio.Read(bytes.NewReader(frame), "e.zst", seqio.Options{})
	const want = "e.zst: the zstd stream wants more memory than allowed: window size exceeded; compress it without --long"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
	frame[5] = 0x50 // 1 MiB, of an empty frame
	if _, err := seqio.Read(bytes.NewReader(frame), "e.zst", seqio.Options{}); err == nil || strings.Contains(err.Error(), "window") {
		t.Errorf("a window of 1 MiB: %v", err)
	}
	heaptest.Limit(t, 16<<20)
	frame[5] = 0x78 // 32 MiB
	if _, err := seqio.Read(bytes.NewReader(frame), "e.zst", seqio.Options{}); err == nil || err.Error() != want {
		t.Errorf("a window of twice the memory limit: %v", err)
	}
}

// A small file that inflates to much more stops at the limit and not at the end of memory.
func TestBomb(t *testing.T) {
	bomb := gzipped(t, ">x\n"+strings.Repeat("A", 8<<20))
	_, err := seqio.Read(bytes.NewReader(bomb), "e.gz", seqio.Options{MaxLetters: 1 << 20})
	if want := `e.gz:2: record "x": more than 1048576 letters; split the input`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// An error that ends reading early leaves no goroutine behind, and none still uses the reader.
func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	packed := gzipped(t, ">x\n1\n"+strings.Repeat(bigFASTA(), 5))
	for range 10 {
		if _, err := seqio.Read(bytes.NewReader(packed), "e.gz", seqio.Options{}); err == nil {
			t.Fatal("no error")
		}
	}
	for runtime.NumGoroutine() > before { // one that has signalled its end may still be running; one left behind, for ever
		runtime.Gosched()
	}
}

func TestCompressedReaderErrors(t *testing.T) {
	packed := gzipped(t, bigFASTA())
	r := io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(inputtest.ErrDisk))
	if _, err := seqio.Read(r, "e.gz", seqio.Options{}); !errors.Is(err, inputtest.ErrDisk) {
		t.Error(err)
	}
}

// Texts of other formats begin after a byte order mark, compressed or not.
func TestOpenText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	must.Succeed(t, os.WriteFile(path, []byte("\ufeffa\r\nb"), 0o600))
	for _, r := range []io.Reader{nil, strings.NewReader("\ufeffa\r\nb"), strings.NewReader("a\r\nb"),
		bytes.NewReader(gzipped(t, "\ufeffa\r\nb"))} {
		in := must.Get(seqio.OpenText(r, path))(t)
		if text, err := io.ReadAll(in); err != nil || string(text) != "a\r\nb" {
			t.Errorf("%q, %v", text, err)
		}
		in.Close()
	}
	for text, want := range map[string]string{"": "l: the file is empty", "\xff\xfea\x00": "l: UTF-16 text; convert it to UTF-8"} {
		if _, err := seqio.OpenText(strings.NewReader(text), "l"); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
