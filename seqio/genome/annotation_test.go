package genome_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// gffText makes a GFF file of lines “type start end strand attributes” on chr1.
func gffText(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		f := strings.SplitN(line, " ", 5)
		fmt.Fprintf(&b, "chr1\tx\t%s\t%s\t%s\t.\t%s\t.\t%s\n", f[0], f[1], f[2], f[3], f[4])
	}
	return b.String()
}

// shape writes a transcript for comparison: name, strand, extent, exons, coding part (1-based).
func shape(t genome.Transcript) string {
	text := fmt.Sprintf("%s%s %d-%d:", t.Name, t.Strand, t.Start+1, t.End)
	for _, e := range t.Exons {
		text += fmt.Sprintf(" %d-%d", e.Start+1, e.End)
	}
	if t.Coding.Len() > 0 {
		text += fmt.Sprintf(" coding %d-%d", t.Coding.Start+1, t.Coding.End)
	}
	if t.Whole {
		text += " whole"
	}
	return text
}

func TestAnnotation(t *testing.T) {
	for _, c := range []struct {
		why, name, text string
		types           []string
		want            []string
	}{
		{"GFF3 out of order", "x.gff3", gffText("exon 20 29 - Parent=t1", "mRNA 5 40 - ID=t1;Parent=g",
			"exon 5 9 - Parent=t1", "CDS 7 9 - Parent=t1", "CDS 20 24 - Parent=t1", "gene 1 99 - ID=g"), nil,
			[]string{"t1- 5-40: 5-9 20-29 coding 7-24 whole"}},
		{"an exon of two transcripts", "x.gff3", gffText("exon 1 9 + Parent=a,b", "exon 20 29 + Parent=b"), nil,
			[]string{"a+ 1-9: 1-9 whole", "b+ 1-29: 1-9 20-29 whole"}},
		{"coding parts alone", "x.gff", gffText("CDS 1 9 + Parent=a", "CDS 20 29 + Parent=a"), nil,
			[]string{"a+ 1-29: 1-9 20-29 coding 1-29"}},
		{"coding parts and a transcript", "x.gff",
			gffText("mRNA 1 40 + ID=a", "CDS 5 9 + Parent=a", "CDS 20 29 + Parent=a"), nil,
			[]string{"a+ 1-40: 5-9 20-29 coding 5-29 whole"}},
		{"coding parts with untranslated ones", "x.gff",
			gffText("three_prime_UTR 25 29 + Parent=a", "five_prime_UTR 1 4 + Parent=a", "CDS 5 9 + Parent=a",
				"CDS 20 24 + Parent=a"), nil,
			[]string{"a+ 1-29: 1-9 20-29 coding 5-24"}},
		{"a frameshift", "x.gff", gffText("CDS 1 9 + Parent=a", "CDS 9 20 + Parent=a"), nil,
			[]string{"a+ 1-20: 1-20 coding 1-20"}},
		{"GTF", "x.gtf", gffText(`transcript 1 30 - gene_id "g"; transcript_id "t";`,
			`exon 1 9 - gene_id "g"; transcript_id "t";`, `exon 20 30 - gene_id "g"; transcript_id "t";`,
			`CDS 4 9 - transcript_id "t"`,
			`stop_codon 1 3 - transcript_id "t"`), nil, []string{"t- 1-30: 1-9 20-30 coding 1-9 whole"}},
		{"GTF without exons: the stop codon is a separate exon", "x.gtf",
			gffText(`CDS 1 9 + transcript_id "t"`, `stop_codon 20 22 + transcript_id "t"`), nil,
			[]string{"t+ 1-22: 1-9 20-22 coding 1-22"}},
		{"GFF3 whose transcript_id is an attribute among others", "x.gff3",
			gffText("mRNA 1 9 + ID=rna-1;Parent=gene-1;transcript_id=NM_1",
				"exon 1 9 + ID=e;Parent=rna-1;transcript_id=NM_1"), nil,
			[]string{"rna-1+ 1-9: 1-9 whole"}},
		{"one ID on several lines", "x.gff3", gffText("CDS 1 9 + ID=c", "CDS 20 29 + ID=c"), nil,
			[]string{"c+ 1-29: 1-9 20-29 coding 1-29"}},
		{"types", "x.gff3", gffText("exon 1 9 + Parent=a", "match_part 11 19 + Parent=a",
			"match_part 31 39 + Parent=a"), []string{"match_part"}, []string{"a+ 11-39: 11-19 31-39 whole"}},
		{"a transcript without exons", "x.gff3", gffText("tRNA 1 9 + ID=a", "gene 1 9 + ID=g"), nil,
			[]string{"a+ 1-9: whole"}},
		{"one id on two sequences", "x.gtf",
			gffText(`exon 1 9 + transcript_id "t"`) +
				strings.Replace(gffText(`exon 5 6 - transcript_id "t"`), "chr1", "chrY", 1), nil,
			[]string{"t+ 1-9: 1-9 whole", "t- 5-6: 5-6 whole"}},
		{"exons that touch", "x.gff3", gffText("exon 1 9 + Parent=a", "exon 10 12 + Parent=a"), nil,
			[]string{"a+ 1-12: 1-12 whole"}},
		{"without a strand, or with both", "x.gff3",
			gffText("exon 1 9 . Parent=a", "exon 1 9 + Parent=b", "exon 20 29 - Parent=b", "exon 1 9 + Parent=c",
				"exon 20 29 . Parent=c", "exon 3 4 + Note=orphan"), nil,
			[]string{"c+ 1-29: 1-9 20-29 whole"}},
		{"BED", "x.BED.gz", "chr1\t10\t40\tt\t960\t-\t12\t35\t0\t3\t5,6,10,\t0,5,20,\n" +
			"chr1\t1\t2\tu\t0\t+\t1\t1\t0\t1\t1\t0\nchr1\t1\t2\tv\t0\t.\t1\t1\t0\t1\t1\t0\n", nil,
			[]string{"t- 11-40: 11-21 31-40 coding 13-35 whole", "u+ 2-2: 2-2 whole"}},
	} {
		a, err := genome.ReadAnnotation(strings.NewReader(c.text), c.name, c.types...)
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		var got []string
		for _, x := range a.Transcripts {
			got = append(got, shape(x))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
		if strings.HasPrefix(c.why, "without a strand") &&
			(a.Unstranded != 1 || a.BothStrands != 1 || a.Orphans != 1 || a.Features != 6) {
			t.Errorf("%s: %+v", c.why, a)
		}
	}
}

func TestAnnotationErrors(t *testing.T) {
	for _, c := range []struct{ why, name, text, want string }{
		{"overlapping exons", "x.gff3", gffText("exon 5 9 + Parent=a", "exon 20 29 + Parent=a", "exon 9 12 + Parent=a"),
			`x.gff3:3: exon 9-12 of transcript "a" overlaps its exon 5-9 of line 1`},
		{"an exon twice", "x.gff3", gffText("exon 5 9 + Parent=a", "exon 5 9 + Parent=a"),
			`x.gff3:2: exon 5-9 of transcript "a" overlaps`},
		{"an exon in another, out of order", "x.gff3", gffText("exon 7 8 + Parent=a", "exon 5 9 + Parent=a"),
			`x.gff3:2: exon 5-9 of transcript "a" overlaps its exon 7-8 of line 1`},
		{"no transcripts", "x.gff3", gffText("gene 5 9 + ID=a"),
			"x.gff3: no exon or coding part of a transcript (attribute Parent or transcript_id) in 1 feature"},
		{"no features", "x.gff3", "##gff-version 3\n", "in 0 features"},
		{"no strands", "x.gff3", gffText("exon 5 9 . Parent=a"), "x.gff3: none of the 1 transcripts has a strand"},
		{"BED without blocks", "x.bed", "chr1\t1\t2\n", "x.bed:1: fewer than 12 columns"},
		{"empty BED", "x.bed", "# nothing\n", "x.bed: no exon"},
		{"a broken line", "x.gff3", gffText("exon 5 9 + Parent=a", "exon 5 4 + Parent=b"),
			"x.gff3:2: start 5 is after end 4"},
	} {
		if _, err := genome.ReadAnnotation(strings.NewReader(c.text), c.name); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.ReadAnnotation(nil, "none.gff"); err == nil {
		t.Error("a missing file: no error")
	}
}

// TestAnnotationFormats writes the same transcripts as GFF3, GTF and BED, lines in any order: all read the same.
func TestAnnotationFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var gff3, gtf, bed []string
		want := map[string]string{}
		for i := range rapid.IntRange(1, 4).Draw(t, "transcripts") {
			name, strand := fmt.Sprintf("t%d", i), rapid.SampledFrom([]string{"+", "-"}).Draw(t, "strand")
			first := rapid.IntRange(1, 100).Draw(t, "start")
			at, text, sizes, starts, exons := first, "", "", "", rapid.IntRange(1, 4).Draw(t, "exons")
			for range exons {
				size := rapid.IntRange(1, 9).Draw(t, "size")
				gff3 = append(gff3, fmt.Sprintf("exon %d %d %s ID=e;Parent=%s", at, at+size-1, strand, name))
				gtf = append(gtf, fmt.Sprintf(`exon %d %d %s gene_id "g"; transcript_id "%s";`, at, at+size-1, strand,
					name))
				text += fmt.Sprintf(" %d-%d", at, at+size-1)
				sizes, starts = sizes+fmt.Sprintf("%d,", size), starts+fmt.Sprintf("%d,", at-first)
				at += size + rapid.IntRange(1, 9).Draw(t, "intron")
			}
			end := 0
			fmt.Sscanf(text[strings.LastIndex(text, "-")+1:], "%d", &end)
			bed = append(bed, fmt.Sprintf("chr1\t%d\t%d\t%s\t0\t%s\t%d\t%d\t0\t%d\t%s\t%s", first-1, end, name, strand,
				end, end, exons, sizes, starts))
			want[name] = fmt.Sprintf("%s%s %d-%d:%s whole", name, strand, first, end, text)
		}
		for name, data := range map[string]string{
			"x.gff3": gffText(rapid.Permutation(gff3).Draw(t, "GFF3")...),
			"x.gtf":  gffText(rapid.Permutation(gtf).Draw(t, "GTF")...), "x.bed": strings.Join(bed, "\n"),
		} {
			a := must.Get(genome.ReadAnnotation(strings.NewReader(data), name))(t)
			got := map[string]string{}
			for _, x := range a.Transcripts {
				got[x.Name] = shape(x)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
	})
}

// TestOpenEnds: where a 5' end is not known, as the specifications of the attributes say. t is the transcript's, c the
// coding part's.
func TestOpenEnds(t *testing.T) {
	const gtf = `transcript_id "a"; `
	for _, c := range []struct {
		lines []string // type, start, end, strand, phase, attributes
		want  string
	}{
		{[]string{"exon 11 40 + . " + gtf, "CDS 21 40 + 0 " + gtf}, ""},
		{[]string{"exon 11 40 + . " + gtf, "CDS 21 40 + 2 " + gtf}, "c"},
		{[]string{"exon 11 40 + . " + gtf, "CDS 11 40 + 1 " + gtf}, "tc"}, // so the exon lacks letters too
		{[]string{"exon 11 40 + . " + gtf, "CDS 11 40 + . " + gtf}, ""},
		{[]string{"exon 1 9 + . " + gtf, "CDS 1 9 + 0 " + gtf, "exon 21 40 + . " + gtf, "CDS 21 40 + 2 " + gtf}, ""},
		{[]string{"CDS 21 40 - 0 " + gtf, "CDS 1 9 - 2 " + gtf, "exon 1 9 - . " + gtf, "exon 21 50 - . " + gtf}, ""},
		{[]string{"CDS 1 9 - 0 " + gtf, "CDS 21 40 - 2 " + gtf, "exon 1 9 - . " + gtf, "exon 21 50 - . " + gtf}, "c"},
		{[]string{"stop_codon 1 3 - 1 " + gtf, "CDS 4 9 - 0 " + gtf, "start_codon 7 9 - 0 " + gtf}, ""},
		{[]string{"exon 11 40 + . " + gtf + `tag "basic"; tag "mRNA_start_NF";`, "CDS 21 40 + 0 " + gtf}, "t"},
		{[]string{"exon 11 40 + . " + gtf + `tag "basic"; tag "mRNA_end_NF";`, "CDS 21 40 + 0 " + gtf}, ""},
		{[]string{"exon 11 40 + . " + gtf, "CDS 21 40 + 0 " + gtf + `tag "cds_start_NF"; tag "x";`}, "c"},
		{[]string{"exon 11 40 + . " + gtf, "CDS 21 40 + 0 " + gtf + `note "cds_start_NF";`}, ""},
		{[]string{"mRNA 11 40 - . ID=a;tag=basic,mRNA_start_NF,cds_start_NF", "exon 11 40 - . Parent=a",
			"CDS 12 40 - 0 Parent=a"}, "tc"},
		{[]string{"mRNA 11 40 + . ID=a;partial=true;start_range=.,11", "exon 11 40 + . Parent=a",
			"CDS 12 39 + 0 Parent=a"}, "t"},
		{[]string{"mRNA 11 40 - . ID=a;partial=true;start_range=.,11", "exon 11 40 - . Parent=a;partial=true",
			"CDS 12 39 - 0 Parent=a"}, ""},
		{[]string{"mRNA 11 40 - . ID=a;partial=true;end_range=40,.", "exon 11 40 - . Parent=a"}, "t"},
		{[]string{"exon 11 40 + . Parent=a", "CDS 12 40 + 0 Parent=a;partial=true"}, "c"},
		{[]string{"exon 11 40 + . Parent=a;start_range=.,11", "CDS 12 40 + 0 Parent=a;end_range=40,."}, "t"},
		{[]string{"CDS 12 40 + 0 ID=a;partial=00", "CDS 60 90 + 0 ID=b;partial=01", "CDS 60 90 - 0 ID=c;partial=10"}, ""},
		{[]string{"CDS 12 40 + 0 ID=a;partial=10"}, "tc"},
		{[]string{"exon 11 40 + . " + gtf, "CDS 12 40 + 0 " + gtf + `partial "true"; note "x";`}, "c"},
		{[]string{"exon 11 40 + . " + gtf, "CDS 12 40 + 0 " + gtf + `partial "true";`,
			"start_codon 12 14 + 0 " + gtf + `partial "true";`}, ""},
		{[]string{"exon 11 40 + . " + gtf + `note "partial true";`, "CDS 11 40 + 0 " + gtf}, ""},
		{[]string{"CDS 12 40 - 0 ID=a;partial=01"}, "tc"},
	} {
		var text strings.Builder
		for _, line := range c.lines {
			f := strings.SplitN(line, " ", 6)
			fmt.Fprintf(&text, "chr1\tx\t%s\t%s\t%s\t.\t%s\t%s\t%s\n", f[0], f[1], f[2], f[3], f[4], f[5])
		}
		a := must.Get(genome.ReadAnnotation(strings.NewReader(text.String()), "x.gff"))(t)
		got := ""
		if a.Transcripts[0].Open5 {
			got = "t"
		}
		if a.Transcripts[0].CodingOpen5 {
			got += "c"
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
	}
}

// TestCircle: a sequence is circular if a feature of its whole length says so, wherever that is in the file.
func TestCircle(t *testing.T) {
	const text = "p\tx\texon\t90\t120\t.\t+\t.\tParent=a\nq\tx\texon\t9\t12\t.\t+\t.\tParent=b\n" +
		"q\tx\tgene\t9\t12\t.\t+\t.\tID=g;Is_circular=true\n" +
		"p\tx\tregion\t1\t100\t.\t+\t.\tID=r;Is_circular=true;Name=p\n"
	a, err := genome.ReadAnnotation(strings.NewReader(text), "x.gff")
	if err != nil || a.Transcripts[0].Circle != 100 || a.Transcripts[1].Circle != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func FuzzAnnotation(f *testing.F) {
	f.Add([]byte(gffText("exon 20 29 - Parent=t1", "mRNA 5 40 - ID=t1;Parent=g", "exon 5 9 - Parent=t1",
		"CDS 7 9 - Parent=t1")), false)
	f.Add([]byte(gffText(`CDS 1 9 + transcript_id "t"`, `stop_codon 20 22 + transcript_id "t"`)), false)
	f.Add([]byte("chr1\t10\t40\tt\t960\t-\t12\t35\t0\t3\t5,6,10,\t0,5,20,\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, bed bool) {
		name := "f"
		if bed {
			name = "f.bed"
		}
		a, err := genome.ReadAnnotation(bytes.NewReader(data), name)
		again, againErr := genome.ReadAnnotation(iotest.OneByteReader(bytes.NewReader(data)), name)
		if fmt.Sprint(a, err) != fmt.Sprint(again, againErr) {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		if err != nil {
			checkOneLine(t, err)
			return
		}
		for _, x := range a.Transcripts {
			at := x.Start - 1
			for _, e := range x.Exons {
				if e.Start <= at || e.Len() < 1 || e.End > x.End || e.Line < 1 {
					t.Fatalf("%+v", x)
				}
				at = e.End
			}
			if x.Strand != genome.Plus && x.Strand != genome.Minus || x.Start < 0 || x.Line < 1 {
				t.Fatalf("%+v", x)
			}
		}
	})
}
