package dialogs

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
)

func TestRecordOfOneModel(t *testing.T) {
	r := newRig(t, 2)
	RecordDialog(r.host, r.ws.Workspace, []string{r.ws.Imported[0].Hash}, r.did)
	r.stage.Until("the form", func() bool { return len(r.entries()) > 0 })
	r.entry("m00").SetText("m01") // used by the other model
	r.press("Save")
	r.stage.Until("the refusal", func() bool { return r.says("is used by another model") })
	r.entry("m01").SetText(" first ")
	r.entry("regular").SetText("holdout")
	r.press("Add a field")
	r.host.Window.Canvas().Focused().(*widget.Entry).SetText("owner")
	r.entry("").SetText("lab 1")
	r.press("Save")
	r.stage.Until("it is stored", func() bool {
		m, err := r.ws.FindModel("first")
		return err == nil && m.Value("owner") == "lab 1"
	})
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
	RecordDialog(r.host, r.ws.Workspace, []string{"nothing"}, nil)
	r.stage.Until("an unknown model", func() bool {
		return len(r.failed) == 1 && errors.Is(r.failed[0], store.ErrNotFound)
	})
}

func TestFieldOfManyModels(t *testing.T) {
	r := newRig(t, 3)
	hashes := []string{r.ws.Imported[0].Hash, r.ws.Imported[1].Hash, r.ws.Imported[2].Hash}
	RecordDialog(r.host, r.ws.Workspace, hashes, r.did)
	r.stage.Until("the form", func() bool { return r.button("Save") != nil })
	if r.press("Save"); r.button("Save") == nil {
		t.Fatal("a field without a name can be set")
	}
	r.entries()[0].SetText("fold")
	r.entries()[1].SetText("holdout")
	r.press("Save")
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
		{Hash: "1", ID: "a", Record: []model.Field{{Name: "x", Value: "1"}}},
		{Hash: "2", ID: "b", Record: []model.Field{{Name: "x", Value: "2"}}},
		{Hash: "3", ID: "c"},
	}
	after, title := SetField(models, "x", "1", false)
	if len(after) != 2 || after[0].Hash != "2" || title != "x = 1 for 2 models" {
		t.Errorf("%+v %q", after, title)
	}
	after, title = SetField(models, "x", "", true)
	if len(after) != 2 || len(after[1].Fields) != 0 || title != "removal of x from 2 models" ||
		models[0].Record[0].Value != "1" || len(models[1].Record) != 1 {
		t.Errorf("%+v %q, of %+v", after, title, models)
	}
}

func TestRemovalNamesWhatGoes(t *testing.T) {
	r := newRig(t, 3)
	hashes := []string{r.ws.Imported[0].Hash, r.ws.Imported[2].Hash}
	var busy []string
	removed := 0
	open := func() {
		RemoveDialog(r.host, r.ws.Workspace, hashes, func() []string { return busy }, func() { removed++ })
	}
	open()
	r.saying("Models: m00, m02")
	r.saying("1 set of signals in 1 file")
	busy = hashes[:1] // a run begins while the question stands
	r.press("Remove for good")
	r.fails(1, "model m00 is being run")
	busy = nil
	open()
	r.press("Remove for good")
	r.stage.Until("they are gone", func() bool { return removed == 2 })
	if list, err := r.ws.Models(); err != nil || len(list) != 1 || backups(t, r.ws.Workspace) != 1 {
		t.Errorf("%d models, %v, or no backup", len(list), err)
	}
	r.ws.Imported = r.ws.Imported[1:2]
	r.ws.NewRound(t, nil)
	RemoveDialog(r.host, r.ws.Workspace, []string{r.ws.Imported[0].Hash}, nil, nil)
	r.fails(2, `round "first look"`) // it is an item of
}

func TestRemovalText(t *testing.T) {
	plan := store.Removal{IDs: make([]string, 70), SignalBytes: 12_345_678, Sets: 2, Units: 5, ModelBytes: 999}
	text := RemovalText(plan)
	for _, want := range []string{
		" and 10 more", "2 sets of signals in 5 files, 12.3 MB", "999 B",
		"cannot be taken back",
	} {
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
	item := intake.Recognise(path).Foresee(t.Context(), r.ws.Workspace, intake.LogOptions{})
	if item.Kind != intake.RecordKind ||
		item.What != "records of 1 model, 1 of them change, new columns: owner; 1 model not in this workspace: zz" {
		t.Fatalf("%+v", item)
	}
	bad := write(t, filepath.Join(t.TempDir(), "bad.csv"), "id,owner\nm00\n")
	item = intake.Recognise(bad).Foresee(t.Context(), r.ws.Workspace, intake.LogOptions{})
	if item.Kind != intake.Unknown || item.Err == nil || !strings.Contains(describe([]intake.Source{item}), "✗ ") {
		t.Errorf("%+v", item)
	}
	ImportDialog(r.host, importer, []string{path})
	r.stage.Until("the preview", func() bool { return r.says("1 of them change") })
	r.press("Import")
	r.stage.Until("the report", func() bool { return r.button("Close") != nil })
	if len(r.steps) != 1 || !r.says("Records more.csv: records of 1 model") {
		t.Fatalf("%d steps", len(r.steps))
	}
	r.press("Close")
	ImportDialog(r.host, importer, []string{path})
	r.stage.Until("the preview", func() bool { return r.says("0 of them change") })
	r.press("Import")
	r.stage.Until("the report", func() bool { return r.button("Close") != nil })
	if err := r.steps[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := r.ws.FindModel("m00"); err != nil || m.Value("owner") != "" {
		t.Errorf("%v %v", m.Record, err)
	}
}
