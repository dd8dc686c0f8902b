package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// badCase is a command line that must fail: with this exit code, nothing on standard output, no new file and one line
// on standard error that begins "seqsvm: " and holds all of want, in this order.
type badCase struct {
	files   map[string]string // besides those of goodFiles
	stdin   string
	prepare []string // command lines that succeed
	args    string   // separated by spaces
	code    int
	want    []string
}

// goodFiles are in every case's folder, and a model m.seqsvm trained on two.fa.
var goodFiles = map[string]string{
	"two.fa":   ">a1 A\nAAAAC\n>a2 A\nAACAA\n>a3 A\nACAAA\n>t1 T\nTTTTG\n>t2 T\nTTGTT\n>t3 T\nTGTTT\n",
	"three.fa": ">a1 A\nAAAAC\n>a2 A\nAACAA\n>g1 G\nGGGGC\n>g2 G\nGGCGG\n>t1 T\nTTTTG\n>t2 T\nTTGTT\n",
	"prot.fa":  ">p1 A\nMKWVTFIS\n>p2 A\nMKWVLLLL\n>q1 B\nGGPEEFRW\n>q2 B\nGGPEEFHH\n",
	"up.fa":    ">u1\nAAAAC\n>u2\nAACAA\n>u3\nACAAA\n",
	"down.fa":  ">d1\nTTTTG\n>d2\nTTGTT\n>d3\nTGTTT\n",
}

// TestBadCommandLines runs the lists of testdata/bad. A case is a command line and, after a tab, the exit code and the
// parts of the message with “ … ” between them. Lines before it may say what its folder has beside goodFiles and the
// files at the end of the list: NAME = "content", or a text times a number; stdin is standard input. A line that begins
// with $ is a command line that prepares the folder.
func TestBadCommandLines(t *testing.T) {
	lists, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists of bad command lines, %v", err)
	}
	for _, list := range lists {
		archive := must.Get(txtar.ParseFile(list))(t)
		shared := map[string]string{}
		for _, f := range archive.Files {
			shared[f.Name] = string(f.Data)
		}
		t.Run(filepath.Base(list), func(t *testing.T) {
			inGoodFolder(t)
			writeFiles(t, shared)
			for _, c := range readBadCases(t, string(archive.Comment)) {
				t.Run(c.args, func(t *testing.T) {
					if len(c.files)+len(c.prepare) > 0 { // a folder of its own
						inGoodFolder(t)
						writeFiles(t, shared)
						writeFiles(t, c.files)
					}
					for _, line := range c.prepare {
						mustTool(t, strings.Fields(line)...)
					}
					checkBad(t, c)
				})
			}
		})
	}
}

func readBadCases(t *testing.T, text string) (cases []badCase) {
	t.Helper()
	file := regexp.MustCompile(`^(\S+) = (".*?")(?: \* (\d+))?$`)
	c := badCase{files: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if result, is := strings.CutPrefix(line, "\t"); is {
			code, message, _ := strings.Cut(result, " ")
			c.code, c.want = number(t, code), strings.Split(message, " … ")
			cases, c = append(cases, c), badCase{files: map[string]string{}}
		} else if command, is := strings.CutPrefix(line, "$ "); is {
			c.prepare = append(c.prepare, command)
		} else if m := file.FindStringSubmatch(line); m != nil {
			content, err := strconv.Unquote(m[2])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if m[3] != "" {
				content = strings.Repeat(content, number(t, m[3]))
			}
			if m[1] == "stdin" {
				c.stdin = content
			} else {
				c.files[m[1]] = content
			}
		} else if line != "" && line[0] != '#' {
			c.args = line
		}
	}
	return cases
}

