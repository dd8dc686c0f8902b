package genomic

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
)

// mostCopies keeps ids and memory in bounds.
const mostCopies = 10_000

// negativesOptions are the options of genome negatives.
type negativesOptions struct {
	input.Reading
	shuffle        bool
	k, copies      int
	genome         string
	positives      string
	exclude        []string
	matcher        background.Matcher
	output         cli.Output
	negativesBED   cli.Output
	positivesFASTA cli.Output
	report         cli.Output
	format         string // of the report
}

// Negatives is the command genome negatives.
func Negatives() cli.Options { return new(negativesOptions) }

func (o *negativesOptions) Flags(f *cli.Flags) {
	f.Section("Shuffle")
	f.Bool(&o.shuffle, "shuffle", "shuffle the operands")
	f.Int(&o.k, "kmer", 2, "length of the k-mers whose counts are kept, 1 for letters alone").Between(1, 32)
	f.Int(&o.copies, "copies", 1, "number of shuffles of each sequence").Between(1, mostCopies)
	f.Section("Genome")
	f.String(&o.genome, "genome", "", "FASTA `FILE` of the genome, with or without an index beside it").Reads(&o.genome)
	f.String(&o.positives, "positives", "", "`FILE` of the positives, BED or FASTA").Reads(&o.positives)
	f.Strings(&o.exclude, "exclude", "BED `FILE` of regions to avoid").ReadsAll(func() []string { return o.exclude })
	f.Float64(&o.matcher.Ratio, "ratio", background.Usual.Ratio, "windows per positive")
	f.Float64(&o.matcher.GC, "gc-tolerance", background.Usual.GC, "largest difference of the shares of G and C, and "+
		"of soft-masked letters").Between(0, 1)
	f.File(&o.negativesBED, "negatives-bed", "`FILE` for the windows as BED").Holds(cli.BED)
	f.File(&o.positivesFASTA, "positives-fasta", "`FILE` for the positives' sequences, with label=pos").Holds(cli.FASTA)
	f.File(&o.report, "report", "`FILE` for the report of the match").Holds(cli.ByFormat)
	o.Reading.Flags(f)
	f.FormatOf(&o.format, "format of the report: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "FASTA `FILE` to write").Holds(cli.FASTA)
}

// Options of negatives that apply to one of its two methods.
var (
	shuffleOptions = []string{"kmer", "copies", "input"}
	genomeOptions  = []string{"positives", "exclude", "ratio", "gc-tolerance", "negatives-bed",
		"positives-fasta", "report", "format"}
)

func (o *negativesOptions) Run(c *cli.Call) error {
	switch {
	case o.shuffle == (o.genome != ""):
		return cli.Usagef("give --shuffle or --genome")
	case o.shuffle:
		if err := c.Refuse("--shuffle", genomeOptions...); err != nil {
			return err
		}
		return o.shuffleRecords(c)
	case len(c.Args) > 0:
		return cli.Usagef("operand %.80q with --genome, want --positives FILE", c.Args[0])
	case o.positives == "":
		return cli.Usagef("--positives is required: a BED or FASTA file")
	}
	if err := c.Refuse("--genome", shuffleOptions...); err != nil {
		return err
	}
	return o.match(c)
}

func (o *negativesOptions) shuffleRecords(c *cli.Call) error {
	r, err := input.NewReader(c, &o.Reading, o.Alphabet)
	if err != nil {
		return err
	}
	r.Options.RepeatedIDs = false
	positives, err := r.Unlabelled()
	if err != nil {
		return err
	}
	s, err := o.shuffling(c, positives)
	if err != nil {
		return err
	}
	if err := o.output.Write(s.write); err != nil {
		return err
	}
	s.warn()
	return nil
}

// shuffling checks that records can be shuffled.
func (o *negativesOptions) shuffling(c *cli.Call, positives *input.Records) (*shuffling, error) {
	if err := wantShuffled(positives); err != nil {
		return nil, err
	}
	alphabet := cmp.Or(o.Alphabet, positives.DetectAlphabet())
	s := &shuffling{context: c, positives: positives, copies: o.copies,
		Shuffler: background.Shuffler{K: o.k, Alphabet: alphabet}}
	if err := s.Check(); err != nil {
		return nil, cli.InFile(positives.Source(), err)
	}
	if !isText(positives) { // ids of text are line numbers and not written
		if err := positives.WantDistinctIDs("a shuffle's id"); err != nil {
			return nil, err
		}
	}
	input.WarnShareOutside(c, seqio.ShareOutside(positives.Corpus, alphabet), positives.Source(), alphabet)
	return s, nil
}

// warn reports unchanged and invalid shuffles.
func (s *shuffling) warn() {
	all := s.copies * s.positives.Corpus.Len()
	if s.unchanged > 0 {
		s.context.Warn("%d of %d shuffles equal their sequence: it has no other arrangement, or few, with the same "+
			"k-mers of %d letters",
			s.unchanged, all, s.K)
	}
	if s.torn > 0 {
		s.context.Warn("%d of %d shuffles are not UTF-8, since bytes are shuffled and not characters; read them "+
			"with --input encoding=bytes", s.torn, all)
	}
}

// shuffling writes shuffles a batch at a time.
type shuffling struct {
	background.Shuffler
	context   *cli.Call
	positives *input.Records
	copies    int
	unchanged int
	torn      int // that are not UTF-8
}

// batchLetters is the approximate size of a batch.
const batchLetters = 1 << 22

func (s *shuffling) write(w io.Writer) error {
	f := fastaWriter{out: w, label: input.Negative}
	end := s.positives.Corpus.Len() * s.copies
	s.context.Stage("shuffling")
	for lo := 0; lo < end; {
		s.context.Show(float64(lo)/float64(end), "%d of %d shuffles", lo, end)
		hi, letters := lo, 0
		for ; hi < end && letters < batchLetters; hi++ {
			letters += 1 + len(s.positives.Corpus.Seq(hi/s.copies)) // 1 for the id
		}
		if err := s.writeBatch(&f, lo, hi); err != nil {
			return err
		}
		lo = hi
	}
	return f.flush()
}

// writeBatch writes shuffles lo … hi−1, counted over the copies of each record and all records.
func (s *shuffling) writeBatch(f *fastaWriter, lo, hi int) error {
	seed := s.context.Seed
	shuffles := make([][]byte, hi-lo)
	err := parallel.Do(s.context.Context, len(shuffles), func(j int) error {
		i, copy := (lo+j)/s.copies, (lo+j)%s.copies
		shuffles[j] = s.ShuffleTo(nil, s.positives.Corpus.Seq(i), background.NewRand(seed, i, copy))
		return nil
	})
	text := isText(s.positives)
	for j, x := range shuffles {
		if err != nil {
			return err
		}
		i, copy := (lo+j)/s.copies, (lo+j)%s.copies
		if string(x) == string(s.positives.Corpus.Seq(i)) {
			s.unchanged++
		}
		if text {
			if !utf8.Valid(x) {
				s.torn++
			}
			_, err = fmt.Fprintf(f.out, "%s\n", x)
			continue
		}
		id := fmt.Sprintf("%s.shuffle%d", s.positives.Corpus.Name(i), copy+1)
		err = f.add(id, x, description(s.positives, i))
	}
	return err
}

// wantShuffled returns an error if the records of a file could not be written after shuffling.
func wantShuffled(r *input.Records) error {
	for _, s := range r.Sets {
		if s.Format.Text() && s.Format != seqio.Lines {
			return fmt.Errorf("%s: %s is not shuffled, want FASTA, FASTQ or text, a record per line", s.Source,
				s.Format)
		}
	}
	return nil
}

// isText reports whether all files are text with a record per line; their shuffles are text too.
func isText(r *input.Records) bool {
	return !slices.ContainsFunc(r.Sets, func(s *seqio.Set) bool { return s.Format != seqio.Lines })
}

// description returns the description of record i without its label=X.
func description(r *input.Records, i int) string {
	set, j := r.Locate(i)
	if set.Descriptions == nil {
		return ""
	}
	words := slices.DeleteFunc(strings.Fields(set.Descriptions[j]),
		func(word string) bool { return strings.HasPrefix(word, "label=") })
	return strings.Join(words, " ")
}
