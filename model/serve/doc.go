// Package serve answers over HTTP with the predictions and explanations of models: a page for people and a JSON API for
// programs, as one [http.Handler].
//
//	s, err := serve.New(ctx, []serve.Source{{Name: "enhancers", Path: "enhancers.seqsvm"}}, serve.Options{})
//	…
//	go s.Watch(ctx, 2*time.Second)             // load files that change
//	mux.Handle("/seqsvm/", http.StripPrefix("/seqsvm", s))
//
// or, with the time-outs and the graceful end of a server of its own, s.Serve(ctx, listener, grace).
//
// # Requests
//
//	GET  /               the page
//	POST /v1/predict     records to predictions
//	POST /v1/explain     records to contributions of their letters or words
//	GET  /v1/models      the models
//	GET  /healthz        whether it answers
//	GET  /readyz         whether it takes requests
//	GET  /metrics        for Prometheus
//	GET  /docs           all of this, for people
//	GET  /openapi.json   and for programs
//
// docs/serve.md describes them. Records are read by package seqio as the training data of the model were, and scored by
// classify.Classifier, so that scores are those of "seqsvm predict" to the bit.
//
// # Limits
//
// The body of a request is counted among those held ([Limits].Bodies) as it arrives, and waits while there is no room;
// its first 16 KiB are not counted. The request then waits in turn for one of Limits.Working places, where its records
// are read, checked and scored in parts; between parts others have their turn. So memory is bounded by the limits
// whatever the number of clients, and slow clients keep no processor and no room that they do not fill. What exceeds a
// limit is refused with status 408, 413, 429 or 503, and a JSON error that names the limit. Bodies in gzip count as
// many bytes as come out of them. Bodies are never written to disk.
//
// # Security
//
// Requests from other web sites are refused (net/http.CrossOriginProtection, no CORS), and so are Host headers with a
// name that is not one of [Options].Hosts, localhost or an address: a page of another site could otherwise reach the
// service under a name of its own. With Options.Token, requests need the header “Authorization: Bearer TOKEN”, but
// those for the page, the description and the health. The page loads nothing from elsewhere.
package serve
