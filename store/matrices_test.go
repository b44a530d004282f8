package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
)

func defaultNames() []string {
	var names []string
	for _, m := range signal.DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}

// TestQuestionFromSummaryAndSignals: both ways give the same matrices and accuracies for all
// images.
func TestQuestionFromSummaryAndSignals(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	spec.Device = "webgpu"
	q := MatrixRequest{
		Model: m, Suite: s.Hash, Family: spec.Family, Modalities: defaultNames(),
		Images: variance.AllImages(),
	}
	testdata.ErrorIs(t, "before a run", testdata.Err(w.Matrices(t.Context(), q)), ErrNoSignals)
	storetest.RunModel(t, w, m, spec)
	fast := testdata.Must(w.Matrices(t.Context(), q))(t)
	q.Modalities = append(q.Modalities, "std@CONV-1", "L2@CONV-1", "L1@CONF", "max@HEAD")
	slow := testdata.Must(w.Matrices(t.Context(), q))(t)
	for _, name := range defaultNames() {
		testdata.Is(t, name, cmp.Diff(fast.Matrices[name], slow.Matrices[name]), "")
	}
	if !cmp.Equal(fast.Accuracy, slow.Accuracy) || fast.Robust != slow.Robust || fast.Chosen != 300 ||
		slow.Chosen != 300 || fast.Skipped != 2 ||
		fast.Device != spec.Device || slow.Device != spec.Device {
		t.Errorf("%+v\n%+v", fast, slow)
	}
	q.Bands = variance.Bootstrap{Resamples: 100, Seed: 1}
	banded := testdata.Must(w.Matrices(t.Context(), q))(t)
	if len(slow.Bands) != 0 || len(banded.Bands) != len(banded.Matrices) {
		t.Errorf("%d bands without resamples, %d of %d matrices with them", len(slow.Bands), len(banded.Bands),
			len(banded.Matrices))
	}
	for name, b := range banded.Bands {
		if m := banded.Matrices[name].At(1, 0); !(b.Low.At(1, 0) < m && m < b.High.At(1, 0)) {
			t.Errorf("%s: %v lies outside of its band", name, m)
		}
	}
	want := map[string]string{"L1@CONF": NotAmongModalities, "max@HEAD": AbsentReason(m, model.Head)}
	if diff := cmp.Diff(want, slow.Absent); diff != "" || len(slow.Matrices) != 7 {
		t.Error(diff, len(slow.Matrices))
	}
}

func TestQuestionAboutSomeImages(t *testing.T) {
	w, m, s, spec := ran(t, 300)
	choose := variance.AllImages()
	choose.Class, choose.Excluded = 2, []int{2, 5}
	q := MatrixRequest{Model: m, Suite: s.Hash, Family: spec.Family, Modalities: []string{"max@CONF"}, Images: choose}
	a := testdata.Must(w.Matrices(t.Context(), q))(t)
	matrix, err := w.Matrix(t.Context(), spec.Key(), signal.Modality{Position: model.CONF, Reducer: signal.Max}, choose)
	if err != nil || !cmp.Equal(a.Matrices["max@CONF"], matrix) {
		t.Error(err, "the two ways differ")
	}
	if a.Chosen != 98 || a.Total != 300 || a.Accuracy[0] != 1 || a.Accuracy[2] != 0 {
		t.Errorf("%+v", a)
	}
	q.Images.Which = variance.Wrong
	testdata.ErrorIs(t, "no images", testdata.Err(w.Matrices(t.Context(), q)), variance.ErrNoImages)
}

func TestQuestionAboutAbsentPositions(t *testing.T) {
	w := fresh(t)
	g := storetest.Graph()
	g.Convs = g.Convs[:1]
	m, _, err := w.AddModel(model.Model{ID: "one", Graph: g}, zeroReader(7))
	must(t, err)
	s := storetest.AddSuite(t, w, "s", 10)
	spec := storetest.Spec(t, m, s)
	spec.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}}
	spec.Vectors = nil
	must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)))
	must(t, w.Finish(t.Context(), engine.Task{
		ID: "one", Spec: spec, Absent: []string{model.Conv2}, Classes: []int{0, 1, 2},
	}))
	q := MatrixRequest{
		Model: m, Suite: s.Hash, Family: spec.Family, Modalities: []string{"max@CONF", "max@CONV-2"},
		Images: variance.AllImages(),
	}
	want := map[string]string{"max@CONV-2": "no second convolution"}
	testdata.NoDiff(t, "by the summary", cmp.Diff(want, testdata.Must(w.Matrices(t.Context(), q))(t).Absent))
	q.Modalities, want["max@CONV-1"] = append(q.Modalities, "max@CONV-1"), NotAmongPositions
	a := testdata.Must(w.Matrices(t.Context(), q))(t)
	if got, ok, err := w.Summary(m, s.Hash, spec.Family); err != nil || !ok || len(got.Matrices) != 1 ||
		!slices.Equal(got.Absent, []string{model.Conv2}) {
		t.Error(got, ok, err)
	}
	if diff := cmp.Diff(want, a.Absent); diff != "" || len(a.Matrices) != 1 {
		t.Error(len(a.Matrices), diff)
	}
}

func TestAbsentReasons(t *testing.T) {
	none, one := model.Model{}, model.Model{Graph: model.Graph{Convs: []string{"c"}}}
	for _, c := range []struct {
		m              model.Model
		position, want string
	}{
		{none, model.Conv1, "no convolution"},
		{none, model.Conv2, "no convolution"},
		{one, model.Conv2, "no second convolution"},
		{one, model.Head, "no linear layer at the end"},
		{one, "relu", "no tensor relu"},
	} {
		testdata.Is(t, c.position, AbsentReason(c.m, c.position), c.want)
	}
}

// The set is chosen by what is asked for, among equals as Summary does, and never one that does
// not fit.
func TestSetForModalities(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 10)
	if _, ok, err := w.SetFor(m, s.Hash, storetest.Spec(t, m, s).Family, defaultNames()); ok || err != nil {
		t.Errorf("a set of an untested model: %v, %v", ok, err)
	}
	whole := storetest.Spec(t, m, s)
	whole.Vectors = nil
	storetest.RunModel(t, w, m, whole)
	other := whole
	other.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}, {Name: "r1", Tensor: "r1"}}
	other.Vectors = []string{"L2@CONF"}
	storetest.RunModel(t, w, m, other)
	for _, c := range []struct {
		modalities []string
		want       signal.Spec
	}{
		{defaultNames(), whole},
		{nil, whole},
		{[]string{"no modality"}, whole},
		{[]string{"max@CONF"}, whole},
		{[]string{"max@CONF", "std@r1"}, other},
		{[]string{"L2@CONF"}, other},
		{append(defaultNames(), "std@r1", "L2@CONF"), whole},
	} {
		got, ok, err := w.SetFor(m, s.Hash, whole.Family, c.modalities)
		if err != nil || !ok || got.Key != c.want.Key() {
			t.Errorf("%v: %v, %v, positions %v", c.modalities, ok, err, got.Spec.Positions)
		}
	}
	m.Correction.Positions = map[string]string{model.Conv1: "r1"}
	if _, ok, err := w.SetFor(m, s.Hash, whole.Family, defaultNames()); ok || err != nil {
		t.Errorf("a set that does not fit: %v, %v", ok, err)
	}
}
