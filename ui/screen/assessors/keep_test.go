package assessors

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/history"
)

// kept is a screen with a trained tree that is saved as "first".
func kept(t *testing.T) *rig {
	t.Helper()
	r := newRated(t, 30)
	r.train(func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.DecisionTree} })
	s, _ := r.screen.Subject()
	r.screen.Save(s, "first")
	r.names("first")
	return r
}

// names waits until the list has these assessors.
func (r *rig) names(want ...string) {
	r.Helper()
	r.stage.Until("the list is "+strings.Join(want, ", "), func() bool {
		var got []string
		for _, f := range r.screen.widgets.saved.files.Shown() {
			got = append(got, f.Name)
		}
		return slices.Equal(got, want)
	})
}

func (r *rig) undo(step history.Step) {
	r.Helper()
	testdata.OK(r, step.Undo(context.Background()))
}

func (r *rig) redo(step history.Step) {
	r.Helper()
	testdata.OK(r, step.Redo(context.Background()))
}

func (r *rig) last() history.Step {
	r.Helper()
	if len(r.steps) == 0 {
		r.Fatal("nothing can be undone")
	}
	return r.steps[len(r.steps)-1]
}

func TestSavingRenamingAndDeletingAreUndone(t *testing.T) {
	r := kept(t)
	r.undo(r.last())
	r.names()
	r.redo(r.last())
	r.names("first")
	before := testdata.Must(r.ws.AssessorData("first"))(t)
	s, _ := r.screen.Subject()
	s.Source = "another source"
	r.screen.Save(s, "first")
	r.stage.Until("it is saved over", func() bool { return len(r.steps) == 2 })
	r.undo(r.last())
	if after, err := r.ws.AssessorData("first"); err != nil || !bytes.Equal(after, before) {
		t.Errorf("what was there before is not back (%v)", err)
	}
	r.screen.Rename("first", "second")
	r.names("second")
	r.stage.Until("it can be undone", func() bool { return len(r.steps) == 3 })
	r.undo(r.last())
	r.names("first")
	r.screen.Remove("first")
	r.names()
	r.stage.Until("it can be undone", func() bool { return len(r.steps) == 4 })
	r.undo(r.last())
	r.names("first")
	r.screen.Rename("first", "first") // nothing to do
	r.screen.Remove("none")
	r.stage.Until("it fails", func() bool { return len(r.failed) == 1 })
}

func TestASavedAssessorJudgesAndSaysWhatItIs(t *testing.T) {
	r := kept(t)
	page := r.screen.widgets.saved
	page.files.Select("first")
	page.choose()
	r.stage.Until("it says what it is", func() bool { return strings.Contains(page.details.Text, "decision tree") })
	for _, want := range []string{"labels: round first look", "shapes", "accuracy", "max@CONF"} {
		if !strings.Contains(page.details.Text, want) {
			t.Errorf("%q does not say %q", page.details.Text, want)
		}
	}
	r.screen.Look("first")
	r.stage.Until("it judges", func() bool { s, _ := r.screen.Subject(); return s.File != nil })
	r.settle()
	if r.screen.widgets.tabs.Front() != "verdicts" || len(r.screen.widgets.judge.list.Shown()) == 0 ||
		!strings.HasPrefix(r.screen.widgets.name.Text, "first, saved") {
		t.Errorf("%q", r.screen.widgets.name.Text)
	}
	commanded := func() (is bool) {
		r.press("Resample…")
		stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			b, ok := o.(*fynewidget.Button)
			is = is || ok && b.Text == "Copy as command"
		})
		r.press("Cancel")
		return is
	}
	all := commanded()
	r.screen.widgets.judge.list.SetFilter("model=m00")
	if !all || commanded() {
		t.Error("the command judges all models: it is there for all, and not for some")
	}
	r.turn("scores")
	if r.screen.widgets.scores.Body.Visible() || !strings.Contains(r.texts(), "has seen its models") {
		t.Error("a saved assessor has scores on models that it has seen")
	}
}

func TestAssessorFilesComeIn(t *testing.T) {
	r := kept(t)
	data := testdata.Must(r.ws.AssessorData("first"))(t)
	path := filepath.Join(t.TempDir(), "from elsewhere"+saved.Extension)
	testdata.OK(t, os.WriteFile(path, data, 0o644))
	file := testdata.Must(os.Open(path))(t)
	r.screen.Import(path, file)
	r.names("first", "from elsewhere")
	for name, content := range map[string]string{
		"cut":    string(data[:len(data)/2]),
		"edited": strings.Replace(string(data), `"first"`, `"worst"`, 1), "foreign": "{}",
	} {
		before := len(r.failed)
		r.screen.Import(name+saved.Extension, io.NopCloser(strings.NewReader(content)))
		r.stage.Until(name+" is refused", func() bool { return len(r.failed) > before })
		if text := r.failed[before].Error(); !strings.Contains(text, name) {
			t.Errorf("%s: %s", name, text)
		}
	}
	r.names("first", "from elsewhere")
}

// echo is a runner that answers as the assessor does, or with an error.
type echo struct {
	a   *assess.Assessor
	err error
}

func (e echo) Judge(_ context.Context, _ string, _ []byte, x [][]float64) ([]int64, [][]float32, error) {
	if e.err != nil {
		return nil, nil, e.err
	}
	labels, scores := make([]int64, len(x)), make([][]float32, len(x))
	for k, row := range x {
		v, err := e.a.Judge(assess.Row{X: row})
		if err != nil {
			return nil, nil, err
		}
		labels[k] = int64(v.Class)
		for _, p := range v.Probability {
			scores[k] = append(scores[k], float32(p))
		}
	}
	return labels, scores, nil
}

var _ exchange.Runner = echo{}

func TestONNXIsCheckedBeforeItIsWritten(t *testing.T) {
	r := kept(t)
	s, _ := r.screen.Subject()
	r.screen.actions.Runner = echo{a: s.Assessor}
	r.screen.widgets.openKeep()
	r.stage.Pump()
	r.screen.exportONNX(s.saved("first", time.Now(), "test"), s)
	r.stage.Until("a file is asked for", func() bool { return !r.screen.busy() })
	if !strings.Contains(r.said, "the same verdicts on") || r.window.Canvas().Overlays().Top() == nil {
		t.Errorf("%q", r.said)
	}
	r.screen.actions.Runner = echo{err: errors.New("onnx runtime has stopped")}
	r.screen.exportONNX(s.saved("first", time.Now(), "test"), s)
	r.stage.Until("it is refused", func() bool { return len(r.failed) == 1 })
}
