package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/suite"
)

// process is one worker.
type process struct {
	stream
	device    device.Device
	command   *exec.Cmd
	input     io.Closer
	complaint *tail // its standard error
	ready     Ready
	since     time.Time     // without work
	gone      chan struct{} // closed when it has ended

	mu     sync.Mutex
	calls  map[uint64]*call
	cause  error // why the pool has ended it
	exited error
}

// call is an order at a worker.
type call struct {
	command     command
	feed        engine.Feed
	source      engine.Source
	ingredients background.Ingredients // of a source with scenes
	trial       bool                   // has one limit for all of it
	total       int                    // what it has to do
	most        int                    // bytes of its result

	step func()                       // after computed has grown; may be nil
	pass func() error                 // blocks while the run is paused; may be nil
	row  func(values []float64) error // of orders with rows

	attempt

	mu       sync.Mutex
	problems []error // that questions were answered with
}

// attempt is the order at one worker; the next one begins anew.
type attempt struct {
	number  uint64
	events  chan frame
	over    chan struct{} // closed when nobody follows any more
	asking  chan struct{} // bounds questions at work
	outcome outcome
	body    []byte
	rows    int
	// computed is what it has done of total: images x transformations, or rows.
	computed int
	opened   atomic.Bool // the model is open: images are read
	ended    bool        // the worker has said how the order ended
	where    string      // the image at work in a careful try
}

// startTime bounds the start of a worker.
const startTime = time.Minute

// start starts a worker, and another one where that has ended before it was ready.
func (p *Pool) start(on device.Device) (*process, error) {
	one, err := p.startOne(on)
	if errors.As(err, new(*lostError)) {
		one, err = p.startOne(on)
	}
	return one, err
}

// startOne starts a worker and waits until it is ready.
func (p *Pool) startOne(on device.Device) (*process, error) {
	command, err := p.options.Command(on)
	if err != nil {
		return nil, err
	}
	one := &process{
		device: on, command: command, complaint: &tail{}, gone: make(chan struct{}), calls: map[uint64]*call{},
	}
	command.Stderr = one.complaint
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start a worker process: %w", err)
	}
	one.out, one.input = input, input
	widen(input)
	widen(output)
	p.mu.Lock()
	closed := p.closed
	p.live[one] = true
	p.mu.Unlock()
	late := time.AfterFunc(startTime, func() { one.end(errors.New("it did not start in time")) })
	defer late.Stop()
	if closed {
		one.end(engine.ErrClosed)
	}
	in := bufio.NewReaderSize(output, 1<<18)
	err = one.stream.send(hello, 0, greeting{
		Library: p.options.Library, Device: on, Memory: p.bounds().Memory, Decode: suite.CurrentLimits(),
	}, nil)
	var first frame
	if err == nil {
		first, err = receive(in, func(k kind, _ uint64) (head, body int, ok bool) { return smallHead, 0, k == ready })
	}
	if err == nil {
		err = first.into(&one.ready)
	}
	go one.listen(p, in, err)
	switch {
	case err != nil:
		<-one.gone
		return nil, fmt.Errorf("a worker process could not be started: %w", one.lost(nil))
	case one.ready.Problem != "":
		one.end(nil)
		return nil, &Problem{one.ready.Problem}
	}
	return one, nil
}

func (o *process) pid() int { return o.command.Process.Pid }

func (o *process) ended() bool {
	select {
	case <-o.gone:
		return true
	default:
		return false
	}
}

// end ends the worker for a reason, nil where it is not needed any more.
func (o *process) end(cause error) {
	o.mu.Lock()
	if o.cause == nil {
		o.cause = cause
	}
	o.mu.Unlock()
	if cause == nil {
		_ = o.input.Close() // it ends with its input
		time.AfterFunc(time.Second, func() { _ = o.command.Process.Kill() })
		return
	}
	_ = o.command.Process.Kill() // one that has ended needs it no more
}

// said are the bounds of what a worker says.
func (o *process) said(k kind, number uint64) (head, body int, ok bool) {
	switch k {
	case ask, step, failed:
		return smallHead, 0, true
	case row:
		return 0, maxRow, true
	case done:
		o.mu.Lock()
		defer o.mu.Unlock()
		if c := o.calls[number]; c != nil {
			body = c.most
		}
		return maxHead, body, true
	}
	return 0, 0, false
}

// listen hands frames on until the worker has ended.
func (o *process) listen(p *Pool, in *bufio.Reader, err error) {
	for err == nil {
		var f frame
		if f, err = receive(in, o.said); err == nil {
			err = o.take(p, f)
		}
	}
	if !errors.Is(err, io.EOF) {
		o.end(err)
	}
	exited := o.command.Wait()
	o.mu.Lock()
	o.exited = exited
	o.mu.Unlock()
	p.mu.Lock()
	delete(p.live, o)
	p.mu.Unlock()
	close(o.gone)
}

// mostRequests is how many questions a worker may have at a time.
const mostRequests = 8

// take hands a frame on to its order.
func (o *process) take(p *Pool, f frame) error {
	number := f.number
	var q request
	if f.kind == ask {
		if err := f.into(&q); err != nil {
			return err
		}
		number = q.Order
	}
	o.mu.Lock()
	c := o.calls[number]
	if f.kind == done || f.kind == failed {
		delete(o.calls, number)
	}
	o.mu.Unlock()
	switch {
	case c == nil:
		return nil // of an order that was given up
	case f.kind == ask:
		if len(q.Images) > 0 {
			c.opened.Store(true)
		}
		asking := c.asking // that of this try
		select {
		case asking <- struct{}{}:
		default:
			return strange("more than %d questions at a time", mostRequests)
		}
		go func() {
			defer func() { <-asking }()
			o.answer(c, p.options.Whole, q, f.number)
		}()
		return nil
	}
	select {
	case c.events <- f:
	case <-c.over:
	}
	return nil
}

