package e2e

import (
	"testing"
	"time"
)

// longFamily keeps a run busy for longer than a window takes to close.
const longFamily = "rotation:-30:30:1"

// TestStoppedRunIsResumed quits during a run, is asked, and finds the run offered at the next
// start; what was computed stays.
func TestStoppedRunIsResumed(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(5)
	w := d.start(workspace)
	w.goes("ctrl+r", "rotation:")
	w.types("rotation:", longFamily)
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	w.until("the first signals", toil, func() bool { return w.stored("signals") > 0 })
	w.goes("ctrl+q", "Close Variscope?")
	w.closes("Stay")
	w.stops("Close Variscope?")

	w = d.start(workspace)
	w.shows("A run was not finished when Variscope ended.")
	w.shot("resume")
	w.tap("Resume")
	w.until("the end of the run", toil, func() bool { return w.stored("run") >= 2 })
	w.close()
	var report ran
	d.sheet(d.run("run", workspace, "--suite", "targets", "--family", longFamily, "--json"), "run", &report)
	if computed, reused := report.work(); computed != 0 || reused == 0 {
		t.Errorf("after the resumed run a repeat computes %d and reuses %d", computed, reused)
	}
	w = d.start(workspace)
	w.shows("m000")
	time.Sleep(2 * time.Second)
	if w.seen("A run was not finished") {
		t.Error("the run is offered again although it has come to its end")
	}
	w.close()
}
