// Package treekernel compares trees.
package treekernel
