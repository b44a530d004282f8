package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// invariant is what the tests read of `ei --json`.
type invariant struct {
	Sheets []struct {
		Name string           `json:"name"`
		Rows []map[string]any `json:"rows"`
	} `json:"sheets"`
}

// TestInvariance computes a transformation set where models lack it, reads the table, and opens a
// model from the study of all.
func TestInvariance(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, wideScreen)
	workspace := d.someScenes()
	d.run("run", workspace, "--suite", "targets", "--family", "rot90", "--models", "s01,s05,s09")
	w := d.start(workspace)
	w.goes("ctrl+7", "Compute…")
	w.opens("Compute…", "Compute rot90 for 2 models on targets")
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	w.until("the end of the run", toil, func() bool { return w.stored("run") >= 2 })
	w.closes("Close")
	w.goes("ctrl+j", "finished, 2 of 2 models, no images skipped")
	w.goes("ctrl+7", "Over models")
	w.widen()
	shown := w.settled("model", func(rows map[string][]string) bool {
		// all columns: suite, set, numbers, and chance
		return len(rows) == 1+len(fiveScenes) && len(rows["s01"]) == 2+15
	})
	w.shot("invariance")
	w.opens("Over models", "Pearson r")
	w.shot("invariance-models")
	w.opensFromStudy()
	w.close()
	d.checkInvariance(workspace, shown)
	fmt.Printf("window tests: invariance in %s\n", time.Since(begun).Round(time.Second))
}

// opensFromStudy clicks twice on a point of the study and expects the model that is named there.
func (w *window) opensFromStudy() {
	w.t.Helper()
	var id string
	w.again("the model at the pointer", func() {
		x, y := w.point()
		w.tool("mousemove", "--window", w.id, strconv.Itoa(x), strconv.Itoa(y))
	}, func() bool {
		for _, n := range w.screen() {
			if name, rest, ok := strings.Cut(n.Text, ": effective invariance "); ok &&
				strings.Contains(rest, "accuracy") {
				id, _, _ = strings.Cut(name, ",")
			}
		}
		return slices.Contains(fiveScenes, id)
	})
	twice := func() { w.tool("click", "--repeat", "2", "--delay", "80", "1") }
	w.again("the model of a point", twice, func() bool { return w.seen("Matrices…") })
	w.until("the model "+id, patience, func() bool {
		_, ok := pick(w.screen(), id)
		return ok
	})
	w.shot("invariance-opened")
}

// checkInvariance compares the table with the command line, number by number.
func (d *desk) checkInvariance(workspace string, shown map[string][]string) {
	d.t.Helper()
	var want invariant
	d.parse(d.run("ei", workspace, "--family", "rot90", "--json"), &want)
	if len(want.Sheets) == 0 || want.Sheets[0].Name != "ei" || len(want.Sheets[0].Rows) != len(fiveScenes) {
		d.t.Fatalf("%d sheets on the command line", len(want.Sheets))
	}
	keys := []string{
		"ei", "ei_product", "consistent", "js", "kl", "kl_reverse", "l2", "accuracy", "accuracy_drop",
		"robust_accuracy", "correct_mean", "consistency_product", "consistency_mean", "images",
	}
	same := 0
	for _, r := range want.Sheets[0].Rows {
		// chance
		got := slices.DeleteFunc(shown[fmt.Sprint(r["model_id"])], func(cell string) bool { return cell == "-" })
		if len(got) != 2+len(keys) || got[0] != r["suite"] || got[1] != r["family"] {
			d.t.Errorf("%s has %q in the window, want %s, %s and %d numbers", r["model_id"], got, r["suite"],
				r["family"], len(keys))
			continue
		}
		for k, key := range keys {
			v, defined := r[key].(float64)
			switch n, err := spoken(got[2+k]); {
			case !defined:
				d.t.Errorf("%s of %s is undefined on the command line", key, r["model_id"])
			case err != nil || math.Abs(n-v) > 0.000501: // it has three decimals
				d.t.Errorf("%s of %s is %s in the window, %v on the command line", key, r["model_id"], got[2+k], v)
			default:
				same++
			}
		}
	}
	fmt.Printf("window tests: invariance: %d numbers as on the command line\n", same)
}

// spoken reads a number as the window says it: 0.913, 96.6 %, +1.2 pp, <0.001.
func spoken(text string) (float64, error) {
	whole := strings.TrimSuffix(strings.TrimSuffix(text, " %"), " pp")
	n, err := strconv.ParseFloat(strings.TrimLeft(whole, "<+"), 64)
	if whole != text {
		n /= 100
	}
	if strings.HasPrefix(whole, "<") {
		n /= 2
	}
	return n, err
}
