package intake

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// pictures writes a folder suite: one-pixel GIFs of two classes.
func pictures(tb testing.TB) string {
	tb.Helper()
	contents := map[string]string{}
	for i := range byte(4) {
		gray := 40 * i
		contents[fmt.Sprintf("%c/%d.gif", 'a'+i%2, i)] = string([]byte{
			'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, gray, gray, gray, 0, 0, 0,
			0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
		})
	}
	return files(tb, contents)
}

func TestSuite(t *testing.T) {
	w := sums.Empty(t)
	folder := pictures(t)
	var p testdata.Progress
	m, err := Suite(t.Context(), w, folder, SuiteOptions{Name: "pixels"}, &p)
	if err != nil || m.Images != 4 || m.Name != "pixels" || p.Done.Load() != 4 {
		t.Fatal(m.Images, m.Name, p.Done.Load(), err)
	}
	if current, err := w.Current(); err != nil || current.Suite != m.Hash {
		t.Error("the first suite is not the current one", err)
	}
	other, err := Suite(t.Context(), w, filepath.Join(pictures(t), "a"), SuiteOptions{Copy: true}, &p)
	if err == nil && !other.Copied {
		t.Error("it was not copied")
	}
	if current, err := w.Current(); err != nil || current.Suite != m.Hash {
		t.Error("the second suite took the first one's place", err)
	}
	if _, err := Suite(t.Context(), w, t.TempDir(), SuiteOptions{}, &p); err == nil {
		t.Error("took an empty folder")
	}
	must(t, os.WriteFile(filepath.Join(folder, "a", "bad.png"), []byte("no picture"), 0o644))
	testdata.ErrorIs(t, "error", testdata.Err(Suite(t.Context(), w, folder, SuiteOptions{}, &p)), suite.ErrCorrupt)
	skipped, err := Suite(t.Context(), w, folder, SuiteOptions{SkipCorrupt: true, Copy: true}, &p)
	if err != nil || len(skipped.Skipped) != 1 || skipped.Images != 4 {
		t.Error(skipped.Skipped, err)
	}
}

// labelled is a workspace with a round that has labels, and the round.
func labelled(tb testing.TB) (*store.Workspace, label.Round) {
	tb.Helper()
	w := sums.Empty(tb)
	folder := files(tb, map[string]string{"m.onnx": "model"})
	imported(tb, w, nil, folder)
	m := testdata.Must(w.FindModel("m"))(tb)
	s := testdata.Must(Suite(tb.Context(), w, pictures(tb), SuiteOptions{}, engine.NoProgress{}))(tb)
	r := testdata.Must(w.CreateRound(tb.Context(), label.Round{
		Name: "r", Suite: s.Hash, Family: "rotation:-15:15:15", Annotators: []string{"A", "B"},
		Models: []string{m.Hash},
	}))(tb)
	return w, r
}

// others makes labels_long.csv files of another desk.
func others(tb testing.TB, w *store.Workspace, r label.Round, n int) []label.Event {
	tb.Helper()
	var events []label.Event
	for i := range n {
		events = append(events, label.Event{
			ID: w.NewID(), Desk: w.NewID(), Round: r.ID, Model: r.Models[0], Annotator: "B", Kind: label.Label, Pass: 1,
			Value: label.Variant, Note: fmt.Sprintf("=%d", i), Started: r.Created, Saved: r.Created, Seconds: 1.25,
		})
	}
	return events
}

func write(tb testing.TB, events []label.Event) string {
	tb.Helper()
	rows := make([]label.Row, len(events))
	for i, ev := range events {
		rows[i] = label.Row{Event: ev, RoundName: "r", ModelID: "m"}
	}
	var out bytes.Buffer
	must(tb, label.Labels.Sheet(rows).CSV(&out, false))
	path := filepath.Join(tb.TempDir(), "labels_long.csv")
	must(tb, os.WriteFile(path, out.Bytes(), 0o644))
	return path
}

func TestLabelsMergeSeveralFiles(t *testing.T) {
	w, r := labelled(t)
	own := testdata.Must(w.Append(label.Event{
		Round: r.ID, Model: r.Models[0], Annotator: "A", Kind: label.Label, Value: label.Invariant, Seconds: 0.1,
	}))(t)
	events := append([]label.Event{own}, others(t, w, r, 5)...)
	first, second := write(t, events[:4]), write(t, events[2:])
	for _, want := range []string{"5 events added, 3 were known", "0 events added, 8 were known"} {
		came, err := imports(t, t.Context(), w, engine.NoProgress{}, first, second)
		if err != nil || !slices.Equal(came, []string{"labels labels_long.csv, labels_long.csv: " + want}) {
			t.Error(came, err)
		}
		first, second = second, first
	}
	got, err := w.Events(r.ID)
	if err != nil || len(got) != 6 || got[1].Note != "=0" {
		t.Error(got, err)
	}
}

