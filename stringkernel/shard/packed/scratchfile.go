package packed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// scratchFile is a file that is removed at once, or when it is closed.
type scratchFile struct {
	*os.File
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
	return &scratchFile{file, folder, os.Remove(file.Name()) != nil}, nil
}

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
