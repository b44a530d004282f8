package suite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits bound what the decoding of image files takes in this process: small files may unpack to
// gigabytes or need minutes. 0 is the default.
type Limits struct {
	DecodeMemory int `help:"Memory of all images that are decoded at the same time (default: a quarter of the computer's, 512 to 4096)." label:"Memory for decoding images" unit:"MiB" zero:"a quarter of the computer's" min:"0" max:"1048576" placeholder:"MIB"`
	DecodeTime   int `help:"Time that one image may take to be decoded (default: 10)." label:"Time for decoding an image" unit:"seconds" zero:"10" min:"0" max:"86400" placeholder:"SECONDS"`
}

// What counts as large: more than a photograph of 24 million pixels takes, and a file of its own.
const (
	largeMemory = 384 << 20 // bytes
	largeFile   = 64 << 20
)

// raise says how a limit is changed.
const raise = "allow more by --decode-%s (in the window: Settings, Computing)"

// room is where images are decoded under limits.
type room struct {
	limits Limits // without zeros
	memory int64  // bytes
	time   time.Duration
	free   *semaphore.Weighted // bytes
}

var current atomic.Pointer[room]

func init() { SetLimits(Limits{}) }

// SetLimits sets the limits of the images that are decoded from now on.
func SetLimits(l Limits) {
	l.DecodeMemory = cmp.Or(l.DecodeMemory, int(min(max(computerMemory()/4, 512<<20), 4<<30)>>20))
	l.DecodeTime = cmp.Or(l.DecodeTime, 10)
	current.Store(newRoom(l, time.Duration(l.DecodeTime)*time.Second))
}

// CurrentLimits are the limits in force, without zeros: what a process gives to those that it
// starts.
func CurrentLimits() Limits { return current.Load().limits }

func newRoom(l Limits, time time.Duration) *room {
	memory := int64(l.DecodeMemory) << 20
	return &room{l, memory, time, semaphore.NewWeighted(memory)}
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

// largeFiles lets one large file be read and decoded at a time.
var largeFiles sync.Mutex

// enterFile waits until the file may be read into memory; leave is to be called when it is not
// needed any more.
func enterFile(path string) (leave func()) {
	if info, err := os.Stat(path); err != nil || info.Size() <= largeFile {
		return func() {}
	}
	largeFiles.Lock()
	return largeFiles.Unlock
}

// clock ends the decoding of an image that takes too long: more work of a processor, so that a
// busy computer refuses no image that an idle one reads. Its thread must stay the same.
type clock struct {
	limit time.Duration
	begin time.Time
	work  time.Duration // of the thread, at the beginning
	late  bool          // it has ended one
}

// errLate stops a decoder; the reader of the image says more.
var errLate = errors.New("takes too long")

// check is called by decoders at least once for each row and each few kB that they read.
func (c *clock) check() error {
	c.late = c.late || time.Since(c.begin) > c.limit && workTime()-c.work > c.limit
	if c.late {
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
