package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/store"
)

// many repetitions with tuning keep a training busy for half a minute of two processors at least,
// so that there is time to disturb it. The halves of the paper's scheme would soon leave the tuning
// with models of one class alone, which is an error.
const many = "1000"

const tuning = "tune (nested cross-validation)"

// TestAssessorsDisturbed cancels a training and a study of stability, closes the window in the
// middle of a training, and brings assessors that do not fit: the window goes on, and the workspace
// is as before.
func TestAssessorsDisturbed(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.ratedScenes()
	d.change(workspace, closeRounds)
	w := d.start(workspace)
	w.goes("ctrl+6", "Train and compare")
	w.cancelsTraining()
	w.cancelsStability()
	w.trainsFor(many)
	w.shows("Train assessors: ")
	w.stops("Work is not finished")

	d.run("assess", "train", workspace, "--algorithm", "tree", "--labels", "Round 1", "--save", "turned",
		"--no-evaluate", "--out", filepath.Join(d.home, "whole.vassessor"))
	d.cut("whole.vassessor")
	d.change(workspace, otherFamily)
	before := d.kept(workspace)
	w = d.start(workspace)
	w.goes("ctrl+6", "Saved")
	w.refusesFamily("turned")
	w.refusesCut()
	w.close()
	if after := d.kept(workspace); !slices.Equal(after, before) {
		t.Errorf("the workspace keeps %v, before it kept %v", after, before)
	}
	fmt.Printf("window tests: disturbed assessors in %s\n", time.Since(begun).Round(time.Second))
}

// closeRounds ends the labelling.
func closeRounds(ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	for _, r := range rounds {
		r.Closed = true
		if err := ws.UpdateRound(r); err != nil {
			return err
		}
	}
	return nil
}

// otherFamily chooses a family that nothing was trained on.
func otherFamily(ws *store.Workspace) error {
	now, err := ws.Current()
	if err != nil {
		return err
	}
	now.Family = "brightness:-0.2:0.2:0.1"
	return ws.SetCurrent(now)
}

// cut leaves the first half of a file of the home folder beside it.
func (d *desk) cut(name string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.home, name))
	if err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.home, "cut.vassessor"), data[:len(data)/2], 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// kept are the assessors of a workspace with the hashes of their files' contents.
func (d *desk) kept(workspace string) []string {
	d.t.Helper()
	var list []string
	d.change(workspace, func(ws *store.Workspace) error {
		files, err := ws.Assessors()
		for _, f := range files {
			list = append(list, fmt.Sprintf("%+v", f))
		}
		return err
	})
	return list
}

// trainsFor trains with a number of repetitions.
func (w *window) trainsFor(repetitions string) {
	w.t.Helper()
	w.typesInto("the line below Repetitions", below("Repetitions"), repetitions)
	w.tap("Train and compare")
}

// below finds the first text under another one.
func below(text string) finder {
	return func(all []node) (found node, ok bool) {
		all = top(all)
		title, there := pick(all, text)
		for _, n := range all {
			under := there && n.Text != "" && n.Y > title.Y+title.H && n.Y < title.Y+60 && n.X < title.X+40 &&
				n.X+n.W > title.X
			if under && (!ok || n.Y < found.Y) {
				found, ok = n, true
			}
		}
		return found, ok
	}
}

// cancelsTraining ends a training that takes minutes.
func (w *window) cancelsTraining() {
	w.t.Helper()
	w.choose("hold-out and two halves [1]", "stratified k-fold")
	w.tap(tuning)
	w.typesInto("the line below Folds", below("Folds"), "5")
	w.trainsFor(many)
	w.shows("Train assessors")
	for _, n := range w.screen() {
		if n.Text != "" && n.Y+n.H > 801 {
			w.t.Errorf("%s %q reaches below the window, to %g", n.Type, n.Text, n.Y+n.H)
		}
	}
	w.tap("Cancel")
	w.shows("Train assessors: cancelled.")
	w.ready("Train and compare")
}

// cancelsStability trains trees alone and ends the study of them.
func (w *window) cancelsStability() {
	w.t.Helper()
	for _, name := range []string{tuning, "random forest", "AdaBoost", "linear regression", "robust accuracy"} {
		w.tap(name)
	}
	w.trainsFor("1000")
	w.shows("decision tree, trained on 10 models")
	w.tap("Show form") // it has folded away, and stays from now on
	w.opens("Stability and transfer", "Compute")
	w.tap("Compute")
	w.shows("Measure stability")
	w.tap("Cancel")
	w.shows("Measure stability: cancelled.")
	w.ready("Compute")
	w.ready("Train and compare")
	for _, name := range []string{tuning, "random forest", "AdaBoost", "linear regression"} {
		w.tap(name)
	}
}

// ready waits until a button can be pressed.
func (w *window) ready(button string) {
	w.t.Helper()
	w.until("the button "+button, patience, func() bool {
		n, ok := pick(top(w.screen()), button)
		return ok && !n.Disabled
	})
}

// refusesFamily asks an assessor for verdicts on another family than it was trained on.
func (w *window) refusesFamily(name string) {
	w.t.Helper()
	w.opens("Saved", name)
	w.opens(name, "Judge the models")
	w.tap("Judge the models")
	w.shows("Assessor " + name + " was trained on rotation:-15:15:5")
	w.shot("assessors-refused")
	w.tap("Dismiss")
}

// refusesCut imports a file of which the end is missing.
func (w *window) refusesCut() {
	w.t.Helper()
	before := w.stored("assessor")
	w.again("the chooser", func() { w.tapLowest("Import…") }, func() bool { return w.layers() > 0 })
	w.tap("cut")
	w.closes("Open")
	n := 0
	w.until("one error about the file", patience, func() bool {
		n = 0
		for _, text := range w.screen() {
			if strings.Contains(text.Text, "cut.vassessor") {
				n++
			}
		}
		return n > 0 && w.layers() == 0
	})
	if n != 1 || w.stored("assessor") != before {
		w.t.Errorf("%d errors, and %d assessors were stored, after a cut file", n, w.stored("assessor")-before)
	}
	w.shot("assessors-cut")
}
