package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/model/serve"
)

// serveOptions are the options of serve.
type serveOptions struct {
	models    []string
	listen    string
	hosts     []string
	token     string // its file
	cert, key string
	maxBody   string
	limits    serve.Limits
	timeout   int // seconds
}

func (o *serveOptions) Flags(f *cli.Flags) {
	f.Section(input.OfInput)
	f.Strings(&o.models, "model,m", "`FILE` written by train, or NAME=FILE; one for each model")
	f.Section("Service")
	f.String(&o.listen, "listen", "localhost:8080", "`ADDRESS` and port to listen on")
	f.Strings(&o.hosts, "host", "`NAME` by which clients know this computer, besides localhost and its addresses; may "+
		"be given several times")
	f.String(&o.token, "token-file", "", "`FILE` with a token that requests have to bring").Reads(&o.token)
	f.String(&o.cert, "cert", "", "`FILE` with the certificate for TLS, in PEM").Reads(&o.cert)
	f.String(&o.key, "key", "", "`FILE` with its private key").Reads(&o.key)
	defaults := serve.Limits{}.Defaults()
	f.String(&o.maxBody, "max-body", "8M", "largest `SIZE` of a request that is no stream")
	f.Int(&o.limits.Letters, "max-letters", defaults.Letters, "largest number of letters of such a request, "+
		"or of a record of a stream; an eighth of it to explain").AtLeast(1)
	f.Int(&o.timeout, "timeout", 30, "`SECONDS` to send each part of a body, of SECONDS × 16 KiB, "+
		"and to wait and be answered").AtLeast(1)
}

func (o *serveOptions) Run(c *cli.Call) error {
	options, address, err := o.settle(c)
	if err != nil {
		return err
	}
	sources, err := modelSources(append(o.models, c.Args...))
	if err != nil {
		return err
	}
	c.Stage("loading the models")
	service, err := serve.New(c.Context, sources, options)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(c.Context, "tcp", address)
	if err != nil {
		return fmt.Errorf("--listen %s: %w; port 0 is a free one", o.listen, err)
	}
	c.Stage("")
	if _, err := fmt.Fprintln(c.Out, o.url(listener.Addr())); err != nil {
		listener.Close()
		return err
	}
	watched, stop := context.WithCancel(c.Context)
	var watching sync.WaitGroup
	watching.Go(func() { service.Watch(watched, pollTime) })
	defer watching.Wait()
	defer stop()
	return service.Serve(c.Context, listener, grace)
}

// grace is what requests have to end in after a signal.
const grace = 10 * time.Second

// pollTime is how often model files are looked at.
const pollTime = 2 * time.Second

// settle checks the options and resolves the address.
func (o *serveOptions) settle(c *cli.Call) (options serve.Options, address string, err error) {
	if options.Token, err = o.readToken(); err != nil {
		return options, "", err
	}
	if options.TLS, err = o.certificate(); err != nil {
		return options, "", err
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return options, "", cli.Usagef("--listen %.80q, want ADDRESS:PORT", o.listen)
	}
	resolved, err := net.ResolveTCPAddr("tcp", o.listen)
	if err != nil {
		return options, "", cli.Usagef("--listen %.80q: %w", o.listen, err)
	}
	local := resolved.IP.IsLoopback()
	if !local && options.Token == "" {
		return options, "", cli.Usagef("--listen %s can be reached from other computers; that needs --token-file, "+
			"and better --cert and --key too", o.listen)
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" {
		o.hosts = append(o.hosts, host)
	}
	bytes, err := memory.ParseSize(o.maxBody)
	if err != nil {
		return options, "", cli.Usagef("--max-body %w", err)
	}
	o.limits.Body, o.limits.Time = bytes, time.Duration(o.timeout)*time.Second
	options.Hosts, options.Limits = o.hosts, o.limits
	level := slog.LevelInfo
	if c.Quiet() {
		level = slog.LevelWarn
	}
	options.Log = slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level}))
	if !local && options.TLS == nil {
		options.Log.Warn("without --cert and --key the token and all records cross the network as they are")
	}
	return options, resolved.String(), nil
}

// leastToken is the least number of characters of a token: it may be tried as often as one likes.
const leastToken = 16

// readToken returns the token of --token-file, or "" if it is not given.
func (o *serveOptions) readToken() (string, error) {
	if o.token == "" {
		return "", nil
	}
	file, err := os.Open(o.token)
	if err != nil {
		return "", cli.Usagef("--token-file: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff"))
	if len(token) < leastToken || strings.ContainsAny(token, " \t\r\n") {
		return "", cli.Usagef("a token of %d characters, want %d or more and no blanks, as openssl rand -hex 16 makes "+
			"them", len(token), leastToken)
	}
	return token, nil
}

// certificate returns what TLS needs, nil without --cert.
func (o *serveOptions) certificate() (*tls.Config, error) {
	if (o.cert == "") != (o.key == "") {
		return nil, cli.Usagef("--cert and --key must be given together")
	}
	if o.cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.cert, o.key)
	if err != nil {
		return nil, fmt.Errorf("--cert %s, --key %s: %w", o.cert, o.key, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// url is the address of the page.
func (o *serveOptions) url(bound net.Addr) string {
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	host, _, _ := net.SplitHostPort(o.listen)
	port := bound.(*net.TCPAddr).Port
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(port)) + "/"
}

// modelSources names models by NAME=FILE, or by their files without suffix.
func modelSources(arguments []string) ([]serve.Source, error) {
	if len(arguments) == 0 {
		return nil, cli.Usagef("--model is required: a file written by train")
	}
	var sources []serve.Source
	for _, argument := range arguments {
		name, path, _ := input.NameOf(argument)
		if path == "-" {
			return nil, cli.Usagef("a model on standard input, want a file, which is loaded again when it changes")
		}
		sources = append(sources, serve.Source{Name: name, Path: path, Read: input.ReadModelFile})
	}
	return sources, nil
}
