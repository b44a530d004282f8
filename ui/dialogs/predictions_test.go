package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

// predictionsRig is the dialog over a sample's workspace.
type predictionsRig struct {
	*testing.T
	stage  *stage.Stage
	ws     *sample.Workspace
	dialog *predictionsDialog
	added  []string
	steps  []history.Step
	failed []error
}

func newPredictionsRig(t *testing.T) *predictionsRig {
	r := &predictionsRig{T: t, stage: stage.New(t), ws: sample.New(t, 1)}
	window := r.stage.Window(widget.NewLabel(""), fyne.NewSize(1000, 700))
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	host := &kit.Host{Window: window, Work: work, Status: func(string) {}, ShowError: func(err error) { r.failed = append(r.failed, err) }}
	r.dialog = &predictionsDialog{
		host: host, ws: r.ws.Workspace, did: func(s history.Step) { r.steps = append(r.steps, s) },
		added: func(source string) { r.added = append(r.added, source) }, sheet: host.NewDialog("Import predictions", fyne.NewSize(760, 560)),
	}
	r.dialog.suites, _ = r.ws.Suites()
	r.dialog.names, r.dialog.hashes = SuiteNames(r.dialog.suites)
	r.dialog.build()
	r.dialog.sheet.Present(r.dialog.path)
	return r
}

// write writes a file and gives its path to the dialog.
func (r *predictionsRig) write(name, content string) {
	r.Helper()
	path := filepath.Join(r.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		r.Fatal(err)
	}
	r.dialog.path.SetText(path)
}

// says waits until a label has a text in it.
func (r *predictionsRig) says(label *widget.Label, text string) {
	r.Helper()
	r.stage.Until("it says "+text, func() bool { return label.Visible() && strings.Contains(label.Text, text) })
}

const textModels = "image,truth,bert,gpt,rnn\na.txt,good,good,bad,good\nb.txt,bad,bad,bad,good\nc.txt,good,good,good,bad\n"

func TestPredictionsThatStandForThemselves(t *testing.T) {
	r := newPredictionsRig(t)
	if !r.dialog.start.Disabled() {
		t.Error("nothing can be imported")
	}
	r.write("text models.csv", textModels)
	r.says(r.dialog.facts, "3 models, 3 images, 2 classes")
	for _, want := range []string{"true classes of 3 images", "#0 a.txt: bert good, gpt bad, rnn good; truly good"} {
		if !strings.Contains(r.dialog.facts.Text, want) {
			t.Errorf("%q is not in %q", want, r.dialog.facts.Text)
		}
	}
	if r.dialog.name.Text != "text models" {
		t.Errorf("named %q", r.dialog.name.Text)
	}
	test.Tap(r.dialog.start)
	r.stage.Until("it is imported", func() bool { return len(r.added) == 1 })
	tables, err := r.ws.PredictionTables()
	if err != nil || len(tables) != 1 || tables[0].ID != r.added[0] || tables[0].Name != "text models" || !tables[0].Truth {
		t.Fatalf("%+v, %v", tables, err)
	}
	for k, step := range []func(context.Context) error{r.steps[0].Undo, r.steps[0].Redo} {
		if err := step(context.Background()); err != nil {
			t.Fatal(err)
		}
		if tables, _ := r.ws.PredictionTables(); len(tables) != k {
			t.Errorf("%d tables after step %d", len(tables), k)
		}
	}
}

func TestPredictionsOfASuite(t *testing.T) {
	r := newPredictionsRig(t)
	r.dialog.of.SetSelectedIndex(1)
	r.write("three.csv", "m\nbird\nboat\nbird\n")
	r.says(r.dialog.problem, "3 images; suite shapes has 60 images")
	if !r.dialog.start.Disabled() || !strings.HasPrefix(r.dialog.facts.Text, "What can be read") {
		t.Error("predictions of other images can be imported")
	}
	lines := []string{"m"}
	for i := range sample.Images {
		lines = append(lines, sample.Classes[i%3])
	}
	r.write("sixty.csv", strings.Join(lines, "\n")+"\n")
	r.says(r.dialog.facts, "1 model, 60 images, 3 classes")
	r.dialog.name.SetText("elsewhere")
	test.Tap(r.dialog.start)
	r.stage.Until("it is imported", func() bool { return len(r.added) == 1 })
	tables, _ := r.ws.PredictionTables()
	if r.added[0] != r.ws.Shapes.Hash || len(tables) != 1 || tables[0].Suite != r.ws.Shapes.Hash || tables[0].Name != "elsewhere" {
		t.Errorf("added %v, %+v", r.added, tables)
	}
}

