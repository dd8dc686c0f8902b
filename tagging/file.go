package tagging

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/strictjson"
)

// The file of a model is
//
//	magic
//	4 bytes: length of the header; the header, JSON
//	attributes: for each its length as an unsigned varint, and its bytes
//	names of dictionaries, in the same form
//	the table without zeros: for each entry the number of zeros before it as an unsigned varint, and 8 bytes
//	4 bytes: CRC-32C of all before
//
// with numbers in little-endian order.
const magic = "SEQTAG1\n\x1a"

// ErrNotAModel is wrapped by the error of Read for what does not begin like a model of this package.
var ErrNotAModel = errors.New("not a model of seqsvm train --task tag")

// IsModel reports whether a file that begins with these bytes is a model of this package.
func IsModel(first []byte) bool { return bytes.HasPrefix(first, []byte(magic)) }

// MagicLen is the number of bytes that IsModel wants.
const MagicLen = len(magic)

// header is the JSON of a file.
type header struct {
	Features   string   `json:"features"`
	Columns    columns  `json:"columns"`
	Scheme     Scheme   `json:"scheme"`
	Tags       []string `json:"tags"`
	Learner    Learner  `json:"learner"`
	C          float64  `json:"c"`
	Options    string   `json:"options"`
	Solver     string   `json:"solver"`
	Iterations int      `json:"iterations"`
	Primal     float64  `json:"primal"`
	Dual       float64  `json:"dual"`
	Gap        float64  `json:"gap"`
	Attributes int      `json:"attributes"`
	Lists      []int    `json:"lists"` // number of names of each dictionary
	Table      int      `json:"table"` // entries
	Entries    int      `json:"entries"`
	Sample     []uint64 `json:"sample"` // hashes of sequences
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes the model's file: the same bytes for the same model.
func (m *Model) Write(w io.Writer) error {
	h := header{Features: m.Features.text, Columns: m.Features.of.columns(), Scheme: m.Scheme, Tags: m.Tags,
		Learner: m.Learner, C: m.C, Options: m.Options, Solver: m.Machine.Solver, Iterations: m.Machine.Iterations,
		Primal: m.Machine.Primal, Dual: m.Machine.Dual, Gap: m.Machine.Gap, Table: len(m.Machine.Table), Lists: []int{},
		Sample: append([]uint64{}, m.sample...)}
	terms := m.Features.of.terms()
	h.Attributes = terms.Len()
	lists := m.Features.dictionaries()
	for _, d := range lists {
		h.Lists = append(h.Lists, len(d.names))
	}
	for _, v := range m.Machine.Table {
		if v != 0 {
			h.Entries++
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("tagging: %w", err)
	}
	out := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
	out = append(out, text...)
	for id := range terms.Len() {
		out = appendText(out, terms.At(id))
	}
	for _, d := range lists {
		for _, name := range d.names {
			out = appendText(out, []byte(name))
		}
	}
	zeros := uint64(0)
	for _, v := range m.Machine.Table {
		if v == 0 {
			zeros++
			continue
		}
		out = binary.AppendUvarint(out, zeros)
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		zeros = 0
	}
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
	_, err = w.Write(out)
	return err
}

func appendText(out, text []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// dictionaries returns those of words, none of other features.
func (f *Features) dictionaries() []*dictionary {
	if w, ok := f.of.(*words); ok {
		return w.dictionaries
	}
	return nil
}

// Read reads a model from the bytes of its file, in time and memory linear in their number and in the size of the
// table. Errors say what is damaged.
func Read(data []byte) (*Model, error) {
	if !IsModel(data) {
		return nil, ErrNotAModel
	}
	if len(data) < len(magic)+8 {
		return nil, errors.New("truncated model")
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, errors.New("damaged or truncated model: the checksum differs")
	}
	rest := body[len(magic):]
	n := int64(binary.LittleEndian.Uint32(rest))
	if rest = rest[4:]; n > int64(len(rest)) {
		return nil, errors.New("damaged model: the header is longer than the file")
	}
	var h header
	if err := strictjson.DecodeChecked(rest[:n], &h); err != nil {
		return nil, fmt.Errorf("invalid model: header: %w", err)
	}
	m, err := h.model(&source{rest[n:]})
	if err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	return m, nil
}

// model makes the model of a header and what follows it.
func (h *header) model(in *source) (*Model, error) {
	f, err := parseFeatures(h.Features, func(string) (*dictionary, error) { return new(dictionary), nil })
	if err != nil {
		return nil, err
	}
	terms := f.of.terms()
	for id := range h.Attributes {
		text, err := in.text()
		if err != nil {
			return nil, err
		}
		if len(text) == 0 || int(terms.Add(text)) != id {
			return nil, fmt.Errorf("attribute %d is empty or there twice", id)
		}
	}
	lists := f.dictionaries()
	if len(lists) != len(h.Lists) {
		return nil, fmt.Errorf("%d dictionaries, want the %d of the features", len(h.Lists), len(lists))
	}
	for i, d := range lists {
		for range h.Lists[i] {
			text, err := in.text()
			if err != nil {
				return nil, err
			}
			d.names = append(d.names, string(text))
		}
		d.index()
	}
	if err := f.of.restore(h.Columns); err != nil {
		return nil, err
	}
	if err := h.Scheme.check(); err != nil {
		return nil, err
	}
	m := &Model{Features: f, Scheme: h.Scheme, Tags: h.Tags, Learner: h.Learner, C: h.C, Options: h.Options,
		sample: h.Sample}
	m.Machine = &chain.Machine{Links: linksOf(h.Tags, h.Scheme), Solver: h.Solver, Iterations: h.Iterations,
		Certificate: svm.Certificate{Primal: h.Primal, Dual: h.Dual, Gap: h.Gap}}
	if err := m.Machine.Links.Check(); err != nil {
		return nil, err
	}
	if want := (f.of.features() + len(h.Tags) + 1) * len(h.Tags); h.Table != want {
		return nil, fmt.Errorf("a table of %d entries, want %d", h.Table, want)
	}
	if err := memory.Check(8 * float64(h.Table)); err != nil { // zeros take no room in the file
		return nil, err
	}
	m.Machine.Table = make([]float64, h.Table)
	if err := in.entries(m.Machine.Table, h.Entries); err != nil {
		return nil, err
	}
	if len(in.rest) > 0 {
		return nil, fmt.Errorf("%d bytes after the table", len(in.rest))
	}
	return m, m.Machine.Check()
}

// source reads what follows the header.
type source struct{ rest []byte }

var errShort = errors.New("the file ends too soon")

func (s *source) number() (uint64, error) {
	v, n := binary.Uvarint(s.rest)
	if n <= 0 {
		return 0, errShort
	}
	s.rest = s.rest[n:]
	return v, nil
}

func (s *source) text() ([]byte, error) {
	n, err := s.number()
	if err != nil || n > uint64(len(s.rest)) {
		return nil, errShort
	}
	text := s.rest[:n]
	s.rest = s.rest[n:]
	return text, nil
}

// entries fills a table of zeros.
func (s *source) entries(table []float64, n int) error {
	at := uint64(0)
	for range n {
		zeros, err := s.number()
		if err != nil || len(s.rest) < 8 {
			return errShort
		}
		if at >= uint64(len(table)) || zeros >= uint64(len(table))-at {
			return fmt.Errorf("an entry beyond the table of %d", len(table))
		}
		at += zeros
		table[at] = math.Float64frombits(binary.LittleEndian.Uint64(s.rest))
		s.rest = s.rest[8:]
		at++
	}
	return nil
}
