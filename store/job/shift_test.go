package job

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// shiftedTo adds the suite of the fixture's images shifted to a region.
func (b *fixture) shiftedTo(s derive.Shift) suite.Manifest {
	b.Helper()
	m, err := b.ws.DeriveSuite(b.suite.Hash, s, "")
	must(b, err)
	return m
}

// TestAShiftAsSourceAndAsSet: where the model's input has the size of the images, a shifted suite
// gives the numbers of its region under the set, and the base those of the identity, bit for bit.
func TestAShiftAsSourceAndAsSet(t *testing.T) {
	b := newFixture(t, 9)
	m := b.model("a", nil)
	family, err := transform.Shift(2, 3)
	must(b, err)
	b.done(Request{Suite: b.suite.Hash, Family: family.String()})
	set := b.signals(m, b.suite.Hash, family.String())
	shifts, err := derive.Shifts(2, 3)
	must(b, err)
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
		if !slices.Equal(plain.Prediction, set.Prediction[from:to]) ||
			!slices.Equal(plain.Softmax, set.Softmax[3*from:3*to]) {
			t.Errorf("region %d: %v in place of %v", i, set.Prediction[from:to], plain.Prediction)
		}
		if i > 0 && slices.Equal(plain.Softmax, set.Softmax[:3*9]) {
			t.Errorf("region %d: nothing moves", i)
		}
	}
}
