package packed

import "io"

// store is where blocks are, one after another.
type store interface {
	io.Writer
	io.ReaderAt
	io.Closer
	wrap(err error) error // says where an error was met
}

// chunkBytes is the size of a write, the last one apart.
const chunkBytes = 1 << 20

// memory is a store in memory, in pieces that never move.
type memory struct{ chunks [][]byte }

// Write keeps a copy of what is written.
func (m *memory) Write(data []byte) (n int, err error) {
	for n < len(data) {
		last := len(m.chunks) - 1
		if last < 0 || len(m.chunks[last]) == chunkBytes {
			m.chunks = append(m.chunks, make([]byte, 0, chunkBytes))
			continue
		}
		chunk := m.chunks[last]
		some := copy(chunk[len(chunk):chunkBytes], data[n:])
		m.chunks[last] = chunk[:len(chunk)+some]
		n += some
	}
	return n, nil
}

// ReadAt implements [io.ReaderAt].
func (m *memory) ReadAt(dst []byte, at int64) (n int, err error) {
	for n < len(dst) {
		index, from := int((at+int64(n))/chunkBytes), int((at+int64(n))%chunkBytes)
		if index >= len(m.chunks) || from >= len(m.chunks[index]) {
			return n, io.EOF
		}
		n += copy(dst[n:], m.chunks[index][from:])
	}
	return n, nil
}

// Close forgets the blocks.
func (m *memory) Close() error {
	m.chunks = nil
	return nil
}

func (m *memory) wrap(err error) error { return err }
