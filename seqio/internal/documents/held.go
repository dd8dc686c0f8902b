package documents

import (
	"bytes"
	"io"
)

// heldReader reads what others hold whole, records of CSV and documents, as long as there is memory for it.
type heldReader struct {
	r      io.Reader
	p      *Parser
	factor int  // bytes that one of the input takes
	cells  byte // begins cells, which take additional memory; 0 if there are none

	held int // memory of the current record so far
	line int // line ends so far
}

// Read implements io.Reader. Its error names the current line.
func (h *heldReader) Read(p []byte) (int, error) {
	const cell = 72 // two indices, a position and a string, in lists that are copied as they grow
	n, err := h.r.Read(p)
	h.line += bytes.Count(p[:n], []byte{'\n'})
	h.held += h.factor * n
	if h.cells != 0 {
		h.held += cell * bytes.Count(p[:n], []byte{h.cells})
	}
	if full := h.p.Fits(h.held, h.line+1); full != nil {
		return 0, full
	}
	return n, err
}
