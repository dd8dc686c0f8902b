package cli

import (
	"regexp"
	"slices"
	"strings"
)

// packages are those of the library that begin their errors with their names, as is usual in Go, but for those of
// kernels, whose names are a user's words.
var packages = strings.Fields("atomicfile background bigwig bracket chain classify components compose conformal curves " +
	"drift duplicates figure hadamard kerneltest kmers krylov lasso matrix metrics model motif online packed page poim " +
	"process report risk scan search seqio seqsvm serve shard sharded shards simd stringkernel suffix svm tabix tagging " +
	"trees unmask windows")

var packagePrefixes = regexp.MustCompile(`(^|: )(?:(?:` + strings.Join(packages, "|") + `): )+`)

// withoutPackages leaves the names of packages, which are none of a user's words, out of the message of an error. They
// stay if a word of the command line, perhaps a file, is one of them.
func withoutPackages(message string, command []string) string {
	named := func(word string) bool { return slices.Contains(packages, word) }
	if len(command) > 1 && slices.ContainsFunc(command[1:], named) {
		return message
	}
	return packagePrefixes.ReplaceAllString(message, "$1")
}
