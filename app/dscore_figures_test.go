package app

import (
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

func sampleScore() dscore.Diagnosis {
	return dscore.Diagnosis{
		Model: model.Model{ID: "m1"}, SuiteName: "pets", Grid: dscore.Grid{N: 2, T: 5},
		Score: dscore.Score{Features: []float64{0, 1. / 3, 2. / 3, 0}, Attention: []float64{0.5, 0.4, 0.1, 0}},
	}
}

// Features and attention share their colours; the difference is the same on both sides of 0.
func TestFiguresShareTheirScale(t *testing.T) {
	f := figuresOf(sampleScore(), suite.Image{}, "_m1")
	if len(f) != 3 || f[0].name != "features_m1" || f[1].name != "attention_m1" || f[2].name != "difference_m1" {
		t.Fatalf("%+v", f)
	}
	if f[0].figure.Scale != f[1].figure.Scale || f[0].figure.Scale.High != 2./3 || f[0].figure.Scale.Low != 0 {
		t.Errorf("%+v, %+v", f[0].figure.Scale, f[1].figure.Scale)
	}
	if s := f[2].figure.Scale; s.Low != -s.High || s.High != 2./3-0.1 {
		t.Errorf("%+v", s)
	}
	even := sampleScore()
	even.Score.Attention = even.Score.Features
	if s := figuresOf(even, suite.Image{}, "")[2].figure.Scale; s.High != 0.01 {
		t.Errorf("no difference has the scale %+v", s)
	}
}

func TestFilesOfSeveralScoresAreToldApart(t *testing.T) {
	w := &dscoreWork{dscoreCommand: &dscoreCommand{}, suites: make([]suite.Manifest, 1)}
	d := sampleScore()
	if got := w.stem(d); got != "_m1_n2_t5" {
		t.Error(got)
	}
	w.suites = make([]suite.Manifest, 2)
	d.SuiteName = "a/b"
	if got := w.stem(d); got != "_m1_a_b_n2_t5" {
		t.Error(got)
	}
}
