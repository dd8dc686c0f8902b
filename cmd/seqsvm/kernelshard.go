package main

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

// writeShard writes the rows as one piece.
func (o *matrixOptions) writeShard(c *cli.Call, m *matrixPart) error {
	err := o.output.Write(func(w io.Writer) error {
		o.shard.Begin(w)
		out, err := m.open(o.shard, o.format, c.Digits())
		if err != nil {
			return err
		}
		head, err := m.wholeHead(o.format)
		if err != nil {
			return err
		}
		o.shard.EndHead(head)
		err = m.write(c, out)
		o.shard.EndPiece()
		return err
	})
	if err != nil {
		return err
	}
	return o.shard.End(c, o.shard.Of, "", shards.Value{Name: "rows", Value: digestOfRecords(m.rows)},
		shards.Value{Name: "columns", Value: digestOfRecords(m.columns)})
}

// wholeHead returns the head of a file with all rows if that is another than of one with a part of them: that of .npy
// says how many there are.
func (m *matrixPart) wholeHead(format string) ([]byte, error) {
	if format != "npy" {
		return nil, nil
	}
	var head bytes.Buffer
	_, err := matrix.NewNPY(&head, m.rows.Len(), m.columns.Len())
	return head.Bytes(), err
}

// digestOfRecords returns the checksum of the records of a set.
func digestOfRecords(set *seqio.Set) string {
	var in shards.Input
	for i := range set.Len() {
		in.Begin(set.Corpus.Name(i))
		in.Add(set.Corpus.Seq(i))
	}
	return in.String()
}
