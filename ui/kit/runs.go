package kit

import (
	"cmp"
	"fmt"
	"slices"

	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/widget"
)

// Run is a run that a button would start: of models (hashes; nil for any) on a suite (its hash)
// under a family or set (canonical text).
type Run struct {
	Models        []string
	Suite, Family string
	// Positions are those of which signals are kept, nil for the usual ones; Modalities bring those
	// that they need besides.
	Positions, Modalities []string
}

// Runs are what the engine has queued and at work, and what is being prepared for it, so that no
// button offers to start it again. All hosts of a window have the same.
type Runs struct {
	// Snapshot is what the engine is doing now; nil where there is none. It is asked when runs were
	// prepared: a short one may have ended before Follow could tell of it.
	Snapshot func() []engine.Status

	statuses    []engine.Status
	preparing   []*[]Run // that somebody has started and that the engine does not know yet
	said        []string // of each run that has not ended
	subscribers []*func()
	watch       []*func([]engine.Status)
}

// Follow takes in what the engine is doing. Whoever listens is told where that changes what is said
// of a run.
func (r *Runs) Follow(statuses []engine.Status) {
	r.statuses = statuses
	var said []string
	for _, s := range statuses {
		if state := stateOf(s); state != "" {
			said = append(said, s.ID+" "+state)
		}
	}
	for range r.preparing {
		said = append(said, "")
	}
	if !slices.Equal(said, r.said) {
		r.said = said
		r.tell()
	}
	for _, watch := range slices.Clone(r.watch) {
		(*watch)(statuses)
	}
}

// Watch has f called with all that the engine is doing, as often as Follow is, until stop is
// called. A nil *Runs never calls it.
func (r *Runs) Watch(f func([]engine.Status)) (stop func()) {
	if r == nil {
		return func() {}
	}
	r.watch = append(r.watch, &f)
	return func() {
		r.watch = slices.DeleteFunc(r.watch, func(other *func([]engine.Status)) bool { return other == &f })
	}
}

func (r *Runs) tell() {
	for _, notify := range slices.Clone(r.subscribers) {
		(*notify)()
	}
}

// Prepare says that these runs are being prepared: they count as queued until the engine tells of
// them, or until ended is called with false. A nil *Runs knows nothing of them.
func (r *Runs) Prepare(runs ...Run) (ended func(started bool)) {
	if r == nil {
		return func(bool) {}
	}
	r.preparing = append(r.preparing, &runs)
	r.tell()
	return func(started bool) {
		r.preparing = slices.DeleteFunc(r.preparing, func(other *[]Run) bool { return other == &runs })
		if started && r.Snapshot != nil {
			r.statuses = r.Snapshot()
		}
		r.tell()
	}
}

// Subscribe has f called after what is said of runs has changed, until stop is called. A nil *Runs
// never calls it.
func (r *Runs) Subscribe(f func()) (stop func()) {
	if r == nil {
		return func() {}
	}
	r.subscribers = append(r.subscribers, &f)
	return func() {
		r.subscribers = slices.DeleteFunc(r.subscribers, func(other *func()) bool { return other == &f })
	}
}

// AtWork says how far the first of some runs is that is queued or at work: "queued", "running, 45
// %". "" where none is.
func (h *Host) AtWork(runs ...Run) string {
	if h.Runs == nil {
		return ""
	}
	for _, s := range h.Runs.statuses {
		state := stateOf(s)
		if state != "" && slices.ContainsFunc(runs, func(r Run) bool { return r.in(s) }) {
			return state
		}
	}
	for _, p := range h.Runs.preparing {
		for _, other := range *p {
			if slices.ContainsFunc(runs, func(r Run) bool { return r.meets(other) }) {
				return string(engine.Queued)
			}
		}
	}
	return ""
}

// Busy is AtWork for a Help.
func (h *Host) Busy(runs ...Run) func() string { return func() string { return h.AtWork(runs...) } }

// RunButton is a button that starts runs. While any of them is queued or at work it says so and
// cannot be pressed.
type RunButton struct {
	*fynewidget.Button
	host *Host
	text string
	can  bool
	runs []Run
}

// NewRunButton makes a button that does nothing before Offer.
func (h *Host) NewRunButton(do func()) *RunButton {
	b := &RunButton{Button: fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), do), host: h}
	b.Disable()
	h.Runs.Subscribe(b.renew)
	return b
}

// Offer says what the button is called, whether it can be pressed, and what it would start.
func (b *RunButton) Offer(text string, can bool, runs ...Run) {
	b.text, b.can, b.runs = text, can, runs
	b.renew()
}

func (b *RunButton) renew() {
	state := b.host.AtWork(b.runs...)
	if text := cmp.Or(state, b.text); b.Text != text {
		b.SetText(text)
	}
	widget.Enable(b, b.can && state == "")
}

// in tells whether a run of the engine computes any of what r would.
func (r Run) in(s engine.Status) bool {
	return s.Source == r.Suite && s.Family == r.Family && slices.ContainsFunc(s.Tasks, func(t engine.TaskStatus) bool {
		return atWork(t.Phase) && (len(r.Models) == 0 || slices.Contains(r.Models, t.Model))
	})
}

// meets tells whether two runs compute something in common.
func (r Run) meets(o Run) bool {
	return o.Suite == r.Suite && o.Family == r.Family && (len(r.Models) == 0 || len(o.Models) == 0 ||
		slices.ContainsFunc(o.Models, func(hash string) bool { return slices.Contains(r.Models, hash) }))
}

func atWork(p engine.Phase) bool {
	return p == engine.Queued || p == engine.Running || p == engine.Paused
}

// stateOf is how far a run of the engine is, "" where it has ended.
func stateOf(s engine.Status) string {
	switch {
	case !atWork(s.Phase):
		return ""
	case s.Phase == engine.Queued || s.Total == 0:
		return string(s.Phase)
	}
	return fmt.Sprintf("%s, %s", s.Phase, widget.WholePercent(float64(s.Done)/float64(s.Total)))
}
