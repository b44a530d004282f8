package dialogs

import (
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/history"
)

// TestTheReportTellsFailuresApart: each failure begins with a mark, since most go on in a second
// line.
func TestTheReportTellsFailuresApart(t *testing.T) {
	d := importDialog{}
	failed := func(why string) intake.Outcome { return intake.NotImported("x", why) }
	came := intake.Outcome{What: "model", Name: "m", Details: []string{"added", "input 1×6×6"}}
	for _, c := range []struct {
		list []intake.Outcome
		want string
	}{
		{nil, ""},
		{[]intake.Outcome{came}, "1 model added\n\nModel m: added\n    input 1×6×6"},
		{[]intake.Outcome{failed("a is empty.")}, "1 not imported\n\nNot imported (1):\n\n✗ a is empty."},
		{
			[]intake.Outcome{came, failed("b."), failed("c.")}, "1 model added; 2 not imported\n\n" +
				"Not imported (2):\n\n✗ b.\n\n✗ c.\n\nModel m: added\n    input 1×6×6",
		},
	} {
		if got := d.done(c.list, nil).Text; got != c.want {
			t.Errorf("%+v reads\n%s\nand not\n%s", c.list, got, c.want)
		}
	}
	var steps []history.Step
	d.importer.Did = func(s history.Step) { steps = append(steps, s) }
	stopped := d.done([]intake.Outcome{{What: "records", Path: "a/x.csv", Before: []store.Record{{ID: "m"}}}},
		context.Canceled)
	stopped.Then()
	if stopped.Title != "Import stopped; what is listed here was finished" || len(steps) != 1 ||
		steps[0].Title != "import of x.csv" {
		t.Errorf("%+v, %+v", stopped, steps)
	}
}

// TestImportAsksForWhatIsMissing: the part of a data set is asked for, the options are those of the
// command, what is wrong with them stops the import, and the report has all that it found.
func TestImportAsksForWhatIsMissing(t *testing.T) {
	r := newRig(t, 1)
	root := filepath.Join(t.TempDir(), "set")
	for _, path := range []string{"train/a/1.png", "train/b/1.png", "test/a/1.png", "test/b/1.png"} {
		onePixel(t, filepath.Join(root, path))
	}
	write(t, filepath.Join(root, "test", "a", "note.xml"), "x")
	write(t, filepath.Join(root, "test", "a", "Thumbs.db"), "x")
	write(t, filepath.Join(root, "test", "b", "2.png"), "no picture")
	one := write(t, filepath.Join(t.TempDir(), "one.onnx"), "model one")
	importer := Importer{
		Workspace: r.ws.Workspace,
		Read:      sample.Reader(func(string) (model.Graph, error) { return r.ws.Imported[0].Graph, nil }),
	}
	ImportDialog(r.host, importer, []string{root, one})
	r.looks("import-parts")
	r.press("test (3 images)")
	r.stage.Until("the part", func() bool { return r.says("✓ test — test suite, a folder per class") })
	if line := r.entries()[0].Text; line != filepath.Join(root, "test")+"\n"+one {
		t.Errorf("paths %q", line)
	}
	for _, fold := range find[*widget.Accordion](r) {
		fold.OpenAll()
	}
	test.Tap(r.check("skip corrupt images and count them"))
	recipe := r.entry("such as resize=shorter:256;crop=center:224x224")
	recipe.SetText("nonsense")
	if !r.says("nonsense") || !r.button("Import").Disabled() {
		t.Error("a wrong recipe is taken")
	}
	recipe.SetText("raw-255")
	r.looks("import-options")
	test.Tap(r.button("Copy as command"))
	want := "--skip-corrupt --recipe raw-255"
	if line := r.stage.App().Clipboard().Content(); !strings.HasPrefix(line, "variscope import ") ||
		!strings.Contains(line, want) {
		t.Errorf("%s lacks %s", line, want)
	}
	r.press("Import")
	r.stage.Until("the report", func() bool { return r.button("Copy") != nil })
	r.looks("import-report")
	for _, want := range []string{
		"Suite set-test: 2 images, 2 classes: a 1, b 1\n    1 corrupt image left out\n    1 not taken: ending .xml 1 " +
			"(a/note.xml)\n    b/2.png: ",
		"Model one: added\n    input 1×6×6\n    recipe \"resize=stretch:6x6;scale=255\" from correction",
		"\n    classes: 3 classes without names, by index on suite shapes",
	} {
		if !r.says(want) {
			t.Errorf("the report does not say %s", want)
		}
	}
	if m, err := r.ws.FindModel("one"); err != nil || m.Correction.Recipe != "raw-255" {
		t.Errorf("%+v %v", m.Correction, err)
	}
	suites, err := r.ws.Suites()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(suites, func(s suite.Manifest) bool { return s.Name == "set-test" })
	if err := r.ws.SetCurrent(store.Current{Suite: suites[k].Hash}); err != nil {
		t.Fatal(err)
	}
	wrong := "it cannot run on suite set-test yet: " +
		"the classes do not match: the model has 3 classes and the suite 2; choose a suite"
	outcomes, err := intake.Report{Added: []string{"one"}}.Outcomes(r.ws.Workspace)
	if err != nil || !slices.ContainsFunc(outcomes[0].Details,
		func(text string) bool { return strings.HasPrefix(text, wrong) }) {
		t.Errorf("%+v %v", outcomes, err)
	}
}

func onePixel(t *testing.T, path string) {
	t.Helper()
	write(t, path, "")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, image.NewGray(image.Rect(0, 0, 6, 6))); err != nil {
		t.Fatal(err)
	}
}

// TestALogIsImportedWhereItsModelIsNamed: a log whose model is not known asks for it, and its
// import is a step that can be taken back.
func TestALogIsImportedWhereItsModelIsNamed(t *testing.T) {
	r := newRig(t, 1)
	id, curves := r.ws.Imported[0].ID, r.ws.Imported[0].Curves
	path := write(t, filepath.Join(t.TempDir(), "training.csv"), "epoch,loss\n0,2\n1,1\n")
	ImportDialog(r.host, Importer{Workspace: r.ws.Workspace, Did: r.did}, []string{path})
	r.stage.Until("the log", func() bool { return r.says("no model of this workspace has the name") })
	if !r.button("Import").Disabled() {
		t.Error("a log without a model can be imported")
	}
	r.menu(id).SetSelected(id)
	r.saying("kept as it was, unless what differs is to be replaced: epochs is 12, in the log 2")
	test.Tap(r.check("replace what differs in the record"))
	r.stage.Until("what is replaced", func() bool { return r.says("replaced: epochs") })
	r.looks("import-log")
	test.Tap(r.button("Copy as command"))
	if line := r.stage.App().Clipboard().Content(); !strings.HasSuffix(line, path+" --model "+id+" --replace") {
		t.Error(line)
	}
	r.press("Import")
	r.stage.Until("the report", func() bool { return r.button("Copy") != nil })
	if m, err := r.ws.FindModel(id); err != nil || len(m.Curves) != 2 || len(r.steps) != 1 {
		t.Fatalf("%+v, %d steps, %v", m.Curves, len(r.steps), err)
	}
	if err := r.steps[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := r.ws.FindModel(id); err != nil || len(m.Curves) != len(curves) {
		t.Errorf("%+v, %v", m.Curves, err)
	}
}
