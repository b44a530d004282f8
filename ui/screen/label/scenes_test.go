package label

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	packages "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// newScenes is a rig over a workspace with a selection, and a background round over its models in
// their order.
func newScenes(t *testing.T, models int, change func(*labels.Round)) (*rig, *scenestest.Workspace, labels.Round) {
	ws := scenestest.New(t, models)
	r := newRigOver(t, &sample.Workspace{Workspace: ws.Workspace})
	round := labels.Round{
		Name: "scenes", Kind: labels.BackgroundRound, Suite: ws.Targets.Hash, Selection: ws.Selection.Hash,
		Annotators: []string{"a", "b"}, Classes: 3, Ordered: true, Blind: true,
	}
	for _, m := range ws.Models {
		round.Models = append(round.Models, m.Hash)
	}
	if change != nil {
		change(&round)
	}
	round = testdata.Must(ws.CreateRound(t.Context(), round))(t)
	return r, ws, round
}

// titles are those of the tiles shown.
func (r *rig) titles() (list []string) {
	for _, tile := range r.screen.widgets.row.Shown().Tiles {
		list = append(list, tile.Title())
	}
	return list
}

func (r *rig) fields() (n int) {
	for _, f := range r.screen.widgets.row.Fields() {
		if f.Visible() {
			n++
		}
	}
	return n
}

func TestLabelABackgroundRound(t *testing.T) {
	r, ws, round := newScenes(t, 4, nil)
	r.signIn(round, "a")
	want := []string{
		"max@CONF scatter", "max@CONF I1", "max@CONF I2", "max@CONF I3", "max@HEAD scatter", "max@HEAD I1",
		"max@HEAD I2", "max@HEAD I3",
	}
	if got := r.titles(); !slices.Equal(got, want) || r.fields() != len(want) {
		t.Fatalf("%d fields: %q", r.fields(), got)
	}
	for _, tile := range r.screen.widgets.row.Tiles() {
		if tile.Visible() {
			t.Error("a variance matrix is shown")
		}
	}
	// What is shown are the exact matrices of the cloud.
	e, _, err := background.Read(t.Context(), ws.Workspace, ws.Models[0], round.Selection)
	if err != nil {
		t.Fatal(err)
	}
	matrices, err := background.Matrices(t.Context(), ws.Workspace, e, background.HeadMax, scatter.DefaultRaster,
		scatter.Interpolants())
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range matrices {
		if p := r.screen.widgets.row.Fields()[5+k].Picture(); !slices.Equal(p.Matrix.Values, m.Values) ||
			p.Scale.High != 0.3 || p.D != e.Selection.Selection.Far() {
			t.Errorf("field %d is another matrix, or its scale is %v", 5+k, p.Scale.High)
		}
	}
	r.showsScenes(e.Outcome.WorstCase)
	first := r.item()
	r.now = r.now.Add(3 * time.Second)
	r.key('b')
	events := r.events(round)
	if ev := events[0]; len(events) != 1 || ev.Model != first || ev.Value != labels.Borderline || ev.Seconds != 3 ||
		ev.Ranges["max@HEAD"] != (labels.Range{High: 0.3}) || len(ev.Ranges) != 2 {
		t.Errorf("stored %+v", events)
	}
	r.key('1')
	r.key('v') // the last model has no signals
	r.stage.Until("a sentence", func() bool {
		return strings.Contains(r.texts(), "no signals in the scenes of this round")
	})
	last := r.item()
	if last != ws.Models[3].Hash || len(r.events(round)) != 3 {
		t.Fatalf("the last one is %s after %d labels", last, len(r.events(round)))
	}
	r.window.Canvas().Focused().TypedRune('i') // the sentence goes when the model is shown anew
	if text := r.texts(); !strings.Contains(text,
		"this model has no matrices to judge yet; run its signals, or skip it") {
		t.Errorf("no refusal: %s", text)
	}
	r.stage.Until("nothing is stored", r.ready)
	if len(r.events(round)) != 3 {
		t.Error("a model without matrices was labelled")
	}
	r.key('z')
	if r.item() != ws.Models[2].Hash || len(r.errs) > 0 {
		t.Errorf("undone is %s, errors %v", r.item(), r.errs)
	}
	// Signals that come while the round is open are taken up.
	ws.Run(t, ws.Models[3], 3, ws.Selection)
	r.key('v')
	r.stage.Until("its matrices", func() bool { return r.item() == last && r.screen.widgets.row.Shown().Ready() })
}

