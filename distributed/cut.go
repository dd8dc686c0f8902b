package distributed

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
)

// span is a part of the input: a file, or some of its bytes.
type span struct {
	File     string
	From, To int64 // bytes; To is 0 for the whole file
	First    int   // 0-based number of its first record in the file

	// Of a piece of a record of a genome, the id and the 0-based place of its first letter. To is then the end of the
	// letters, and From their beginning.
	Record string
	Start  int
	Piece  bool
}

// each reads the span's bytes.
func (s *span) each(ctx context.Context, use func(io.Reader) error) error {
	return read(ctx, s.File, s.From, s.To, func(r io.Reader) error {
		if s.Piece {
			r = io.MultiReader(strings.NewReader(">"+s.Record+"\n"), r)
		}
		return use(r)
	})
}

// line is a line of a FASTA file.
type line struct {
	from, to int64 // bytes, with its end
	text     []byte
}

// eachLine visits the lines of a file. Text is what is left after white space at its end.
func eachLine(ctx context.Context, path string, visit func(line)) error {
	return read(ctx, path, 0, 0, func(r io.Reader) error {
		in := bufio.NewReaderSize(r, 1<<20)
		begin, whole := int64(0), []byte(nil)
		for {
			piece, err := in.ReadSlice('\n')
			whole = append(whole, piece...)
			if err == bufio.ErrBufferFull {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if len(whole) > 0 {
				end := begin + int64(len(whole))
				visit(line{begin, end, bytes.TrimRight(whole, " \t\r\n")})
				begin, whole = end, whole[:0]
			}
			if err != nil {
				return ctx.Err()
			}
		}
	})
}

// divisible reports whether a file is FASTA, not compressed, on a file system that reads from anywhere.
func divisible(ctx context.Context, path string) (bool, error) {
	if can, err := seeks(ctx, path); err != nil || !can {
		return false, err
	}
	var first byte
	err := read(ctx, path, 0, 1<<12, func(r io.Reader) error {
		head, err := io.ReadAll(r)
		if text := bytes.TrimSpace(head); len(text) > 0 {
			first = text[0]
		}
		return err
	})
	return first == '>', err
}

// cutRecords divides files into spans of at least a number of bytes, but for the last of a file, which begin at
// records. Files that are not divisible are spans.
func cutRecords(ctx context.Context, files []string, size int64) (spans []span, err error) {
	for _, file := range files {
		can, err := divisible(ctx, file)
		if err != nil {
			return nil, err
		}
		if !can {
			spans = append(spans, span{File: file})
			continue
		}
		records, from, first, end := 0, int64(0), 0, int64(0)
		err = eachLine(ctx, file, func(l line) {
			if len(l.text) > 0 && l.text[0] == '>' {
				if l.from-from >= size && records > first {
					spans = append(spans, span{File: file, From: from, To: l.from, First: first})
					from, first = l.from, records
				}
				records++
			}
			end = l.to
		})
		if err != nil {
			return nil, err
		}
		spans = append(spans, span{File: file, From: from, To: end, First: first})
	}
	return spans, nil
}

// genomeCutter divides a genome into spans: of several records, or of pieces of one, which overlap.
type genomeCutter struct {
	file    string
	letters int // of a piece, besides the overlap
	overlap int
	spans   []span

	id      string // of the record
	begin   int64  // byte of its header
	place   int    // letters of it so far
	pieces  []span // of it, the last one or two without an end
	open    int    // the first of pieces without an end
	several span   // short records before it
	held    int    // their letters
}

// cutGenome divides FASTA files into spans of at most size letters or so, all multiples of step: windows of overlap + 1
// letters are in one each.
func cutGenome(ctx context.Context, files []string, size, step, overlap int) ([]span, error) {
	c := &genomeCutter{letters: max(1, size/step) * step, overlap: overlap}
	for _, file := range files {
		can, err := divisible(ctx, file)
		if err != nil {
			return nil, err
		}
		c.file, c.several, c.held, c.id = file, span{}, 0, ""
		end, any := int64(0), false
		if !can {

			c.spans = append(c.spans, span{File: file})
			continue
		}
		err = eachLine(ctx, file, func(l line) {
			switch {
			case len(l.text) > 0 && l.text[0] == '>':
				if any {
					c.endRecord(l.from)
				}
				any = true
				c.beginRecord(l)
			case any:
				c.addLetters(l)
			}
			end = l.to
		})
		if err != nil {
			return nil, err
		}
		if any {
			c.endRecord(end)
		}
		c.endSeveral()
	}
	return c.spans, nil
}

func (c *genomeCutter) beginRecord(header line) {
	id, _, _ := bytes.Cut(bytes.TrimLeft(header.text[1:], " \t"), []byte{' '})
	id, _, _ = bytes.Cut(id, []byte{'\t'})
	c.id, c.begin, c.place, c.pieces, c.open = string(id), header.from, 0, c.pieces[:0], 0
}

// addLetters begins and ends the pieces that do so in a line.
func (c *genomeCutter) addLetters(l line) {
	after := c.place + len(l.text)
	for next := len(c.pieces) * c.letters; next < after; next += c.letters {
		c.pieces = append(c.pieces, span{
			File: c.file, From: l.from + int64(next-c.place), Record: c.id, Start: next, Piece: true,
		})
	}
	for ; c.open < len(c.pieces); c.open++ {
		end := (c.open+1)*c.letters + c.overlap
		if end > after {
			break
		}
		c.pieces[c.open].To = l.from + int64(end-c.place)
	}
	c.place = after
}

// endRecord makes spans of a record: one of each piece if there are several, else it joins short ones.
func (c *genomeCutter) endRecord(end int64) {
	for len(c.pieces) > 1 && c.place-c.pieces[len(c.pieces)-1].Start <= c.overlap {
		c.pieces = c.pieces[:len(c.pieces)-1] // its windows are in the piece before
	}
	for i := range c.pieces {
		c.pieces[i].To = cmp.Or(c.pieces[i].To, end)
	}
	if len(c.pieces) > 1 {
		c.endSeveral()
		c.spans = append(c.spans, c.pieces...)
	} else {
		if c.several.To == 0 {
			c.several = span{File: c.file, From: c.begin}
		}
		c.several.To, c.held = end, c.held+c.place
		if c.held >= c.letters {
			c.endSeveral()
		}
	}
}

// endSeveral makes a span of short records.
func (c *genomeCutter) endSeveral() {
	if c.several.To > 0 {
		c.spans = append(c.spans, c.several)
	}
	c.several, c.held = span{}, 0
}
