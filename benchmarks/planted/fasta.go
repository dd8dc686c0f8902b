package planted

import (
	"bufio"
	"fmt"
	"io"
)

// WriteFASTA writes one record per sequence: a header ">name label=+1", and the
// bases on one line. With sites, the header also has the true sites, as in
// "sites=17+,120-": the 1-based first base and the strand of every copy. It adds
// nothing to records without copies.
func (set *Set) WriteFASTA(w io.Writer, sites bool) error {
	out := bufio.NewWriter(w)
	for i, sequence := range set.Seqs {
		// Errors of a bufio.Writer stay until Flush reports them.
		fmt.Fprintf(out, ">%s label=%s", set.Names[i], set.Labels[i])
		if sites {
			writeSites(out, set.Sites[i])
		}
		out.WriteByte('\n')
		out.Write(sequence)
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("planted: %w", err)
	}
	return nil
}

// writeSites writes the copies of one record.
func writeSites(out *bufio.Writer, sites []Site) {
	separator := " sites="
	for _, site := range sites {
		strand := '+'
		if site.Reverse {
			strand = '-'
		}
		fmt.Fprintf(out, "%s%d%c", separator, site.Start+1, strand)
		separator = ","
	}
}
