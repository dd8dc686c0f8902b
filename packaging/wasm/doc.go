// Command wasm answers the requests of the page of package serve within a browser: no letter leaves the machine.
//
// It defines two functions for scripts. seqsvmOpen(name, bytes) takes a model file; seqsvmAnswer(method, path, body)
// answers a request with the models that were opened. Both return a promise: of nothing, and of an object with the
// fields status and body.
package main
