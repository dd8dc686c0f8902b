package tabix_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/tabix"
)

// row is a line and its place.
type row struct {
	chrom      string
	start, end int
	text       string
}

// randomRows draws sorted lines, some of them long, some far apart, with chromosomes that are not in order.
func randomRows(n int) (rows []row) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, chrom := range []string{"chr2", "chr10", "chr1"} {
		start := 0
		for i := range n {
			if start += rng.IntN(40); rng.IntN(100) == 0 {
				start += rng.IntN(100_000)
			}
			end := start + 1 + rng.IntN(200)
			if rng.IntN(500) == 0 {
				end += rng.IntN(3_000_000)
			}
			rows = append(rows, row{chrom, start, end, fmt.Sprintf("%s\t%d\t%d\thit%d\n", chrom, start, end, i)})
		}
	}
	return rows
}

func write(t *testing.T, rows []row) (file, index []byte) {
	t.Helper()
	var f, i bytes.Buffer
	w := must.Get(tabix.NewWriter(&f))(t)
	must.Succeed(t, w.Head("#chrom\tstart\tend\tname\n"))
	for _, r := range rows {
		must.Succeed(t, w.Add(r.chrom, r.start, r.end, []byte(r.text)))
	}
	must.Succeed(t, w.Close())
	must.Succeed(t, w.WriteIndex(&i))
	return f.Bytes(), i.Bytes()
}

func textOf(rows []row) string {
	var all strings.Builder
	for _, r := range rows {
		all.WriteString(r.text)
	}
	return all.String()
}

// A file is gzip, with the lines and nothing else, and the same bytes each time.
func TestText(t *testing.T) {
	for _, n := range []int{0, 1, 5000} {
		rows := randomRows(n)
		file, index := write(t, rows)
		again, indexAgain := write(t, rows)
		if !bytes.Equal(file, again) || !bytes.Equal(index, indexAgain) {
			t.Fatal("the same lines have other bytes")
		}
		z := must.Get(gzip.NewReader(bytes.NewReader(file)))(t)
		text := must.Get(io.ReadAll(z))(t)
		if want := "#chrom\tstart\tend\tname\n" + textOf(rows); string(text) != want {
			t.Fatalf("%d lines: the text differs", n)
		}
	}
}

// tabix finds in any region the lines that overlap it.
func TestTabixFindsRegions(t *testing.T) {
	if _, err := exec.LookPath("tabix"); err != nil {
		t.Skip("tabix is not installed")
	}
	rows := randomRows(1500)
	file, index := write(t, rows)
	path := filepath.Join(t.TempDir(), "hits.bed.gz")
	for name, data := range map[string][]byte{path: file, path + ".tbi": index} {
		must.Succeed(t, os.WriteFile(name, data, 0o600))
	}
	if text, err := exec.Command("tabix", "-l", path).Output(); err != nil || string(text) != "chr2\nchr10\nchr1\n" {
		t.Fatalf("chromosomes %q, %v", text, err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	regions, want := []string{path}, ""
	for range 30 {
		chrom := []string{"chr1", "chr2", "chr10"}[rng.IntN(3)]
		start := rng.IntN(1_000_000)
		end := start + 1 + rng.IntN([]int{10, 1000, 100_000, 2_000_000}[rng.IntN(4)])
		regions = append(regions, fmt.Sprintf("%s:%d-%d", chrom, start+1, end))
		for _, r := range rows {
			if r.chrom == chrom && r.start < end && r.end > start {
				want += r.text
			}
		}
	}
	text := must.Get(exec.Command("tabix", regions...).Output())(t)
	if string(text) != want {
		t.Fatalf("tabix finds %d bytes in %d regions, want %d", len(text), len(regions)-1, len(want))
	}
}

// Lines that are not sorted are refused, by their place.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		rows []row
		want string
	}{
		{[]row{{"a", 9, 10, ""}, {"a", 8, 10, ""}}, "a:9-10: before the line before it"},
		{[]row{{"a", 9, 10, ""}, {"b", 8, 10, ""}, {"a", 10, 11, ""}}, "a:11-11: the lines of a chromosome are not"},
		{[]row{{"a", 5, 4, ""}}, "a:5-4: want 0 ≤ start ≤ end"},
		{[]row{{"a", 5, tabix.Limit + 1, ""}}, "a:6-536870913: past position 536870912"},
	} {
		w, err := tabix.NewWriter(io.Discard)
		for _, r := range c.rows {
			if err == nil {
				err = w.Add(r.chrom, r.start, r.end, []byte(r.text))
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
