// Package parquet writes and reads tables as Apache Parquet, the columns format that data frames and Python's tools
// share (https://github.com/apache/parquet-format).
//
// Files that are written have one page for each column of a row group, plain values that may be missing, compressed by
// zstd: what any reader knows. Files that are read may have pages of both versions, plain, in dictionaries, as
// differences or with their bytes in streams, compressed by Snappy, gzip, zstd or not, as pyarrow, pandas, polars and
// DuckDB write them by default.
package parquet

// The magic bytes of a file, at both ends.
const magic = "PAR1"

// Numbers of the format.
const (
	typeBoolean, typeInt32, typeInt64, typeFloat, typeDouble, typeBytes = 0, 1, 2, 4, 5, 6 // of values

	required, optional, repeated = 0, 1, 2 // of columns

	plain, plainDictionary, rle, deltaPacked, deltaLengths = 0, 2, 3, 5, 6 // encodings
	rleDictionary, byteStreams                             = 8, 9

	pageV1, pageDictionary, pageV2 = 0, 2, 3 // types of pages

	codecNone, codecSnappy, codecGzip, codecZstd = 0, 1, 2, 6

	convertedUTF8, convertedDecimal, convertedInterval = 0, 5, 21 // those between the two are of time, up to
	convertedUint8, convertedUint64                    = 11, 14

	logicalString, logicalDecimal, logicalDate, logicalTime, logicalTimestamp = 1, 5, 6, 7, 8
)
