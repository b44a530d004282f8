package assess

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
)

func TestOverRepetitions(t *testing.T) {
	v := func(x float64) agreement.Value { return agreement.Value{Value: x} }
	none := agreement.Value{Reason: agreement.ExpectedAgreement}
	c := OverRepetitions([]agreement.Value{v(0.25), none, v(0.75), v(0.5)})
	if c.N != 3 || c.Mean != 0.5 || c.Largest != 0.25 || c.SD != 0.25 || len(c.Repetitions) != 4 {
		t.Errorf("%+v", c)
	}
	if c = OverRepetitions([]agreement.Value{v(0.25)}); c.N != 1 || c.Mean != 0.25 || c.Largest != 0 || c.SD != 0 {
		t.Errorf("one repetition: %+v", c)
	}
	if c = OverRepetitions([]agreement.Value{none}); c.N != 0 || !math.IsNaN(c.Mean) || !math.IsNaN(c.SD) ||
		!math.IsNaN(c.Largest) {
		t.Errorf("none defined: %+v", c)
	}
}
