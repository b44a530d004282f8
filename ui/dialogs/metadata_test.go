package dialogs

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

// desktopRig is a window with a host for dialogs.
type desktopRig struct {
	*kit.Host
	stage  *stage.Stage
	ws     *sample.Workspace
	failed []error
	steps  []history.Step
}

func newRig(t *testing.T, models int) *desktopRig {
	t.Helper()
	r := &desktopRig{stage: stage.New(t), ws: sample.New(t, models)}
	work := background.New(fyne.Do)
	r.Host = &kit.Host{
		Window: r.stage.Window(widget.NewLabel(""), fyne.NewSize(1000, 700)), Work: work,
		ShowError: func(err error) { r.failed = append(r.failed, err) }, Status: func(string) {},
	}
	t.Cleanup(func() {
		work.Stop()
		work.Wait()
		r.stage.Pump()
	})
	return r
}

func (r *desktopRig) did(step history.Step) { r.steps = append(r.steps, step) }

// find returns the objects of a type in the topmost dialog.
func find[T fyne.CanvasObject](r *desktopRig) (list []T) {
	stage.Walk(r.Window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if w, ok := o.(T); ok {
			list = append(list, w)
		}
	})
	return list
}

func (r *desktopRig) entries() []*widget.Entry {
	return stage.Entries(r.Window.Canvas().Overlays().Top())
}

func (r *desktopRig) press(t *testing.T, text string) {
	t.Helper()
	r.stage.Until("button "+text, func() bool { return r.button(text) != nil })
	test.Tap(r.button(text))
}

func (r *desktopRig) button(text string) *widget.Button {
	for _, b := range find[*widget.Button](r) {
		if b.Text == text {
			return b
		}
	}
	return nil
}

