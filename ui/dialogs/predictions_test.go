package dialogs

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

// predictionsRig is the dialog over a sample's workspace.
type predictionsRig struct {
	*rig
	dialog *predictionsDialog
	added  []string
}

func (r *predictionsRig) show() {
	r.Helper()
	suites, err := r.ws.Suites()
	if err != nil {
		r.Fatal(err)
	}
	r.dialog = &predictionsDialog{
		host: r.host, ws: r.ws.Workspace, did: r.did, suites: suites,
		added: func(source string) { r.added = append(r.added, source) },
	}
	r.dialog.open()
}

func (r *predictionsRig) put(name, text string) {
	r.Helper()
	if err := r.dialog.ask.Form.Put(name, text); err != nil {
		r.Fatal(option.Said(err))
	}
}

// write writes a file and gives its path to the dialog.
func (r *predictionsRig) write(name, content string) {
	r.Helper()
	r.put("path", write(r.T, filepath.Join(r.TempDir(), name), content))
}

func (r *predictionsRig) imports(n int) {
	r.Helper()
	r.press("Import")
	r.stage.Until("it is imported", func() bool { return len(r.added) == n })
}

const textModels = "image,truth,bert,gpt,rnn\n" +
	"a.txt,good,good,bad,good\nb.txt,bad,bad,bad,good\nc.txt,good,good,good,bad\n"

// TestPredictions: a table that stands for itself, one of a suite, and one whose name is taken.
func TestPredictions(t *testing.T) {
	r := &predictionsRig{rig: newRig(t, 1)}
	r.show()
	r.saying("What can be read")
	r.press("Import")
	r.saying("Predictions must be given.")
	r.write("text models.csv", textModels)
	r.saying("3 models, 3 images, 2 classes")
	r.saying("true classes of 3 images")
	r.saying("#0 a.txt: bert good, gpt bad, rnn good; truly good")
	r.imports(1)
	tables, err := r.ws.PredictionTables()
	if err != nil || len(tables) != 1 || tables[0].ID != r.added[0] || tables[0].Name != "text models" ||
		!tables[0].Truth {
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

	r.show()
	r.put("suite", r.ws.Shapes.Hash)
	r.write("three.csv", "m\nbird\nboat\nbird\n")
	r.saying("3 images; suite shapes has 60")
	r.stage.Until("it cannot be imported", func() bool { return r.button("Import").Disabled() })
	lines := []string{"m"}
	for i := range sample.Images {
		lines = append(lines, sample.Classes[i%3])
	}
	r.write("sixty.csv", strings.Join(lines, "\n")+"\n")
	r.saying("1 model, 60 images, 3 classes")
	r.put("name", "text models")
	r.press("Import")
	r.stage.Until("the name is taken", func() bool { return r.button("Import") != nil && r.says("text models") })
	r.put("name", "elsewhere")
	r.saying("1 model, 60 images")
	r.imports(2)
	tables, _ = r.ws.PredictionTables()
	if r.added[1] != r.ws.Shapes.Hash || !slices.ContainsFunc(tables, func(p store.PredictionTable) bool {
		return p.Name == "elsewhere" && p.Suite == r.ws.Shapes.Hash
	}) {
		t.Errorf("added %v, %+v", r.added, tables)
	}
}

func TestFoundPredictionsSayWhatIsKnown(t *testing.T) {
	table := predictions.Table{
		Models: []string{"a", "b"}, Samples: 2, Classes: 2, Labels: []int32{0, 1, 1, 1}, Truth: []int32{0, -1},
	}
	if got := foundPredictions(table)[1]; got != "no probabilities, true classes of 1 image" {
		t.Errorf("%q", got)
	}
	table.Probabilities = [][]float32{nil, {1, 0, 0, 1}}
	if got := foundPredictions(table)[1]; got != "probabilities of 1 model, true classes of 1 image" {
		t.Errorf("%q", got)
	}
}
