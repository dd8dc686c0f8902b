// Package packed is a corpus packed for training on it: 2 bits a letter of DNA, in a scratch file or in memory.
//
// A [Writer] packs records while they are read, once. The [Records] that it ends with are a [shard.Shard]: each of
// their products reads them from beginning to end, in blocks, on all threads. Letters of nucleotides are walked as they
// are packed, four to a byte, where the features of a kernel are k-mers (compose.Space.KmerLength); others are unpacked
// record by record.
//
// A scratch file is a working copy, never a result. It is removed from its folder as soon as it is open where the
// system allows that (Unix), so that nothing stays behind whatever ends the program; elsewhere Close removes it.
//
// # Format
//
// Blocks of records, about 2¹⁸ letters each, one after another. A block has a header of 16 bytes, little-endian: the
// number of records, the CRC-32C of what follows, the number of bytes that follow. These are
//
//	the scale of each record      float64
//	the letters of each record    unsigned varint
//	runs of letters that break    their number, and of each the letters of the block since the last one and its own,
//	                              unsigned varints
//	repeats                       their number, an unsigned varint; if it is not 0, how many there are up to the end of
//	                              each record, 4 bytes, and of each the k-mer and how often it occurs, 4 bytes each
//	letters                       of each record from a new byte on, the first one highest: 2 bits each for dna and rna,
//	                              code 0 where they break; as they are for other alphabets, which have no runs
//
// Repeats are those of compose.Space: a k-mer whose count is seen through a function is walked as often as it occurs,
// and then its surplus is added. The scale is that of compose.Space, too, such as k(x, x)^−½: it costs more than the
// walks, and is computed once.
//
// A cursor visits the records one by one, of 16 blocks or so at a time, where features are k-mers without a filter, of
// one strand or both.
//
// # Cost
//
// A record of n letters of DNA takes n/4 + 10 bytes, of disk or memory, 8 more for each repeat, and in memory 8 for
// each cursor. A product takes a table, one more for each thread, and one block for each thread. At k = 8 a letter
// takes 0.9 ns to scatter and 1.1 to gather on one thread (BenchmarkProduct); records without a coefficient are not
// scattered.
//
// # Bits
//
// Records are divided into parts by their letters and by the size of the table alone, so that neither threads nor the
// speed of the disk change a bit.
//
// # Files
//
//	writer.go       Writer: packs records into blocks
//	block.go        the bytes of a block, written and read
//	store.go        where blocks are: in memory
//	scratchfile.go  or in a scratch file
//	walker.go       scatters and gathers packed letters
//	records.go      Records: the blocks, in parts
//	part.go         the passes over a part
//	cursor.go       records one by one
package packed
