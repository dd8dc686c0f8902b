package tagging

import (
	"encoding/binary"
	"hash/crc32"
)

// resum gives damaged bytes a right checksum, so that what comes after it is tried.
func resum(data []byte) []byte {
	if len(data) < 4 {
		return data
	}
	body := data[: len(data)-4 : len(data)-4]
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, castagnoli))
}
