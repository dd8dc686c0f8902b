package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func negativesCommand() *cli.Command {
	return &cli.Command{
		Name:      "negatives",
		Usage:     "make negative sequences: shuffles, or windows of a genome that match the positives",
		ArgsUsage: "--shuffle POSITIVES.fa…  or  --genome REF.fa --positives FILE",
		Description: "--shuffle writes rearrangements of each sequence that keep the counts of all words of --k letters and of shorter ones, drawn uniformly from\n" +
			"all of them. Letters outside the alphabet (N) stay where they are; so do lower-case ones with --soft-mask break, else they become upper case.\n" +
			"Ids are those of the positives with .shuffle1, .shuffle2, … behind.\n" +
			"--genome writes windows of the genome as long as the positives, with GC and soft-masked (lower-case) letters in the same shares within the\n" +
			"tolerances, in random places and without unknown letters. They overlap neither positives nor --exclude nor each other. Positives are a BED file, or\n" +
			"FASTA with ids SEQ:START-END as bedtools getfasta or samtools faidx write them; one that is there twice counts once. Ids are SEQ:START-END\n" +
			"(1-based, inclusive), with the strand of the positive if it has one. What matches, and what could not be matched and why, is told on standard\n" +
			"error. Memory is half a byte per base of the genome.\n" +
			"Sequences are FASTA with label=neg, for train FILE… or --neg; shuffles of text, a record per line, are text, of which bytes are shuffled.",
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "shuffle", Usage: "shuffle the operands"},
			&cli.IntFlag{Name: "k", Value: 2, Usage: "shuffle: length of the words whose counts are kept, 1 for letters alone"},
			&cli.IntFlag{Name: "copies", Value: 1, Usage: "shuffle: how many of each sequence"},
			&cli.StringFlag{Name: "genome", Usage: "FASTA `FILE` of the genome, with an index beside it or without"},
			&cli.StringFlag{Name: "positives", Usage: "genome: `FILE` of the positives, BED or FASTA"},
			&cli.StringSliceFlag{Name: "exclude", Usage: "genome: BED `FILE` of pieces to stay out of"},
			&cli.Float64Flag{Name: "ratio", Value: 1, Usage: "genome: windows per positive"},
			&cli.Float64Flag{Name: "gc-tolerance", Value: 0.02, Usage: "genome: by how much the share of G and C may differ"},
			&cli.Float64Flag{Name: "repeat-tolerance", Value: 0.02, Usage: "genome: by how much the share of soft-masked letters may differ"},
			&cli.IntFlag{Name: "tries", Value: 100_000, Usage: "genome: places tried for a window before it is given up"},
			&cli.StringFlag{Name: "negatives-bed", Usage: "genome: `FILE` for the windows as BED"},
			&cli.StringFlag{Name: "positives-fasta", Usage: "genome: `FILE` for the positives' sequences, with label=pos"},
			&cli.StringFlag{Name: "report", Usage: "genome: `FILE` for the report of the match, tab-separated"},
			outputFlag("FASTA `FILE` to write, standard output by default"),
		}, readingFlags(), alphabetFlags(), sharedFlags()),
		Action: negatives,
	}
}

// Options of negatives that are for one way of making them.
var (
	shuffleOptions = []string{"k", "copies", "input", "keep-newline", "ambiguous", "alphabet", "soft-mask"}
	genomeOptions  = []string{"positives", "exclude", "ratio", "gc-tolerance", "repeat-tolerance", "tries", "negatives-bed", "positives-fasta", "report"}
)

func negatives(c *cli.Context) error {
	shuffle, genome := c.Bool("shuffle"), c.String("genome") != ""
	misplaced, way := genomeOptions, "--shuffle"
	if genome {
		misplaced, way = shuffleOptions, "--genome"
	}
	switch {
	case shuffle == genome:
		return usagef("want one of --shuffle and --genome")
	case genome && c.NArg() > 0:
		return usagef("operand %q beside --genome, want --positives FILE", c.Args().First())
	case genome && c.String("positives") == "":
		return usagef("no --positives, want a BED or FASTA file")
	}
	if c.Bool("keep-newline") {
		return usagef("--keep-newline would shuffle line ends")
	}
	if err := refuseOptions(c, way, misplaced...); err != nil {
		return err
	}
	if genome {
		return matchNegatives(c)
	}
	return shuffleNegatives(c)
}

// mostCopies keeps ids and memory in bounds.
const mostCopies = 10_000

