package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/testdata"
)

// playing names the environment variable that says what this test program sends in place of a
// worker.
const playing = "VARISCOPE_TEST_PLAY"

func TestMain(m *testing.M) {
	if what, ok := os.LookupEnv(playing); ok {
		play(what)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// raw writes a frame that need not be one: the lengths are those that are said.
func raw(k kind, number uint64, head, body int, rest string) {
	start := binary.LittleEndian.AppendUint64([]byte{byte(k)}, number)
	start = binary.LittleEndian.AppendUint32(start, uint32(head))
	start = binary.LittleEndian.AppendUint32(start, uint32(body))
	_, _ = os.Stdout.Write(append(start, rest...))
}

// play is the other end of the pipes: it greets as a worker does and answers the first order with
// what it is told to.
func play(what string) {
	in, out := bufio.NewReader(os.Stdin), &stream{out: os.Stdout}
	if _, err := receive(in, told); err != nil {
		return
	}
	if what == "a greeting that is none" {
		raw(step, 0, 2, 0, "{}")
	} else {
		_ = out.send(ready, 0, Ready{Version: "1"}, nil)
	}
	held, orders := false, 0
	for {
		f, err := receive(in, told)
		if err != nil {
			return
		}
		n := f.number
		if f.kind == hold || f.kind == release {
			held = f.kind == hold
			_ = out.send(step, n, progress{Images: 1}, nil)
		}
		if f.kind == cancel && orders == 1 {
			_ = out.send(failed, n, failure{}, nil)
		}
		if f.kind != order {
			continue
		}
		orders++
		switch what {
		case "a result after a pause":
			if orders == 1 {
				_ = out.send(step, n, progress{}, nil)
			} else if !held {
				data, _ := wire.EncodeResult(subject("").Spec, aUnit())
				_ = out.send(done, n, outcome{}, data)
			}
		case "an unknown kind":
			raw(99, n, 0, 0, "")
		case "what only a pool says":
			raw(order, n, 2, 0, "{}")
		case "a long head":
			raw(step, n, math.MaxUint32, 0, "")
		case "a long result":
			raw(done, n, 2, 1<<29, "{}")
		case "a head that is no JSON":
			raw(step, n, 3, 0, "{]]")
		case "half a frame":
			raw(step, n, 100, 0, "{")
			os.Exit(0)
		case "steps beyond the total":
			for range 20 {
				_ = out.send(step, n, progress{Images: 1}, nil)
			}
		case "steps backwards":
			_ = out.send(step, n, progress{Images: -1}, nil)
		case "steps for ever":
			go func() {
				for range time.Tick(time.Millisecond) {
					_ = out.send(step, n, progress{}, nil)
				}
			}()
		case "rows":
			for range 3 {
				_ = out.send(row, n, nil, packFloats([]float64{1, 2}))
			}
		case "a row that is no number":
			_ = out.send(row, n, nil, packFloats([]float64{math.NaN()}))
		case "no rows":
			_ = out.send(done, n, outcome{}, nil)
		case "too many questions":
			for range 10_000 {
				_ = out.send(ask, 1, request{Order: n, Model: true}, nil)
			}
		case "another's result":
			spec := subject("").Spec
			spec.Model = strings.Repeat("b", 64)
			data, _ := wire.EncodeResult(spec, aUnit())
			_ = out.send(done, n, outcome{}, data)
		case "a short result":
			_ = out.send(done, n, outcome{}, []byte("variscope"))
		case "another order's end":
			_ = out.send(done, n+7, outcome{}, nil)
		case "a result":
			data, _ := wire.EncodeResult(subject("").Spec, aUnit())
			_ = out.send(step, n, progress{Images: 6}, nil)
			_ = out.send(done, n, outcome{}, data)
		}
	}
}

// subject is a task of two images under three transformations, with a set that has no positions.
func subject(path string) engine.Task {
	return engine.Task{
		ID: "m", Probed: true, Classes: []int{0, 1},
		Spec: signal.Spec{
			Model: strings.Repeat("a", 64), Source: strings.Repeat("c", 64), Images: 2,
			Family: "brightness:-0.1:0.1:0.1", Preprocessing: model.Preprocessing{
				Mean: []float64{0}, Std: []float64{1}, Resize: model.Stretch,
			},
			OutputKind: model.Logits, Output: "y", Channels: 1, Height: 4, Width: 4,
			Positions: []signal.Position{{Name: model.CONF, Tensor: "y"}}, Batch: 2, Runtime: "1", Arch: "amd64",
			Level: "avx2",
		},
		Feed: engine.Feed{
			Path: path, Output: "y", Tensors: []string{}, Shapes: [][]int64{{2, 2}},
			Input: model.Input{Name: "x", Layout: model.NCHW, Batch: 2, Channels: 1, Height: 4, Width: 4},
		},
	}
}

// aUnit is a unit of the subject.
func aUnit() *signal.Unit {
	u := &signal.Unit{
		Transformations: 3, Images: 2, Classes: 2, Prediction: make([]int32, 6), Confidence: make([]float32, 6),
		Softmax: make([]float32, 12), Reduced: [][]float32{make([]float32, signal.Reducers*6)},
	}
	for i := range u.Confidence {
		u.Confidence[i], u.Softmax[2*i] = 0.75, 0.75
	}
	return u
}

// blank are two images of 4 x 4 pixels.
type blank struct{}

func (blank) Len() int          { return 2 }
func (blank) Label(int) int     { return 0 }
func (blank) Name(i int) string { return "blank" }
func (blank) Image(int) (suite.Image, error) {
	return suite.Image{Channels: 1, Height: 4, Width: 4, Pix: make([]float32, 16)}, nil
}

// listener is the sink of the one unit.
type listener struct {
	images atomic.Int64
	unit   *signal.Unit
	err    error
}

func (*listener) Context() context.Context                { return context.Background() }
func (*listener) Pass() error                             { return nil }
func (l *listener) Inferred(n int)                        { l.images.Add(int64(n)) }
func (l *listener) Done(u *signal.Unit, _ engine.Timings) { l.unit = u }
func (l *listener) Failed(err error)                      { l.err = err }

// players are workers that send something else; limit is how long they may take.
func players(t *testing.T, what string, limit time.Duration) (*Pool, error) {
	t.Helper()
	pool, err := New(Options{
		Command: func(device.Device) (*exec.Cmd, error) {
			command := exec.Command(os.Args[0])
			command.Env = append(os.Environ(), playing+"="+what)
			return command, nil
		},
		Whole:  os.ReadFile,
		Bounds: Bounds{Load: limit, Batch: limit},
	})
	if err == nil {
		t.Cleanup(func() {
			testdata.OK(t, pool.Close())
		})
	}
	return pool, err
}

// work hands a pool the unit of the subject for each sink in turn.
func work(t *testing.T, pool *Pool, sinks ...engine.Sink) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.onnx")
	testdata.OK(t, os.WriteFile(path, []byte("no model"), 0o600))
	prepared := testdata.Must(engine.Prepare(subject(path), nil))(t)
	for _, sink := range sinks {
		handed := atomic.Bool{}
		pool.Work(t.Context(), 1, func(context.Context, string) (engine.Order, bool) {
			return engine.Order{Prepared: prepared, Source: blank{}, Sink: sink}, handed.CompareAndSwap(false, true)
		})
	}
}

// A worker that a model has taken over may send anything: the unit fails with one sentence that
// names the model, soon, and without memory for what is only said to come.
func TestWorkersThatSendAnything(t *testing.T) {
	const wrong = " makes its worker process go wrong (a worker process has sent "
	for what, want := range map[string]string{
		"a result":               "",
		"an unknown kind":        wrong + "a message of kind 99 with 0 and 0 bytes)",
		"what only a pool says":  wrong + "a message of kind 2 with 2 and 0 bytes)",
		"a long head":            wrong + "a message of kind 9 with 4294967295 and 0 bytes)",
		"a long result":          wrong + "a message of kind 11 with 2 and 536870912 bytes)",
		"a head that is no JSON": wrong + "a message that cannot be read)",
		"half a frame":           " ends the ONNX Runtime library (unexpected EOF)",
		"steps beyond the total": wrong + "that it has done 1 images more, when 0 were left)",
		"steps backwards":        wrong + "that it has done -1 images more, when 6 were left)",
		"steps for ever":         " was at work for more than 50ms without coming to an end",
		"rows":                   wrong + "a row that nobody has asked for)",
		"too many questions":     wrong + "more than 8 questions at a time)",
		"another's result": ": the result of chunk 0 of model aaaaaaaaaaaa cannot be used: " +
			"it is the result of another unit",
		"a short result":      ": the result of chunk 0 of model aaaaaaaaaaaa cannot be used: it does not begin with",
		"another order's end": " was at work for more than 50ms without coming to an end",
		"nothing":             " was at work for more than 50ms without coming to an end",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			limit := 10 * time.Second
			if strings.Contains(want, "50ms") {
				limit = 50 * time.Millisecond
			}
			pool := testdata.Must(players(t, what, limit))(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			sink := &listener{}
			work(t, pool, sink)
			runtime.ReadMemStats(&after)
			if more := (after.TotalAlloc - before.TotalAlloc) >> 20; more > 200 { // of all that run beside each other
				t.Errorf("%d MB of memory", more)
			}
			if n := sink.images.Load(); n > 6 {
				t.Errorf("%d images", n)
			}
			switch {
			case want == "" && (sink.err != nil || sink.unit == nil || sink.images.Load() != 6):
				t.Errorf("%v, %d images", sink.err, sink.images.Load())
			case want != "" && (sink.err == nil || !strings.HasPrefix(sink.err.Error(), "model m"+want)):
				t.Errorf("got  %v\nwant model m%s", sink.err, want)
			}
		})
	}
}

