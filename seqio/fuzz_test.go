package seqio_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/seqio"
)

func FuzzLabels(f *testing.F) {
	f.Add([]byte("x\ta\ny\tb\n"))
	f.Add([]byte("#c\r\nx\ta b\r\n\n"))
	f.Add([]byte("x\ta\nx\tb\n"))
	f.Add([]byte("x\ta\tb\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := seqio.ReadLabels(bytes.NewReader(data), "f")
		_, againErr := seqio.ReadLabels(iotest.OneByteReader(bytes.NewReader(data)), "f")
		if (err == nil) != (againErr == nil) || err != nil && err.Error() != againErr.Error() {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("%q", err)
			}
			return
		}
		seen := map[string]bool{}
		for k, id := range table.IDs {
			if id == "" || seen[id] || table.Labels[k] == "" || table.Lines[k] < 1 || k > 0 &&
				table.Lines[k] <= table.Lines[k-1] {
				t.Fatalf("%+v", *table)
			}
			seen[id] = true
		}
	})
}
