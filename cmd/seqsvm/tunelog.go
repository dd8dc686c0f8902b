package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
)

// logOptions are the table that tune writes as it goes, and whether it goes on from it.
type logOptions struct {
	path   string
	resume bool
}

func (o *logOptions) flags(f *cli.Flags) {
	f.String(&o.path, "table", "", "`FILE` for the metrics of every candidate and fold as soon as they are known")
	f.Bool(&o.resume, "resume", "go on from the rows of --table, of the same data and options, after an interruption")
}

func (o *logOptions) check(c *cli.Call) error {
	if o.resume && o.path == "" {
		return cli.Usagef("--resume without --table, want the file that the search wrote")
	}
	if strings.HasSuffix(o.path, ".gz") || strings.HasSuffix(o.path, ".zst") {
		return cli.Usagef("--table %s, want a name without .gz or .zst: rows are added one by one", o.path)
	}
	if o.path == "-" {
		return cli.Usagef("--table -, want a file: the table is read again by --resume")
	}
	return c.CheckOutput("table", o.path)
}

// open opens the table of --table; without that option, log is nil.
func (o *logOptions) open(c *cli.Call, t *tuning, folds ...[]int) (log *search.Log, err error) {
	if o.path == "" {
		return nil, nil
	}
	identity := search.Identity{
		{Name: "seqsvm", Value: seqsvm.Version}, {Name: "data", Value: model.Checksum(t.data.Corpus, t.records.Labels)},
		{Name: "folds", Value: checksum(folds)}, {Name: "settings", Value: t.settingsSum()},
	}
	names := make([]string, len(t.settings))
	for i, s := range t.settings {
		names[i] = strings.Join(strings.Fields(s.described), " ")
	}
	if o.resume {
		if log, err = search.ResumeLog(o.path, identity, names); err == nil {
			c.Say("seqsvm: %s has the results of %d candidates", o.path, log.Len())
		}
	} else {
		log, err = search.CreateLog(o.path, identity, names)
	}
	if errors.Is(err, search.ErrLogExists) {
		err = fmt.Errorf("%w already: --resume goes on from it, another name or its removal begins anew", err)
	}
	return log, cli.InFile(o.path, err)
}

// settingsSum is the checksum of all candidates.
func (t *tuning) settingsSum() string {
	h := crc32.NewIEEE()
	if t.search.By != search.Folds {
		io.WriteString(h, string(t.search.By)+"\n")
	}
	for _, s := range t.settings {
		io.WriteString(h, s.described+"\n")
		if s.first {
			json.NewEncoder(h).Encode(s.spec) // with the words of lists in files; a hash takes everything
		}
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

func checksum(value any) string {
	h := crc32.NewIEEE()
	fmt.Fprint(h, value)
	return fmt.Sprintf("%08x", h.Sum32())
}
