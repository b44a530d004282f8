package jobs

import (
	"sync"
	"time"
)

// slice is how long functions of a queue run in one go: the window stays able to answer.
const slice = 20 * time.Millisecond

// Queue hands functions to the main goroutine in bundles. Fyne's loop runs one function per frame
// where drawing a frame takes longer than a sixtieth of a second, as it does in software on a busy
// machine; a function each for everything that is stored or shown would then wait ever longer, and
// what people see would fall behind by minutes.
type Queue struct {
	post  func(func())
	after func()
	slice time.Duration

	mu      sync.Mutex
	waiting []func()
}

// NewQueue makes a queue. Post hands a function to the main goroutine and does not wait for it
// (fyne.Do); after, which may be nil, is called there after every bundle.
func NewQueue(post func(func()), after func()) *Queue {
	if after == nil {
		after = func() {}
	}
	return &Queue{post: post, after: after, slice: slice}
}

// Do has f run on the main goroutine, after all that was handed in before. It does not wait.
func (q *Queue) Do(f func()) {
	q.mu.Lock()
	q.waiting = append(q.waiting, f)
	first := len(q.waiting) == 1
	q.mu.Unlock()
	if first {
		q.post(q.run)
	}
}

// run runs what waits. What there is no time for is posted again, behind what others have posted
// meanwhile.
func (q *Queue) run() {
	for begun := time.Now(); ; {
		q.mu.Lock()
		f := q.waiting[0]
		q.mu.Unlock()
		f()
		q.mu.Lock()
		q.waiting[0] = nil // or what it holds would stay
		q.waiting = q.waiting[1:]
		more := len(q.waiting) > 0
		q.mu.Unlock()
		if more && time.Since(begun) < q.slice {
			continue
		}
		q.after()
		if more {
			q.post(q.run)
		}
		return
	}
}
