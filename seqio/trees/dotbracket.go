package trees

import "bytes"

// dotBracketReader reads sequences with their secondary structures.
type dotBracketReader struct {
	opened   []int32 // positions of open brackets
	partner  []int32 // of each position: of the other base of its pair, −1 if it is unpaired
	sequence []byte  // in upper case
}

var rnaLabel, pairLabel, baseLabel = []byte("RNA"), []byte("P"), []byte("U")

func (r *dotBracketReader) read(text []byte, b *builder) error {
	s := rnaScanner{text: text}
	for {
		sequence, err := s.sequence()
		if err != nil {
			return err
		}
		structure, err := s.structure(sequence)
		if err != nil || structure.from == structure.to {
			return err
		}
		if err := r.fold(text, structure); err != nil {
			return err
		}
		r.sequence = r.sequence[:0]
		for _, letter := range text[sequence.from:sequence.to] {
			r.sequence = append(r.sequence, letter&^0x20) // in upper case
		}
		r.write(b)
	}
}

// fold finds the partner of every position.
func (r *dotBracketReader) fold(text []byte, s span) error {
	r.opened, r.partner = r.opened[:0], r.partner[:0]
	for i, c := range text[s.from:s.to] {
		r.partner = append(r.partner, -1)
		switch kind := structureBytes[c]; {
		case kind == unpaired:
		case kind == opens:
			r.opened = append(r.opened, int32(i))
		case len(r.opened) == 0:
			return errorAt(s.from+i, "%c without its opening bracket", c)
		default:
			last := r.opened[len(r.opened)-1]
			if open := text[s.from+int(last)]; partners[open] != c {
				return errorAt(s.from+i, "%c crosses the pair that %c opens: a pseudoknot is not a tree; write dots "+
					"for one of the two helices, or read graphs (tree=graph)", c, open)
			}
			r.opened = r.opened[:len(r.opened)-1]
			r.partner[last], r.partner[i] = int32(i), last
		}
	}
	if len(r.opened) > 0 {
		last := s.from + int(r.opened[len(r.opened)-1])
		return errorAt(last, "%c is not closed", text[last])
	}
	return nil
}

// write gives the nodes to the builder.
func (r *dotBracketReader) write(b *builder) {
	b.name(rnaLabel)
	for i, p := range r.partner {
		switch j := int(p); {
		case j < 0:
			b.w.Leaf(r.base(i, b))
		case j < i:
			b.w.Close()
		default:
			b.name(r.pair(i, j))
		}
	}
	b.w.Close()
}

// base returns the label of an unpaired base.
func (r *dotBracketReader) base(i int, b *builder) []byte {
	switch {
	case !b.count.text:
		return nil
	case len(r.sequence) == 0:
		return baseLabel
	}
	return r.sequence[i : i+1]
}

// pair returns the label of a pair.
func (r *dotBracketReader) pair(i, j int) []byte {
	if len(r.sequence) == 0 {
		return pairLabel
	}
	return []byte{r.sequence[i], r.sequence[j]}
}

// The kinds of bytes of a structure.
const (
	unpaired = 1 + iota
	opens
	closes
)

var (
	structureBytes = [256]uint8{
		'.': unpaired, ',': unpaired, ':': unpaired, '_': unpaired, '-': unpaired, '~': unpaired,
		'(': opens, '[': opens, '{': opens, '<': opens,
		')': closes, ']': closes, '}': closes, '>': closes,
	}
	partners = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}
)

// rnaScanner cuts a text into sequences and structures.
type rnaScanner struct {
	text []byte
	at   int
}

// word returns the next run of anything but white space, empty at the end.
func (s *rnaScanner) word() span {
	for s.at < len(s.text) && isBlank(s.text[s.at]) {
		s.at++
	}
	from := s.at
	for s.at < len(s.text) && !isBlank(s.text[s.at]) {
		s.at++
	}
	return span{from, s.at}
}

// sequence returns the next sequence, empty if a structure or the end comes first. Headers and energies are skipped.
func (s *rnaScanner) sequence() (span, error) {
	for {
		w := s.word()
		word := s.text[w.from:w.to]
		switch {
		case len(word) == 0:
			return w, nil
		case word[0] == '>' && s.beginsLine(w.from):
			line, _, _ := bytes.Cut(s.text[s.at:], []byte{'\n'})
			s.at += len(line)
		case isLetter(word[0]):
			for i, c := range word {
				if !isLetter(c) {
					return w, errorAt(w.from+i, "%q in a sequence, want letters", c)
				}
			}
			return w, nil
		case bytes.ContainsAny(word, "0123456789") || string(word) == "(":
		default:
			s.at = w.from
			return span{w.from, w.from}, nil
		}
	}
}

func (s *rnaScanner) beginsLine(at int) bool {
	before := bytes.TrimRight(s.text[:at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// structure returns the structure of a sequence, empty at the end.
func (s *rnaScanner) structure(sequence span) (span, error) {
	w := s.word()
	letters := sequence.to - sequence.from
	for i, c := range s.text[w.from:w.to] {
		if structureBytes[c] == 0 {
			return w, errorAt(w.from+i, "%q in a structure, want dots and brackets", c)
		}
	}
	switch length := w.to - w.from; {
	case letters > 0 && length == 0:
		return w, errorAt(w.from, "unexpected end after a sequence, want its structure")
	case letters > 0 && length != letters:
		return w, wrongLength(w, letters)
	}
	return w, nil
}

// wrongLength is the error about a structure that is not as long as its sequence.
func wrongLength(structure span, letters int) error {
	return errorAt(structure.from, "a structure of %d positions for a sequence of %d letters",
		structure.to-structure.from, letters)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
