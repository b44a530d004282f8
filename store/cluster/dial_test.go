package cluster

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/variscope/variscope/engine"
)

// foreign is the address of a NATS server of somebody else.
func foreign(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
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
	c, err := DialFor(d.Context(), d.ws.QueueFolder(), "nats://"+address, Options{Self: self(), Pace: quick, Log: logTo(d.T, "coordinator")})
	d.must(err)
	detach := d.eng.Attach(c)
	d.Cleanup(func() { detach(); d.must(c.Close()) })
	return c
}

// TestServerThatExists: coordinator and workers meet at a NATS server of somebody else.
func TestServerThatExists(t *testing.T) {
	root := images(t, 300)
	want := local(t, root, "ab")
	d := newDesk(t, root, "ab", engine.NoWorkers)
	c := d.dialled(foreign(t))
	hire(t, c.Join()[0], nil)
	if s := d.wait(d.start()); s.Phase != engine.Done {
		t.Errorf("%+v", s)
	}
	d.same(want)
}

// TestCoordinatorThatLosesItsServer while it brings a model: what it has asked is answered by nobody, and it does not wait for that.
func TestCoordinatorThatLosesItsServer(t *testing.T) {
	root := images(t, 300)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	address := foreign(t)
	p := newProxy(t, address)
	c := d.dialled(p.listen.Addr().String())
	c.setTrouble(errors.New("the queue was not opened yet"))
	id := d.start()
	until(t, "the run has begun, and its queue is open", func() bool { return c.Trouble() == nil })
	line, err := ParseJoin(c.Join()[0])
	d.must(err)
	line.Host = address
	p.interrupt()
	// The worker is taken on the coordinator's word alone, so that it brings units before it can be reached again.
	c.mu.Lock()
	m := self()
	m.ID = "x"
	c.crew["x"] = &member{machine: m, joined: time.Now(), seen: time.Now().Add(time.Hour)}
	c.mu.Unlock()
	before := c.nc.Stats().OutMsgs
	until(t, "it looks for the model on the server", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.parcels) > 0 && c.nc.Stats().OutMsgs > before
	})
	p.drop()
	p.restore()
	c.mu.Lock()
	delete(c.crew, "x")
	c.mu.Unlock()
	hire(t, line.String(), nil)
	if s := d.wait(id); s.Phase != engine.Done {
		t.Errorf("%+v", s)
	}
	d.same(want)
}
