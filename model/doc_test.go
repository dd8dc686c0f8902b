package model

import (
	"encoding/hex"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// The worked example of docs/model-format.md is the file of tinySpectrum.
func TestTheFormatPageShowsTheFile(t *testing.T) {
	text := must.Get(os.ReadFile("../docs/model-format.md"))(t)
	data := write(t, tinySpectrum(t))
	if len(data) != 864 {
		t.Errorf("the file has %d bytes, the page says 864", len(data))
	}
	dump := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(hex.Dump(data), "\n"), "\n") {
		dump[line] = true
	}
	lines := 0
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "00000"):
			lines++
			if !dump[line] {
				t.Errorf("the file has no line\n%s", line)
			}
		case strings.HasPrefix(line, `{"generator"`):
			lines++
			if line != string(data[prologueSize:prologueSize+679]) {
				t.Errorf("the header is\n%s", data[prologueSize:prologueSize+679])
			}
		}
	}
	if lines != 10 {
		t.Errorf("%d lines of the example are found, want 10", lines)
	}
	if crc32.Checksum([]byte("123456789"), castagnoli) != 0xe3069283 {
		t.Error("the checksum is not CRC-32C")
	}
}
