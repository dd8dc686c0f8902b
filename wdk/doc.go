// Package wdk holds kernels on windows of one length: position i of a window is compared with position i of the other.
package wdk
