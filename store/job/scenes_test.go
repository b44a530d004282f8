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
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// scened adds a selection of n scenes per target.
func (b *fixture) scened(n int) store.SelectionRecord {
	b.Helper()
	return sums.Scenes(b, b.ws, b.suite, n)
}

// headed gives a model the position HEAD.
func headed(m *model.Model) { m.Graph.Head = "c2" }

func (b *fixture) under(r store.SelectionRecord) Request {
	b.Helper()
	family := testdata.Must(r.Family())(b)
	return Request{Suite: b.suite.Hash, Family: family}
}

// composed is a suite of files that hold every target on its scene j, pasted byte by byte.
func (b *fixture) composed(j int) suite.Manifest {
	b.Helper()
	root := filepath.Join(b.TempDir(), fmt.Sprint("scene", j))
	for i, f := range b.suite.Files {
		target := b.bytes(filepath.Join(b.root, filepath.FromSlash(f.Path)))
		if j > 0 {
			bg := sums.SceneOf(i, j)
			for p := range target {
				if sums.Front(i, p) == 0 {
					target[p] = sums.Background(bg, p)
				}
			}
		}
		sums.Gray(b, filepath.Join(root, filepath.FromSlash(f.Path)), func(p int) uint8 { return target[p] })
	}
	return sums.Suite(b, b.ws, root)
}

func (b *fixture) bytes(path string) []uint8 {
	b.Helper()
	file := testdata.Must(os.Open(path))(b)
	defer func() { _ = file.Close() }()
	img := testdata.Must(png.Decode(file))(b)
	gray, ok := img.(*image.Gray)
	if !ok {
		b.Fatalf("%s is no gray picture", path)
	}
	return slices.Clone(gray.Pix)
}

// TestARunUnderScenes gives the numbers of runs over files that hold the composites, for both
// positions.
func TestARunUnderScenes(t *testing.T) {
	b := newFixture(t, 9)
	m := b.model("a", headed)
	record := b.scened(3)
	req := b.under(record)
	status := b.done(req)
	if status.Done != 9*4 || status.Family != req.Family {
		t.Errorf("%+v", status)
	}
	if current, err := b.ws.Current(); err != nil || current.Family != "" {
		t.Errorf("looked at: %+v, %v", current, err)
	}
	set := b.signals(m, b.suite.Hash, req.Family)
	if set.Transformations != 4 || set.Spec.Position(model.CONF) != 0 || set.Spec.Position(model.Head) != 1 ||
		len(set.Spec.Positions) != 2 {
		t.Fatalf("%+v", set.Spec)
	}
	for j := range 4 {
		files := b.composed(j)
		b.done(Request{Suite: files.Hash, Family: transform.Plain, Positions: []string{model.CONF, model.Head}})
		plain := b.signals(m, files.Hash, transform.Plain)
		from, to := j*9, (j+1)*9
		if !slices.Equal(plain.Prediction, set.Prediction[from:to]) ||
			!slices.Equal(plain.Softmax, set.Softmax[3*from:3*to]) {
			t.Errorf("scene %d: softmax %v in place of %v", j, set.Softmax[3*from:3*to], plain.Softmax)
		}
		for p := range set.Reduced {
			for r := range signal.Reducers {
				if !slices.Equal(plain.Reduced[p][r], set.Reduced[p][r][from:to]) {
					t.Errorf("scene %d: position %d, reducer %s differs", j, p, signal.Reducer(r))
				}
			}
		}
	}
	after := testdata.Must(b.ws.Model(m.Hash))(b)
	s, ok, err := b.ws.Summary(after, b.suite.Hash, req.Family)
	if err != nil || !ok || len(s.Matrices) != 0 || len(s.Accuracy) != 4 {
		t.Errorf("%+v, %v, %v", s, ok, err)
	}
}

// TestScenesWithoutAHead: the model runs, and HEAD is absent.
func TestScenesWithoutAHead(t *testing.T) {
	b := newFixture(t, 4)
	m := b.model("a", nil)
	req := b.under(b.scened(2))
	b.done(req)
	sets, err := b.ws.Sets(m.Hash, b.suite.Hash, req.Family)
	if err != nil || len(sets) != 1 || !slices.Equal(sets[0].Absent, []string{model.Head}) ||
		len(sets[0].Spec.Positions) != 1 {
		t.Errorf("%+v, %v", sets, err)
	}
}

