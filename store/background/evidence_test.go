package background_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/database"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/doctor"
)

const (
	madeTargets = 300 // two chunks
	madeScenes  = 4
)

// made is a workspace with a selection and made-up signals.
type made struct {
	testing.TB
	ws      *store.Workspace
	targets suite.Manifest
	record  store.SelectionRecord
}

// newMade has targets with these labels, repeated, of the classes a, b and c.
func newMade(tb testing.TB, labels ...int) *made {
	tb.Helper()
	ws := sums.Empty(tb)
	w := &made{TB: tb, ws: ws}
	w.targets = w.suite("targets", madeTargets, labels)
	backgrounds := w.suite("backgrounds", 9, []int{-1})
	masks := testdata.Must(ws.AddMadeMasks(tb.Context(), w.targets.Hash, "by hand",
		func(int) ([]byte, error) { return storetest.MaskPNG(tb, 8, 8, 4), nil }, engine.NoProgress{}))(w)
	s := background.Selection{
		Targets: w.targets.Hash, Backgrounds: backgrounds.Hash, Masks: masks.Hash, Rule: background.PaperRule(),
		Choice: background.Choice{Method: background.Random, N: madeScenes, Seed: 1},
	}
	random := rand.New(rand.NewPCG(3, 3))
	for range madeTargets {
		var list []background.Scene
		for _, b := range random.Perm(9)[:madeScenes] {
			list = append(list, background.Scene{Background: b, Distance: 2 * random.Float64(), Keyword: -1, Level: -1})
		}
		s.Chosen = append(s.Chosen, list)
	}
	w.record = testdata.Must(ws.AddSelection("made", s))(w)
	return w
}

func (w *made) suite(name string, n int, labels []int) suite.Manifest {
	w.Helper()
	m := suite.Manifest{
		Hash: sums.Hash(name), Name: name, Format: suite.IDX,
		Root: w.TempDir(), Classes: []string{"a", "b", "c"}, Named: true,
		Images: n, Shape: [3]int{3, 8, 8}, Files: []suite.File{{Path: name, Size: 1}},
	}
	for i := range n {
		m.Labels = append(m.Labels, labels[i%len(labels)])
	}
	images.Put(w, filepath.Join(m.Root, name), []byte("x"))
	m = testdata.Must(w.ws.AddSuite(m))(w)
	return testdata.Must(w.ws.Suite(m.Hash))(w)
}

func (w *made) model(id string, classes int) model.Model {
	w.Helper()
	m, _, err := w.ws.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 3, Height: 8, Width: 8},
		Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1"},
		Tensors: []string{"c1", "h", "y"}, Head: "h",
	}}, strings.NewReader("model "+id))
	must(w, err)
	return m
}

// mapping maps label l of a, b, c to the model's class 2-l.
var mapping = []int{2, 1, 0}

// run records made-up signals; head is added to HEAD's reducers. Without positions there is CONF
// alone.
func (w *made) run(m model.Model, positions []string, head float32, mapping []int) []*signal.Unit {
	w.Helper()
	family := testdata.Must(w.record.Family())(w)
	spec := sums.MadeUpSpec(w, m, w.targets, family)
	spec.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}}
	if m.Graph.Outputs[0].Classes > signal.FullSoftmaxClasses {
		spec.TrueClass = mapping
	}
	for _, name := range positions {
		spec.Positions = append(spec.Positions, signal.Position{Name: name, Tensor: "h"})
	}
	var units []*signal.Unit
	for chunk := range spec.Chunks() {
		u := madeUnit(spec, m.Graph.Outputs[0].Classes, chunk, head)
		must(w, w.ws.Record(w.Context(), spec, u))
		units = append(units, u)
	}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: mapping, MappedBy: "by name"}
	if len(positions) == 0 {
		task.Absent = []string{model.Head}
	}
	must(w, w.ws.Finish(w.Context(), task))
	return units
}

