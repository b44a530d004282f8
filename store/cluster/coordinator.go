package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
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
	// Mixed lets workers with other processors join; they get units of runs that allow it alone.
	Mixed bool
	Pace  Pace
	Log   *slog.Logger // nil for none
	// Changed, which may be nil, hears of changes of workers or trouble, and must not wait.
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
	members map[string]*member
	removed map[string]bool // ids of workers that had to leave
	round   *round          // the part in the run at work, nil while there is none
	begun   chan struct{}   // closed and made anew when a run begins
	trouble error
}

var _ engine.Executor = (*Coordinator)(nil)

// Serve starts a coordinator with a server of its own: what it keeps lies in the folder dir, it
// listens on address (HOST:PORT; an empty host is all addresses of this machine, an empty or zero
// port that of last time). TLS and a token are always in force.
func Serve(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	o = o.orDefault()
	server, join, err := startServer(dir, address, o.Log)
	if err != nil {
		return nil, err
	}
	// The coordinator's own connection crosses no network.
	nc, err := nats.Connect("", nats.InProcessServer(server.server), nats.Name("coordinator"),
		nats.UserInfo(userCoordinator, server.inside))
	if err != nil {
		server.stop()
		return nil, fmt.Errorf("use the server of %s: %w", dir, err)
	}
	return newCoordinator(ctx, bus{names(server.secrets.Space), nc}, dir, o, server, join)
}

// Dial makes a coordinator on a NATS server that exists, at tls://USER:PASSWORD@HOST:PORT or, on
// this machine, nats://HOST:PORT. What it keeps lies in the folder dir, as the name of its space,
// which keeps coordinators apart that share the server.
func Dial(ctx context.Context, dir, address string, o Options) (*Coordinator, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != schemeTLS && u.Scheme != schemePlain {
		return nil, fmt.Errorf("%q is no address of a NATS server; use tls://USER:PASSWORD@HOST:PORT, or "+
			"nats://HOST:PORT on this machine", hidePassword(address))
	}
	if u.Port() == "" {
		u.Host += ":4222"
	}
	s, _, err := loadSecrets(dir)
	if err != nil {
		return nil, err
	}
	j := Join{Scheme: u.Scheme, Host: u.Host, User: u.User, Space: s.Space}
	if err := j.check(); err != nil {
		return nil, err
	}
	nc, err := j.connect("coordinator")
	if err != nil {
		return nil, err
	}
	c, err := newCoordinator(ctx, bus{names(s.Space), nc}, dir, o.orDefault(), nil, []string{j.String()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Host, err)
	}
	return c, nil
}

// hidePassword shows of an address what can be no password: its scheme, what follows the last @.
func hidePassword(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "..." + address[at:]
	}
	scheme, rest, found := strings.Cut(address, "://")
	switch {
	case found && strings.Contains(rest, ":"):
		return scheme + "://..."
	case !found && strings.Contains(address, ":"):
		return "..."
	}
	return address
}

func (o Options) orDefault() Options {
	o.Pace = Pace{Beat: cmp.Or(o.Pace.Beat, 2*time.Second), AckWait: cmp.Or(o.Pace.AckWait, 30*time.Second)}
	o.Self.Protocol = protocol
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return o
}

// newCoordinator listens to workers; on an error connection and server have ended.
func newCoordinator(
	ctx context.Context, b bus, dir string, o Options, server *embedded, join []string,
) (*Coordinator, error) {
	c := &Coordinator{
		bus: b, options: o, packs: filepath.Join(dir, "packs"), server: server, join: join, begun: make(chan struct{}),
		members: map[string]*member{}, removed: map[string]bool{},
	}
	c.ctx, c.end = context.WithCancel(context.WithoutCancel(ctx))
	err := c.listen("workers", map[string]nats.MsgHandler{c.subject("hello"): c.hello, c.from("*", "*"): c.receive})
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// receive takes what a worker says.
func (c *Coordinator) receive(msg *nats.Msg) {
	parts := strings.Split(msg.Subject, ".")
	worker := parts[len(parts)-2]
	switch parts[len(parts)-1] {
	case "beat":
		c.receiveBeat(worker, msg.Data)
	case "trouble":
		reads(maxTrouble, func(_ *nats.Msg, t trouble) { c.receiveTrouble(worker, t) })(msg)
	case "ask":
		c.answer(worker, msg, reads(maxBeat, func(msg *nats.Msg, has []string) {
			_ = msg.Respond(c.handTo(worker, has))
		}))
	case "file":
		c.answer(worker, msg, reads(maxNotice, func(msg *nats.Msg, ask wanted) { _ = msg.Respond(c.fileFor(ask)) }))
	case "brought":
		c.answer(worker, msg, reads(maxNotice, func(msg *nats.Msg, n notice) {
			_ = msg.Respond(say(c.take(worker, n)))
		}))
	}
}

// answer lets a goroutine answer a worker that is known, who asks again where nothing arrives.
func (c *Coordinator) answer(worker string, msg *nats.Msg, handle nats.MsgHandler) {
	if !isInbox(msg.Reply, worker) {
		return
	}
	c.mu.Lock()
	m := c.members[worker]
	known := m != nil && c.ctx.Err() == nil
	busy := known && m.asking >= maxAsking*(1+m.Cores)
	if known && !busy {
		m.asking++
		c.asked.Add(1)
	}
	c.mu.Unlock()
	switch {
	case busy:
	case !known:
		_ = msg.Respond(nil)
	default:
		go func() {
			defer c.asked.Done()
			handle(msg)
			c.mu.Lock()
			m.asking--
			c.mu.Unlock()
		}()
	}
}

// Join are the lines with which a worker joins, one per address of this machine, likeliest first.
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
func (c *Coordinator) Close() {
	c.mu.Lock() // nobody is answered from here on
	c.end()
	c.mu.Unlock()
	c.asked.Wait()
	c.nc.Close()
	if c.server != nil {
		c.server.stop()
	}
}
