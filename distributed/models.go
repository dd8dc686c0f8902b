package distributed

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
)

// once keeps what is made once per process, by name, while workers ask for the same.
type once[T any] struct {
	mutex sync.Mutex
	name  string
	value T
	made  bool
}

// get returns the value of a name. That of another name is dropped. An error is not kept.
func (o *once[T]) get(name string, make func() (T, error)) (T, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.made && o.name == name {
		return o.value, nil
	}
	var err error
	o.value, err = make()
	o.name, o.made = name, err == nil
	return o.value, err
}

// loaded is a model that is ready to use.
type loaded struct {
	file       *model.Model
	classifier *decide.Classifier
}

var models once[loaded]

// loadModel reads a model, or returns the one that this process has of that run.
func loadModel(ctx context.Context, path, run string) (loaded, error) {
	return models.get(path+"\x00"+run, func() (m loaded, err error) {
		err = read(ctx, path, 0, 0, func(r io.Reader) error {
			in, err := seqio.Decompress(r, path)
			if err != nil {
				return err
			}
			defer in.Close()
			if m.file, err = model.ReadFrom(in); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			m.classifier, err = m.file.Classifier(ctx)
			return err
		})
		return m, err
	})
}
