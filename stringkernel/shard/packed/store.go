package packed

import (
	"bytes"
	"io"
)

// store keeps blocks, one after another.
type store interface {
	// add keeps the next block, whose parts follow one another.
	add(parts [][]byte) error
	// complete keeps what add has not kept yet.
	complete() error
	// read returns a block: in data, which it makes long enough, or where the store has it, not to be written to.
	read(data []byte, at place) ([]byte, error)
	// lasting reports whether what read returns stays as it is.
	lasting() bool
	io.Closer
	// wrap says where an error was met.
	wrap(err error) error
}

// memory is a store in memory.
type memory struct{ blocks [][]byte }

func (m *memory) add(parts [][]byte) error {
	m.blocks = append(m.blocks, bytes.Join(parts, nil))
	return nil
}

func (m *memory) complete() error { return nil }

func (m *memory) read(_ []byte, at place) ([]byte, error) {
	if at.number >= len(m.blocks) {
		return nil, io.EOF
	}
	return m.blocks[at.number], nil
}

func (m *memory) lasting() bool { return true }

// Close forgets the blocks.
func (m *memory) Close() error {
	m.blocks = nil
	return nil
}

func (m *memory) wrap(err error) error { return err }