// cancelled is the sink of a unit of a run that is paused, and cancelled when the worker has heard
// of that.
type cancelled struct {
	listener
	ctx    context.Context
	cancel func()
}

func (c *cancelled) Context() context.Context { return c.ctx }
func (c *cancelled) Inferred(int)             { c.cancel() }
func (c *cancelled) Pass() error {
	<-c.ctx.Done()
	return context.Cause(c.ctx)
}

// TestAPauseEndsWithItsRun: a worker that was told of it computes the next run's units.
func TestAPauseEndsWithItsRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	next := &listener{}
	work(t, testdata.Must(players(t, "a result after a pause", 10*time.Second))(t),
		&cancelled{ctx: ctx, cancel: cancel}, next)
	if next.err != nil || next.unit == nil {
		t.Errorf("the next run's unit: %v", next.err)
	}
}

// TestNothingKeepsOneFromBeingAlone: a unit that is fetched while the one at work is tried alone,
// for which everybody else's room is waited for, holds none.
func TestNothingKeepsOneFromBeingAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.onnx")
	testdata.OK(t, os.WriteFile(path, []byte("no model"), 0o600))
	pool := testdata.Must(players(t, "nothing", 0))(t)
	prepared := testdata.Must(engine.Prepare(subject(path), nil))(t)
	s := &place{
		pool: pool, handed: make(chan *unit, 1), alone: true,
		next: func(context.Context, string) (engine.Order, bool) {
			return engine.Order{Prepared: prepared, Source: blank{}, Sink: &listener{}}, true
		},
	}
	s.fetch(t.Context())
	if u := <-s.handed; u.err != nil || u.room || u.sent || !pool.room.TryAcquire(wholeRoom) {
		t.Errorf("it holds room: %t, was sent: %t, %v", u.room, u.sent, u.err)
	}
}

