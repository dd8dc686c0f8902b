package trees

import "bytes"

// appendGraph appends a sequence and its structure in the notation of package graph. Without a sequence, every base is
// N.
func appendGraph(dst, text []byte) ([]byte, error) {
	s := rnaScanner{text: text}
	sequence, err := s.sequence()
	if err != nil {
		return dst, err
	}
	structure := s.word()
	letters := text[sequence.from:sequence.to]
	switch length := structure.to - structure.from; {
	case length == 0:
		return dst, errorAt(structure.from, "unexpected end, want a sequence and its structure")
	case len(letters) == 0:
		letters = bytes.Repeat([]byte{'N'}, length)
	case length != len(letters):
		return dst, wrongLength(structure, len(letters))
	}
	if next, err := s.sequence(); err != nil || s.word().to > next.to || next.from < next.to {
		return dst, errorAt(next.from, "a second structure in a record, want one")
	}
	dst = append(append(dst, letters...), ' ')
	return append(dst, text[structure.from:structure.to]...), nil
}
