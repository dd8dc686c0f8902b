package seqio

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// An input of lines is read by all processors: it is cut into blocks of whole lines, each of which is parsed on its own
// as if it began a record or, in FASTA, went on with one, and what comes of them is joined in the order of the input. A
// block for which that is not so, or in which anything is wrong or full, is parsed again where it belongs: so the
// records, and the error, are those of reading line by line. The first block always is, as it may name the columns.

// lineParser parses an input of lines into the collector that it was made for.
type lineParser interface {
	parse(in *lines.Reader) error // as many lines as there are, which others may follow
	inside() bool                 // what follows belongs to the record that was parsed last
	end(line int) error           // an error if the input, of that many lines, may not end here
	// a parser of later lines into another collector, nil if nobody knows yet what they mean
	apart(c *collector) lineParser
}

// lineParserOf returns the parser of the collector's format, nil if its lines are not parsed one by one.
func lineParserOf(c *collector) lineParser {
	switch format := c.set.Format; format {
	case FASTA:
		return fastaParser{c}
	case FASTQ:
		return &fastqParser{c: c}
	case Lines, TSV, CSV, JSONL, FastText:
		p := documents.NewParser(c.opt.documents(format), c)
		if format == Lines && c.opt.Tree.Syntax == trees.Newick {
			return newickLines{documents.NewNewick(p), p}
		}
		p.Separator = c.delimiter
		return documentLines{p, format}
	}
	return nil
}

// newickLines parses trees, some of which may take several lines.
type newickLines struct {
	*documents.Newick
	p *documents.Parser
}

func (n newickLines) parse(in *lines.Reader) error { return n.Read(in) }
func (n newickLines) inside() bool                 { return n.Inside() }
func (n newickLines) end(int) error                { return n.End() }
func (n newickLines) apart(c *collector) lineParser {
	p := n.p.For(c)
	return newickLines{documents.NewNewick(p), p}
}

// documentLines parses whole records of a text format.
type documentLines struct {
	*documents.Parser
	format Format
}

func (d documentLines) parse(in *lines.Reader) error {
	switch d.format {
	case TSV:
		return d.TSV(in)
	case CSV:
		return d.CSV(in)
	case JSONL:
		return d.JSONL(in)
	case FastText:
		return d.FastText(in)
	}
	return d.Lines(in)
}

func (d documentLines) inside() bool  { return false }
func (d documentLines) end(int) error { return nil }

func (d documentLines) apart(c *collector) lineParser {
	if (d.format == TSV || d.format == CSV) && !d.KnowsColumns() {
		return nil
	}
	return documentLines{d.For(c), d.format}
}

// blockSize is the size of a block, a variable for tests: at most [lines.BufferSize].
var blockSize = 256 << 10

// parseLines parses an input with the collector's parser, in blocks if there are several processors for it. An input
// that somebody may still be writing is not read ahead, so that an error in what is there comes at once.
func parseLines(in *lines.Input, c *collector, p lineParser) error {
	workers := runtime.GOMAXPROCS(0)
	if workers < 2 || !in.Stored || 0 < in.Size && in.Size < 4*blockSize || c.opt.Ambiguous == AmbiguousError ||
		len(c.opt.Numbers) > 0 {
		return parseAll(lines.NewReader(in), p)
	}
	b := newBlocks(in, c, p, workers)
	defer b.close()
	block := b.first()
	for !block.partial { // the last one is, or has an error
		after, end := block.before+block.lines, block.err
		if err := b.add(block); err != nil {
			return err
		}
		switch {
		case end == io.EOF:
			return p.end(after)
		case end != nil:
			return end
		}
		block = b.next()
	}
	b.close()
	rest := lines.NewReader(io.MultiReader(bytes.NewReader(block.data), in))
	rest.Line = block.before
	return parseAll(rest, p)
}

// parseAll parses the lines of an input up to its end.
func parseAll(in *lines.Reader, p lineParser) error {
	if err := p.parse(in); err != nil {
		return err
	}
	return p.end(in.Line)
}

// block is whole lines of an input.
type block struct {
	data    []byte
	before  int           // lines of the input before it
	lines   int           // that it has
	err     error         // of reading what follows, io.EOF if that is nothing
	partial bool          // the beginning of lines that no block can hold or nobody can parse alone
	parsed  chan struct{} // holds a token when it is

	alone  *collector  // what comes of the block alone
	failed bool        // that is not what the block is
	fill   func()      // copies what comes of it; nil before it is parsed
	back   chan *block // to the goroutine that parsed it; nil of the first block
}

// parse parses the block as if it were all, knowing what p does of the input.
func (b *block) parse(p lineParser) {
	b.alone.restart()
	own := p.apart(b.alone)
	b.failed = own.parse(lines.OfBlock(b.data, b.before)) != nil || own.inside() || b.alone.mixed
}

// blocks are the goroutines that an input goes through. Each cuts a block, parses it and, once the caller has joined it
// to those before, copies what comes of it: so the letters stay in the cache of one processor.
type blocks struct {
	in      io.Reader
	c       *collector
	p       lineParser
	format  Format
	workers int

	cutting sync.Mutex    // of what follows, and of in
	carry   []byte        // read beyond the last block that was cut, valid until that is filled again
	before  int           // lines that were cut
	ended   bool          // nothing more is to be cut
	ordered chan *block   // that were cut; never full
	backs   []chan *block // by goroutine, those that it may cut again; never full

	copying, working sync.WaitGroup
}