func (r *desktopRig) says(text string) bool {
	for _, l := range find[*widget.Label](r) {
		if strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

func TestRecordOfOneModel(t *testing.T) {
	r := newRig(t, 2)
	RecordDialog(r.Host, r.ws.Workspace, []string{r.ws.Imported[0].Hash}, r.did)
	r.stage.Until("the form", func() bool { return len(r.entries()) > 0 })
	entry := func(text string) *widget.Entry {
		t.Helper()
		for _, e := range r.entries() {
			if e.Text == text {
				return e
			}
		}
		t.Fatalf("no entry holds %q", text)
		return nil
	}
	entry("m00").SetText("m01") // used by the other model
	r.press(t, "Save")
	r.stage.Until("the refusal", func() bool { return r.says("is used by another model") })
	entry("m01").SetText(" first ")
	entry("regular").SetText("holdout")
	r.press(t, "Add a field")
	r.Window.Canvas().Focused().(*widget.Entry).SetText("owner")
	for _, e := range r.entries() {
		if e.Text == "" {
			e.SetText("lab 1")
		}
	}
	r.press(t, "Save")
	r.stage.Until("it is stored", func() bool { m, err := r.ws.FindModel("first"); return err == nil && m.Value("owner") == "lab 1" })
	r.stage.Until("the step is reported", func() bool { return len(r.steps) == 1 })
	m, err := r.ws.FindModel("first")
	if err != nil || m.Value("fold") != "holdout" || len(m.Record) != len(r.ws.Imported[0].Record)+1 {
		t.Errorf("%+v %v", m.Record, err)
	}
	if err := r.steps[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := r.ws.FindModel("m00"); err != nil || m.Value("owner") != "" || m.Value("fold") != "regular" {
		t.Errorf("taken back: %+v %v", m.Record, err)
	}
	RecordDialog(r.Host, r.ws.Workspace, []string{"nothing"}, nil)
	r.stage.Until("an unknown model", func() bool { return len(r.failed) == 1 && errors.Is(r.failed[0], store.ErrNotFound) })
}

func TestFieldOfManyModels(t *testing.T) {
	r := newRig(t, 3)
	hashes := []string{r.ws.Imported[0].Hash, r.ws.Imported[1].Hash, r.ws.Imported[2].Hash}
	RecordDialog(r.Host, r.ws.Workspace, hashes, r.did)
	r.stage.Until("the form", func() bool { return r.button("Save") != nil })
	if r.press(t, "Save"); r.button("Save") == nil {
		t.Fatal("a field without a name can be set")
	}
	r.entries()[0].SetText("fold")
	r.entries()[1].SetText("holdout")
	r.press(t, "Save")
	r.stage.Until("the step is reported", func() bool { return len(r.steps) == 1 })
	if r.steps[0].Title != "fold = holdout for 3 models" {
		t.Errorf("%q", r.steps[0].Title)
	}
	for _, hash := range hashes {
		if m, err := r.ws.Model(hash); err != nil || m.Value("fold") != "holdout" {
			t.Errorf("%s: %v", m.Value("fold"), err)
		}
	}
}

func TestSetFieldLeavesOutWhatStays(t *testing.T) {
	models := []model.Model{
		{Hash: "1", ID: "a", Record: []model.Field{{Name: "x", Value: "1"}}}, {Hash: "2", ID: "b", Record: []model.Field{{Name: "x", Value: "2"}}}, {Hash: "3", ID: "c"},
	}
	after, title := SetField(models, "x", "1", false)
	if len(after) != 2 || after[0].Hash != "2" || title != "x = 1 for 2 models" {
		t.Errorf("%+v %q", after, title)
	}
	after, title = SetField(models, "x", "", true)
	if len(after) != 2 || len(after[1].Fields) != 0 || title != "removal of x from 2 models" {
		t.Errorf("%+v %q", after, title)
	}
	if models[0].Record[0].Value != "1" || len(models[1].Record) != 1 {
		t.Error("the models themselves changed")
	}
}

func TestRemovalNamesWhatGoes(t *testing.T) {
	r := newRig(t, 3)
	hashes := []string{r.ws.Imported[0].Hash, r.ws.Imported[2].Hash}
	var busy []string
	removed := 0
	open := func() {
		RemoveDialog(r.Host, r.ws.Workspace, hashes, func() []string { return busy }, func() { removed++ })
	}
	open()
	r.stage.Until("the question", func() bool { return r.says("Models: m00, m02") && r.says("1 set of signals in 1 file") })
	busy = hashes[:1] // a run begins while the question stands
	r.press(t, "Remove for good")
	r.stage.Until("the refusal", func() bool { return len(r.failed) == 1 })
	if !strings.Contains(r.failed[0].Error(), "model m00 is being run") {
		t.Error(r.failed[0])
	}
	busy = nil
	open()
	r.press(t, "Remove for good")
	r.stage.Until("they are gone", func() bool { return removed == 2 })
	if list, err := r.ws.Models(); err != nil || len(list) != 1 || backups(t, r.ws.Workspace) != 1 {
		t.Errorf("%d models, %v, or no backup", len(list), err)
	}
	r.ws.Imported = r.ws.Imported[1:2]
	r.ws.NewRound(t, nil)
	RemoveDialog(r.Host, r.ws.Workspace, []string{r.ws.Imported[0].Hash}, nil, nil)
	r.stage.Until("an item of a round", func() bool { return len(r.failed) == 2 })
	if !strings.Contains(r.failed[1].Error(), `round "first look"`) {
		t.Error(r.failed[1])
	}
}

func TestRemovalText(t *testing.T) {
	plan := store.Removal{IDs: make([]string, 70), SignalBytes: 12_345_678, Sets: 2, Units: 5, ModelBytes: 999}
	text := RemovalText(plan)
	for _, want := range []string{" and 10 more", "2 sets of signals in 5 files, 12.3 MB", "999 B", "cannot be taken back"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if text := RemovalText(store.Removal{IDs: []string{"a"}}); !strings.Contains(text, "no signals") {
		t.Error(text)
	}
}

func TestImportOfRecordsSaysWhatItChanges(t *testing.T) {
	r := newRig(t, 2)
	path := write(t, filepath.Join(t.TempDir(), "more.csv"), "id,owner\nm00,lab 1\nzz,lab 2\n")
	importer := Importer{Workspace: r.ws.Workspace, Did: r.did}
	item := foresee(r.ws.Workspace, Recognise(path))
	if item.Kind != Records || item.What != "records of 1 model, 1 of them change, new columns: owner; 1 model not in this workspace: zz" {
		t.Fatalf("%+v", item)
	}
	if other := foresee(r.ws.Workspace, Item{Kind: Suite, What: "x"}); other.What != "x" {
		t.Error("another kind is changed")
	}
	bad := write(t, filepath.Join(t.TempDir(), "bad.csv"), "id,owner\nm00\n")
	if item := foresee(r.ws.Workspace, Recognise(bad)); item.Kind != Unknown || item.Err == nil {
		t.Errorf("%+v", item)
	}
	report, err := importer.Import(t.Context(), []Item{{Path: path, Kind: Records}, {Path: bad, Kind: Records}}, intake.ImportOptions{}, engine.NoProgress{})
	if err != nil || len(report.Steps) != 1 || len(report.Failed) != 1 || !strings.HasPrefix(report.Lines[0], "more.csv: records of 1 model") {
		t.Fatalf("%+v %v", report, err)
	}
	ImportDialog(r.Host, importer, []string{path})
	r.stage.Until("the preview", func() bool { return r.says("0 of them change") })
	r.press(t, "Import")
	r.stage.Until("the report", func() bool { return r.button("Close") != nil })
	if err := report.Steps[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := r.ws.FindModel("m00"); err != nil || m.Value("owner") != "" {
		t.Errorf("%v %v", m.Record, err)
	}
}