func TestPredictionsThatCannotBeRead(t *testing.T) {
	r := newPredictionsRig(t)
	r.dialog.path.SetText(filepath.Join(t.TempDir(), "nowhere.csv"))
	r.says(r.dialog.problem, "nowhere.csv")
	r.write("ragged.csv", "a,b\n0,1\n1\n")
	r.says(r.dialog.problem, "ragged.csv")
	r.write("fine.csv", textModels)
	r.says(r.dialog.facts, "3 models")
	if r.dialog.problem.Visible() {
		t.Errorf("it still says %q", r.dialog.problem.Text)
	}
	r.dialog.classes.SetText("good,,bad")
	r.says(r.dialog.problem, "empty one")
	r.dialog.classes.SetText("good")
	r.says(r.dialog.problem, "neither a file nor a list")
	r.dialog.classes.SetText("ugly, fair")
	r.says(r.dialog.problem, "fine.csv")
	r.dialog.classes.SetText("bad, good, ugly")
	r.says(r.dialog.facts, "3 classes")
	r.dialog.path.SetText("")
	if !r.dialog.start.Disabled() || !strings.HasPrefix(r.dialog.facts.Text, "What can be read") {
		t.Error("nothing can be imported")
	}
}

func TestPredictionsOfAUsedName(t *testing.T) {
	r := newPredictionsRig(t)
	table, err := readPredictions(csvOf(t, "one.csv", textModels), "", suite.Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	table.Name = "taken"
	r.dialog.table = table
	r.dialog.keep()
	r.stage.Until("it is imported", func() bool { return len(r.added) == 1 })
	again := newPredictionsRigOn(r)
	other, err := readPredictions(csvOf(t, "two.csv", strings.Replace(textModels, "a.txt,good,good", "a.txt,good,bad", 1)), "", suite.Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	other.Name = "taken"
	again.show(other, nil)
	again.keep()
	r.stage.Until("it is refused", func() bool { return again.problem.Visible() })
	if !strings.Contains(again.problem.Text, "taken") || again.start.Disabled() {
		t.Errorf("it says %q", again.problem.Text)
	}
}

func csvOf(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// newPredictionsRigOn opens the dialog once more.
func newPredictionsRigOn(r *predictionsRig) *predictionsDialog {
	d := *r.dialog
	d.sheet = d.host.NewDialog("Import predictions", fyne.NewSize(760, 560))
	d.latest = background.Latest{}
	d.build()
	d.sheet.Present(d.path)
	return &d
}

func TestPredictionsDialogOpens(t *testing.T) {
	s := stage.New(t)
	ws := sample.New(t, 1)
	w := s.Window(widget.NewLabel(""), fyne.NewSize(1000, 700))
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	PredictionsDialog(&kit.Host{Window: w, Work: work, Status: func(string) {}, ShowError: func(err error) { t.Error(err) }}, ws.Workspace, nil, nil)
	if _, start, labels := parts(t, w, "Import"); !start.Disabled() || !strings.Contains(labels, "Import predictions") {
		t.Errorf("it says %q", labels)
	}
}

func TestFoundPredictionsSayWhatIsKnown(t *testing.T) {
	table := predictions.Table{Models: []string{"a", "b"}, Samples: 2, Classes: 2, Labels: []int32{0, 1, 1, 1}, Truth: []int32{0, -1}}
	if got := foundPredictions(table)[1]; got != "no probabilities, true classes of 1 image" {
		t.Errorf("%q", got)
	}
	table.Probabilities = [][]float32{nil, {1, 0, 0, 1}}
	if got := foundPredictions(table)[1]; got != "probabilities of 1 model, true classes of 1 image" {
		t.Errorf("%q", got)
	}
}
