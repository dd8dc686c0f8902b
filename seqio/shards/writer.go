package shards

import (
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// castagnoli is the polynomial of CRC-32C, which processors compute.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Writer writes a shard: its head, then EndHead; its pieces, with EndPiece after each.
type Writer struct {
	w     io.Writer
	crc   hash.Hash32
	bytes int64 // since the end of the last piece
	note  Note
}

// NewWriter begins a shard.
func NewWriter(w io.Writer, place Place) *Writer {
	return &Writer{w: w, crc: crc32.New(castagnoli), note: Note{Place: place, Pieces: []int64{}}}
}

// Write writes a part of the head or of a piece.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.crc.Write(p[:n])
	w.bytes += int64(n)
	return n, err
}

// EndHead ends the head. whole is the head of the undivided run, nil if it is the same.
func (w *Writer) EndHead(whole []byte) {
	w.note.HeadBytes, w.note.Head, w.bytes = w.bytes, whole, 0
}

// EndPiece ends a piece.
func (w *Writer) EndPiece() {
	w.note.Pieces = append(w.note.Pieces, w.bytes)
	w.bytes = 0
}

// Note returns what has been written, as a shard of a run with that many pieces in all.
func (w *Writer) Note(run Run, all int) *Note {
	n := w.note
	n.Run, n.All, n.Checksum = run, all, checksum(w.crc)
	return &n
}

func checksum(crc hash.Hash32) string { return fmt.Sprintf("%08x", crc.Sum32()) }