func newBlocks(in io.Reader, c *collector, p lineParser, workers int) *blocks {
	return &blocks{in: in, c: c, p: p, format: c.set.Format, workers: workers}
}

// first returns the first block, which is to be parsed where it belongs.
func (b *blocks) first() *block {
	block := &block{failed: true}
	b.cut(block)
	b.ended = block.err != nil || block.partial
	return block
}

// next returns the next block, parsed alone if the first one says how.
func (b *blocks) next() *block {
	if b.ordered == nil {
		if b.p.apart(b.c) == nil {
			return &block{data: b.carry, before: b.before, partial: true}
		}
		b.start()
	}
	block := <-b.ordered
	<-block.parsed
	return block
}

// start starts the goroutines.
func (b *blocks) start() {
	const each = 2 // blocks of a goroutine: one is joined while it parses the other
	b.ordered = make(chan *block, each*b.workers)
	for range b.workers {
		back := make(chan *block, each)
		for range each {
			back <- &block{parsed: make(chan struct{}, 1), alone: b.c.apart(), back: back}
		}
		b.backs = append(b.backs, back)
		b.working.Go(func() { b.work(back) })
	}
}

// add adds what comes of a block to the collector, as parsed alone if that is what it is and there is room for it.
func (b *blocks) add(block *block) error {
	if b.p.inside() || block.failed || !b.c.hasRoomFor(block.alone) {
		b.copying.Wait()
		err := b.p.parse(lines.OfBlock(block.data, block.before))
		if block.back != nil {
			block.back <- block
		}
		return err
	}
	b.c.hold(block.alone, b.copying.Wait)
	fill, again := b.c.join(block.alone)
	b.copying.Add(1)
	block.fill = fill
	block.back <- block
	if again == nil {
		return nil
	}
	b.copying.Wait()
	return again()
}

// work copies what comes of blocks that have their place, and cuts and parses others.
func (b *blocks) work(back chan *block) {
	for block := range back {
		if block.fill != nil {
			block.fill()
			block.fill = nil
			b.copying.Done()
		}
		if b.cutNext(block) {
			block.parse(b.p)
			block.parsed <- struct{}{}
			runtime.Gosched() // to who joins it
		}
	}
}

// cutNext makes a block of what comes next, and reports false if nothing does.
func (b *blocks) cutNext(block *block) bool {
	b.cutting.Lock()
	defer b.cutting.Unlock()
	if b.ended {
		return false
	}
	b.cut(block)
	b.ended = block.err != nil || block.partial
	b.ordered <- block
	return true
}

// close ends the goroutines and waits for them: the input is then where the last block ends.
func (b *blocks) close() {
	b.cutting.Lock()
	b.ended = true
	b.cutting.Unlock()
	for _, back := range b.backs {
		close(back)
	}
	b.backs = nil
	b.working.Wait()
}

// cut makes a block of what comes next.
func (b *blocks) cut(block *block) {
	b.carry = b.read(block, b.carry)
	block.before, block.lines = b.before, bytes.Count(block.data, []byte{'\n'})
	if n := len(block.data); n > 0 && block.data[n-1] != '\n' {
		block.lines++
	}
	b.before += block.lines
}

// read fills a block and returns what was read beyond it, which is valid until that is filled again.
func (b *blocks) read(block *block, carry []byte) []byte {
	block.data, block.partial, block.err = append(block.data[:0], carry...), false, nil
	for block.err == nil {
		at := len(block.data)
		block.data = slices.Grow(block.data, blockSize)
		var n int
		n, block.err = io.ReadFull(b.in, block.data[at:at+blockSize])
		block.data = block.data[:at+n]
		if block.err == io.ErrUnexpectedEOF {
			block.err = io.EOF
		}
		if block.err != nil && block.err != io.EOF {
			break
		}
		end := b.lastStart(block.data)
		if first := block.data[:min(len(block.data), lines.BufferSize)]; len(first) == lines.BufferSize &&
			(end == 0 || bytes.IndexByte(first, '\n') < 0) {
			block.partial = true
			return nil
		}
		if block.err == io.EOF {
			return nil // the last line need not end
		}
		if end > 0 {
			carry = block.data[end:]
			block.data = block.data[:end]
			return carry
		}
	}
	block.data = block.data[:b.lastWhole(block.data)]
	return nil
}

// lastWhole returns where the last line begins that is not inside quotes of CSV, 0 if every line but the first is.
func (b *blocks) lastWhole(data []byte) int {
	quote := []byte{'"'}
	quotes, end := 0, len(data)
	if b.format == CSV {
		quotes = bytes.Count(data, quote)
	}
	for {
		at := bytes.LastIndexByte(data[:end], '\n')
		if quotes > 0 {
			quotes -= bytes.Count(data[at+1:end], quote)
		}
		if at < 0 || quotes%2 == 0 {
			return at + 1
		}
		end = at
	}
}

// lastStart returns where the last line begins that may be cut at: in FASTQ one that looks like a header. 0 if there is
// none.
func (b *blocks) lastStart(data []byte) int {
	end := b.lastWhole(data)
	if b.format != FASTQ {
		return end
	}
	const lookBack = 64 // lines
	var after [3]byte   // first bytes of the lines after
	start := end
	for range lookBack {
		if start == 0 {
			break
		}
		at := bytes.LastIndexByte(data[:start-1], '\n') + 1
		if start = at; start > 0 && data[at] == '@' && after[1] == '+' {
			return at
		}
		after[2], after[1], after[0] = after[1], after[0], data[at]
	}
	return end
}
