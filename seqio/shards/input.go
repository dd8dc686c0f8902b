package shards

import (
	"fmt"
	"hash/crc32"
)

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
