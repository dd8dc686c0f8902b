package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// headerTime is what a client has for the header of a request, however slowly it sends.
var headerTime = 10 * time.Second // a variable for tests

// Times and sizes of connections.
const (
	idleTime   = 2 * time.Minute
	headerSize = 16 << 10
	moreConns  = 256 // connections beyond those whose requests may be held
)

// Serve answers on a listener until ctx ends. Then requests that have begun have the time of grace to end, after which
// they are cancelled. It closes the listener. With Options.TLS it speaks TLS.
func (s *Service) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: s, TLSConfig: s.options.TLS, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerSize, BaseContext: func(net.Listener) context.Context { return work },
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // clients that hang up
	}
	ended := make(chan error, 1)
	l = netutil.LimitListener(l, s.limits.Queue+moreConns)
	go func() {
		if s.options.TLS != nil {
			ended <- server.ServeTLS(l, "", "")
		} else {
			ended <- server.Serve(l)
		}
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.ending.Store(true)
	s.log.Info("stopping", "held", s.held.Load())
	wait, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	err := server.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests cancelled at the end of the grace time", "held", s.held.Load())
		cancel()
		err = server.Close()
	}
	<-ended
	return err
}
