package job

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
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
	family, err := r.Family()
	must(b, err)
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
	file, err := os.Open(path)
	must(b, err)
	defer func() { _ = file.Close() }()
	img, err := png.Decode(file)
	must(b, err)
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
	after, err := b.ws.Model(m.Hash)
	must(b, err)
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
		if _, _, err := b.start(req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if len(b.rt.Probed()) > 0 || len(b.records()) > 0 {
		t.Errorf("%d probes, runs %v", len(b.rt.Probed()), b.records())
	}
	scenes, err := b.ws.Suite(record.Backgrounds)
	must(b, err)
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
