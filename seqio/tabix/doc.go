// Package tabix writes tables of places of a genome, such as BED, compressed so that any part can be read alone: blocks
// of gzip (BGZF), which every program that reads gzip reads too, and an index (.tbi) from places to blocks. tabix,
// bedtools, IGV and other programs read both.
//
// A [Writer] takes lines in the order of a sorted file. In memory it keeps the index: 8 bytes for every 16,384
// positions up to the last line of each chromosome, and 16 bytes for each stretch of lines of one bin. The same lines
// give the same bytes.
//
// H. Li, Tabix: fast retrieval of sequence features from generic TAB-delimited files, Bioinformatics 27 (5), 718–719,
// 2011, doi:10.1093/bioinformatics/btq671. The formats are described in the specifications of SAM (section 4) and of
// tabix, hts-specs.
package tabix
