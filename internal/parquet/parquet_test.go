package parquet_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/parquet"
)

// rows returns the names of columns and the rows of a file, blanks between them.
func rows(content []byte) (names string, rows []string, err error) {
	f, err := parquet.Open(content)
	if err != nil {
		return "", nil, err
	}
	err = f.Each(func(_ int, cells [][]byte) error {
		rows = append(rows, string(bytes.Join(cells, []byte{' '})))
		return nil
	})
	return strings.Join(f.Names(), " "), rows, err
}

// The rows of testdata, by the expressions they were made with.
const names = "id score square even text vector_1 vector_2"

func row(i int) string {
	score := ""
	if i%3 > 0 {
		score = strconv.FormatFloat(float64(i)/7, 'g', -1, 64)
	}
	return fmt.Sprintf("r%d %s %d %v %s %v %d", i, score, i*i, i%2 == 0, strings.Repeat("ab", i%4), float64(i)/2, -i)
}

// Files of DuckDB, in both versions of the format, and of polars have the rows that these programs were told to write;
// the column of days is left out. .ci/parquet compares more with parquet-go.
func TestReadOthers(t *testing.T) {
	for _, name := range []string{"duckdb-1", "duckdb-2", "polars"} {
		content, err := os.ReadFile(filepath.Join("testdata", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		got, all, err := rows(content)
		if err != nil || got != names || len(all) != 40 {
			t.Fatalf("%s: %d rows of %s, %v", name, len(all), got, err)
		}
		for i, cells := range all {
			if strings.ReplaceAll(cells, "-0", "0") != row(i) {
				t.Errorf("%s: %q, want %q", name, cells, row(i))
			}
		}
	}
}

// A column of integers and text is text, one of integers and numbers is numbers; the same cells make the same bytes, and
// a row of another length is an error.
func TestWriteMixed(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		w := parquet.NewWriter(&b, []string{"fold", "x", "none"})
		for i := range 3 {
			w.Integer(i)
			if i == 1 {
				w.Integer(7)
			} else {
				w.Number(0.1)
			}
			w.Missing()
			if err := w.EndRow(); err != nil {
				t.Fatal(err)
			}
		}
		w.Text("mean")
		w.Number(2)
		w.Missing()
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	content := write()
	if head, all, err := rows(content); head != "fold x none" ||
		strings.Join(all, "|") != "0 0.1 |1 7 |2 0.1 |mean 2 " || err != nil {
		t.Errorf("%s: %q, %v", head, all, err)
	}
	if !bytes.Equal(content, write()) {
		t.Error("the same table has other bytes")
	}
	w := parquet.NewWriter(new(bytes.Buffer), []string{"a", "b"})
	if w.Text("x"); w.EndRow() == nil {
		t.Error("a row that lacks a cell is no error")
	}
}

// FuzzOpen reads damaged files, which are errors or tables with as many cells in each row.
func FuzzOpen(f *testing.F) {
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:len(content)/2])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := parquet.Open(content)
		if err != nil {
			return
		}
		count, width := 0, len(file.Names())
		stop := fmt.Errorf("enough")
		file.Each(func(row int, cells [][]byte) error {
			if len(cells) != width {
				t.Errorf("row %d has %d cells, want %d", row, len(cells), width)
			}
			if count++; count == 100 {
				return stop
			}
			return nil
		})
	})
}