func shuffleNegatives(c *cli.Context) error {
	if copies := c.Int("copies"); copies < 1 || copies > mostCopies {
		return usagef("--copies %d, want 1 to %d", copies, mostCopies)
	}
	if k := c.Int("k"); k < 1 || k > 32 {
		return usagef("--k %d, want 1 to 32", k)
	}
	alphabet, err := chosenAlphabet(c)
	if err != nil {
		return err
	}
	mask, err := softMask(c)
	if err != nil {
		return err
	}
	r, err := newReader(c, model.Input{SoftMask: mask}, alphabet)
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	positives, err := r.unlabelled()
	if err != nil {
		return err
	}
	if err := positives.wantShuffled(); err != nil {
		return err
	}
	if alphabet == "" {
		alphabet = positives.collection.DetectAlphabet()
	}
	s := shuffling{context: c, positives: positives, copies: c.Int("copies"), Shuffler: background.Shuffler{K: c.Int("k"), Alphabet: alphabet}}
	if err := s.Check(); err != nil {
		return inFile(positives.source(), err)
	}
	if !positives.isText() { // whose ids, line numbers, are not written
		if err := positives.wantDistinctIDs("a shuffle's id"); err != nil {
			return err
		}
	}
	positives.warnOutside(c, alphabet)
	if err := out.write("output", s.write); err != nil {
		return err
	}
	if s.unchanged > 0 {
		warn(c, "%d of %d shuffles equal their sequence: it has no other arrangement, or few, with the same words of %d letters",
			s.unchanged, s.copies*positives.corpus.Len(), s.K)
	}
	if s.torn > 0 {
		warn(c, "%d of %d shuffles are not UTF-8, for bytes are shuffled and not characters; read them with --encoding bytes", s.torn, s.copies*positives.corpus.Len())
	}
	return out.commit()
}

// shuffling writes shuffles a batch at a time.
type shuffling struct {
	background.Shuffler
	context   *cli.Context
	positives *records
	copies    int
	unchanged int
	torn      int // that are not UTF-8
}

// batchLetters is about how many letters are made before they are written.
const batchLetters = 1 << 22

func (s *shuffling) write(w io.Writer) error {
	end := s.positives.corpus.Len() * s.copies
	for lo := 0; lo < end; {
		hi, letters := lo, 0
		for ; hi < end && letters < batchLetters; hi++ {
			letters += 1 + len(s.positives.corpus.Seq(hi/s.copies)) // 1 for the id
		}
		if err := s.writeBatch(w, lo, hi); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// writeBatch writes shuffles lo … hi−1, counted over the copies of each record and all records.
func (s *shuffling) writeBatch(w io.Writer, lo, hi int) error {
	seed := s.context.Uint64("seed")
	shuffles := make([][]byte, hi-lo)
	err := parallel.Do(s.context.Context, len(shuffles), func(j int) error {
		i, copy := (lo+j)/s.copies, (lo+j)%s.copies
		shuffles[j] = s.ShuffleTo(nil, s.positives.corpus.Seq(i), background.NewRand(seed, i, copy))
		return nil
	})
	if err != nil {
		return err
	}
	var b stringkernel.CorpusBuilder
	batch := &seqio.Set{Source: s.positives.source(), Format: seqio.FASTA}
	for j, x := range shuffles {
		i, copy := (lo+j)/s.copies, (lo+j)%s.copies
		if string(x) == string(s.positives.corpus.Seq(i)) {
			s.unchanged++
		}
		if s.positives.isText() && !utf8.Valid(x) {
			s.torn++
		}
		b.Add(fmt.Sprintf("%s.shuffle%d", s.positives.corpus.Name(i), copy+1), x)
		batch.Descriptions = append(batch.Descriptions, s.positives.description(i))
		batch.Labels = append(batch.Labels, negativeName)
	}
	batch.Corpus = b.Corpus()
	if s.positives.isText() {
		return writeLines(w, batch.Corpus)
	}
	return seqio.WriteFASTA(w, batch, 0)
}

// wantShuffled returns an error if the records of a file could not be written once they are shuffled.
func (r *records) wantShuffled() error {
	for _, s := range r.sets {
		if s.Format.Text() && s.Format != seqio.Lines {
			return fmt.Errorf("%s: %s is not shuffled, want FASTA, FASTQ or text, a record per line", s.Source, s.Format)
		}
	}
	return nil
}

// isText tells whether all files are text, a record per line: then so are their shuffles.
func (r *records) isText() bool {
	return !slices.ContainsFunc(r.sets, func(s *seqio.Set) bool { return s.Format != seqio.Lines })
}

// writeLines writes a record per line.
func writeLines(w io.Writer, c *stringkernel.Corpus) error {
	for i := range c.Len() {
		if _, err := fmt.Fprintf(w, "%s\n", c.Seq(i)); err != nil {
			return err
		}
	}
	return nil
}

// description returns the description of record i without its label=X.
func (r *records) description(i int) string {
	set, j := r.locate(i)
	if set.Descriptions == nil {
		return ""
	}
	words := strings.Fields(set.Descriptions[j])
	kept := words[:0]
	for _, word := range words {
		if !strings.HasPrefix(word, "label=") {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}
