package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// loaded is a model that is ready. It never changes: a file that does is loaded anew.
type loaded struct {
	name       string
	file       *model.Model
	classifier *decide.Classifier
	explains   bool
	spans      func(x []byte, visit func(lo, hi int)) // units of contributions, see answer.UnitsOf
	at         time.Time
}

// load reads a model file and makes it ready, which completes its checks.
func (s Source) load(ctx context.Context) (*loaded, error) {
	read := s.Read
	if read == nil {
		read = model.ReadFile
	}
	file, err := read(s.Path)
	if err != nil {
		return nil, err
	}
	classifier, err := file.Classifier(ctx)
	if err == nil {
		err = stringkernel.Prepare(ctx, classifier.Scorer)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	if columns := file.Kernel.Columns(); len(columns) > 0 {
		return nil, fmt.Errorf("%s: the model compares columns of numbers, %q, which requests have not", s.Path, columns)
	}
	if classifier.Labelling() == dataset.NoLabels {
		return nil, fmt.Errorf("%s: the model has components, which predict nothing", s.Path)
	}
	return &loaded{
		name: s.Name, file: file, classifier: classifier, at: time.Now(),
		explains: stringkernel.ExplainerOf(classifier.Scorer) != nil, spans: answer.UnitsOf(file.Kernel.Terms),
	}, nil
}

// shelf has a model that is served, and what is known of its file.
type shelf struct {
	source  Source
	current atomic.Pointer[loaded]

	reloading sync.Mutex
	seen      os.FileInfo // when it was read last; nil if it was not there
}

// same reports whether a file is as it was.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// reload loads the model again if its file has changed, and reports whether it had. On an error the old one stays,
// until the file changes again.
func (h *shelf) reload(ctx context.Context) (changed bool, err error) {
	h.reloading.Lock()
	defer h.reloading.Unlock()
	info, err := os.Stat(h.source.Path)
	if same(info, h.seen) {
		return false, nil
	}
	return true, h.load(ctx, info, err)
}

// load loads the model from a file with that state, or that error of it.
func (h *shelf) load(ctx context.Context, info os.FileInfo, err error) error {
	h.seen = info
	if err != nil {
		return err
	}
	fresh, err := h.source.load(ctx)
	if err == nil {
		h.current.Store(fresh)
	}
	return err
}

// openShelves loads the models for the first time.
func openShelves(ctx context.Context, models []Source) ([]*shelf, error) {
	if len(models) == 0 {
		return nil, errors.New("serve: no model")
	}
	var shelves []*shelf
	names := map[string]string{}
	for _, source := range models {
		if source.Name == "" {
			return nil, fmt.Errorf("serve: no name for the model %s", source.Path)
		}
		if other, twice := names[source.Name]; twice {
			return nil, fmt.Errorf("serve: the models %s and %s have the same name, %s", other, source.Path,
				source.Name)
		}
		names[source.Name] = source.Path
		h := &shelf{source: source}
		info, _ := os.Stat(source.Path) // whether it is there, Read says
		if err := h.load(ctx, info, nil); err != nil {
			return nil, err
		}
		shelves = append(shelves, h)
	}
	return shelves, nil
}

// Reload loads the models again whose files have changed. Each takes the place of the old one when it is ready; on an
// error, which is logged and counted, the old one stays.
func (s *Service) Reload(ctx context.Context) {
	for _, h := range s.shelves {
		changed, err := h.reload(ctx)
		name := h.source.Name
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.metrics.reloads.add(1, name, "failed")
			s.log.Error("model not reloaded, the old one stays", "model", name, "error", err)
		case changed:
			s.metrics.reloads.add(1, name, "loaded")
			s.log.Info("model reloaded", "model", name, "file", h.source.Path)
		}
	}
}

// Watch calls [Service.Reload] again and again until ctx ends.
func (s *Service) Watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.Reload(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// named finds a model by its name, "" for the only one.
func (s *Service) named(name string) (*loaded, error) {
	if name == "" && len(s.shelves) == 1 {
		return s.shelves[0].current.Load(), nil
	}
	names := make([]string, len(s.shelves))
	for i, h := range s.shelves {
		if names[i] = h.source.Name; names[i] == name {
			return h.current.Load(), nil
		}
	}
	if name == "" {
		return nil, refusef(http.StatusBadRequest, "no model, want one of: %s", strings.Join(names, ", "))
	}
	return nil, refusef(http.StatusNotFound, "model %.60q, want one of: %s%s", name, strings.Join(names, ", "),
		suggest.Hint(name, names))
}

// modelJSON describes a model.
type modelJSON struct {
	Model    string                `json:"model"`
	Kernel   string                `json:"kernel"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`
	Scheme   string                `json:"scheme"`
	Classes  []string              `json:"classes"`
	Positive string                `json:"positive,omitempty"` // of two classes, the one that scores above 0 speak for
	N        int                   `json:"n"`                  // records of training
	Window   int                   `json:"window,omitempty"`   // letters that every record must have
	Explains bool                  `json:"explains"`           // contributions are known
	Loaded   time.Time             `json:"loaded"`
}

func (m *loaded) describe() modelJSON {
	rule := &m.classifier.Rule
	out := modelJSON{
		Model: m.name, Kernel: m.file.Kernel.String(), Alphabet: m.file.Kernel.Alphabet(), Scheme: rule.Scheme,
		Classes: rule.Classes, N: m.file.Training.Sequences, Explains: m.explains, Loaded: m.at.UTC(),
		Window: stringkernel.WindowLength(m.classifier.Scorer),
	}
	if len(rule.Classes) == 2 {
		out.Positive = rule.Classes[rule.Positive]
	}
	return out
}

// listModels answers with the models.
func (s *Service) listModels(w *watchedWriter, _ *http.Request) error {
	list := make([]modelJSON, len(s.shelves))
	for i, h := range s.shelves {
		list[i] = h.current.Load().describe()
	}
	return writeJSON(w, map[string]any{"models": list})
}

// logger is where messages go, nowhere if there is none.
func logger(log *slog.Logger) *slog.Logger { return cmp.Or(log, slog.New(slog.DiscardHandler)) }
