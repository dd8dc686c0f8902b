// Package genome reads genomes and their annotations: pieces of a FASTA file of any size, GFF3 and GTF, BED, VCF and
// lists of places; it writes places as BED, bedGraph and GFF3.
//
// # Genomes and variants
//
// [Open] gives access to pieces of a FASTA file by name and position, through its .fai index or one made in memory.
// [Stream] passes all its letters on, in chunks. [Renamed] knows its sequences by
// the names of other files. [VCFReader] reads the first five columns of a VCF file line by line.
//
// # Annotations
//
// [GFFReader] reads the lines of GFF3 and GTF files, [BEDReader] those of BED files of 3 to 12 columns, [ReadPoints] a
// list of places. [ReadAnnotation] groups exons into transcripts. [ParseRegion] reads the place of a genome that the id
// of a record names. [AppendBED], [AppendBedGraph] and [AppendGFF3] write places.
//
// # Conventions
//
// Positions are 0-based and half-open in everything that is returned, except those of [Variant], which are 1-based as
// in the file. In the files they are 1-based and inclusive in GFF, VCF and lists, 0-based and half-open in BED. Inputs
// may be compressed with gzip or zstd. An error in an input is a [seqio.Error], one line with file, line and record; so
// is an input held in memory that exceeds the memory limit of the process.
//
// A line that is well formed and does not fit a genome, such as an interval beyond the end of its sequence, is a
// [Misfit]; [Misfits] counts those that are left out.
//
// # Cost
//
// Reading is one pass through a buffer of at most 512 KiB. A plain FASTA file stays on disk, with about 100 bytes of
// memory per record; a piece of it costs one read.
//
// # References
//
// H. Li et al., The Sequence Alignment/Map format and SAMtools, Bioinformatics 25 (2009),
// doi:10.1093/bioinformatics/btp352 (faidx); P. Danecek et al., The variant call format and VCFtools, Bioinformatics 27
// (2011), doi:10.1093/bioinformatics/btr330; A. R. Quinlan, I. M. Hall, BEDTools, Bioinformatics 26 (2010),
// doi:10.1093/bioinformatics/btq033; L. Stein, Generic Feature Format Version 3, Sequence Ontology Project, 2020.
package genome
