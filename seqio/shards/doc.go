// Package shards divides the output of a run among several runs, and joins what these wrote.
//
// The output of a run is a head and pieces, numbered from 0, each a number of bytes that does not depend on the others.
// Shard i of N, with 1 ≤ i ≤ N, is a file with the head and the pieces p with p mod N = i − 1, in order: pieces are
// dealt like cards, so that nobody needs to know how many there are, and a slow stretch of the input is shared by all.
// [Join] takes pieces from the shards in turn, and so gives the bytes of the undivided run.
//
// What a file holds stands in a [Note] beside it, FILE.shard: a file remains what its readers expect, whatever its
// format. A comment at the end of it would not: tables of numbers have none, arrays have no place for one. The note
// names the run (command, options, checksums of model and input), so that shards of different runs are not joined,
// and has the length and checksum of the file.
package shards
