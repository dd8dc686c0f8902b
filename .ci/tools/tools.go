//go:build tools

// Package tools pins the programs that continuous integration runs, so that the main module does not require them.
package tools

import _ "honnef.co/go/tools/cmd/staticcheck"
