// Package parquet tests the Parquet files of this module beside github.com/parquet-go/parquet-go. It is a module of its
// own, so that parquet-go, 8 MB of a program, is not among the dependencies of the tool and the library.
package parquet
