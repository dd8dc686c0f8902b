package seqio_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
)

// benchLetters returns n random bases, some in lower case.
func benchLetters(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	return drawn.Text(rng, "ACGTACGTACGTacgN", n)
}

// benchFASTA returns records of the given length in lines of 80 letters, about size bytes.
func benchFASTA(size, length int) []byte {
	letters := benchLetters(length)
	var out bytes.Buffer
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, ">record%d +1 bench\n", i)
		for x := letters; len(x) > 0; x = x[min(80, len(x)):] {
			out.Write(x[:min(80, len(x))])
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// benchFASTQ returns reads of 150 letters, about size bytes.
func benchFASTQ(size int) []byte {
	letters := benchLetters(150)
	quality := bytes.Repeat([]byte("IIIFF"), 30)
	var out bytes.Buffer
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, "@SIM:1:FCX:1:%d 1:N:0:ATCACG\n%s\n+\n%s\n", i, letters, quality)
	}
	return out.Bytes()
}

func benchRead(b *testing.B, data []byte, name string, opt seqio.Options) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		must.Get(seqio.Read(bytes.NewReader(data), name, opt))(b)
	}
}

func BenchmarkFASTA(b *testing.B) {
	for _, length := range []int{300, 2000, 1 << 20} {
		b.Run(fmt.Sprintf("length=%d", length), func(b *testing.B) {
			benchRead(b, benchFASTA(64<<20, length), "bench.fa", seqio.Options{})
		})
	}
	b.Run("refuse", func(b *testing.B) {
		data := bytes.ReplaceAll(benchFASTA(64<<20, 2000), []byte("N"), []byte("A"))
		benchRead(b, data, "bench.fa", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: "dna"})
	})
}

func BenchmarkFASTQ(b *testing.B) { benchRead(b, benchFASTQ(64<<20), "bench.fq", seqio.Options{}) }

// benchText is about 600 bytes, with a quote and what JSON escapes here and there.
func benchText(i int) string {
	return strings.Repeat(fmt.Sprintf("lorem ipsum dolor sit amet, consectetur %d adipiscing elit. ", i), 10)
}

// benchDocuments reads rows, each of a class, a text and a number. MB/s are of the file.
func benchDocuments(b *testing.B, name, head, row string) {
	data := bytes.NewBufferString(head)
	for i := 0; data.Len() < 64<<20; i++ {
		fmt.Fprintf(data, row, i%20, benchText(i), i)
	}
	benchRead(b, data.Bytes(), name, seqio.Options{})
}

func BenchmarkTSV(b *testing.B) { benchDocuments(b, "bench.tsv", "", "class%[1]d\t%[2]s\n") }

func BenchmarkCSV(b *testing.B) {
	benchDocuments(b, "bench.csv", "label,text\n", "class%[1]d,\"%[2]s\"\n")
}

func BenchmarkJSONL(b *testing.B) {
	for _, escapes := range []string{"", `\"\n`} {
		b.Run("escapes="+fmt.Sprint(escapes != ""), func(b *testing.B) {
			benchDocuments(b, "bench.jsonl", "", `{"id":%[3]d,"label":"class%[1]d","text":"%[2]s`+escapes+`"}`+"\n")
		})
	}
}
