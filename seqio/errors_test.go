package seqio_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// Every byte at every place of a sequence line is either kept or refused with its line and column.
func TestEveryByteInASequence(t *testing.T) {
	const width = 41 // covers the wide steps, the eight-byte steps and the rest
	for b := range 256 {
		for at := range width {
			line := strings.Repeat("g", width)
			line = line[:at] + string([]byte{byte(b)}) + line[at+1:]
			s, err := seqio.Read(strings.NewReader(">x\n"+line+"\n"), "e.fa", seqio.Options{})
			letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '*' || b == '-' || b == '.'
			switch {
			case letter:
				if err != nil || string(s.Corpus.Seq(0)) != strings.ToUpper(line) {
					t.Fatalf("byte %#x at %d: %v", b, at, err)
				}
			case b == '\n', strings.ContainsRune(" \t\r", rune(b)) && at == width-1:
				if err != nil || s.Corpus.Letters() != width-1 {
					t.Fatalf("byte %#x at %d: %v", b, at, err)
				}
			case b == '>' && at == 0, b == ';' && at == 0: // a header and a comment
			case err == nil || !strings.HasPrefix(err.Error(), `e.fa:2: record "x": `):
				t.Fatalf("byte %#x at %d: %v", b, at, err)
			}
		}
	}
}