func TestScenesThatCannotBeRun(t *testing.T) {
	b := newFixture(t, 4)
	b.model("a", headed)
	record := b.scened(2)
	other := b.composed(1)
	for want, change := range map[string]func(*Request){
		"has scenes for the targets of suite pets, not for those of scene1": func(r *Request) { r.Suite = other.Hash },
		"selection scenes has 2 scenes per target, not 3": func(r *Request) {
			r.Family = strings.TrimSuffix(r.Family, "2") + "3"
		},
		"selection ffff":       func(r *Request) { r.Family = "scenes:" + strings.Repeat("f", 64) + ":2" },
		"no sampling variable": func(r *Request) { r.Vectors = []string{"L2@CONF"} },
		"from 1 to 1000":       func(r *Request) { r.Family = strings.TrimSuffix(r.Family, "2") + "0" },
	} {
		req := b.under(record)
		change(&req)
		_, _, err := b.start(req)
		testdata.Refused(t, "error", err, want)
	}
	if len(b.rt.Probed()) > 0 || len(b.records()) > 0 {
		t.Errorf("%d probes, runs %v", len(b.rt.Probed()), b.records())
	}
	scenes := testdata.Must(b.ws.Suite(record.Backgrounds))(b)
	must(b, os.Rename(scenes.Root, scenes.Root+"2"))
	if _, _, err := b.start(b.under(record)); !errors.Is(err, store.ErrNoImages) || len(b.rt.Probed()) > 0 {
		t.Errorf("%v", err)
	}
	must(b, os.Rename(scenes.Root+"2", scenes.Root))
	b.done(b.under(record))
}

// sameSignals holds a model's signals to those of another workspace.
func (b *fixture) sameSignals(m model.Model, req Request, want *signal.Set) {
	b.Helper()
	got := b.signals(m, req.Suite, req.Family)
	if !slices.Equal(got.Softmax, want.Softmax) || !slices.Equal(got.Prediction, want.Prediction) {
		b.Error("the predictions differ from those of an undisturbed run")
	}
	for p := range want.Reduced {
		for r := range signal.Reducers {
			if !slices.Equal(got.Reduced[p][r], want.Reduced[p][r]) {
				b.Errorf("position %d, reducer %s differs from that of an undisturbed run", p, signal.Reducer(r))
			}
		}
	}
}

// childRuns runs all models under the scenes of the only selection and prints a line per inference;
// it is killed meanwhile.
func childRuns(path string) error {
	ws, err := store.Open(path)
	if err != nil {
		return err
	}
	list, err := ws.Selections()
	if err != nil {
		return err
	}
	family, err := list[0].Family()
	if err != nil {
		return err
	}
	rt := &sums.Runtime{OnRun: func(context.Context, engine.Feed, int64) error {
		fmt.Println("inference")
		return nil
	}}
	eng := engine.New(rt, ws, engine.Limits{Workers: 2})
	id, _, err := Start(context.Background(), ws, eng, rt, Request{Suite: list[0].Targets, Family: family},
		engine.NoProgress{})
	if err != nil {
		return err
	}
	_, err = eng.Wait(context.Background(), id)
	return err
}

// TestAKilledRunUnderScenesGoesOn kills the process that runs at random moments until nothing is
// left to do: what was recorded is not computed again, and the signals have the bits of a run that
// nobody killed.
func TestAKilledRunUnderScenesGoesOn(t *testing.T) {
	undisturbed := newFixture(t, 700)
	same := undisturbed.model("a", headed)
	whole := undisturbed.under(undisturbed.scened(3))
	undisturbed.done(whole)

	b := newFixture(t, 700) // three units per model
	m := b.model("a", headed)
	b.model("b", headed)
	req := b.under(b.scened(3))
	must(b, b.eng.Close())
	must(b, b.ws.Close())
	random := kill.Random(t)
	for range 3 {
		command := kill.Start(t, "run", b.ws.Path())
		for left := 20 + random.IntN(80); left > 0 && command.Lines.Scan(); left-- {
		}
		command.Killed()
	}
	ws := testdata.Must(store.Open(b.ws.Path()))(b)
	b.ws, b.eng = ws, engine.New(b.rt, ws, engine.Limits{Workers: 2})
	defer func() { must(b, ws.Close()) }()
	defer func() { must(b, b.eng.Close()) }()
	records := b.records()
	if len(records) != 3 {
		t.Fatalf("%d runs are recorded", len(records))
	}
	status := b.done(Again(records[len(records)-1]))
	t.Logf("%d of %d inferences were kept", status.Reused, status.Total)
	if again := b.done(Again(records[0])); again.Reused != again.Total {
		t.Errorf("computed again: %+v", again)
	}
	b.sameSignals(m, req, undisturbed.signals(same, undisturbed.suite.Hash, whole.Family))
}