func madeUnit(spec signal.Spec, classes, chunk int, head float32) *signal.Unit {
	_, n := spec.ChunkImages(chunk)
	u := &signal.Unit{Chunk: chunk, Transformations: madeScenes + 1, Images: n, Classes: classes}
	random := rand.New(rand.NewPCG(uint64(spec.Model[0]), uint64(chunk)))
	cells := u.Transformations * n
	u.Reduced = make([][]float32, len(spec.Positions))
	for p := range u.Reduced {
		u.Reduced[p] = make([]float32, signal.Reducers*cells)
		for i := range u.Reduced[p] {
			u.Reduced[p][i] = random.Float32() + 0.25 + head*float32(p)
		}
	}
	for cell := range cells {
		row := make([]float32, classes)
		for c := range row {
			row[c] = float32(random.NormFloat64())
		}
		signal.Softmax(row, row, model.Logits)
		top := signal.Argmax(row)
		u.Prediction, u.Confidence = append(u.Prediction, int32(top)), append(u.Confidence, row[top])
		u.Reduced[0][int(signal.Max)*cells+cell] = row[top]
		if classes <= signal.FullSoftmaxClasses {
			u.Softmax = append(u.Softmax, row...)
		} else {
			u.TrueScore = append(u.TrueScore, random.Float32())
		}
	}
	return u
}

func (w *made) read(m model.Model) scenes.Evidence {
	w.Helper()
	m = testdata.Must(w.ws.Model(m.Hash))(w)
	e, reason, err := scenes.Read(w.Context(), w.ws, m, w.record.Hash)
	if err != nil || reason != "" {
		w.Fatal(reason, err)
	}
	return e
}

// TestEvidenceNumberByNumber: distances, signals, predictions and labels lie where they belong,
// over two chunks.
func TestEvidenceNumberByNumber(t *testing.T) {
	for _, classes := range []int{3, 150} {
		w := newMade(t, 0, 1, 2, 1)
		m := w.model("a", classes)
		units := w.run(m, []string{model.Head}, 0, mapping)
		e := w.read(m)
		if len(e.Absent) > 0 || len(e.Flags) > 0 || e.Outcome.Targets != madeTargets || e.Set.Key == "" ||
			e.Selection.N != madeScenes {
			t.Fatalf("absent %v, flags %v, %+v", e.Absent, e.Flags, e.Outcome)
		}
		sums := map[scenes.Measure]float64{}
		for target := range madeTargets {
			u, k := units[target/256], target%256
			cells := u.Transformations * u.Images
			sums[scenes.HeadMax] += float64(u.Reduced[1][int(signal.Max)*cells+k])
			sums[scenes.HeadMean] += float64(u.Reduced[1][int(signal.MeanAbs)*cells+k])
		}
		for measure, sum := range sums {
			if c := e.Constants[measure]; math.Abs(c-sum/madeTargets) > 1e-12*c {
				t.Errorf("%s is divided by %v, want %v", measure, c, sum/madeTargets)
			}
		}
		right := 0
		for target := range madeTargets {
			u, k := units[target/256], target%256
			cells, class := u.Transformations*u.Images, mapping[[]int{0, 1, 2, 1}[target%4]]
			testdata.Is(t, fmt.Sprintf("target %d is of class", target), e.Labels[target], class)
			for j := range u.Transformations {
				cell := j*u.Images + k
				distance := 0.0
				if j > 0 {
					distance = w.record.Selection.Chosen[target][j-1].Distance
				} else if int(u.Prediction[cell]) == class {
					right++
				}
				truth := float64(0)
				if u.Softmax != nil {
					truth = float64(u.Softmax[cell*classes+class])
				} else {
					truth = float64(u.TrueScore[cell])
				}
				want := map[scenes.Measure]float64{
					scenes.ConfMax: float64(u.Confidence[cell]), scenes.ConfTrue: truth,
					scenes.HeadMax:  float64(u.Reduced[1][int(signal.Max)*cells+cell]) / e.Constants[scenes.HeadMax],
					scenes.HeadMean: float64(u.Reduced[1][int(signal.Mean)*cells+cell]) / e.Constants[scenes.HeadMean],
				}
				for measure, v := range want {
					c := e.Clouds[measure]
					if c.Signals[target][j] != v || c.Distances[target][j] != distance ||
						c.D != w.record.Selection.Far() {
						t.Fatalf("%s of target %d, image %d is %v at %v, want %v at %v", measure, target, j,
							c.Signals[target][j], c.Distances[target][j], v, distance)
					}
				}
				if e.Predictions[j][target] != u.Prediction[cell] {
					t.Errorf("prediction of target %d, image %d", target, j)
				}
			}
		}
		if got := e.Outcome.Accuracy; math.Abs(got-float64(right)/madeTargets) > 1e-12 {
			t.Errorf("accuracy %v, want %d of %d", got, right, madeTargets)
		}
	}
}

