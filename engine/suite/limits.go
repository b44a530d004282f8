package suite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits bound what the decoding of image files takes in this process: small files may unpack to
// gigabytes or need minutes. 0 is the default.
type Limits struct {
	DecodeMemory int     `help:"Memory of all images that are decoded at the same time, in each process (default: a quarter of the computer's, 512 to 4096)." label:"Memory for decoding images" unit:"MiB" zero:"default" min:"0" max:"1048576"`
	DecodeTime   float64 `help:"Time that an image may take to be decoded (default: 10)." label:"Time for decoding an image" unit:"seconds" zero:"10" min:"0" max:"86400"`
}

// The defaults where nothing was set, and what counts as large: more than a photograph of 24
// million pixels takes.
const (
	usualMemory = 1 << 30 // bytes
	usualTime   = 10 * time.Second
	largeMemory = 384 << 20
	largeFile   = 64 << 20
)

// raise says how a limit is changed.
const raise = "allow more by --decode-%s (in the window: Settings, Computing)"

// room is where images are decoded under limits.
type room struct {
	memory int64 // bytes
	time   time.Duration
	free   *semaphore.Weighted // bytes
}

var current atomic.Pointer[room]

func init() { SetLimits(Limits{}) }

// SetLimits sets the limits of the images that are decoded from now on. Without it, or with zeros,
// they are 1 GiB and 10 s.
func SetLimits(l Limits) {
	r := &room{memory: cmp.Or(int64(l.DecodeMemory)<<20, usualMemory), time: usualTime}
	if l.DecodeTime > 0 {
		r.time = time.Duration(l.DecodeTime * float64(time.Second))
	}
	r.free = semaphore.NewWeighted(r.memory)
	current.Store(r)
}

// enter waits until so many bytes are free, and returns what gives them back. Much memory is given
// to one image at a time, after that of the ones before it was collected.
func (r *room) enter(bytes int64) (leave func()) {
	large := bytes > min(largeMemory, r.memory)
	if large {
		bytes = r.memory
	}
	_ = r.free.Acquire(context.Background(), bytes) // fails only when the context ends
	if large {
		runtime.GC()
	}
	return func() { r.free.Release(bytes) }
}

// clock ends the decoding of an image that takes too long.
type clock struct {
	end  time.Time
	late bool // it has ended one
}

// errLate is what a decoder is stopped by; who reads the error gets that of room.late.
var errLate = errors.New("is not decoded in time")

// check is called by decoders at least once for each row and each few kB that they read.
func (c *clock) check() error {
	if c.late = c.late || time.Now().After(c.end); c.late {
		return errLate
	}
	return nil
}

// reader gives a file's bytes to a decoder that knows no clock: reading fails when the time is
// over. One call of Read gives nothing behind the next of cuts, which ascend.
func (c *clock) reader(data []byte, cuts ...int) io.Reader { return &timed{c, data, 0, cuts} }

type timed struct {
	clock *clock
	data  []byte
	at    int
	cuts  []int
}

func (t *timed) Read(p []byte) (int, error) {
	if err := t.clock.check(); err != nil {
		return 0, err
	}
	end := len(t.data)
	for len(t.cuts) > 0 && t.cuts[0] <= t.at {
		t.cuts = t.cuts[1:]
	}
	if len(t.cuts) > 0 {
		end = t.cuts[0]
	}
	n := copy(p, t.data[t.at:end])
	if t.at += n; n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
