package parquet

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	other "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	own "github.com/seqsvm/seqsvm/internal/parquet"
)

// parquet-go reads the types, names and values that were written, missing ones too, from several row groups.
func TestWriter(t *testing.T) {
	const rows = 300_000 // of four columns: two groups
	var b bytes.Buffer
	w := own.NewWriter(&b, []string{"id", "pos", "score", "id"})
	for i := range rows {
		w.Text(fmt.Sprint("r", i))
		w.Integer(-i)
		if i%3 == 0 {
			w.Missing()
		} else {
			w.Number(float64(i) / 7)
		}
		w.Integer(i)
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID    *string  `parquet:"id"`
		Pos   *int64   `parquet:"pos"`
		Score *float64 `parquet:"score"`
		Again *int64   `parquet:"id_2"`
	}
	got, err := other.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(got) != rows {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, r := range got {
		if *r.ID != fmt.Sprint("r", i) || *r.Pos != -int64(i) || *r.Again != int64(i) || (r.Score == nil) != (i%3 == 0) ||
			r.Score != nil && *r.Score != float64(i)/7 {
			t.Fatalf("row %d is %v %v %v %v", i, *r.ID, *r.Pos, r.Score, *r.Again)
		}
	}
}

// What parquet-go writes is read: both versions of pages, every compression, values in dictionaries, in streams of bytes
// and plain, missing ones, structs and lists. Columns of time are left out.
func TestReader(t *testing.T) {
	type row struct {
		Text   string    `parquet:"text,dict"`
		Plain  *string   `parquet:"plain,optional"`
		Int    int32     `parquet:"int,delta"`
		Large  uint64    `parquet:"large"`
		Float  float32   `parquet:"float,split"`
		Double *float64  `parquet:"double,dict,optional"`
		Is     bool      `parquet:"is"`
		Time   int64     `parquet:"time,timestamp"`
		Vector []float32 `parquet:"vector,list"`
		In     struct {
			A int64 `parquet:"a"`
		} `parquet:"in"`
	}
	const head = "text plain int large float double is vector_1 vector_2 in.a"
	rows, want := make([]row, 1000), make([]string, 1000)
	for i := range rows {
		r := &rows[i]
		r.Text, r.Int, r.Large, r.Float = fmt.Sprint("t", i%7), int32(-i), math.MaxUint64-uint64(i), float32(i)/3
		r.Is, r.Vector, r.In.A = i%5 < 2, []float32{float32(i) / 2, 1}, int64(i)
		plain, double, vector := "", "", fmt.Sprintf("%v 1", float64(i)/2)
		if i%4 > 0 {
			p, d := fmt.Sprint("p,\n", i), float64(i%11)/9
			r.Plain, r.Double, plain, double = &p, &d, p, fmt.Sprint(d)
		}
		if i%100 == 50 {
			r.Vector, vector = r.Vector[:i/100%2], " "
		}
		want[i] = fmt.Sprintf("%s %s %d %d %v %s %v %s %d", r.Text, plain, r.Int, r.Large, float64(r.Float), double, r.Is,
			vector, i)
	}
	for _, codec := range []compress.Codec{&other.Uncompressed, &other.Snappy, &other.Gzip, &other.Zstd} {
		for version := 1; version <= 2; version++ {
			var b bytes.Buffer
			w := other.NewGenericWriter[row](&b, other.Compression(codec), other.DataPageVersion(version),
				other.PageBufferSize(512), other.MaxRowsPerRowGroup(300))
			if _, err := w.Write(rows); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := own.Open(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if names := strings.Join(f.Names(), " "); names != head {
				t.Errorf("columns %s, want %s", names, head)
			}
			n := 0
			err = f.Each(func(at int, cells [][]byte) error {
				if got := string(bytes.Join(cells, []byte(" "))); got != want[n] {
					t.Fatalf("%v, version %d, row %d: %q, want %q", codec, version, n, got, want[n])
				}
				if n++; at != n {
					t.Fatalf("row %d is number %d", n, at)
				}
				return nil
			})
			if err != nil || n != len(rows) {
				t.Errorf("%v, version %d: %d rows, %v", codec, version, n, err)
			}
		}
	}
}
