package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

// checkpointEvery is the least time between two states that are kept.
var checkpointEvery = time.Minute // a variable for tests

// checkCheckpoint returns an error if the file of --checkpoint cannot be written, which is not to be known only after a
// minute of training.
func (o *streamOptions) checkCheckpoint() error {
	if o.checkpoint == "" {
		return nil
	}
	file, err := atomicfile.Create(o.checkpoint)
	if err != nil {
		return err
	}
	file.Abort()
	return nil
}

// checkpoint returns where the state of a machine is kept; part names the records that it is trained on, "" for all.
func (s *streamed) checkpoint(machine int, part string) *svm.Checkpoint {
	file := s.checkpointFile(machine)
	s.begun.add(file)
	return &svm.Checkpoint{Store: file, Name: s.o.kernel.describe(s.call) + part, Every: checkpointEvery}
}

// begunStates are files of machines that had no state when a run came to them. Machines are trained beside one another:
// where the state of one is another run's, those of others that had none would be in its way.
type begunStates struct {
	lock  sync.Mutex
	files []checkpointFile
}

// add adds a file if it does not exist.
func (b *begunStates) add(file checkpointFile) {
	if _, err := os.Stat(string(file)); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.files = append(b.files, file)
}

// remove removes the files.
func (b *begunStates) remove() (failed error) {
	for _, file := range b.files {
		if err := os.Remove(string(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// checkpointError adds to the error of a state that does not fit the name of its file, and what to do. It removes the
// states that the run has begun. Of an interrupt it says where the state is.
func (s *streamed) checkpointError(err error) error {
	if _, missing := os.Stat(s.stream.checkpoint); err != nil && missing == nil && s.call.Context.Err() != nil {
		s.call.Say("seqsvm: the state is in %s: the same command goes on from there", s.stream.checkpoint)
	}
	var refused *svm.CheckpointError
	if !errors.As(err, &refused) {
		return err
	}
	if err := s.begun.remove(); err != nil {
		return err
	}
	return cli.InFile(fmt.Sprint(refused.Store), fmt.Errorf("the checkpoint does not fit: %w: repeat the command that "+
		"wrote it, or remove it or name another --checkpoint to begin anew", refused.Err))
}

// checkpointFile names the file of a machine.
func (s *streamed) checkpointFile(machine int) checkpointFile {
	name := s.stream.checkpoint
	if machine > 0 {
		name = fmt.Sprintf("%s.%d", name, machine+1)
	}
	return checkpointFile(name)
}

// removeCheckpoints removes the states of the machines of a model that has been written.
func (s *streamed) removeCheckpoints(machines int) error {
	if s.stream.checkpoint == "" {
		return nil
	}
	for m := range machines {
		if err := os.Remove(string(s.checkpointFile(m))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkpointFile is a file with a state.
type checkpointFile string

// Open opens the file.
func (f checkpointFile) Open() (io.ReadCloser, error) { return os.Open(string(f)) }

// Write replaces the file.
func (f checkpointFile) Write(write func(w io.Writer) error) error {
	return atomicfile.WriteTo(string(f), write)
}