// TestEvidenceThatIsNotThere: a reason in words, never an error, for what a run or a label could
// mend.
func TestEvidenceThatIsNotThere(t *testing.T) {
	w := newMade(t, 0, 1, 2)
	m := w.model("a", 3)
	e, reason, err := scenes.Read(t.Context(), w.ws, m, w.record.Hash)
	if err != nil || reason == "" || e.Clouds != nil {
		t.Errorf("before a run: %q, %v", reason, err)
	}
	w.run(m, nil, 0, mapping)
	got := w.read(m)
	for _, measure := range []scenes.Measure{scenes.HeadMax, scenes.HeadMean} {
		if _, there := got.Clouds[measure]; there ||
			!strings.Contains(got.Absent[measure], "model a has no last layer") {
			t.Errorf("%s: %q", measure, got.Absent[measure])
		}
	}
	if len(got.Clouds) != 2 {
		t.Errorf("%d clouds", len(got.Clouds))
	}
	if _, err := scenes.Matrices(t.Context(), w.ws, got, scenes.HeadMax, 8, scatter.Interpolants()); err == nil ||
		!strings.Contains(err.Error(), "has no last layer") {
		t.Errorf("%v", err)
	}
	if _, _, err := scenes.Read(t.Context(), w.ws, m, strings.Repeat("a", 64)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := scenes.Read(ended, w.ws, m, w.record.Hash); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	files, err := filepath.Glob(filepath.Join(w.ws.Path(), "signals", "*", "*.npz"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	must(w, os.WriteFile(files[0], []byte("spoiled"), 0o644))
	if _, reason, err := scenes.Read(t.Context(), w.ws, m, w.record.Hash); err != nil ||
		!strings.Contains(reason, "run the model again") {
		t.Errorf("damaged signals: %q, %v", reason, err)
	}
}

// TestEvidenceWithoutLabels: true@CONF is missing with its reason, the rest is there.
func TestEvidenceWithoutLabels(t *testing.T) {
	for want, labels := range map[string][]int{"no labels": {-1}, "100 of 300 targets have no label": {0, -1, 2}} {
		w := newMade(t, labels...)
		m := w.model("a", 3)
		w.run(m, []string{model.Head}, 0, mapping)
		e := w.read(m)
		if _, there := e.Clouds[scenes.ConfTrue]; there || !strings.Contains(e.Absent[scenes.ConfTrue], want) ||
			len(e.Clouds) != 3 {
			t.Errorf("%v: %v", labels, e.Absent)
		}
		if labels[0] < 0 != math.IsNaN(e.Outcome.Accuracy) {
			t.Errorf("%v: accuracy %v", labels, e.Outcome.Accuracy)
		}
	}
}

// TestEvidenceOfClassesThatTheModelLacks: their targets are always wrong, with a score of 0.
func TestEvidenceOfClassesThatTheModelLacks(t *testing.T) {
	w := newMade(t, 0, 1)
	m := w.model("a", 3)
	w.run(m, []string{model.Head}, 0, []int{-1, 1, 0})
	e := w.read(m)
	if e.Labels[0] != -2 || e.Labels[1] != 1 || e.Outcome.Accuracy > 0.5 {
		t.Errorf("labels %v, accuracy %v", e.Labels[:2], e.Outcome.Accuracy)
	}
	for _, v := range e.Clouds[scenes.ConfTrue].Signals[0] {
		if v != 0 {
			t.Errorf("score %v", v)
		}
	}
}

// Signals of a program that did not keep the mean of absolute values stay readable. Where the
// tensors of the targets have no entries below 0, their mean is that mean, and nothing is
// computed anew; else mean@HEAD alone is absent with a reason, the units with such a target count
// as missing and no others do, and once they are recorded again the scale is that of new signals.
func TestEarlySignals(t *testing.T) {
	w := newMade(t, 0)
	plain, mixed := w.model("a", 3), w.model("b", 3)
	family := testdata.Must(w.record.Family())(w)
	var again []*signal.Unit
	var spec signal.Spec
	for _, m := range []model.Model{plain, mixed} {
		units := w.run(m, []string{model.Head}, 0, mapping)
		sets := testdata.Must(w.ws.Sets(m.Hash, w.targets.Hash, family))(w)
		spec = sets[0].Spec
		for _, u := range units {
			cells := u.Transformations * u.Images
			for cell := range cells { // as of tensors without entries below 0
				u.Reduced[1][int(signal.MeanAbs)*cells+cell] = u.Reduced[1][int(signal.Mean)*cells+cell]
			}
			if m.ID == "b" && u.Chunk == 1 {
				u.Reduced[1][int(signal.Min)*cells+3], u.Reduced[1][int(signal.MeanAbs)*cells+3] = -0.5, 2
				again = append(again, u)
			}
			must(w, w.ws.Record(t.Context(), spec, u))
		}
	}
	want := map[string]scenes.Evidence{"a": w.read(plain), "b": w.read(mixed)}
	path := w.ws.Path()
	must(w, w.ws.Close())
	must(w, database.WithoutMeanAbs(path))
	w.ws = testdata.Must(store.Open(path))(w)
	t.Cleanup(func() { must(w, w.ws.Close()) })
	got := w.read(plain)
	if diff := cmp.Diff(want["a"].Clouds, got.Clouds); diff != "" ||
		got.Constants[scenes.HeadMean] != want["a"].Constants[scenes.HeadMean] {
		t.Errorf("tensors without entries below 0: %s", diff)
	}
	got = w.read(mixed)
	if _, there := got.Clouds[scenes.HeadMean]; there ||
		!strings.Contains(got.Absent[scenes.HeadMean], "for 1 of 300 targets; run it again") ||
		len(got.Absent) != 1 || !cmp.Equal(got.Clouds[scenes.HeadMax], want["b"].Clouds[scenes.HeadMax]) {
		t.Errorf("absent %v", got.Absent)
	}
	for _, m := range []model.Model{plain, mixed} {
		sets := testdata.Must(w.ws.Sets(m.Hash, w.targets.Hash, family))(w)
		for chunk := range 2 {
			has, err := w.ws.Has(sets[0].Spec.UnitKey(chunk))
			if must(w, err); has != (m.ID == "a" || chunk == 0) {
				t.Errorf("%s, chunk %d is kept: %v", m.ID, chunk, has)
			}
		}
	}
	absolute := signal.Modality{Position: model.Head, Reducer: signal.MeanAbs}
	set := testdata.Must(w.ws.LoadSet(t.Context(), spec.Key(), store.Want{Everything: true}))(w)
	if _, err := set.Signals(absolute); !errors.Is(err, signal.ErrNoMeanAbs) || len(set.Reduced[1][signal.Min]) == 0 {
		t.Errorf("the whole set: %v", err)
	}
	examined, _, err := doctor.ExamineOpen(t.Context(), w.ws, engine.NoProgress{})
	must(w, err)
	for _, f := range examined.Findings {
		if f.Kind != "images" { // made-up suites have none
			t.Errorf("doctor: %+v", f)
		}
	}
	for _, u := range again {
		must(w, w.ws.Record(t.Context(), spec, u))
	}
	got = w.read(mixed)
	if has, err := w.ws.Has(spec.UnitKey(1)); err != nil || !has || !cmp.Equal(got.Clouds, want["b"].Clouds) ||
		len(got.Absent) > 0 {
		t.Errorf("computed again: kept %v, absent %v, %v", has, got.Absent, err)
	}
}

// The scale of mean@HEAD is the mean of absolute values, also of tensors with entries below 0.
func TestScaleOfTensorsBelowZero(t *testing.T) {
	w := newMade(t, 0)
	m := w.model("a", 3)
	units := w.run(m, []string{model.Head}, -2, mapping)
	for _, u := range units {
		cells := u.Transformations * u.Images
		for cell := range cells {
			u.Reduced[1][int(signal.MeanAbs)*cells+cell] = float32(1 + cell%7)
		}
		sets := testdata.Must(w.ws.Sets(m.Hash, "", ""))(w)
		must(w, w.ws.Record(t.Context(), sets[0].Spec, u))
	}
	e, want := w.read(m), 0.0
	for target := range madeTargets {
		want += float64(1+target%256%7) / madeTargets
	}
	if math.Abs(e.Constants[scenes.HeadMean]-want) > 1e-12 || len(e.Flags) > 0 {
		t.Errorf("%v, want %v; flags %v", e.Constants[scenes.HeadMean], want, e.Flags)
	}
}

func TestMeasuresAsText(t *testing.T) {
	for text, want := range map[string]scenes.Measure{
		"max@CONF": scenes.ConfMax, "HEAD.mean": scenes.HeadMean, "CONF/true": scenes.ConfTrue,
	} {
		testdata.Is(t, text, testdata.Must(scenes.ParseMeasure(text))(t), want)
	}
	testdata.Refused(t, "error", testdata.Err(scenes.ParseMeasure("std@HEAD")), fmt.Sprint(scenes.HeadMean))
}
