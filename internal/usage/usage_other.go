//go:build !unix && !windows

package usage

func now() Usage { return Usage{} }
