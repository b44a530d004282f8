package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
)

// Load loads an inference library for a worker, by what FindLibrary takes, for a device, and says
// which file it is.
type Load func(library string, on device.Device) (lib engine.Library, path string, err error)

// Serve computes what comes in until it ends, and then ends the process, whatever is computed. It
// returns where the other end says something that cannot be.
func Serve(in io.Reader, out io.Writer, load Load) error {
	s := &server{
		stream: stream{out: out}, in: bufio.NewReaderSize(in, 1<<16), orders: make(chan *task, 2),
		tasks: map[uint64]*task{}, waiting: map[uint64]asked{},
	}
	f, err := receive(s.in, told)
	if err != nil || f.kind != hello {
		return errors.New("a worker process is started by Variscope, " +
			"which tells it what to compute; it cannot be used by itself")
	}
	var g greeting
	if err := f.into(&g); err != nil {
		return err
	}
	suite.SetLimits(g.Decode)
	var r Ready
	lib, path, err := load(g.Library, g.Device)
	if err == nil {
		r.Version, r.Path = lib.Version(), path
		if !g.Device.IsGPU() { // a GPU's memory is mapped, and more than there is
			err = limitMemory(g.Memory)
		}
		if err == nil {
			r.Rights, err = restrict(g.Device, path)
		}
	}
	if err != nil {
		r.Problem = err.Error()
	}
	if err := s.send(ready, 0, r, nil); err != nil || r.Problem != "" {
		return err
	}
	s.library = library{lib}
	debug.SetGCPercent(rarely)
	debug.SetMemoryLimit(muchMemory)
	go s.compute()
	_ = s.listen() // ends with the program that has started this process
	os.Exit(0)     // whatever is computed: nobody is left to hear of it
	return nil
}

// rarely is how much garbage a worker may have, in percent of what it needs, which is little
// beside the model.
const rarely = 800

// muchMemory is what a worker may have of garbage and all else of Go before it collects more often:
// the bytes of a large model are not needed any more when the library has read them.
const muchMemory = 512 << 20

// server is a worker process.
type server struct {
	stream
	in      *bufio.Reader
	library library
	orders  chan *task
	pause   engine.Pause // shut while the pool's run is paused
	// prepared is what the last unit of signals was of, whose tables and session the next one may
	// use, and key that of its spec.
	prepared *engine.Prepared
	key      string
	room     []byte // of results, which are written one after the other

	mu      sync.Mutex
	tasks   map[uint64]*task
	waiting map[uint64]asked
	number  uint64 // of the last question
}

// task is an order at work.
type task struct {
	*server
	number  uint64
	command command
	order   wire.Order // of signals
	ctx     context.Context
	cancel  context.CancelFunc
	source  *remote
	steps   atomic.Int64 // images since the last step frame
	moved   atomic.Bool
	wrong   error // why the order cannot be read
}

// listen takes frames in until there are no more.
func (s *server) listen() error {
	for {
		f, err := receive(s.in, told)
		if err != nil {
			return err
		}
		switch f.kind {
		case order:
			t := &task{server: s, number: f.number}
			if err := f.into(&t.command); err != nil {
				return err
			}
			t.ctx, t.cancel = context.WithCancel(context.WithValue(context.Background(), taskKey{}, t))
			s.mu.Lock()
			s.tasks[f.number] = t
			s.mu.Unlock()
			r := &remote{task: t, have: map[int]sent{}}
			if s := t.command.Scenes; s != nil {
				r.compositor = background.NewCompositor(r, composites)
			}
			t.source = r
			t.wrong = t.read()
			s.orders <- t
		case cancel:
			s.mu.Lock()
			if t := s.tasks[f.number]; t != nil {
				t.cancel()
			}
			s.mu.Unlock()
		case hold:
			s.pause.Hold()
		case release:
			s.pause.Release()
		case answer, part:
			s.mu.Lock()
			to := s.waiting[f.number]
			if f.kind == answer {
				delete(s.waiting, f.number)
			}
			s.mu.Unlock()
			select {
			case to.answer <- f:
			case <-to.ended:
			}
		default:
			return fmt.Errorf("a worker process was told %d, which it does not know", f.kind)
		}
	}
}

// asked is a question that waits for its answer, as long as its task is at work.
type asked struct {
	answer chan frame
	ended  <-chan struct{}
}

// compute works through the orders: units of signals as engine.Work does, which keeps a model open
// as long as units of it come; all others one by one between them.
func (s *server) compute() {
	benches := &engine.OpenModels{Library: s.library}
	engine.Work(context.Background(), s.library, 1, func(context.Context, string) (engine.Order, bool) {
		for t := range s.orders {
			o, err := t.begin(benches)
			if err != nil {
				t.Failed(err)
			} else if o.Prepared != nil {
				return o, true
			}
		}
		return engine.Order{}, false
	})
}

// read reads the order, and asks for its first images while the one before is at work.
func (t *task) read() (err error) {
	switch c := t.command; {
	case c.Rows != nil:
		t.source.sequence = c.Rows.Images
	case c.Signals != nil:
		if t.order, err = wire.ParseOrder(c.Signals); err != nil {
			return err
		}
		first, n := t.order.Spec.ChunkImages(t.order.Chunk)
		for i := range n {
			t.source.sequence = append(t.source.sequence, first+i)
		}
	}
	if len(t.source.sequence) > 0 {
		t.source.request(0)
	}
	return nil
}

