//go:build js && wasm

package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"syscall/js"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/serve"
)

func main() {
	var b browser
	js.Global().Set("seqsvmOpen", promising(func(args []js.Value) (any, error) {
		content := make([]byte, args[1].Get("length").Int())
		js.CopyBytesToGo(content, args[1])
		return nil, b.open(args[0].String(), content)
	}))
	js.Global().Set("seqsvmAnswer", promising(func(args []js.Value) (any, error) {
		return b.answer(args[0].String(), args[1].String(), args[2].String())
	}))
	select {}
}

// browser has the models that were opened, the last first.
type browser struct {
	mu      sync.Mutex
	models  []serve.Source
	service *serve.Service
}

// open adds a model, or replaces that of the same name.
func (b *browser) open(name string, content []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	models := []serve.Source{{Name: name, Path: name, Read: func(string) (*model.Model, error) {
		return model.Read(content)
	}}}
	for _, m := range b.models {
		if m.Name != name {
			models = append(models, m)
		}
	}
	service, err := serve.New(context.Background(), models, serve.Options{})
	if err == nil {
		b.models, b.service = models, service
	}
	return err
}

// answer answers a request as the service does.
func (b *browser) answer(method, path, body string) (any, error) {
	b.mu.Lock()
	service := b.service
	b.mu.Unlock()
	if service == nil {
		return nil, errors.New("no model has been opened")
	}
	r, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "text/plain")
	w := response{header: http.Header{}, status: http.StatusOK}
	service.ServeHTTP(&w, r)
	return map[string]any{"status": w.status, "body": w.body.String()}, nil
}

// response keeps an answer.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(status int)      { r.status = status }
func (r *response) Write(p []byte) (int, error) { return r.body.Write(p) }

// promising makes a function for scripts that returns a promise; f runs beside the page, which would not answer
// otherwise.
func promising(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		executor := js.FuncOf(func(_ js.Value, promise []js.Value) any {
			go func() {
				value, err := f(args)
				if err != nil {
					promise[1].Invoke(js.Global().Get("Error").New(err.Error()))
					return
				}
				promise[0].Invoke(value)
			}()
			return nil
		})
		defer executor.Release()
		return js.Global().Get("Promise").New(executor)
	})
}
