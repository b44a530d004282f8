package app

import (
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/diagnosis"
)

func sampleScore() dscore.Diagnosis {
	return dscore.Diagnosis{
		Model: model.Model{ID: "m1"}, SuiteName: "pets", Grid: dscore.Grid{N: 2, T: 5},
		Score: dscore.Score{Features: []float64{0, 1. / 3, 2. / 3, 0}, Attention: []float64{0.5, 0.4, 0.1, 0}},
	}
}

func TestFilesOfSeveralScoresAreToldApart(t *testing.T) {
	w := &dscoreWork{dscoreCommand: &dscoreCommand{}, work: diagnosis.Work{Suites: make([]suite.Manifest, 1)}}
	d := sampleScore()
	if got := w.stem(d); got != "_m1_n2_t5" {
		t.Error(got)
	}
	w.work.Suites = make([]suite.Manifest, 2)
	d.SuiteName = "a/b"
	if got := w.stem(d); got != "_m1_a_b_n2_t5" {
		t.Error(got)
	}
}
