package background_test

import (
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// TestCoverageSaysWhyThereIsNone: a model without signals of HEAD has no neuron coverage, and the report says so.
func TestCoverageSaysWhyThereIsNone(t *testing.T) {
	ws := scenestest.New(t, 0)
	m := ws.AddModel(t, 0)
	headless := m
	headless.Graph.Head = ""
	ws.Run(t, headless, 0, ws.Selection)
	ask := scenes.Measuring{
		Workspace: ws.Workspace, Selections: []store.SelectionRecord{ws.Selection}, Models: []model.Model{m},
		Options: background.MatrixOptions{Coverage: true, Share: 1},
		Runtime: func() (engine.Runtime, error) { return new(worker.Pool), nil }, // the model is not asked for anything
	}
	found, err := ask.Measure(t.Context(), engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	if one := found.Of[0]; one.Neurons != 0 || len(one.Flags) != 1 || !strings.HasPrefix(one.Flags[0], "no coverage: its signals were computed without HEAD") {
		t.Errorf("%+v", one.InScenes)
	}
}