// showsScenes checks what stands beside the matrices.
func (r *rig) showsScenes(worst float64) {
	r.Helper()
	lines := map[string]string{}
	for _, line := range r.screen.widgets.evidence.Facts() {
		lines[line.Name] = line.Value
	}
	shown := r.screen.widgets.row.Shown()
	if lines["selection"] != "near" || lines["scenes"] != "8 per target" || lines["architecture"] != "resnet8" ||
		shown.Robust != worst || lines["worst case"] == "" {
		r.Errorf("%v", lines)
	}
	if r.screen.widgets.evidence.Charts().AccuracyBox().Visible() {
		r.Error("an accuracy per transformation is shown")
	}
}

func TestBackgroundRoundsAreLookedAt(t *testing.T) {
	r, _, round := newScenes(t, 2, func(x *labels.Round) { x.Models = x.Models[:1] })
	r.signIn(round, "b")
	row := r.screen.widgets.row
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "label-scenes")
	field := row.Fields()[1]
	field.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(field.Size().Width/2,
		field.Size().Height/2)}})
	if text := r.screen.widgets.readOut.Text; !strings.HasPrefix(text, "max@CONF I1   distances ") ||
		!strings.Contains(text, ": variance ") {
		t.Errorf("read out %q", text)
	}
	if !row.Fields()[7].Cursor().Inside {
		t.Error("the other matrices do not show the element")
	}
	field.MouseOut()
	points := row.Fields()[0]
	points.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(points.Size().Width/2,
		points.Size().Height/2)}})
	if text := r.screen.widgets.readOut.Text; !strings.HasPrefix(text, "max@CONF scatter   distances ") {
		t.Errorf("read out %q", text)
	}
	points.MouseOut()
	r.key('e')
	if r.fields() != 1 || row.Enlarged() != 0 {
		t.Errorf("%d fields, number %d", r.fields(), row.Enlarged())
	}
	r.named(fyne.KeyEscape)
	if r.fields() != 8 {
		t.Errorf("%d fields", r.fields())
	}
	r.key('c') // the colour map is one of their own
	r.stage.Until("another map", func() bool {
		var fields, others string
		_, err := r.store.Setting(evidence.OfPerson(evidence.SettingFieldMap, r.screen.session.Annotator()), &fields)
		if there, _ := r.store.Setting(settingMap, &others); err != nil || there {
			t.Fatalf("%v, the map of variance matrices is %s", err, others)
		}
		return fields == "viridis" && row.Shown().View.FieldMap == "viridis"
	})
}

// A round that came in a package is labelled without selection, signals and images.
func TestABackgroundRoundFromAPackage(t *testing.T) {
	_, ws, round := newScenes(t, 3, func(x *labels.Round) { x.Models = x.Models[:2] })
	there := packed(t, ws.Workspace, round)
	r := newRigOver(t, &sample.Workspace{Workspace: there})
	r.signIn(round, "b")
	if r.fields() != 8 || !r.screen.widgets.row.Shown().Ready() {
		t.Fatalf("%d fields", r.fields())
	}
	r.key('v')
	if len(r.events(round)) != 1 || len(r.errs) > 0 {
		t.Errorf("%d labels, %v", len(r.events(round)), r.errs)
	}
}

// packed sends a round to a workspace of another desk.
func packed(t *testing.T, from *store.Workspace, round labels.Round) *store.Workspace {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "round"+packages.RoundSuffix)
	testdata.Must(packages.Invite(t.Context(), from, round.ID, file, false, nil))(t)
	there := testdata.Must(store.Create(filepath.Join(folder, "there.variscope")))(t)
	t.Cleanup(func() { _ = there.Close() })
	testdata.Must(packages.Open(t.Context(), there, file, nil))(t)
	return there
}
