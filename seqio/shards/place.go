package shards

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Place is the place of a shard among those of a run.
type Place struct {
	Number int `json:"shard"` // from 1
	Of     int `json:"of"`    // number of shards
}

// most bounds the number of shards of a run.
const most = 1_000_000

// ParsePlace reads a place as in 2/8.
func ParsePlace(text string) (Place, error) {
	number, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(number)
	n, errOf := strconv.Atoi(of)
	p := Place{i, n}
	if err != nil || errOf != nil || p.check() != nil {
		return Place{}, fmt.Errorf("%q, want I/N with 1 ≤ I ≤ N, as in 2/8", text)
	}
	return p, nil
}

// check returns an error unless it is a place.
func (p Place) check() error {
	if p.Number < 1 || p.Number > p.Of || p.Of > most {
		return fmt.Errorf("shard %d of %d", p.Number, p.Of)
	}
	return nil
}

// Has reports whether the shard has a piece (0-based).
func (p Place) Has(piece int) bool { return piece%p.Of == p.Number-1 }

// String is the place in words.
func (p Place) String() string { return fmt.Sprintf("shard %d of %d", p.Number, p.Of) }

// Stretch returns the part from … to − 1 of n things that is the shard's if they are one piece per shard: parts of
// sizes that differ by 1 at most, in order.
func (p Place) Stretch(n int) (from, to int) {
	least, more := n/p.Of, n%p.Of
	i := p.Number - 1
	from = i*least + min(i, more)
	to = from + least
	if i < more {
		to++
	}
	return from, to
}

// Input is a checksum of records that are read in order, each in any number of parts. The zero value has none.
type Input struct {
	records, letters int64
	crc              uint32
}

// Begin begins a record.
func (in *Input) Begin(id string) {
	in.records++
	in.crc = crc32.Update(in.crc, castagnoli, append([]byte(id), 0))
}

// Add takes letters of the record.
func (in *Input) Add(letters []byte) {
	in.letters += int64(len(letters))
	in.crc = crc32.Update(in.crc, castagnoli, letters)
}

// String is the checksum.
func (in *Input) String() string {
	return fmt.Sprintf("%d records, %d letters, checksum %08x", in.records, in.letters, in.crc)
}
