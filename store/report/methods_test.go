package report

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// record puts down signals of a set: under its k-th transformation the model is right on the first
// right[k] images.
func (d *desk) record(m model.Model, set string, right ...int) { d.recordAs(m, set, 0, right...) }

// recordAs is record with this value for all signals.
func (d *desk) recordAs(m model.Model, set string, value float32, right ...int) {
	d.tb.Helper()
	spec := sums.MadeUpSpec(d.tb, m, d.suite, set)
	spec.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}}
	u := &signal.Unit{
		Transformations: len(right), Images: spec.Images, Classes: 2,
		Reduced: [][]float32{make([]float32, signal.Reducers*len(right)*spec.Images)},
	}
	for k := range u.Reduced[0] {
		u.Reduced[0][k] = value
	}
	for _, count := range right {
		for k := range spec.Images {
			class, row := k%2, []float32{0.25, 0.25}
			if k >= count {
				class = 1 - class
			}
			row[class] = 0.75
			u.Softmax, u.Prediction, u.Confidence = append(u.Softmax, row...), append(u.Prediction, int32(class)),
				append(u.Confidence, 0.75)
		}
	}
	testdata.OK(d.tb, d.Record(d.tb.Context(), spec, u))
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1}, MappedBy: "by index"}
	testdata.OK(d.tb, d.Finish(d.tb.Context(), task))
}

// What the models were run for has a section, with what could not be measured and why.
func TestMethodsThatWereMeasured(t *testing.T) {
	d := newDesk(t)
	d.wrong = 20
	d.run(d.models[2], -1)
	d.record(d.models[0], "rot90", 60, 50, 40, 30)
	for _, m := range d.models[:2] {
		d.record(m, "mask:2;layers=auto", 60, 50, 40, 60, 60)
		d.record(m, "shift:2:5", 60, 50, 55, 50, 45)
	}
	several, one := d.make(d.question(0, 1, 2)), d.make(d.question(0))
	expect(t, sectionText(t, several, "Effective invariance"), "model | transformations | EI", "s1 | rot90 | 0.",
		"s2 | rotation -10..10° step 5 | 0.",
		"Left out", "s2, s3 | rot90 | no signals for this suite and family yet")
	expect(t, sectionText(t, several, "Calibration"), "model | accuracy | confidence", "s1 | 98.4 % | 80.0 %",
		"Reliability of s1 on pets")
	expect(t, sectionText(t, one, "Calibration"), "accuracy | confidence", "98.4 % | 80.0 %")
	expect(t, sectionText(t, several, "Ranking"), "Ranks of the models", "model | accuracy | rank | chance | LaF",
		"Quality of the rankers")
	expect(t, sectionText(t, several, "D-Score"), "model | regions a side | units a side | images | accuracy",
		"s1 | 2 | 5 | 64 | ", "no interval: fewer than 500 images",
		"s2 on pets, 2 × 2 regions", "Left out", "models | regions a side | units a side | why", "s3 | 2 | 5 | mask:2")
	expect(t, sectionText(t, one, "Effective invariance"), "transformations | EI", "rot90 | 0.")
	expect(t, sectionText(t, one, "D-Score"), "regions a side | units a side | images | accuracy", "Regions",
		"region | row | column")
	for _, s := range one.Sections {
		if s.Title == "Ranking" || s.Title == "Background invariance" {
			t.Errorf("a section %s of one model without scenes", s.Title)
		}
	}
	for _, report := range []*Document{several, one} {
		expect(t, flat(pageTexts(t, pdfOf(t, report))), "D-Score", "Features")
		expect(t, htmlOf(t, report), "D-Score</h2>", "Features")
	}
}

// A report goes on past damaged signals and past clouds that cannot be: it says what is missing and
// why.
func TestReportGoesOnPastDamage(t *testing.T) {
	d := newDesk(t)
	scenes := sums.NearAndFar(d.tb, d.Workspace, d.suite)
	d.record(d.models[0], scenes, 60, 50, 40)
	d.recordAs(d.models[1], scenes, float32(math.NaN()), 60, 50, 40)
	sums.Damage(d.tb, d.Workspace, func() { d.run(d.models[2], -1) })
	report := d.make(d.question(0, 1, 2))
	expect(t, sectionText(t, report, "Model s3"), "No matrices: signal file signals/", "run the model again")
	expect(t, sectionText(t, report, "Overview"), "s1 | 98.4 % | 85.9 %", "s3 | - | - | - | - | - |",
		"signal file signals/")
	expect(t, sectionText(t, report, "Background invariance"), "s1 | near | ", "s1 in the scenes of near, max@CONF",
		"s2 | near | max@CONF | the signal of image 0 of target 0 is NaN; run the model again")
	expect(t, flat(pageTexts(t, pdfOf(t, report))), "Model s3")
}
