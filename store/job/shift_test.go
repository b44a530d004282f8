package job

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// shiftedTo adds the suite of the bench's images shifted to a region.
func (b *bench) shiftedTo(s derive.Shift) suite.Manifest {
	b.Helper()
	m, err := b.ws.DeriveSuite(b.suite.Hash, s, "")
	b.must(err)
	return m
}

// TestAShiftAsSourceAndAsSet: where the model's input has the size of the images, a shifted suite gives the numbers of its region
// under the set, and the base those of the identity, bit for bit.
func TestAShiftAsSourceAndAsSet(t *testing.T) {
	b := newBench(t, 9)
	m := b.model("a", nil)
	family, err := transform.Shift(2, 3)
	b.must(err)
	b.done(Request{Suite: b.suite.Hash, Family: family.String()})
	set := b.signals(m, b.suite.Hash, family.String())
	shifts, err := derive.Shifts(2, 3)
	b.must(err)
	sources := []string{b.suite.Hash}
	for _, s := range shifts {
		sources = append(sources, b.shiftedTo(s).Hash)
	}
	if set.Transformations != len(sources) {
		t.Fatalf("%d transformations of %d sources", set.Transformations, len(sources))
	}
	for i, source := range sources {
		b.done(Request{Suite: source, Family: transform.Plain})
		plain := b.signals(m, source, transform.Plain)
		from, to := i*9, (i+1)*9
		if !slices.Equal(plain.Prediction, set.Prediction[from:to]) || !slices.Equal(plain.Softmax, set.Softmax[3*from:3*to]) {
			t.Errorf("region %d: %v in place of %v", i, set.Prediction[from:to], plain.Prediction)
		}
		if i > 0 && slices.Equal(plain.Softmax, set.Softmax[:3*9]) {
			t.Errorf("region %d: nothing moves", i)
		}
	}
}

// TestAStoppedRunOnAShiftedSuiteGoesOn: units that are there are not computed again, and the numbers are those of one run.
func TestAStoppedRunOnAShiftedSuiteGoesOn(t *testing.T) {
	shift := derive.Shift{N: 3, T: 2, Region: 7}
	b := newBench(t, 300)
	m := b.model("a", nil)
	req := Request{Suite: b.shiftedTo(shift).Hash, Family: "shift:2:2"}
	stop := errors.New("stop here")
	b.rt.OnRun = func(_ context.Context, _ engine.Feed, batch int64) error {
		if batch == 42 { // the first chunk is 8 batches of 32 images under 5 transformations
			return stop
		}
		return nil
	}
	if status, _ := b.run(req); status.Phase != engine.Failed || !errors.Is(status.Tasks[0].Err, stop) {
		t.Fatalf("%+v", status)
	}
	b.rt.OnRun = nil
	status, _ := b.run(Again(b.records()[0]))
	if status.Phase != engine.Done || status.Reused != 256*5 || status.Done != 300*5 {
		t.Errorf("%+v", status)
	}
	resumed := b.signals(m, req.Suite, req.Family)
	whole := newBench(t, 300)
	again := whole.model("a", nil)
	source := whole.shiftedTo(shift).Hash
	whole.done(Request{Suite: source, Family: req.Family})
	other := whole.signals(again, source, req.Family)
	if !slices.Equal(resumed.Softmax, other.Softmax) || !slices.Equal(resumed.Prediction, other.Prediction) {
		t.Error("a run that was stopped gives other numbers")
	}
}
