package ranking

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/jobs"
)

// realRig is the screen on a workspace as it is, without a crowd.
func realRig(t *testing.T, ws *sample.Workspace) *rig {
	r := &rig{T: t, stage: stage.New(t), ws: ws}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	r.memory = memory{"options.ranking": `{"repetitions":"2"}`}
	r.open(work, Of(ws.Workspace))
	return r
}

// addGuests adds a table of predictions of two models that tell apart what is ranked: the sample's
// models are all alike on untransformed images.
func addGuests(t *testing.T, ws *sample.Workspace) {
	t.Helper()
	guests := predictions.Table{
		Name: "guests", Suite: ws.Shapes.Hash, Models: []string{"g1", "g2"}, Samples: sample.Images, Classes: 3,
	}
	for i, class := range ws.Shapes.Labels {
		guests.Labels = append(guests.Labels, int32(class), int32(i%3))
	}
	testdata.Must(predictions.Keep(ws.Workspace, guests))(t)
}

// D-Scores rank where models have signals for masks and for padded translations; where none has,
// the words say what to run.
func TestDScoreRanks(t *testing.T) {
	ws := sample.New(t, 6) // m05 has no signals
	addGuests(t, ws)
	r := realRig(t, ws)
	of := func(v Outcome) rank.Ranking {
		at := slices.IndexFunc(v.Board.Rankings, func(r rank.Ranking) bool { return r.Method == rank.DScore })
		if at < 0 {
			t.Fatal("D-Score does not rank")
		}
		return v.Board.Rankings[at]
	}
	if missing := of(r.idle()); missing.Reason.Code != rank.NotMeasured ||
		!strings.Contains(missing.Reason.Text, "run both, or open D-Score") {
		t.Errorf("%+v", missing)
	}
	for k, m := range ws.Imported[:3] {
		ws.ComputeOn(t, m, 5*k, ws.Shapes, "mask:3")
		ws.ComputeOn(t, m, 5*k+4, ws.Shapes, "shift:3:5")
	}
	r.screen.Refresh()
	r.stage.Until("the ranking by D-Score", func() bool {
		return r.screen.Idle() && of(r.screen.outcome()).Reason.None()
	})
	got := of(r.screen.outcome())
	if got.Note != "3 × 3 regions, t = 5, 3 of 7 models" {
		t.Errorf("note %q", got.Note)
	}
}

// A table that stands for itself is ranked beside suites; a suite's shifted forms stand behind it
// and are measured together.
func TestTablesAndShiftedSuites(t *testing.T) {
	ws := sample.New(t, 6)
	fog := ws.Shift(t, "fog", 2)
	for k, m := range ws.Imported[:5] {
		ws.ComputeOn(t, m, k+3, fog, transform.Plain)
	}
	table := predictions.Table{
		Name: "texts", Models: []string{"bert", "gpt", "rnn"}, Samples: 40, Classes: 2,
		ClassNames: []string{"bad", "good"},
	}
	for i := range 40 {
		table.Truth = append(table.Truth, int32(i%2))
		table.Labels = append(table.Labels, int32(i%2), int32(i%3%2), int32(i%5%2))
	}
	record := testdata.Must(predictions.Keep(ws.Workspace, table))(t)
	r := realRig(t, ws)
	r.idle()
	var offered []string
	for _, source := range r.screen.outcome().Sources {
		offered = append(offered, source.title())
	}
	if !slices.Equal(offered, []string{"shapes", fog.Name, "texts (imported)"}) {
		t.Errorf("offered %q", offered)
	}
	r.tab("conditions")
	r.press("Measure suites")
	p := r.screen.conditions
	r.stage.Until("the suites are measured", func() bool { return len(p.suites.got().Rows) == 2 })
	if c := p.suites.got().Rows[1]; c.Corruption != "fog" || c.Severity != 2 {
		t.Errorf("%+v", c)
	}
	r.screen.Rank(record.ID)
	v := r.idle()
	if v.Material.Source.ID != record.ID || len(v.Board.Models) != 3 || v.Material.Class(1) != "good" {
		t.Errorf("%d models on %q", len(v.Board.Models), v.Material.Source.Name)
	}
	r.tab("images")
	if note := r.screen.images.note.Text; note != "These predictions came without images." {
		t.Errorf("note %q", note)
	}
	testdata.Must(ws.RemovePredictions(record.ID))(t)
	on := func(source string) func() bool {
		return func() bool { return r.screen.Idle() && r.screen.outcome().Material.Source.ID == source }
	}
	r.stage.Until("it is back on the suite", on(ws.Shapes.Hash))
	r.screen.Rank(record.ID) // before it is known
	testdata.OK(t, ws.RestorePredictions(record))
	r.stage.Until("it is on what has come", on(record.ID))
}
