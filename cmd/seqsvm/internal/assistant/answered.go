package assistant

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answered is a transport that ends when all calls that it has read are answered: the session drops their answers as
// soon as its input ends.
type answered struct{ mcp.Transport }

func (t answered) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	open, end := context.WithCancel(ctx)
	return &answeredConnection{Connection: c, told: make(chan struct{}, 1), closed: open.Done(), end: end}, err
}

type answeredConnection struct {
	mcp.Connection
	calls  atomic.Int64  // that have been read and not answered
	told   chan struct{} // one was answered
	closed <-chan struct{}
	end    func() // closes closed
}

func (c *answeredConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		for c.calls.Load() > 0 {
			select {
			case <-c.told:
			case <-c.closed:
				return nil, err
			case <-ctx.Done():
				return nil, err
			}
		}
		return nil, err
	}
	if r, is := m.(*jsonrpc.Request); is && r.IsCall() {
		c.calls.Add(1)
	}
	return m, nil
}

func (c *answeredConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, is := m.(*jsonrpc.Response); is {
		c.calls.Add(-1)
		select {
		case c.told <- struct{}{}:
		default: // it will see
		}
	}
	return err
}

func (c *answeredConnection) Close() error {
	c.end()
	return c.Connection.Close()
}
