package serve

import (
	"bytes"
	"embed"
	"net/http"
	"time"
)

// files are the page, and the description of the API.
//
//go:embed page.html page.css page.js icon.svg openapi.json
var files embed.FS

// file returns a handler of one of the files.
func (s *Service) file(name, kind string) handler {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return func(w *watchedWriter, r *http.Request) error {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
		return nil
	}
}
