package model

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/strictjson"
	"github.com/seqsvm/seqsvm/model/drift"
)

// ErrNotAModel is what reading returns, wrapped or not, for a file that does not begin like a model.
var ErrNotAModel = errors.New("not a seqsvm model")

// magic opens every model file. The line feed and the end-of-file mark catch transfers that change bytes.
const magic = "SEQSVM\n\x1a"

const (
	prologueSize = len(magic) + 4 + 4 + 4 // magic, format version, header length, CRC-32C of the header
	alignment    = 64
)

// header is the JSON part of a file. What may be long, and the kernel, which needs a catalogue, stay text until they
// are read element by element.
type header struct {
	Generator Generator       `json:"generator"`
	Kernel    json.RawMessage `json:"kernel"`   // a catalog.Spec
	Decision  json.RawMessage `json:"decision"` // a classify.Rule
	Input     Input           `json:"input"`
	Training  Training        `json:"training"`
	Sketch    *Sketch         `json:"sketch,omitempty"` // without its hashes, which are arrays
	Drift     *drift.Profile  `json:"drift,omitempty"`  // without its numbers
	Compiled  bool            `json:"compiled"`
	Arrays    json.RawMessage `json:"arrays"` // a list of arrayEntry
}

// padding returns how many zero bytes bring a size to a multiple of the alignment.
func padding(size int64) int64 { return (alignment - size%alignment) % alignment }

// headerBytes returns prologue, header and the padding after them.
func (m *Model) headerBytes(entries []arrayEntry) ([]byte, error) {
	h := header{Input: m.Input, Training: m.Training, Sketch: m.Sketch, Drift: m.Drift, Compiled: m.Compiled(),
		Generator: m.Generator}
	h.Generator.Version = strings.ToValidUTF8(h.Generator.Version, "\uFFFD")
	h.Generator.Options = strings.ToValidUTF8(h.Generator.Options, "\uFFFD")
	h.Training.Checksum = strings.ToValidUTF8(h.Training.Checksum, "\uFFFD")
	for part, value := range map[*json.RawMessage]any{&h.Kernel: m.Kernel, &h.Decision: m.Decision,
		&h.Arrays: entries} {
		var err error
		if *part, err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if err := strictjson.Check(text); err != nil {
		return nil, fmt.Errorf("the header could not be read back: %w", err)
	}
	if int64(len(text)) > math.MaxUint32 {
		return nil, fmt.Errorf("a header of %d bytes, want less than 4 GiB", len(text))
	}
	out := make([]byte, 0, prologueSize+len(text)+alignment)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, FormatVersion)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(text, castagnoli))
	out = append(out, text...)
	return append(out, make([]byte, padding(int64(len(out))))...), nil
}

// foreign says what files of other programs are that begin in some way.
var foreign = map[string]string{
	"svm_type ":    "one of LIBSVM, whose svm-predict takes it, or of LS-GKM, which seqsvm model convert converts",
	"solver_type ": "one of LIBLINEAR, whose predict takes it",
	"\x80":         "a pickle of Python",
}

// checkPrologue checks the first bytes of a file: a model, of the version that this package reads.
func checkPrologue(data []byte) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		for begins, what := range foreign {
			if bytes.HasPrefix(data, []byte(begins)) {
				return fmt.Errorf("%w but %s", ErrNotAModel, what)
			}
		}
		return ErrNotAModel
	}
	if len(data) < prologueSize {
		return fmt.Errorf("truncated model: %d bytes, the prologue alone has %d", len(data), prologueSize)
	}
	if version := binary.LittleEndian.Uint32(data[len(magic):]); version != FormatVersion {
		return fmt.Errorf("model format %d, want %d: read it with the version of seqsvm that wrote it, or train again",
			version, FormatVersion)
	}
	return nil
}

// readHeader checks the prologue and returns the header; in is left at the aligned bytes after it.
func readHeader(in *source) (*header, error) {
	prologue, err := in.take(min(in.left, int64(prologueSize)))
	if err != nil {
		return nil, err
	}
	if err := checkPrologue(prologue); err != nil {
		return nil, err
	}
	size := int64(binary.LittleEndian.Uint32(prologue[len(magic)+4:]))
	sum := binary.LittleEndian.Uint32(prologue[len(magic)+8:])
	pad := padding(int64(prologueSize) + size)
	if size+pad > in.left {
		return nil, fmt.Errorf("truncated model: header of %d bytes, %d left", size, in.left)
	}
	text, err := in.take(size)
	if err != nil {
		return nil, err
	}
	if crc32.Checksum(text, castagnoli) != sum {
		return nil, errors.New("damaged model: the header does not match its checksum")
	}
	if err := in.skipZeros(pad, "after the header"); err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		return nil, errors.New("model header: not UTF-8")
	}
	h := new(header)
	if err := strictjson.DecodeChecked(text, h); err != nil {
		return nil, h.errorf("%w", err)
	}
	return h, nil
}

// errorf returns an error about the header with the version that wrote the file: it may know what this one does not.
func (h *header) errorf(format string, args ...any) error {
	err := fmt.Errorf("model header: "+format, args...)
	if h.Generator.Version == "" {
		return err
	}
	return fmt.Errorf("%w (written by seqsvm %.20s)", err, h.Generator.Version)
}

// IsModel reports whether a file begins as model files do.
func IsModel(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // it was only read
	head := make([]byte, len(magic))
	n, _ := f.Read(head)
	return string(head[:n]) == magic
}

// readDecision decodes the decision. Machines are checked one by one, so that memory is allocated only for those that
// are possible, and for no more than the classes can have.
func readDecision(text json.RawMessage) (decide.Rule, error) {
	if len(text) == 0 {
		return decide.Rule{}, errors.New("decision: missing")
	}
	var raw struct {
		decide.Rule
		Machines json.RawMessage `json:"machines"`
	}
	if err := strictjson.Decode(text, &raw); err != nil {
		return decide.Rule{}, fmt.Errorf("decision: %w", err)
	}
	d := raw.Rule
	k := int64(len(d.Classes))
	most := max(k, k*(k-1)/2)
	if d.Process != nil {
		most = 1 + int64(d.Process.Rank)
	}
	err := strictjson.List(raw.Machines, "machine", func(i int, m decide.Binary) error {
		if int64(i) >= most {
			return fmt.Errorf("more than %d machines for %d classes", most, k)
		}
		if m.Positive == m.Negative {
			return fmt.Errorf("machine %d decides between class %d and itself", i, m.Positive)
		}
		d.Machines = append(d.Machines, m)
		return nil
	})
	return d, err
}
