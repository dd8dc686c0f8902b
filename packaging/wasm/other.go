//go:build !js

package main

import "log"

func main() { log.Fatal("wasm: runs in a browser; packaging/wasm/build makes its page") }
