package packed

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// writeBytes is the size of a write, the last one apart.
const writeBytes = 1 << 20

// scratchFile is a file that is removed at once, or when it is closed.
type scratchFile struct {
	*os.File
	to     *bufio.Writer
	folder string
	named  bool // still in the folder
}

func createScratch(folder string) (*scratchFile, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	file, err := os.CreateTemp(folder, "seqsvm-*.scratch")
	if err != nil {
		return nil, fmt.Errorf("scratch file: %w", err)
	}
	to := bufio.NewWriterSize(file, writeBytes)
	return &scratchFile{file, to, folder, os.Remove(file.Name()) != nil}, nil
}

func (s *scratchFile) add(parts [][]byte) error {
	for _, part := range parts {
		if _, err := s.to.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func (s *scratchFile) complete() error { return s.to.Flush() }

func (s *scratchFile) read(data []byte, at place) ([]byte, error) {
	data = scratch.Resize(data, int(at.to-at.from))
	_, err := s.ReadAt(data, at.from)
	return data, err
}

func (s *scratchFile) lasting() bool { return false }

// wrap says what an error of the file is about.
func (s *scratchFile) wrap(err error) error {
	return fmt.Errorf("scratch file in %s: %w", s.folder, unnamed(err))
}

// unnamed leaves the name of the file, which is gone or means nothing, out of an error.
func unnamed(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Close closes the file and removes it.
func (s *scratchFile) Close() error {
	err := s.File.Close()
	if s.named {
		s.named = false
		os.Remove(s.Name())
	}
	return err
}
