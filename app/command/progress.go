package command

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
	b := &bar{out: out, what: what, begun: time.Now()}
	if made, ok := out.(outside.Terminal); ok {
		out = made.Writer
	}
	if file, ok := out.(*os.File); ok {
		info, err := file.Stat()
		b.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !b.terminal {
		b.drawn = b.begun
	}
	return b
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
	var left time.Duration
	if b.count > 0 {
		left = time.Duration(float64(time.Since(b.begun)) * float64(b.total-b.count) / float64(b.count))
	}
	b.draw(b.count, b.total, left)
}

// follow draws the state of a run.
func (b *bar) follow(now engine.Status) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draw(now.Done, now.Total, now.Left)
}

func (b *bar) draw(done, total int64, left time.Duration) {
	interval := max(10*time.Second, time.Since(b.begun)/20)
	if b.terminal {
		interval = 100 * time.Millisecond
	}
	if end := b.terminal && done == total; !end && time.Since(b.drawn) < interval { // the end is always shown
		return
	}
	b.drawn = time.Now()
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
