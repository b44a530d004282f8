package job

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// derived adds the suite that a corruption makes of the fixture's.
func (b *fixture) derived(name string, severity int) suite.Manifest {
	b.Helper()
	m, err := b.ws.DeriveSuite(b.suite.Hash, corrupt.Setting{Name: name, Severity: severity, Seed: 1}, "")
	must(b, err)
	return m
}

// signals are the numbers of a model on a suite under a family or set.
func (b *fixture) signals(m model.Model, suiteHash, family string) *signal.Set {
	b.Helper()
	sets, err := b.ws.Sets(m.Hash, suiteHash, family)
	if err != nil || len(sets) != 1 {
		b.Fatalf("%d sets of %s, %v", len(sets), family, err)
	}
	return testdata.Must(b.ws.LoadSet(b.Context(), sets[0].Key, store.Want{Everything: true}))(b)
}

// TestARunUnderASet: predictions and softmax without reduced signals, accuracies without matrices,
// and the family that is looked at stays what it was.
func TestARunUnderASet(t *testing.T) {
	b := newFixture(t, 7)
	m := b.model("a", nil)
	req := b.request()
	req.Family = transform.Rot90
	status := b.done(req)
	if status.Done != 7*4 || status.Family != "rot90" {
		t.Errorf("%+v", status)
	}
	current, err := b.ws.Current()
	if err != nil || current.Suite != b.suite.Hash || current.Family != "" {
		t.Errorf("looked at: %+v, %v", current, err)
	}
	set := b.signals(m, b.suite.Hash, transform.Rot90)
	if len(set.Spec.Positions) != 0 || set.Transformations != 4 || len(set.Softmax) != 4*7*3 ||
		len(set.Prediction) != 4*7 {
		t.Errorf("%+v", set.Spec)
	}
	m = testdata.Must(b.ws.Model(m.Hash))(b)
	s, ok, err := b.ws.Summary(m, b.suite.Hash, transform.Rot90)
	if err != nil || !ok || len(s.Matrices) != 0 || len(s.Accuracy) != 4 {
		t.Errorf("%+v, %v, %v", s, ok, err)
	}
	b.done(b.request())
	b.done(req)
	if current, err = b.ws.Current(); err != nil || current.Family != canonical {
		t.Errorf("looked at after a family: %+v, %v", current, err)
	}
}

// TestASetIsTheImagesTurnedByHand: a suite whose files hold the images rotated gives the same
// numbers under plain.
func TestASetIsTheImagesTurnedByHand(t *testing.T) {
	b := newFixture(t, 9)
	m := b.model("a", nil)
	req := b.request()
	req.Family = transform.Rot90
	b.done(req)
	turned := b.signals(m, b.suite.Hash, transform.Rot90)
	for turns := range 4 {
		root := filepath.Join(t.TempDir(), fmt.Sprint("turned", turns))
		turnFiles(t, b.root, root, turns)
		scanned := sums.Suite(t, b.ws, root)
		b.done(Request{Suite: scanned.Hash, Family: transform.Plain})
		plain := b.signals(m, scanned.Hash, transform.Plain)
		from, to := turns*9, (turns+1)*9
		if !slices.Equal(plain.Prediction, turned.Prediction[from:to]) ||
			!slices.Equal(plain.Softmax, turned.Softmax[3*from:3*to]) {
			t.Errorf("%d quarter turns: %v in place of %v", turns, turned.Prediction[from:to], plain.Prediction)
		}
	}
}

// turnFiles writes the PNG files below from, rotated by quarter turns counter-clockwise, to the
// same places below to.
func turnFiles(t *testing.T, from, to string, turns int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*", "*.png"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		in := testdata.Must(os.Open(name))(t)
		img, err := png.Decode(in)
		must(t, errors.Join(err, in.Close()))
		rel := testdata.Must(filepath.Rel(from, name))(t)
		path := filepath.Join(to, rel)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		out := testdata.Must(os.Create(path))(t)
		must(t, errors.Join(png.Encode(out, turnedBy(img, turns)), out.Close()))
	}
}

