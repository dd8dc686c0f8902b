package main

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm"
)

// The commit and its date are those of the build.
func TestBuild(t *testing.T) {
	b := newBuild(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"},
		{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"}}})
	if b.Commit != "abc" || b.Date != "2026-01-02T03:04:05Z" || !b.Modified {
		t.Errorf("%+v", b)
	}
	var printed build
	if err := json.Unmarshal([]byte(mustTool(t, "version", "--format", "json")), &printed); err != nil {
		t.Fatal(err)
	}
	if printed.Version != seqsvm.Version || !strings.HasPrefix(printed.Go, "go") {
		t.Errorf("%+v", printed)
	}
}
