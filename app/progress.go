package app

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/variscope/variscope/ui/present"
)

// bar shows progress in one line of a terminal; on anything else it is silent. It is an engine.Progress.
type bar struct {
	out   io.Writer
	what  string
	mu    sync.Mutex
	begun time.Time
	drawn time.Time
	total int64
	count int64
	width int // of what stands in the line
}

func newBar(out io.Writer, what string) *bar {
	if !isTerminal(out) {
		out = nil
	}
	return &bar{out: out, what: what, begun: time.Now()}
}

func isTerminal(w io.Writer) bool {
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
	if b.out == nil || time.Since(b.drawn) < 100*time.Millisecond && done < total {
		return
	}
	b.drawn = time.Now()
	share := 0.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	b.line(fmt.Sprintf("%s %3.0f %% %s", b.what, 100*share, present.Left(left)))
}

// say writes a line of its own in place of a share.
func (b *bar) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil {
		b.line(b.what + ": " + text)
	}
}

// line writes over what stands in the line, without codes, which not every terminal understands.
func (b *bar) line(text string) {
	width := utf8.RuneCountInString(text)
	fmt.Fprint(b.out, "\r", text, strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// done clears the line.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil {
		b.line("")
		fmt.Fprint(b.out, "\r")
	}
}