// send gives the worker an order.
func (o *process) send(p *Pool, c *call) error {
	c.attempt = attempt{
		number: p.number.Add(1),
		events: make(chan frame, 256), over: make(chan struct{}), asking: make(chan struct{}, mostRequests),
	}
	o.mu.Lock()
	o.calls[c.number] = c
	o.mu.Unlock()
	if err := o.stream.send(order, c.number, c.command, nil); err != nil {
		<-o.gone
		return o.lost(c)
	}
	return nil
}

// compute gives the worker an order and follows it to its end.
func (o *process) compute(ctx context.Context, p *Pool, c *call) error {
	if err := o.send(p, c); err != nil {
		return err
	}
	return o.follow(ctx, c, p.bounds())
}

// patience is how long a worker may take to end an order that nobody needs; pauseTime is how long
// a pause may last before the worker is told.
const (
	patience  = 2 * time.Second
	pauseTime = 20 * time.Millisecond
)

// restless is how many times its limit a worker may say that it moves without computing an image
// or a row: it decodes.
const restless = 20

// errLate is why a worker is ended that does not go on.
var errLate = errors.New("it took too long")

// follow waits for the end of an order that was sent. An error of the worker itself is a
// *lostError.
func (o *process) follow(ctx context.Context, c *call, l Bounds) error {
	defer close(c.over)
	limit := l.Load
	if c.trial {
		limit = l.Trial
	}
	moved := time.Now() // when something was computed
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var passed chan error // of a look whether the run is paused
	var pausing <-chan time.Time
	held, computed := false, 0
	defer func() {
		if held { // the worker goes on with orders of other runs
			_ = o.stream.send(release, c.number, nil, nil)
		}
	}()
	for {
		select {
		case f := <-c.events:
			if ended, err := c.receive(f); ended || err != nil {
				return o.heard(c, err)
			}
			if f.kind == step && c.pass != nil && passed == nil {
				passed, pausing = make(chan error, 1), time.After(pauseTime)
				go func(to chan<- error) { to <- c.pass() }(passed)
			}
			if c.opened.Load() {
				limit = l.Batch
			}
			if c.computed != computed {
				computed, moved = c.computed, time.Now()
			}
			if !c.trial && time.Since(moved) < restless*limit {
				timer.Reset(limit)
			}
		case <-pausing:
			held = o.stream.send(hold, c.number, nil, nil) == nil
		case <-passed:
			passed, pausing = nil, nil
			if held {
				held = o.stream.send(release, c.number, nil, nil) != nil
				timer.Reset(limit)
				moved = time.Now()
			}
		case <-timer.C:
			if held {
				timer.Reset(limit)
				moved = time.Now()
				continue
			}
			o.end(errLate)
		case <-ctx.Done():
			o.withdraw(c)
			return context.Cause(ctx)
		case <-o.gone:
			for len(c.events) > 0 { // it may have done its work before
				if ended, err := c.receive(<-c.events); ended || err != nil {
					return o.heard(c, err)
				}
			}
			return o.lost(c)
		}
	}
}

// heard is how an order ended: one whose rows were not taken is given up, and a worker that goes
// wrong is ended.
func (o *process) heard(c *call, err error) error {
	if errors.As(err, new(*strangeError)) {
		o.end(err)
		<-o.gone
		return o.lost(c)
	}
	if err != nil && !c.ended {
		o.withdraw(c)
	}
	return err
}

// receive takes a frame of the order in; ended tells that it was the last one.
func (c *call) receive(f frame) (ended bool, err error) {
	switch f.kind {
	case step:
		var s progress
		if err := f.into(&s); err != nil {
			return false, err
		}
		if s.Where != "" {
			c.where = s.Where
		}
		if s.Images < 0 || s.Images > c.total-c.computed {
			return false, strange("that it has done %d images more, when %d were left", s.Images, c.total-c.computed)
		}
		if c.computed += s.Images; s.Images > 0 && c.step != nil {
			c.step()
		}
		return false, nil
	case row:
		if c.row == nil {
			return false, strange("a row that nobody has asked for")
		}
		return false, c.row(unpackFloats(f.body))
	case done:
		c.ended, c.body = true, f.body
		return true, f.into(&c.outcome)
	case failed:
		c.ended = true
		var why failure
		if err := f.into(&why); err != nil {
			return true, err
		}
		return true, c.error(why)
	}
	return false, strange("a message of kind %d", f.kind)
}

// toldError is an error that a worker has told, with those that it follows from.
type toldError struct {
	text   string
	causes []error
}

func (e *toldError) Error() string   { return e.text }
func (e *toldError) Unwrap() []error { return e.causes }

func (c *call) error(why failure) error {
	if why.Batch {
		return &engine.BatchError{Text: why.Text}
	}
	err := &toldError{text: why.Text}
	if why.Class {
		err.causes = append(err.causes, engine.ErrClassMismatch)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.problems {
		if strings.Contains(why.Text, one.Error()) {
			err.causes = append(err.causes, one)
		}
	}
	return err
}

// withdraw ends an order that nobody needs, with its worker where that takes long.
func (o *process) withdraw(c *call) {
	_ = o.stream.send(cancel, c.number, nil, nil) // a worker that has ended needs it no more
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case f := <-c.events:
			if f.kind == done || f.kind == failed {
				return
			}
		case <-timer.C:
			o.end(context.Canceled)
		case <-o.gone:
			return
		}
	}
}
