package lsgkm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// maxLine bounds the memory a line takes.
const maxLine = 64 << 20

// Foreign is a model of another program: a [File] or [Weights].
type Foreign interface {
	// Model returns the model of this module.
	Model(ctx context.Context, o model.Options) (*model.Model, error)
	// Origin says in words what the file holds.
	Origin() string
	// Notes are sentences about what was skipped or replaced, and where scores differ from the program's.
	Notes() []string
}

// Open reads a file of LS-GKM or a table of [Weights], as its first lines say, compressed or not. A nil r is the file
// of that name. What is wrong with it is a [*seqio.Error].
func Open(r io.Reader, name string) (Foreign, error) {
	in, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	head := bufio.NewReader(in)
	first, _ := head.Peek(4096) // the error comes again
	if isTable(first) {
		w, t := &Weights{Source: name}, newText(head, name)
		return w, t.locate(w.parse(t))
	}
	return parse(head, name)
}

// Read reads a model file of LS-GKM, compressed with gzip (or zstd) or not; a nil r is the file of that name. What is
// wrong with it is a [*seqio.Error] that names file and line.
func Read(r io.Reader, name string) (*File, error) {
	in, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return parse(in, name)
}

func parse(r io.Reader, name string) (*File, error) {
	p := &parser{text: newText(r, name), file: &File{Source: name}}
	total, err := p.header()
	if err == nil {
		err = p.support(total)
	}
	if err := p.locate(err); err != nil {
		return nil, err
	}
	return p.file, nil
}

// parser reads a file of LS-GKM.
type parser struct {
	*text
	file *File
}

// text reads lines and knows their numbers.
type text struct {
	name  string
	in    *failing
	lines *bufio.Scanner
	line  int // 1-based number of the last line read
}

func newText(r io.Reader, name string) *text {
	in := &failing{Reader: r}
	t := &text{name: name, in: in, lines: bufio.NewScanner(in)}
	t.lines.Buffer(nil, maxLine)
	return t
}

// locate adds the place to an error.
func (t *text) locate(err error) error {
	if t.in.err != nil {
		err = t.in.err // rather than what the half of a line before it looks like
	}
	var located *seqio.Error
	if err == nil || errors.As(err, &located) {
		return err
	}
	return &seqio.Error{File: t.name, Line: t.line, Err: err}
}

// failing remembers the error of a reader other than io.EOF.
type failing struct {
	io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// next reads a line without the white space around it; blank lines are skipped. more is false at the end of the file.
func (t *text) next() (line []byte, more bool, err error) {
	for t.lines.Scan() {
		t.line++
		if line = bytes.TrimSpace(t.lines.Bytes()); len(line) > 0 {
			return line, true, nil
		}
	}
	err = t.lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		t.line++
		err = fmt.Errorf("a line of more than %d bytes", maxLine)
	}
	return nil, false, err
}

// header reads up to the line SV and returns the number of support vectors that follow.
func (p *parser) header() (total int, err error) {
	h := &header{file: p.file, seen: map[string]int{}}
	for {
		line, more, err := p.next()
		switch {
		case err != nil:
			return 0, err
		case !more && len(h.seen) == 0:
			return 0, errors.New("the file is empty, want an LS-GKM model")
		case !more:
			return 0, errors.New("the file ends before the SV line")
		case string(line) == "SV":
			return h.total, h.finish()
		}
		fields := strings.Fields(string(line))
		if p.line == 1 && fields[0] != "svm_type" {
			return 0, fmt.Errorf("not an LS-GKM model: it begins with %.40q, want svm_type, or lines k-mer, tab, weight",
				fields[0])
		}
		if err := h.set(fields[0], fields[1:], p.line); err != nil {
			return 0, err
		}
	}
}

// support reads the support vectors, of which there are as many as the header says and nothing after them.
func (p *parser) support(total int) error {
	var b stringkernel.CorpusBuilder
	letters := 0
	for {
		line, more, err := p.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if len(p.file.Coef) == total {
			return fmt.Errorf("more than the %d support vectors of total_sv", total)
		}
		seq, err := p.vector(line)
		if err != nil {
			return err
		}
		if letters += len(seq); letters > seqio.MaxLetters {
			return fmt.Errorf("more than %d letters", seqio.MaxLetters)
		}
		if err := checkMemory(len(p.file.Coef), letters); err != nil {
			return err
		}
		b.Add("", seq)
	}
	if n := len(p.file.Coef); n < total {
		return fmt.Errorf("the file ends after %d of %d support vectors", n, total)
	}
	p.file.Support = b.Corpus()
	return nil
}

// checkMemory returns an error if that many support vectors would exceed the limit of memory, as those of a small
// compressed file may.
func checkMemory(vectors, letters int) error {
	const vector, letter = 96, 3 // in lists that are copied as they grow
	if err := memory.Check(float64(vector*vectors + letter*letters)); err != nil {
		return fmt.Errorf("the support vectors up to here need %w", err)
	}
	return nil
}

// vector reads a coefficient and a sequence, and returns the latter as LS-GKM understood it.
func (p *parser) vector(line []byte) ([]byte, error) {
	fields := bytes.Fields(line)
	if len(fields) != 2 {
		return nil, fmt.Errorf("%d fields, want 2: a coefficient and a sequence", len(fields))
	}
	coef, err := finite(string(fields[0]))
	if err != nil {
		return nil, fmt.Errorf("coefficient %w", err)
	}
	seq := fields[1]
	if len(seq) < p.file.L {
		return nil, fmt.Errorf("a sequence of %d letters, want at least L = %d: every score of LS-GKM with this "+
			"model is not a number; train without the sequence", len(seq), p.file.L)
	}
	for i, b := range seq {
		switch upper := b &^ 0x20; {
		case upper == 'A' || upper == 'C' || upper == 'G' || upper == 'T':
			seq[i] = upper
		case upper >= 'A' && upper <= 'Z':
			seq[i] = 'A'
			p.file.Replaced++
		default:
			return nil, fmt.Errorf("%q in the sequence, letter %d, want letters", rune(b), i+1)
		}
	}
	p.file.Coef = append(p.file.Coef, coef)
	return seq, nil
}