// begin makes a unit of signals ready; it computes all else at once, and the order is empty then.
func (t *task) begin(benches *engine.OpenModels) (o engine.Order, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	go t.tell()
	c, out := t.command, outcome{}
	judging, judges := t.library.Library.(judger)
	switch {
	case t.wrong != nil:
		err = t.wrong
	case c.Signals != nil:
		if err = t.prepare(); err != nil {
			return o, err
		}
		return engine.Order{Prepared: t.prepared, Source: t.source.asComposer(), Chunk: t.order.Chunk, Sink: t}, nil
	case c.Rows != nil:
		err = benches.Rows(t.ctx, *c.Rows, t.source.asComposer(), func(k int, values []float64) error {
			t.Inferred(1)
			return t.send(row, t.number, nil, packFloats(values))
		})
	case c.Trial != nil:
		var probe engine.Probe
		probe, err = t.library.Probe(t.ctx, *c.Trial)
		out.Probe = &probe
	case c.Rate != nil:
		out.Rate, err = benches.Rate(t.ctx, *c.Rate, c.Seconds)
	case c.Judge != nil && judges:
		out.Labels, out.Scores, err = judging.Judge(t.ctx, c.Judge.Name, c.Judge.Model, c.Judge.X)
	default:
		err = errors.New("a worker process was told to do nothing")
	}
	if err == nil {
		t.end(done, out, nil)
	}
	return o, err
}

// judger is a library that runs exported assessors (engine/assess/exchange.Runner).
type judger interface {
	Judge(ctx context.Context, name string, model []byte, x [][]float64) (labels []int64, scores [][]float32, err error)
}

// prepare makes the model of the order ready, unless the last unit was of the same one.
func (t *task) prepare() error {
	key := t.order.Spec.Key()
	if key == t.key {
		return nil
	}
	work := t.order.Task(t.command.Path)
	work.Feed.Shapes, work.Probed = t.command.Shapes, len(t.command.Shapes) > 0
	prepared, err := engine.Prepare(work, t.prepared)
	if err == nil {
		t.server.prepared, t.server.key = prepared, key
	}
	return err
}

// often is how long steps are added up before they are told.
const often = 50 * time.Millisecond

// tell says how far the task is, as long as it moves.
func (t *task) tell() {
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if t.moved.Swap(false) {
				// a pool that is gone ends this process
				_ = t.send(step, t.number, progress{Images: int(t.steps.Swap(0))}, nil)
			}
		case <-t.ctx.Done():
			return
		}
	}
}

// end says how the task has ended.
func (t *task) end(k kind, head any, body []byte) {
	t.cancel()
	t.mu.Lock()
	delete(t.tasks, t.number)
	t.mu.Unlock()
	_ = t.send(k, t.number, head, body)
}

// Context implements engine.Sink.
func (t *task) Context() context.Context { return t.ctx }

// Pass implements engine.Sink.
func (t *task) Pass() error { return t.pause.Pass(t.ctx) }

// Inferred implements engine.Sink.
func (t *task) Inferred(images int) {
	t.steps.Add(int64(images))
	t.moved.Store(true)
}

// Done implements engine.Sink.
func (t *task) Done(unit *signal.Unit, timings engine.Timings) {
	data, err := wire.AppendResult(t.room[:0], t.order.Spec, unit)
	if err != nil {
		t.Failed(fmt.Errorf("model %s: %w", t.order.ID, err))
		return
	}
	t.server.room = data
	t.end(done, outcome{Timings: timings}, data)
}

// Failed implements engine.Sink.
func (t *task) Failed(err error) {
	t.end(failed, failure{
		Text: err.Error(), Batch: errors.As(err, new(*engine.BatchError)),
		Class: errors.Is(err, engine.ErrClassMismatch),
	}, nil)
}

// taskKey finds the task in its context.
type taskKey struct{}

// library opens models from the bytes that the pool sends.
type library struct{ engine.Library }

// Open implements engine.Library.
func (l library) Open(ctx context.Context, feed engine.Feed) (engine.Session, error) {
	feed.Read = reader(ctx)
	return l.Library.Open(ctx, feed)
}

// Probe implements engine.Library.
func (l library) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	feed.Read = reader(ctx)
	return l.Library.Probe(ctx, feed)
}

// reader asks for the model's file of the task of a context.
func reader(ctx context.Context) func(bool) ([]byte, error) {
	return func(whole bool) ([]byte, error) {
		t := ctx.Value(taskKey{}).(*task)
		parts := t.ask(request{Model: true, Whole: whole})
		var data []byte
		for {
			got, f, err := t.wait(parts)
			if err != nil {
				return nil, err
			}
			if data == nil {
				data = make([]byte, 0, got.Size)
			}
			data = append(data, f.body...)
			t.moved.Store(true)
			if f.kind == answer {
				return data, nil
			}
		}
	}
}
