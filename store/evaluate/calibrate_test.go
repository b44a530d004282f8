package evaluate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func (b *fixture) calibrate(ask Ask, o calibration.Settings) ([]calibration.Measured, []invariance.LeftOut) {
	b.tb.Helper()
	measured, left, err := Calibrate(b.tb.Context(), b.Workspace, ask, o, nil)
	must(b.tb, err)
	return measured, left
}

// Calibration is that of the signals in memory. It is read again without them, and measured anew
// with other settings.
func TestCalibrationIsMeasuredAndKept(t *testing.T) {
	b := newFixture(t, 2)
	o := calibration.Settings{Bins: 5, Resamples: 20, Seed: 1}
	for _, m := range b.models {
		for _, s := range b.suites {
			b.run(m, s, rotation)
		}
	}
	measured, left := b.calibrate(Ask{}, o)
	if len(measured) != 4 || len(left) != 0 {
		t.Fatalf("%d measured, left out %v", len(measured), left)
	}
	for k, m := range measured {
		s, model := b.suites[k%2], b.models[k/2]
		info, _, err := b.BestSet(model, s.Hash, rotation)
		must(t, err)
		labels := s.Labels
		if s.Name == "wild" {
			labels = nil
		}
		meter := testdata.Must(calibration.NewMeter(rotation, labels, suiteClasses, false))(t)
		must(t, meter.Add(b.sets[info.Key]))
		want := testdata.Must(meter.Result(t.Context(), o, 1))(t)
		if diff := cmp.Diff(want, m.Result, cmpopts.EquateNaNs()); diff != "" || m.Model != model.ID ||
			m.Suite != s.Name {
			t.Errorf("%d is %s on %s:\n%s", k, m.Model, m.Suite, diff)
		}
	}
	alone := o
	alone.Original, alone.Seed = true, 2
	originals, _ := b.calibrate(Ask{}, alone)
	testdata.Is(t, "rows of the images as they are", len(originals), 4)
	for k, m := range originals {
		got, want := m.Original().Row, measured[k].Original().Row
		want.Low, want.High, want.Chance = got.Low, got.High, got.Chance // by another seed
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); len(m.Rows) != 1 || diff != "" {
			t.Errorf("the images as they are, in %d rows:\n%s", len(m.Rows), diff)
		}
	}
	removeSignals(t, b)
	again, _ := b.calibrate(Ask{Workers: 3}, o)
	testdata.NoDiff(t, "kept", cmp.Diff(measured, again, cmpopts.EquateNaNs()))
	again, _ = b.calibrate(Ask{}, alone)
	testdata.NoDiff(t, "kept of the images as they are", cmp.Diff(originals, again, cmpopts.EquateNaNs()))
	alone.Seed = o.Seed
	if again, _ = b.calibrate(Ask{}, alone); len(again) != 4 {
		t.Errorf("of all transformations that are kept, %d rows are read for the images as they are", len(again))
	}
	o.Bins++
	if again, left := b.calibrate(Ask{}, o); len(again) != 0 || len(left) != 4 {
		t.Errorf("with other bins %v are read and %v left out", again, left)
	}
}

// Plain predictions have a calibration, models without regions have none.
func TestPlainIsCalibratedAndMaskIsNot(t *testing.T) {
	b := newFixture(t, 1)
	for _, family := range []string{transform.Plain, "mask:2"} {
		b.run(b.models[0], b.suites[0], family)
	}
	ask := Ask{Suites: []string{b.suites[0].Hash}, Families: []string{transform.Plain, "mask:2", transform.Rot90}}
	measured, left := b.calibrate(ask, calibration.Settings{Bins: 15, Resamples: 20})
	if len(measured) != 1 || measured[0].Family != transform.Plain || len(measured[0].Rows) != 1 || len(left) != 2 ||
		left[0].Reason.Code != invariance.NotApplicable || !strings.Contains(left[0].Reason.Text, "deletes regions") {
		t.Errorf("%+v, left out %+v", measured, left)
	}
}
