package cluster

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/variscope/variscope/internal/testdata"
)

// foreign is the address of a NATS server of somebody else.
func foreign(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.Addr().String()
}

// dialled attaches a coordinator that uses a server of somebody else.
func (d *desk) dialled(address string) *Coordinator {
	d.Helper()
	c, err := Dial(d.Context(), d.ws.QueueFolder(), "nats://"+address,
		Options{Self: self(), Pace: quick, Log: logTo(d.T, "coordinator")})
	must(d, err)
	detach := d.eng.Attach(c)
	d.Cleanup(func() { detach(); c.Close() })
	return c
}

// TestServerThatExists: coordinator and workers meet at a NATS server of somebody else.
func TestServerThatExists(t *testing.T) {
	d, want := compared(t, 300, "ab")
	c := d.dialled(foreign(t))
	hire(t, c.Join()[0], nil)
	d.done(d.start())
	d.same(want)
}

// TestCoordinatorThatLosesItsServer says so, and goes on once it is there again.
func TestCoordinatorThatLosesItsServer(t *testing.T) {
	d, want := compared(t, 600, "a")
	address := foreign(t)
	p := newProxy(t, address)
	c := d.dialled(p.listen.Addr().String())
	line := testdata.Must(ParseJoin(c.Join()[0]))(d)
	line.Host = address
	_, begun, letGo := slow(t, line.String())
	id := d.start()
	<-begun
	p.interrupt()
	p.drop()
	until(t, "the server is missed", func() bool { return c.Trouble() != nil })
	letGo() // it cannot bring its result
	p.restore()
	d.done(id)
	d.same(want)
	must(t, c.Trouble())
}
