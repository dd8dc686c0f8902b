package model

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"testing"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// FuzzRead reads any bytes, as they are and with corrected checksums, which a fuzzer would not guess: the result is an
// error or a classifier that works, and a model that survives a round trip.
func FuzzRead(f *testing.F) {
	f.Add([]byte{}, []byte("GATTACA"))
	f.Add(write(f, tinySpectrum(f)), []byte("GATTACA"))
	f.Add(write(f, tinySubstring(f)), []byte("GATNACA"))
	f.Add(write(f, sketched(f)), []byte("GATTACA"))
	calibrated := tinySpectrum(f)
	calibrated.Decision.Criterion, calibrated.Decision.Machines[0].Threshold = "youden", 0.5
	calibrated.Decision.Conformal = conformal.New([][]float64{{1, 2}, {3}}, 9)
	calibrated.Drift = drift.New(tinySubstring(f).Support, stringkernel.DNA)
	f.Add(write(f, calibrated), []byte("GATTACA"))
	for _, flavour := range flavours {
		_, m := flavour.train(f, flavour.data(f, 1, 12, 20))
		f.Add(write(f, m), []byte("ACGTNNACGTA"))
	}
	f.Fuzz(func(t *testing.T, data, x []byte) {
		for _, file := range [][]byte{data, sealed(data)} {
			m, err := Read(file)
			if err != nil {
				continue
			}
			again := read(t, write(t, m))
			c, err := m.Classifier(t.Context())
			if err != nil {
				continue
			}
			d := must.Get(again.Classifier(t.Context()))(t)
			for _, y := range [][]byte{x, nil, []byte("A"), bytes.Repeat(x, 3)} {
				p, q := c.Decide(y), d.Decide(y)
				if p.Class != q.Class || !sameBits(p.Scores, q.Scores) {
					t.Fatalf("scores change in a round trip: %v, then %v", p, q)
				}
			}
		}
	})
}

// sealed returns the file with every checksum it can find corrected, and sizes cut to the bytes that exist.
func sealed(data []byte) []byte {
	if len(data) < prologueSize {
		return data
	}
	out := bytes.Clone(data)
	copy(out, magic)
	binary.LittleEndian.PutUint32(out[8:], FormatVersion)
	rest := out[prologueSize:]
	text := rest[:min(int64(len(rest)), int64(binary.LittleEndian.Uint32(out[12:])))]
	body := rest[len(text):]
	body = body[min(int64(len(body)), padding(int64(prologueSize+len(text)))):]

	var h map[string]json.RawMessage
	var entries []arrayEntry
	if json.Unmarshal(text, &h) == nil && json.Unmarshal(h["arrays"], &entries) == nil {
		for i, e := range entries {
			if size := width(e.Type); size > 0 && e.Offset >= 0 && e.Offset <= int64(len(body)) && e.Count >= 0 &&
				e.Count <= (int64(len(body))-e.Offset)/size {
				entries[i].CRC = crc32.Checksum(body[e.Offset:e.Offset+e.Count*size], castagnoli)
			}
		}
		h["arrays"], _ = json.Marshal(entries)
		if edited, err := json.Marshal(h); err == nil {
			text = edited
		}
	}
	head := binary.LittleEndian.AppendUint32(out[:12:12], uint32(len(text)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(text, castagnoli))
	head = append(head, text...)
	head = append(head, make([]byte, padding(int64(len(head))))...)
	return append(head, body...)
}

// The repair must work, or the fuzzer would test nothing but checksums.
func TestSealedModelsAreRead(t *testing.T) {
	for _, m := range []*Model{tinySpectrum(t), tinySubstring(t), sketched(t)} {
		data := write(t, m)
		end := len(data) - 1
		data[end] ^= 1 // the exponent of a coefficient, or the high byte of an offset
		data[16] ^= 1
		if _, err := Read(data); err == nil {
			t.Fatal("a damaged model is read")
		}
		if m.Compiled() {
			if err := load(sealed(data)); err != nil {
				t.Errorf("%v", err)
			}
		}
	}
}
