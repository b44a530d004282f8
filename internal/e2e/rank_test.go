package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// TestShiftedSuitesRanked makes three shifted suites, runs models on them as they are and turned, and ranks on one of them and
// on the suite that they are made from.
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
	w.key("ctrl+8")
	w.widen()
	base := w.rankedOn("scenes-targets")
	w.shot("ranking")
	w.chooseBeside("Rank on", "fog", "severity 3")
	fog := w.rankedOn("scenes-targets, fog 3")
	w.close()

	d.sameRows("ranking on the scenes", base, d.rankedBy(workspace, "--suite", "scenes-targets", "--methods", screenRankers).rows())
	d.sameRows("ranking on scenes in fog", fog, d.rankedBy(workspace, "--suite", "scenes-targets, fog 3", "--methods", screenRankers).rows())
	fmt.Printf("window tests: shifted suites and rankings in %s\n", time.Since(begun).Round(time.Second))
}

// shifts makes suites of one corruption in severities 1, 3 and 5 after a look at what it does.
func (w *window) shifts(corruption string) {
	w.t.Helper()
	w.menu("Shifted suites…")
	w.shows("original")
	w.tick(corruption)
	w.shows("5 suites of 360 images")
	w.tap("2")
	w.tap("4")
	w.shows("3 suites of 360 images")
	w.until("the preview", patience, func() bool { _, busy := pick(w.screen(), "drawing …"); return !busy })
	w.shot("shifted-suites")
	before := w.stored("suite")
	w.tap("Add")
	w.until("three more suites", patience, func() bool { return w.stored("suite") == before+3 })
	w.shows("Added 3 shifted suites")
}

// tick clicks on a check.
func (w *window) tick(text string) {
	w.t.Helper()
	w.press("something to tick: "+text, named(text), node.start)
}

// tapLowest clicks on the lowest of several such texts.
func (w *window) tapLowest(text string) {
	w.t.Helper()
	w.press("something to click on: "+text, func(all []node) (lowest node, ok bool) {
		for _, n := range top(all) {
			if n.Text == text && n.Tappable && !n.Disabled && n.Y > lowest.Y {
				lowest, ok = n, true
			}
		}
		return lowest, ok
	}, node.middle)
}

// chooseBeside takes another entry of the menu that stands to the right of a text.
func (w *window) chooseBeside(text string, path ...string) {
	w.t.Helper()
	w.take("the menu beside "+text, func(all []node) (menu node, ok bool) {
		all = top(all)
		label, there := pick(all, text)
		for _, n := range all {
			right := there && n.Text != "" && n.X > label.X && math.Abs(n.Y+n.H/2-label.Y-label.H/2) < 4
			if right && (!ok || n.X < menu.X) {
				menu, ok = n, true
			}
		}
		return menu, ok
	}, path)
}

// runsSet runs all models on the suite and on all that are made from it, under a transformation set.
func (w *window) runsSet(set string, runs int) {
	w.t.Helper()
	before := w.stored("run")
	w.key("ctrl+r")
	w.tick("and on its 3 shifted suites")
	w.tap("Usual ones")
	w.tap(set)
	w.shows("A transformation set: ")
	w.tap("Start")
	// A run is stored when it starts and when it has ended.
	w.until(fmt.Sprintf("the end of %d runs", runs), 3*time.Minute, func() bool { return w.stored("run") >= before+2*runs })
}

// rankedOn reads the table of the ranking once all rankers have answered.
func (w *window) rankedOn(suite string) map[string][]string {
	w.t.Helper()
	caption := "5 models on 360 images of " + suite
	return w.settled("model", func(rows map[string][]string) bool {
		said, asked := false, false
		for _, n := range w.screen() {
			said = said || n.Text == caption
			asked = asked || strings.Contains(n.Text, "it is being asked")
		}
		return said && !asked && len(rows) == 1+len(fiveScenes)
	})
}
