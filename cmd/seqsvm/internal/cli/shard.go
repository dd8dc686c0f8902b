package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/shards"
)

// Shard is the option --shard: the output has some of the pieces of an undivided run, and a note beside it.
type Shard struct {
	shards.Place
	*shards.Writer // after Begin
	text           string
	note           *Output
}

// Flags binds the option.
func (s *Shard) Flags(f *Flags) {
	f.Section(OfOutput)
	f.String(&s.text, "shard", "", "write the part `I/N` of the result, from 1, for model merge; what it is stands in "+
		"OUTPUT"+shards.Suffix)
}

// Given reports whether the option is given.
func (s *Shard) Given() bool { return s.text != "" }

// Check checks the option, and opens the note beside the output of the command.
func (s *Shard) Check(c *Call, output *Output) (err error) {
	if !s.Given() {
		return nil
	}
	if s.Place, err = shards.ParsePlace(s.text); err != nil {
		return Usagef("--shard %w", err)
	}
	if isStandard(output.Path()) {
		return Usagef("--shard needs --output FILE: what the shard is stands beside it, in FILE%s", shards.Suffix)
	}
	s.note = output.Beside(shards.Suffix)
	return c.Create(s.note)
}

// Begin begins to write the shard to the output.
func (s *Shard) Begin(w io.Writer) { s.Writer = shards.NewWriter(w, s.Place) }

// ofRun are the options that no result depends on, or by name alone.
var ofRun = []string{"--output", "--shard", "--model", "--genome", "--left-out", "--threads", "--max-memory", "--quiet",
	"--verbose"}

// End writes the note, of a run with that many pieces in all. files are those that the result depends on; more says
// what it depends on besides these, the command, and its options.
func (s *Shard) End(c *Call, all int, files []string, more ...shards.Value) error {
	run := shards.Run{{Name: "command", Value: c.command}, {Name: c.App.Name, Value: c.App.Version}}
	for _, v := range c.Settings() {
		if !slices.Contains(ofRun, v.Name) {
			run = append(run, v)
		}
	}
	var digests []string
	for _, path := range files {
		if path == "-" {
			continue
		}
		digest, err := digestOf(path)
		if err != nil {
			return err
		}
		digests = append(digests, digest)
	}
	if len(digests) > 0 {
		run = append(run, shards.Value{Name: "model", Value: strings.Join(digests, " ")})
	}
	note := s.Note(append(run, more...), all)
	return s.note.Write(note.Write)
}

// digestOf returns the SHA-256 of a file.
func digestOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