// turnedBy turns a square picture: a pixel at (x, y) moves to (y, side-1-x) with every quarter turn
// counter-clockwise.
func turnedBy(img image.Image, turns int) image.Image {
	side := img.Bounds().Dx()
	out := image.NewGray(img.Bounds())
	for y := range side {
		for x := range side {
			toX, toY := x, y
			for range turns {
				toX, toY = toY, side-1-toX
			}
			out.Set(toX, toY, img.At(x, y))
		}
	}
	return out
}

// TestModelsThatASetCannotChangeAreRefused: gray and oblong inputs, each with its reason; the
// others run.
func TestModelsThatASetCannotChangeAreRefused(t *testing.T) {
	b := newFixture(t, 4)
	b.model("gray", nil)
	b.model("oblong", func(m *model.Model) { m.Graph.Input.Width, m.Graph.Input.Channels = 8, 3 })
	b.model("rgb", func(m *model.Model) { m.Graph.Input.Channels = 3 })
	for _, tt := range []struct{ set, refused, reason string }{
		{transform.Plain, "", ""},
		{transform.Rot90, "oblong", "square"},
		{transform.Grayscale, "gray", "not applicable"},
	} {
		req := b.request()
		req.Family = tt.set
		status, refused := b.run(req)
		if status.Phase != engine.Done || len(status.Tasks)+len(refused) != 3 {
			t.Errorf("%s: %+v, refused %v", tt.set, status, refused)
		}
		if tt.refused == "" && len(refused) > 0 || tt.refused != "" &&
			(len(refused) != 1 || refused[0].ID != tt.refused || !strings.Contains(refused[0].Err.Error(), tt.reason)) {
			t.Errorf("%s: refused %v", tt.set, refused)
		}
	}
	req := b.request()
	req.Family, req.Vectors = transform.Plain, []string{"L2@CONF"}
	if _, _, err := b.start(req); !errors.Is(err, ErrNothingToRun) || !errors.Is(err, transform.ErrSet) {
		t.Errorf("distances under a set: %v", err)
	}
}

// TestRunsOnDerivedSuites: each image is the corrupted one, and a run over two models computes it
// once.
func TestRunsOnDerivedSuites(t *testing.T) {
	b := newFixture(t, 6)
	a, c := b.model("a", nil), b.model("c", nil)
	bright := b.derived("brightness", 3)
	ids, refused, err := StartEach(t.Context(), b.ws, b.eng, b.rt,
		Request{Family: transform.Plain}.OnEach([]string{b.suite.Hash, bright.Hash}), engine.NoProgress{})
	if err != nil || len(ids) != 2 || len(refused) > 0 {
		t.Fatal(ids, refused, err)
	}
	for _, id := range ids {
		testdata.Must(b.eng.Wait(t.Context(), id))(t)
	}
	corrupted := testdata.Must(b.ws.OpenSuite(bright.Hash))(b)
	defer func() { must(b, corrupted.Close()) }()
	for _, m := range []model.Model{a, c} {
		plain, shifted := b.signals(m, b.suite.Hash, transform.Plain), b.signals(m, bright.Hash, transform.Plain)
		if slices.Equal(plain.Softmax, shifted.Softmax) {
			t.Errorf("model %s: the corruption changes nothing", m.ID)
		}
		if want := b.softmaxByHand(m, corrupted); !slices.Equal(shifted.Confidence, want) {
			t.Errorf("model %s: confidences %v, by hand %v", m.ID, shifted.Confidence, want)
		}
	}
	if current, err := b.ws.Current(); err != nil || current.Suite != b.suite.Hash {
		t.Errorf("looked at: %+v, %v", current, err)
	}
}

