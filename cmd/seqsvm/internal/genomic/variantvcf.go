package genomic

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model/kmers"
)

// field is the name of the field INFO of a score.
func (m *variantModel) field(score string) string {
	field := "SVM_" + strings.ToUpper(score)
	if m.name == "" {
		return field
	}
	return field + "_" + outsideIDs.ReplaceAllString(m.name, "_")
}

// outsideIDs matches what names of fields have not.
var outsideIDs = regexp.MustCompile("[^A-Za-z0-9_.]")

// headVCF returns the header lines with those of the fields, and the columns up to INFO.
func (r *variantRun) headVCF(header []byte) ([]byte, error) {
	if len(header) == 0 {
		header = []byte("##fileformat=VCFv4.2\n")
	}
	meta, columns, found := bytes.Cut(append([]byte{'\n'}, header...), []byte("\n#CHROM"))
	head := bytes.TrimPrefix(append(bytes.TrimSuffix(meta, []byte{'\n'}), '\n'), []byte{'\n'})
	for _, m := range r.models {
		for _, score := range r.scores {
			name := m.field(score.name)
			if bytes.Contains(header, []byte("##INFO=<ID="+name+",")) {
				return nil, fmt.Errorf("%s: the header has the field %s; want -m NAME=FILE with a name that is not there",
					cli.InputName(r.c.Args[0]), name)
			}
			head = fmt.Appendf(head, "##INFO=<ID=%s,Number=A,Type=Float,Description=\"%s\">\n", name, score.meaning)
		}
	}
	if !found {
		return head, nil
	}
	columns = bytes.TrimSuffix(columns, []byte{'\n'})
	head = append(append(head, "#CHROM"...), columns...)
	for i := bytes.Count(columns, []byte{'\t'}); i < infoColumn; i++ {
		head = append(append(head, '\t'), [...]string{"QUAL", "FILTER", "INFO"}[i-infoColumn+3]...)
	}
	return append(head, '\n'), nil
}

// infoColumn is the column INFO, from 0.
const infoColumn = 7

// appendVCF appends lines with the fields of their scores: "." for an allele that has no score, or as many as there are
// sequences that the codes in it stand for.
func (r *variantRun) appendVCF(b *bytes.Buffer, sites []kmers.Site, texts [][]byte, scores []float64) {
	tab, each := []byte{'\t'}, len(r.models)*len(r.scores)
	for i, text := range texts {
		values := make([][]float64, len(sites[i].Variant.Alt))
		for k, a := range sites[i].Alts {
			if k == 0 || sites[i].Alts[k-1].Of != a.Of {
				values[a.Of] = scores[:each]
			} else {
				values[a.Of] = nil
			}
			scores = scores[each:]
		}
		if columns := bytes.Count(text, tab); columns < infoColumn {
			text = append(text, strings.Repeat("\t.", infoColumn-columns)...)
		}
		cells := bytes.SplitN(text, tab, infoColumn+2)
		if info := &cells[infoColumn]; len(values) > 0 {
			if string(*info) == "." {
				*info = nil
			}
			*info = r.appendFields(bytes.Clone(*info), values)
		}
		b.Write(append(bytes.Join(cells, tab), '\n'))
	}
}

// appendFields appends the fields of alleles, nil of one without scores, to others.
func (r *variantRun) appendFields(dst []byte, values [][]float64) []byte {
	for m, model := range r.models {
		for s, score := range r.scores {
			if len(dst) > 0 {
				dst = append(dst, ';')
			}
			dst = append(dst, model.field(score.name)...)
			for i, of := range values {
				dst = append(dst, "=,"[min(i, 1)])
				if at := m*len(r.scores) + s; of == nil || math.IsNaN(of[at]) {
					dst = append(dst, '.')
				} else {
					dst = strconv.AppendFloat(dst, of[at], 'g', r.c.Digits(), 64)
				}
			}
		}
	}
	return dst
}
