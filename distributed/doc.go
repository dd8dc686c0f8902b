// Package distributed runs the work of seqsvm on Apache Beam: on Prism, which is part of this program, on Flink, Spark
// or Dataflow.
//
// The element of every pipeline is a part of the work, never a record: a file, or a range of bytes of one that begins
// at a record; a piece of a genome; a block of rows of a matrix; a shard of a training corpus. A part is read, worked
// on and written by one call of a DoFn, and two calls for the same part write the same bytes.
//
// # Outputs
//
// Part i of N is written under a name of its own in the folder OUTPUT.tmp. When the pipeline has succeeded, all parts
// are renamed to OUTPUT-i-of-N, the first one last: it has the head of a table, so that a set without it is known to be
// incomplete. A part is therefore complete or absent, whatever fails, is run twice or is killed. In the order of their
// names the parts are the bytes that the tool writes on one machine.
//
// # Lanes
//
// Runners such as Prism keep what one source yields on one core. So a pipeline has several sources, lanes, which deal
// the parts among themselves like cards.
//
// # Bits
//
// A training adds tables in the order of the shards, so that scheduling changes no bit. The number of shards does, as
// for package github.com/seqsvm/seqsvm/stringkernel/shard.
package distributed