// softmaxByHand runs every image alone and returns the confidences.
func (b *fixture) softmaxByHand(m model.Model, s *suite.Suite) (confidences []float32) {
	b.Helper()
	session := testdata.Must(b.rt.Open(b.Context(), engine.Feed{
		Path: b.ws.ModelPath(m.Hash), Input: model.Input{Batch: 1, Channels: 1, Height: 6, Width: 6},
	}))(b)
	runner := testdata.Must(session.Runner())(b)
	for i := range s.Len() {
		img := testdata.Must(s.Image(i))(b)
		copy(runner.Input(), img.Pix)
		must(b, runner.Run(b.Context()))
		_, logits := runner.Result(0)
		soft := make([]float32, len(logits))
		signal.Softmax(soft, logits, model.Logits)
		confidences = append(confidences, slices.Max(soft))
	}
	return confidences
}

// TestQueuedRunsHoldNoImages: only the run at work has its suite open.
func TestQueuedRunsHoldNoImages(t *testing.T) {
	b := newFixture(t, 4)
	b.model("a", nil)
	m := b.derived("brightness", 1)
	s := testdata.Must(newSource(t.Context(), b.ws, m))(b)
	if s.opened != nil || s.Len() != 4 || s.Label(3) != m.Labels[3] || s.Name(0) != m.Files[0].Path {
		t.Errorf("open before it is read: %+v", s)
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			if _, err := s.Image(i); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	must(b, s.close())
	must(b, s.close())
	testdata.ErrorIs(t, "read after closing", testdata.Err(s.Image(0)), errClosed)
	s = testdata.Must(newSource(t.Context(), b.ws, m))(b)
	must(b, os.RemoveAll(b.root))
	for range 2 {
		testdata.ErrorIs(t, "images that are gone", testdata.Err(s.Image(0)), store.ErrNoImages)
	}
	must(b, s.close())
	if _, err := newSource(t.Context(), b.ws, m); !errors.Is(err, store.ErrNoImages) ||
		!strings.Contains(err.Error(), "suite pets:") {
		t.Errorf("images that are gone: %v", err)
	}
}

func TestStartEachEndsWithTheFirstThatFails(t *testing.T) {
	b := newFixture(t, 4)
	b.model("gray", nil)
	b.model("rgb", func(m *model.Model) { m.Graph.Input.Channels = 3 })
	m := b.derived("brightness", 1)
	var p testdata.Progress
	reqs := Request{Family: transform.Grayscale}.OnEach([]string{b.suite.Hash, m.Hash, "none", b.suite.Hash})
	ids, refused, err := StartEach(t.Context(), b.ws, b.eng, b.rt, reqs, &p)
	if len(ids) != 2 || len(refused) != 1 || refused[0].ID != "gray" || !errors.Is(err, store.ErrNotFound) {
		t.Errorf("started %v, refused %v, %v", ids, refused, err)
	}
	if p.Total.Load() != 4 || p.Done.Load() != 2 {
		t.Errorf("progress %d of %d", p.Done.Load(), p.Total.Load())
	}
	for _, id := range ids {
		if _, err := b.eng.Wait(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

func TestMeasureEachAddsUp(t *testing.T) {
	b := newFixture(t, 300)
	b.model("a", nil)
	b.model("c", nil)
	shifted := b.derived("contrast", 2)
	one := b.measure(Request{Suite: b.suite.Hash, Family: transform.Rot90})
	both, err := MeasureEach(t.Context(), b.ws, b.rt,
		Request{Family: transform.Rot90}.OnEach([]string{b.suite.Hash, shifted.Hash}))
	if err != nil || both.Bytes != 2*one.Bytes || both.Units != 2*one.Units || both.Free <= 0 {
		t.Errorf("%+v, twice %+v, %v", both, one, err)
	}
	b.done(Request{Suite: shifted.Hash, Family: transform.Rot90})
	rest, err := MeasureEach(t.Context(), b.ws, b.rt,
		Request{Family: transform.Rot90}.OnEach([]string{b.suite.Hash, shifted.Hash}))
	if err != nil || rest.Units != one.Units {
		t.Errorf("%+v, %v", rest, err)
	}
	if _, err := MeasureEach(t.Context(), b.ws, b.rt,
		Request{Family: transform.Rot90}.OnEach([]string{"none"})); err == nil {
		t.Error("measured a suite that is not there")
	}
}

// TestAStoppedRunUnderASetGoesOn on suites that are made from others: units that are there are not
// computed again, and the numbers are those of one run.
func TestAStoppedRunUnderASetGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		source func(b *fixture) suite.Manifest
		set    string
		n      int64 // transformations
	}{
		"corrupted": {func(b *fixture) suite.Manifest { return b.derived("brightness", 2) }, transform.Rot90, 4},
		"shifted": {func(b *fixture) suite.Manifest {
			return b.shiftedTo(derive.Shift{N: 3, T: 2, Region: 7})
		}, "shift:2:2", 5},
	} {
		run := func(b *fixture) (model.Model, Request) {
			return b.model("a", nil), Request{Suite: c.source(b).Hash, Family: c.set}
		}
		b, stop := newFixture(t, 300), errors.New("stop here")
		m, req := run(b)
		b.rt.OnRun = func(_ context.Context, _ engine.Feed, batch int64) error {
			if batch == 8*c.n+2 { // the first chunk is 8 batches of 32 images under each transformation
				return stop
			}
			return nil
		}
		if status, _ := b.run(req); status.Phase != engine.Failed || !errors.Is(status.Tasks[0].Err, stop) {
			t.Fatalf("%s: %+v", name, status)
		}
		b.rt.OnRun = nil
		status, _ := b.run(Again(b.records()[0]))
		if status.Phase != engine.Done || status.Reused != 256*c.n || status.Done != 300*c.n {
			t.Errorf("%s: %+v", name, status)
		}
		whole := newFixture(t, 300)
		same, again := run(whole)
		whole.done(again)
		b.sameSignals(m, req, whole.signals(same, again.Suite, again.Family))
	}
}

// shiftedTo adds the suite of the fixture's images shifted to a region.
func (b *fixture) shiftedTo(s derive.Shift) suite.Manifest {
	b.Helper()
	return testdata.Must(b.ws.DeriveSuite(b.suite.Hash, s, ""))(b)
}

// TestAShiftAsSourceAndAsSet: where the model's input has the size of the images, a shifted suite
// gives the numbers of its region under the set, and the base those of the identity, bit for bit.
func TestAShiftAsSourceAndAsSet(t *testing.T) {
	b := newFixture(t, 9)
	m := b.model("a", nil)
	family := testdata.Must(transform.Shift(2, 3))(b)
	b.done(Request{Suite: b.suite.Hash, Family: family.String()})
	set := b.signals(m, b.suite.Hash, family.String())
	shifts := testdata.Must(derive.Shifts(2, 3))(b)
	sources := []string{b.suite.Hash}
	for _, s := range shifts {
		sources = append(sources, b.shiftedTo(s).Hash)
	}
	if set.Transformations != len(sources) {
		t.Fatalf("%d transformations of %d sources", set.Transformations, len(sources))
	}
	for i, source := range sources {
		b.done(Request{Suite: source, Family: transform.Plain})
		plain := b.signals(m, source, transform.Plain)
		from, to := i*9, (i+1)*9
		if !slices.Equal(plain.Prediction, set.Prediction[from:to]) ||
			!slices.Equal(plain.Softmax, set.Softmax[3*from:3*to]) {
			t.Errorf("region %d: %v in place of %v", i, set.Prediction[from:to], plain.Prediction)
		}
		if i > 0 && slices.Equal(plain.Softmax, set.Softmax[:3*9]) {
			t.Errorf("region %d: nothing moves", i)
		}
	}
}
