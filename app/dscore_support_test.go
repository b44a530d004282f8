package app_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// dscoreBench is a workspace with made-up signals of masks and shifts, so that the command needs no
// model that runs: models m0 and m1 on "pets", and "none" without signals; the suite "wild" has no
// labels.
type dscoreBench struct {
	*eiBench
}

// The numbers of right predictions, of eiImages: untouched, then region 1 to 4.
var (
	rightMasked  = [2][]int{{208, 208, 156, 104, 208}, {130, 130, 140, 130, 131}}
	rightShifted = [2][]int{{208, 104, 52, 26, 26}, {130, 0, 0, 0, 0}}
)

func newDScoreBench(tb testing.TB) *dscoreBench {
	tb.Helper()
	b := &dscoreBench{&eiBench{tb: tb, path: filepath.Join(tb.TempDir(), "quiet.variscope")}}
	var err error
	if b.Workspace, err = store.Create(b.path); err != nil {
		tb.Fatal(err)
	}
	pets := b.addSuite("pets", true)
	b.addSuite("wild", false)
	for k := range rightMasked {
		m := b.addModel([]string{"m0", "m1"}[k], 3)
		b.record(m, pets, "mask:2;layers=auto", rightMasked[k])
		b.record(m, pets, "shift:2:5", rightShifted[k])
	}
	b.addModel("none", 3)
	b.must(b.Close())
	return b
}

// record puts down signals of a model that is right on the first images of the suite, as many as are
// given per transformation.
func (b *dscoreBench) record(m model.Model, s suite.Manifest, family string, right []int) {
	b.tb.Helper()
	b.put(m, s, family, len(right), func(t, x int) []float32 {
		row, top := []float32{0.125, 0.125, 0.125}, s.Labels[x]
		if x >= right[t] {
			top = (top + 1) % 3
		}
		row[top] = 0.75
		return row
	})
}

// dscore runs the command and returns what it prints.
func (b *dscoreBench) dscore(code int, args ...string) (stdout, stderr string) {
	b.tb.Helper()
	var out, problems bytes.Buffer
	if got := app.Run(append([]string{"dscore", b.path}, args...), &out, &problems); got != code {
		b.tb.Fatalf("dscore %v exits %d, want %d\n%s%s", args, got, code, &out, &problems)
	}
	return out.String(), problems.String()
}

func (b *dscoreBench) json(args ...string) dscoreJSON {
	b.tb.Helper()
	text, _ := b.dscore(0, append(args, "--json")...)
	var read dscoreJSON
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		b.tb.Fatalf("%v: %s", err, text)
	}
	return read
}
