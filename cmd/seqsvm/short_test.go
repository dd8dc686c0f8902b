//go:build !long

package main_test

const long = false
