package app

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/ui/present"
)

// bar shows progress in one line of a terminal. In a file or a pipe it writes a line every ten
// seconds, less often as time goes by, and none for what takes less. It is an engine.Progress.
type bar struct {
	out      io.Writer
	terminal bool
	what     string
	mu       sync.Mutex
	begun    time.Time
	drawn    time.Time
	total    int64
	count    int64
	width    int // of what stands in the line
}

func newBar(out io.Writer, what string) *bar {
	now := time.Now()
	b := &bar{out: out, terminal: isTerminal(out), what: what, begun: now}
	if !b.terminal {
		b.drawn = now
	}
	return b
}

func isTerminal(w io.Writer) bool {
	if made, ok := w.(outside.Terminal); ok {
		w = made.Writer
	}
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// SetTotal sets the number of steps.
func (b *bar) SetTotal(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total = n
}

// stages is a bar for work in stages that know nothing of each other: each total begins a new
// count.
type stages struct{ *bar }

// SetTotal begins a stage of n steps.
func (s stages) SetTotal(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun, s.count, s.total = time.Now(), 0, n
}

// Add counts finished steps.
func (b *bar) Add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count += n
	elapsed := time.Since(b.begun)
	var left time.Duration
	if b.count > 0 {
		left = time.Duration(float64(elapsed) * float64(b.total-b.count) / float64(b.count))
	}
	b.draw(b.count, b.total, left)
}

// show draws a state that somebody else counted.
func (b *bar) show(done, total int64, left time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draw(done, total, left)
}

func (b *bar) draw(done, total int64, left time.Duration) {
	if b.terminal && done == total {
		b.drawn = time.Time{} // the end is always shown
	}
	if !b.due() {
		return
	}
	share := 0.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	b.line(fmt.Sprintf("%s %3d %% %s", b.what, int(math.Round(100*share)), present.Left(left)))
}

// say writes a line of its own in place of a share, in a terminal alone.
func (b *bar) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.terminal {
		b.line(b.what + ": " + text)
	}
}

// due says whether it is time for the next state, and notes that it is shown.
func (b *bar) due() bool {
	interval := max(10*time.Second, time.Since(b.begun)/20)
	if b.terminal {
		interval = 100 * time.Millisecond
	}
	if time.Since(b.drawn) < interval {
		return false
	}
	b.drawn = time.Now()
	return true
}

// line writes over what stands in a terminal's line, without codes, which not every terminal
// understands.
func (b *bar) line(text string) {
	if !b.terminal {
		fmt.Fprintln(b.out, strings.TrimSpace(text))
		return
	}
	width := utf8.RuneCountInString(text)
	fmt.Fprint(b.out, "\r", text, strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// done clears the line.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.terminal {
		b.line("")
		fmt.Fprint(b.out, "\r")
	}
}

// withBar does long work with a bar that says what it is.
func withBar(s *session, what string, do func(p engine.Progress) error) error {
	bar := newBar(s.stderr, what)
	defer bar.done()
	return do(bar)
}
