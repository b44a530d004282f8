package cluster

import (
	"net"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// proxy passes connections on until it is cut; then it is as if the cable were pulled: nothing
// passes, in neither direction, and new connections get no answer. Joined passes again.
type proxy struct {
	t      *testing.T
	listen net.Listener
	to     string
	wg     sync.WaitGroup

	mu    sync.Mutex
	cut   chan struct{} // closed while passing
	conns []net.Conn
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	listen := testdata.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	p := &proxy{t: t, listen: listen, to: to, cut: make(chan struct{})}
	close(p.cut)
	p.wg.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// line is a join line by way of the proxy.
func (p *proxy) line(join string) string {
	j, err := ParseJoin(join)
	must(p.t, err)
	j.Host = p.listen.Addr().String()
	return j.String()
}

func (p *proxy) accept() {
	for {
		in, err := p.listen.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		p.mu.Unlock()
		p.wg.Go(func() { p.pass(in, out) })
		p.wg.Go(func() { p.pass(out, in) })
	}
}

// pass copies one direction, and holds what it has read while the proxy is cut.
func (p *proxy) pass(from, to net.Conn) {
	defer func() { _ = from.Close(); _ = to.Close() }()
	piece := make([]byte, 4096)
	for {
		n, err := from.Read(piece)
		p.mu.Lock()
		passing := p.cut
		p.mu.Unlock()
		<-passing
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// interrupt lets nothing pass.
func (p *proxy) interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = make(chan struct{})
}

// restore lets everything pass, also what was held.
func (p *proxy) restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.cut)
}

// drop ends all connections.
func (p *proxy) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

func (p *proxy) close() {
	_ = p.listen.Close()
	p.mu.Lock()
	select {
	case <-p.cut:
	default:
		close(p.cut)
	}
	p.mu.Unlock()
	p.drop()
	p.wg.Wait()
}
