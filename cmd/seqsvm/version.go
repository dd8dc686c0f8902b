package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// versionOptions are the options of version.
type versionOptions struct {
	format string
	output cli.Output
}

func versionCommand() *cli.Command {
	o := new(versionOptions)
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version, and what it was built from",
		Example:     "seqsvm version --format json",
		Description: "Commit and date are those of the source, where the build knew them.",
		Flags: func(f *cli.Flags) {
			f.FormatOf(&o.format, "format: tsv or json (docs/json.md)", cli.TSV, cli.JSON)
			f.Output(&o.output, "output,o", "`FILE` to write")
		},
		Run: o.run,
	}
}

// What releases have the linker set, since they are built from archives and copies too.
var commit, date string

// build is what a program was built from.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // "" if it is not known
	Date     string `json:"date"`     // of the commit, as in RFC 3339
	Modified bool   `json:"modified"` // other files than those of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newBuild(info *debug.BuildInfo) build {
	b := build{
		Version: seqsvm.Version, Commit: commit, Date: date,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func (o *versionOptions) run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	info, known := debug.ReadBuildInfo()
	if !known {
		info = new(debug.BuildInfo)
	}
	b := newBuild(info)
	return o.output.WriteAs(o.format, b, func(t *cli.Table) {
		for _, row := range [][2]any{{"version", b.Version}, {"commit", b.Commit}, {"date", b.Date},
			{"modified", fmt.Sprint(b.Modified)}, {"go", b.Go}, {"platform", b.Platform}} {
			t.Row(row[0], row[1])
		}
	})
}