// Compressed inputs that hold nothing, are cut off or damaged.
func TestBrokenStreams(t *testing.T) {
	inGoodFolder(t)
	long := string(random(5000))
	gff := strings.Repeat("chr1\tx\texon\t1\t2\t.\t+\t.\tParent=t\n", 99)
	convert := "model convert FILE -o x.seqsvm"
	for _, c := range []struct{ file, content, args, want string }{
		{"e.fa.gz", string(gzipped(nil)), "cv --kernel spectrum FILE", "the file is empty"},
		{"e.fa.gz", half(gzipped([]byte(long))), "cv --kernel spectrum FILE", "gzip"},
		{"e.fa.gz", flipped(gzipped([]byte(long))), "cv --kernel spectrum FILE", "gzip"},
		{"e.fa.zst", half(zstded([]byte(long))), "cv --kernel spectrum FILE", "zstd"},
		{"e.fa.zst", flipped(zstded([]byte(long))), "cv --kernel spectrum FILE", "zstd"},
		{"-", half(gzipped(random(999))), "genome negatives --genome two.fa --positives FILE", ""},
		{"e.fa.gz", half(gzipped([]byte(long))), "scan -m m.seqsvm --window 4 FILE", "the gzip stream is cut off"},
		{"e.gff", half(gzipped([]byte(gff))), "genome windows --genome two.fa --annotation FILE --site donor",
			"the gzip stream"},
		{"e.gz", half(gzipped([]byte("svm_type c_svc\nkernel_type gkm_esttrunc\nL 4\nk 3\n"))), convert, "the gzip stream"},
		{"-", half(gzipped([]byte(strings.Repeat("a1\t1\t.\tA\tC\n", 99)))), "variants -m m.seqsvm --genome two.fa FILE",
			"the gzip stream"},
	} {
		bad := badCase{args: strings.Replace(c.args, "FILE", c.file, 1), code: cli.ExitFailed,
			want: []string{c.file + ": ", c.want}}
		if c.file == "-" {
			bad.stdin, bad.want[0] = c.content, "standard input: "
		} else {
			writeFiles(t, map[string]string{c.file: c.content})
		}
		checkBad(t, bad)
	}
}

// goodModel is m.seqsvm, once trained.
var goodModel []byte

// inGoodFolder changes to a new folder with the good files and the model.
func inGoodFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFiles(t, goodFiles)
	if goodModel == nil {
		mustTool(t, "train", "--kernel", "spectrum:k=2", "-o", "m.seqsvm", "two.fa")
		var err error
		if goodModel, err = os.ReadFile("m.seqsvm"); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, map[string]string{"m.seqsvm": string(goodModel)})
}

// checkBad runs a case in the current folder, which must be unchanged afterwards.
func checkBad(t *testing.T, c badCase) {
	t.Helper()
	before := listing(t, ".")
	r := tool(t, c.stdin, strings.Fields(c.args)...)
	if r.code != c.code {
		t.Errorf("exit code %d, want %d", r.code, c.code)
	}
	if r.out != "" {
		t.Errorf("standard output: %q", r.out)
	}
	checkMessage(t, r.err, c.want)
	if after := listing(t, "."); !maps.Equal(before, after) {
		t.Errorf("the folder has changed: %d files before, %d after", len(before), len(after))
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("%s is new or different", name)
			}
		}
	}
}

// checkMessage wants one line that holds the parts in order.
func checkMessage(t *testing.T, message string, parts []string) {
	t.Helper()
	rest, ok := strings.CutPrefix(message, "seqsvm: ")
	if !ok || strings.Count(message, "\n") != 1 || !strings.HasSuffix(message, "\n") {
		t.Errorf("not one line that begins with the tool's name: %q", message)
	}
	if strings.ContainsFunc(strings.TrimSuffix(message, "\n"), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Errorf("control characters: %q", message)
	}
	for _, part := range parts {
		var found bool
		if _, rest, found = strings.Cut(rest, part); !found {
			t.Errorf("message: %swant in it, in this order: %q", message, parts)
			return
		}
	}
	if testing.Verbose() {
		t.Logf("%s", message)
	}
}

// half cuts a file in the middle.
func half(data []byte) string { return string(data[:len(data)/2]) }

// flipped turns a bit in the middle of a file.
func flipped(data []byte) string {
	data[len(data)/2] ^= 0x10
	return string(data)
}

// random is a FASTA file of two records with n letters each that hardly compress further than to two bits a letter.
func random(n int) []byte {
	var b strings.Builder
	state := uint32(1)
	for _, header := range []string{">a A\n", ">b B\n"} {
		b.WriteString(header)
		for range n {
			state = state*1664525 + 1013904223
			b.WriteByte("ACGT"[state>>30])
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
