package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/transform"
)

// TestShiftedSuitesRanked makes three shifted suites, runs models on them as they are and turned,
// and ranks on one of them and on the suite that they are made from.
func TestShiftedSuitesRanked(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, wideScreen)
	workspace := d.someScenes()
	w := d.start(workspace)
	w.shifts("fog")
	w.runsSet("plain", 4)
	w.runsSet("rot90", 4)
	w.goes("ctrl+8", "5 models on 360 images")
	w.widen()
	base := w.rankedOn("targets")
	w.shot("ranking")
	w.chooseBeside("Suite", "fog", "severity 3")
	fog := w.rankedOn("targets, fog 3")
	w.close()

	d.sameRows("ranking on the scenes", base, d.rankedBy(workspace, "--suite", "targets", "--methods", screenRankers))
	d.sameRows("ranking on scenes in fog", fog, d.rankedBy(workspace, "--suite", "targets, fog 3",
		"--methods", screenRankers))
	fmt.Printf("window tests: shifted suites and rankings in %s\n", time.Since(begun).Round(time.Second))
}

// shifts makes suites of one corruption in severities 1, 3 and 5 after a look at what it does.
func (w *window) shifts(corruption string) {
	w.t.Helper()
	w.menu("Shifted suites…")
	w.shows("original")
	w.tick(corruption)
	w.shows("5 suites of 360 images")
	// a check answers no further to the right
	digit := func(n node) (x, y int) { return int(n.X) + 3, int(n.Y + n.H/2) }
	for _, severity := range []string{"2", "4"} {
		// the preview says them, too
		w.press("severity "+severity, most(severity, func(n node) float64 { return -n.X }), digit)
	}
	w.until("the preview", patience, func() bool { _, busy := pick(w.screen(), "drawing …"); return !busy })
	w.shot("shifted-suites")
	before := w.stored("suite")
	w.tap("Add")
	w.until("three more suites", toil, func() bool { return w.stored("suite") == before+3 })
	w.shows("Added 3 shifted suites")
}

// runsSet runs all models on the suite and on all that are made from it, under a transformation
// set.
func (w *window) runsSet(set string, runs int) {
	w.t.Helper()
	before := w.stored("run")
	w.asksForSet(set)
	w.tapUntil("Start", "the start of the runs", func() bool { return w.stored("run") > before })
	// A run is stored when it starts and when it has ended.
	w.until(fmt.Sprintf("the end of %d runs", runs), toil, func() bool { return w.stored("run") >= before+2*runs })
}

// inWords is what menus call the usual setting of a family or set.
func inWords(name string) string {
	text, _ := transform.Default(name)
	return transform.Words(text)
}

// asksForSet opens the dialog of a run and fills it in: the suite, all that are made from it, a
// transformation set.
func (w *window) asksForSet(set string) {
	w.t.Helper()
	w.goes("ctrl+r", "and on its shifted suites")
	w.tick("and on its shifted suites")
	w.choose("Usual ones", inWords(set))
	words := inWords(set)
	w.shows(strings.ToUpper(words[:1]) + words[1:] + ". A transformation set: ")
}

// rankedOn reads the table of the ranking once all rankers have answered.
func (w *window) rankedOn(suite string) map[string][]string {
	w.t.Helper()
	return w.settled("model", func(rows map[string][]string) bool {
		return len(rows) == 1+len(fiveScenes) && w.answered("5 models on 360 images of "+suite)
	})
}

// answered tells whether the screen of rankings says what was ranked and nothing is under way.
func (w *window) answered(caption string) bool {
	w.t.Helper()
	said, busy := false, false
	for _, n := range w.screen() {
		said = said || n.Text == caption
		busy = busy || n.Text == "Cancel" || strings.Contains(n.Text, "it is being asked")
	}
	return said && !busy
}