func TestLabelsRefuse(t *testing.T) {
	w, r := labelled(t)
	sound := write(t, others(t, w, r, 2))
	foreign, future := others(t, w, r, 1), others(t, w, r, 1)
	foreign[0].Round = w.NewID()
	future[0].ID = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" // ids grow past those of merged events: none would be left
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		path string
	}{
		"absent":   {t.Context(), filepath.Join(t.TempDir(), "labels_long.csv")},
		"no table": {t.Context(), files(t, map[string]string{"x": "y"}) + "/x"},
		"foreign":  {t.Context(), write(t, foreign)}, "cancelled": {ctx, sound},
		"from the end of time": {t.Context(), write(t, future)},
	} {
		if came, err := importLabels(c.ctx, w, []string{sound, c.path}); err == nil {
			t.Errorf("%s: %v", name, came)
		}
	}
	if events, err := w.Events(r.ID); len(events) != 0 || err != nil {
		t.Error(events, err)
	}
}

// TestFilesBesideAModel holds the rule of spec/recipe.md section 2: a folder's files count where it
// holds one model, those with the model's name in any case.
func TestFilesBesideAModel(t *testing.T) {
	const vit, names = `{"image_processor_type":"ViTImageProcessor","size":8,"image_mean":0.5,"image_std":0.5}`,
		`{"id2label":{"0":"a","1":"b"}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"alone": {
			map[string]string{"m.onnx": "model", "preprocessor_config.json": vit, "config.json": names},
			"preprocessor_config.json config.json",
		},
		"of several": {map[string]string{
			"m.onnx": "model", "n.onnx": "model n", "preprocessor_config.json": vit,
			"config.json": names,
		}, ""},
		"by its name": {map[string]string{
			"m.onnx": "model", "n.onnx": "model n", "m.preprocessor_config.json": vit,
			"m.json": names, "n.json": names,
		}, "m.preprocessor_config.json m.json"},
		"of others": {map[string]string{"m.onnx": "model", "config.json": `{"a":[1]}`, "m.json": `{}`}, ""},
	} {
		folder := files(t, c.files)
		var got []string
		for _, b := range beside(folder + "/m.onnx") {
			got = append(got, b.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestRecipesAtImport(t *testing.T) {
	folder := files(t, map[string]string{
		"m.onnx":                   "model",
		"preprocessor_config.json": `{"image_processor_type":"NewImageProcessor"}`,
	})
	w := sums.Empty(t)
	take := func(o CorrectionOptions) Report {
		var p testdata.Progress
		return testdata.Must(Models(t.Context(), w, nil, read, []string{folder + "/m.onnx"},
			ModelOptions{CorrectionOptions: o}, &p))(t)
	}
	if r := take(CorrectionOptions{}); len(r.Failed) != 1 ||
		!strings.Contains(r.Failed[0].Error(), "New is not known") {
		t.Fatalf("%+v", r)
	}
	for _, wrong := range []CorrectionOptions{
		{Recipe: "x"},
		{Mean: "1"},
		{Recipe: "raw-255", Batch: -1},
		{Recipe: "raw-255", Position: []string{"CONV-2=zz"}},
		{Recipe: "raw-255", Output: "zz"},
	} {
		if r := take(wrong); len(r.Failed) != 1 {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if r := take(CorrectionOptions{Recipe: "raw-255", Batch: 4, Position: []string{"CONV-2=c"}}); len(r.Added) != 1 {
		t.Fatalf("%+v", r)
	}
	if r := take(CorrectionOptions{}); len(r.Merged) != 1 {
		t.Fatalf("what was corrected is gone: %+v", r)
	}
	take(CorrectionOptions{Mean: "0.5", Std: "2"})
	list, err := w.Models()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s, err := list[0].Settings()
	want := "resize=stretch:8x8;scale=255;mean=0.5;std=2"
	if err != nil || s.Recipe.Text() != want || list[0].Correction.Batch != 4 ||
		list[0].Correction.Positions["CONV-2"] != "c" {
		t.Errorf("%s, %+v, %v", s.Recipe.Text(), list[0].Correction, err)
	}
	outcomes := testdata.Must(Report{Added: []string{list[0].ID}}.Outcomes(w))(t)
	o := outcomes[0]
	if o.Recipe != want || o.RecipeFrom != string(model.ByUser) || !slices.Contains(o.Details, "input 1×8×8") ||
		!slices.Contains(o.Details, "positions CONF, CONV-1, CONV-2") {
		t.Errorf("%+v", o)
	}
}