// TestRowsOfAnything is the same for orders with rows.
func TestRowsOfAnything(t *testing.T) {
	feed := subject("").Feed
	feed.Path = "m.onnx"
	order := engine.Rows{Feed: feed, Numbers: engine.Channels, Images: []int{0, 1}}
	for what, want := range map[string]string{
		"rows": "m.onnx makes its worker process go wrong (a worker process has sent more than " +
			"the 2 rows that it was asked for); it cannot be used",
		"a row that is no number": "m.onnx makes its worker process go wrong (a worker process has sent channels " +
			"that cannot be those of an image); it cannot be used",
		"no rows": "a worker has sent 0 rows in place of 2",
	} {
		pool := testdata.Must(players(t, what, 10*time.Second))(t)
		rows := 0
		err := pool.Rows(t.Context(), order, blank{}, func(int, []float64) error { rows++; return nil })
		if err == nil || err.Error() != want || rows > 2 {
			t.Errorf("%d rows, %v\nwant %s", rows, err, want)
		}
	}
}

func TestAGreetingThatIsNone(t *testing.T) {
	const want = "a worker process could not be started: its worker process ended: a worker process has sent a " +
		"message of kind 9 with 2 and 0 bytes"
	if _, err := players(t, "a greeting that is none", 0); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestFramesTakeWhatHasCome: a length alone takes little memory.
func TestFramesTakeWhatHasCome(t *testing.T) {
	var start [frameStart]byte
	start[0] = byte(answer)
	binary.LittleEndian.PutUint32(start[13:], maxBody)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := receive(bufio.NewReader(strings.NewReader(string(start[:])+"abc")), told)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) || after.TotalAlloc-before.TotalAlloc > 2*firstRoom {
		t.Errorf("%v, %d bytes", err, after.TotalAlloc-before.TotalAlloc)
	}
}
