package trees

import (
	"bytes"
	"errors"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// pennReader reads bracketed trees, which are package bracket's notation but for backslashes and brackets without a
// label around a tree.
type pennReader struct {
	forest bracket.Forest
	plain  []byte // a text with its backslashes as the notation wants them
}

func (r *pennReader) read(text []byte, b *builder) error {
	given := text
	if bytes.IndexByte(text, '\\') >= 0 {
		r.plain = respell(r.plain[:0], text)
		text = r.plain
	}
	if err := r.forest.Parse(text); err != nil {
		var syntax *bracket.SyntaxError
		if !errors.As(err, &syntax) {
			return at(0, err)
		}
		return errorAt(offsetBefore(given, syntax.Offset), "%s", syntax.Problem)
	}
	r.write(b)
	return nil
}

// write gives the nodes of a text to the builder.
func (r *pennReader) write(b *builder) {
	f := &r.forest
	open := -1 // the innermost node that is open
	closeTo := func(to int) {
		for ; open != to; open = int(f.Parent[open]) {
			if !r.isWrapper(open) {
				b.w.Close()
			}
		}
	}
	for i := range f.End {
		closeTo(int(f.Parent[i]))
		switch {
		case r.isWrapper(i):
		case !b.count.text && r.isBare(i):
			continue
		default:
			b.w.OpenWord(r.label(i, b))
		}
		open = i
	}
	closeTo(-1)
}

// label is what counts of a label: names are those of nodes in brackets.
func (r *pennReader) label(i int, b *builder) []byte {
	if !b.count.names && !r.isBare(i) {
		return nil
	}
	return r.forest.Label(i)
}

// isWrapper reports whether a node is a bracket around trees and nothing else.
func (r *pennReader) isWrapper(i int) bool {
	f := &r.forest
	return f.Parent[i] < 0 && f.Start[i] == f.Stop[i] && !f.Leaf(i)
}

// isBare reports whether a node is a word without brackets.
func (r *pennReader) isBare(i int) bool {
	f := &r.forest
	if !f.Leaf(i) || f.Start[i] == f.Stop[i] {
		return false
	}
	before := bytes.TrimRight(f.Record[:f.Start[i]], " \t\n\v\f\r")
	word, isBracket := bytes.CutSuffix(before, []byte{'('})
	escapes := len(word) - len(bytes.TrimRight(word, `\`)) // an odd number of them: the bracket ends the word before
	return !isBracket || escapes%2 != 0
}

// respell appends a text whose backslashes all begin an escape of the notation.
func respell(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			continue
		}
		spelt, read := respellOne(text[i:])
		dst = append(dst, spelt...)
		i += read - 1
	}
	return dst
}

// respellOne respells what begins with a backslash, of which it reads that many bytes.
func respellOne(text []byte) (spelt string, read int) {
	if len(text) > 1 {
		switch e := text[1]; e {
		case '/', '*':
			return string(e), 2
		case '(', ')', '\\', 's', 't', 'n', 'v', 'f', 'r':
			return string(text[:2]), 2
		}
	}
	return `\\`, 1
}

// offsetBefore returns the offset in a text of what has the given offset once it is respelt.
func offsetBefore(text []byte, respelt int) int {
	i := 0
	for done := 0; i < len(text) && done < respelt; {
		if text[i] != '\\' {
			i, done = i+1, done+1
			continue
		}
		spelt, read := respellOne(text[i:])
		i, done = i+read, done+len(spelt)
	}
	return i
}
