package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
)

// Options are what a coordinator is made with.
type Options struct {
	Self Machine // what workers have to match: program, runtime, processor
	// Mixed lets workers with other processors join; they get units of runs that allow it, and no others.
	Mixed bool
	Pace  Pace
	Log   *slog.Logger // nil for none
}

// Coordinator hands the units of runs to workers on other machines. It is an engine.Executor, to be attached to the engine of the workspace.
// All methods are safe for many goroutines.
type Coordinator struct {
	bus
	options Options
	link    *link
	server  *embedded // nil where the server is somebody else's
	join    []string
	subs    []*nats.Subscription
	changed chan struct{}
	hurt    chan struct{} // wakes the round when a unit has one fault more

	mu      sync.Mutex
	crew    map[string]*member
	past    map[string]*faults // of units that were taken back in the run at work
	removed map[string]string  // id to name
	passed  map[string]bool    // ids whose signs of life could not be used
	parcels map[string]*parcel // of the run at work, by unit
	trouble error
	closed  bool
}

var _ engine.Executor = (*Coordinator)(nil)

// Serve starts a coordinator with a server of its own: its queue lies in the folder dir, it listens on address (HOST:PORT; an empty host is all
// addresses of this machine, an empty or zero port that of last time). TLS and a token are always in force.
func Serve(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	o = o.orDefault()
	server, err := startServer(dir, address, o.Log)
	if err != nil {
		return nil, err
	}
	nc, err := server.connect()
	if err != nil {
		server.stop()
		return nil, fmt.Errorf("use the queue in %s: %w", dir, err)
	}
	c, err := newCoordinator(ctx, nc, &link{}, server.secrets.Space, o)
	if err != nil {
		server.stop()
		return nil, err
	}
	c.server, c.join = server, server.join
	return c, nil
}

// Dial makes a coordinator on a NATS server with JetStream that exists, at tls://USER:PASSWORD@HOST:PORT or, on this machine, nats://HOST:PORT.
// The space keeps coordinators apart that share the server: lower-case letters and digits.
func Dial(ctx context.Context, address, space string, o Options) (*Coordinator, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != schemeTLS && u.Scheme != schemePlain {
		return nil, fmt.Errorf("%q is no address of a NATS server; use tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this machine", hidePassword(address))
	}
	if u.Port() == "" {
		u.Host += ":4222"
	}
	j := Join{Scheme: u.Scheme, Host: u.Host, User: u.User, Space: space}
	if err := j.check(); err != nil {
		return nil, err
	}
	l := &link{}
	nc, err := j.connect("coordinator", nats.DisconnectErrHandler(func(*nats.Conn, error) { l.down() }))
	if err != nil {
		return nil, err
	}
	c, err := newCoordinator(ctx, nc, l, space, o.orDefault())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Host, err)
	}
	c.join = []string{j.String()}
	return c, nil
}

// DialFor is Dial with the space of the queue's folder dir, which is made where it is missing, so that a coordinator that was closed finds its
// orders again.
func DialFor(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	if err := makePrivate(dir); err != nil {
		return nil, err
	}
	s, err := loadSecrets(dir)
	if err != nil {
		return nil, err
	}
	return Dial(ctx, address, s.Space, o)
}

// hidePassword keeps what may be a password out of messages: all but the scheme and what follows the last @.
func hidePassword(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return "..." + rest[at:]
	}
	if strings.Contains(rest, ":") {
		rest = "..."
	}
	if found {
		return scheme + "://" + rest
	}
	return rest
}

func (o Options) orDefault() Options {
	o.Pace = o.Pace.orDefault()
	o.Self.Protocol = protocol
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func newCoordinator(ctx context.Context, nc *nats.Conn, l *link, space string, o Options) (*Coordinator, error) {
	b, err := newBus(nc, space)
	if err != nil {
		nc.Close()
		return nil, err
	}
	c := &Coordinator{
		bus: b, options: o, link: l, changed: make(chan struct{}, 1),
		crew: map[string]*member{}, removed: map[string]string{}, passed: map[string]bool{}, past: map[string]*faults{}, parcels: map[string]*parcel{}, hurt: make(chan struct{}, 1),
	}
	if err := errors.Join(c.setUp(ctx, o.Pace), c.listen()); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

// listen hears what workers say.
func (c *Coordinator) listen() error {
	for subject, hear := range map[string]nats.MsgHandler{
		c.subject("hello"):        c.hello,
		c.subject("beat", "*"):    c.hearBeat,
		c.subject("trouble", "*"): c.hearTrouble,
	} {
		sub, err := c.nc.Subscribe(subject, hear)
		if err != nil {
			return fmt.Errorf("listen to workers: %w", err)
		}
		c.subs = append(c.subs, sub)
	}
	return c.nc.Flush()
}

// Join are the lines with which a worker joins (variscope worker LINE), the likeliest first: one per address of this machine.
func (c *Coordinator) Join() []string { return slices.Clone(c.join) }

// Moved tells whether the server listens on another port than last time, though none was asked for, because somebody else has that one: lines that were given
// out then lead nowhere.
func (c *Coordinator) Moved() bool { return c.server != nil && c.server.moved }

// Space is the name under which the coordinator's queue lies on the server.
func (c *Coordinator) Space() string { return string(c.names) }

// Changed wakes one reader when the list of workers has changed; several changes may come as one.
func (c *Coordinator) Changed() <-chan struct{} { return c.changed }

// Trouble is why no units are handed out at the moment, nil where they are.
func (c *Coordinator) Trouble() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trouble
}

func (c *Coordinator) setTrouble(err error) {
	c.mu.Lock()
	was := c.trouble
	c.trouble = err
	c.mu.Unlock()
	if err != nil && (was == nil || was.Error() != err.Error()) {
		c.options.Log.Warn("other machines", "error", err)
	}
	c.tell()
}

// Close ends the coordinator, and its server with it. Orders stay in the queue: workers go on with what they have, and bring it when the
// coordinator is there again. It must have been detached from the engine before.
func (c *Coordinator) Close() error {
	c.mu.Lock()
	again := c.closed
	c.closed = true
	c.mu.Unlock()
	if again {
		return nil
	}
	var problems []error
	for _, sub := range c.subs {
		problems = append(problems, sub.Unsubscribe())
	}
	c.nc.Close()
	if c.server != nil {
		c.server.stop()
	}
	return errors.Join(problems...)
}

// tell wakes who reads Changed.
func (c *Coordinator) tell() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// requestTime bounds one request to the server.
const requestTime = 20 * time.Second
