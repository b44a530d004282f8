package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
)

// Options are what a coordinator is made with.
type Options struct {
	Self Machine // what workers have to match: program, runtime, processor
	// Mixed lets workers with other processors join; they get units of runs that allow it, and no
	// others.
	Mixed bool
	Pace  Pace
	Log   *slog.Logger // nil for none
	// Changed is called when the list of workers or the trouble has changed, and must not wait; it may be nil.
	Changed func()
}

// Coordinator hands the units of runs to workers on other machines. It is an engine.Executor, to
// be attached to the engine of the workspace. All methods are safe for many goroutines.
type Coordinator struct {
	bus
	options Options
	packs   string    // folder for packs of images
	server  *embedded // nil where the server is somebody else's
	join    []string
	ctx     context.Context // ends when it is closed
	end     context.CancelFunc
	asked   sync.WaitGroup // goroutines that answer

	mu      sync.Mutex
	crew    map[string]*member
	removed map[string]string // id to name
	passed  map[string]bool   // ids whose signs of life could not be used
	round   *round            // the part in the run at work, nil while there is none
	begun   chan struct{}     // closed and made anew when a run begins
	trouble error
}

var _ engine.Executor = (*Coordinator)(nil)

// Serve starts a coordinator with a server of its own: what it keeps lies in the folder dir, it
// listens on address (HOST:PORT; an empty host is all addresses of this machine, an empty or zero
// port that of last time). TLS and a token are always in force.
func Serve(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	o = o.orDefault()
	server, err := startServer(dir, address, o.Log)
	if err != nil {
		return nil, err
	}
	nc, err := server.connect()
	if err != nil {
		server.stop()
		return nil, fmt.Errorf("use the server of %s: %w", dir, err)
	}
	c, err := newCoordinator(ctx, bus{names(server.secrets.Space), nc, &link{}}, dir, o)
	if err != nil {
		server.stop()
		return nil, err
	}
	c.server, c.join = server, server.join
	return c, nil
}

// Dial makes a coordinator on a NATS server that exists, at tls://USER:PASSWORD@HOST:PORT or, on
// this machine, nats://HOST:PORT. What it keeps lies in the folder dir, as the name of its space,
// which keeps coordinators apart that share the server.
func Dial(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != schemeTLS && u.Scheme != schemePlain {
		return nil, fmt.Errorf("%q is no address of a NATS server; use tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this machine", hidePassword(address))
	}
	if u.Port() == "" {
		u.Host += ":4222"
	}
	if err := makePrivate(dir); err != nil {
		return nil, err
	}
	s, err := loadSecrets(dir)
	if err != nil {
		return nil, err
	}
	j := Join{Scheme: u.Scheme, Host: u.Host, User: u.User, Space: s.Space}
	if err := j.check(); err != nil {
		return nil, err
	}
	l := &link{}
	nc, err := j.connect("coordinator", l)
	if err != nil {
		return nil, err
	}
	c, err := newCoordinator(ctx, bus{names(s.Space), nc, l}, dir, o.orDefault())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Host, err)
	}
	c.join = []string{j.String()}
	return c, nil
}

// hidePassword keeps what may be a password out of messages: all but the scheme and what follows
// the last @.
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
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return o
}

func newCoordinator(ctx context.Context, b bus, dir string, o Options) (*Coordinator, error) {
	c := &Coordinator{
		bus: b, options: o, packs: filepath.Join(dir, "packs"), begun: make(chan struct{}),
		crew: map[string]*member{}, removed: map[string]string{}, passed: map[string]bool{},
	}
	c.ctx, c.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := c.listen("workers", map[string]nats.MsgHandler{c.subject("hello"): c.hello, c.from("*", "*"): c.hear}); err != nil {
		c.end()
		b.nc.Close()
		return nil, err
	}
	return c, nil
}

// hear takes what a worker says.
func (c *Coordinator) hear(msg *nats.Msg) {
	parts := strings.Split(msg.Subject, ".")
	worker, what := parts[len(parts)-2], parts[len(parts)-1]
	switch what {
	case "beat":
		c.hearBeat(worker, msg.Data)
	case "trouble":
		c.hearTrouble(worker, msg.Data)
	case "ask":
		c.answer(worker, msg, c.handTo)
	case "file":
		c.answer(worker, msg, c.fileFor)
	case "brought":
		c.answer(worker, msg, c.takeFrom)
	}
}

// maxAsking bounds what a worker asks at the same time, per core.
const maxAsking = 4

// answer lets a goroutine answer a worker that is known; who is not hears nothing to give.
func (c *Coordinator) answer(
	worker string, msg *nats.Msg, find func(ctx context.Context, worker string, data []byte) []byte,
) {
	if !isInbox(msg.Reply, worker) {
		return
	}
	c.mu.Lock()
	m := c.crew[worker]
	busy := m != nil && m.asking >= maxAsking*(1+m.machine.Cores)
	if m != nil && !busy && c.ctx.Err() == nil {
		m.asking++
		c.asked.Add(1)
	} else {
		m = nil
	}
	c.mu.Unlock()
	if m == nil {
		if !busy {
			_ = msg.Respond(nil) // it asks again
		}
		return
	}
	go func() {
		defer c.asked.Done()
		_ = msg.Respond(find(c.ctx, worker, msg.Data)) // it asks again where the answer does not arrive
		c.mu.Lock()
		m.asking--
		c.mu.Unlock()
	}()
}

// Join are the lines with which a worker joins (variscope worker LINE), the likeliest first: one
// per address of this machine.
func (c *Coordinator) Join() []string { return slices.Clone(c.join) }

// Moved tells whether the server listens on another port than last time, though none was asked
// for, because somebody else has that one: lines that were given out then lead nowhere.
func (c *Coordinator) Moved() bool { return c.server != nil && c.server.moved }

// Trouble is why no units are handed out at the moment, nil where they are.
func (c *Coordinator) Trouble() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.round != nil && !c.nc.IsConnected() {
		return errors.New("the NATS server cannot be reached")
	}
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
	c.options.Changed()
}

// Close ends the coordinator, and its server with it. Workers go on with what they have, and bring
// it when the coordinator is there again. It must have been detached from the engine before.
func (c *Coordinator) Close() error {
	c.mu.Lock()
	again := c.ctx.Err() != nil
	c.end()
	c.mu.Unlock()
	if again {
		return nil
	}
	c.asked.Wait()
	c.nc.Close()
	if c.server != nil {
		c.server.stop()
	}
	return nil
}

// say is a JSON text of ours.
func say(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("cluster: a message that is no JSON: " + err.Error())
	}
	return data
}
