package background_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// TestSelectAsTheFile: the scenes that selection.csv fixes for the 40 targets, and everything that
// says how they were chosen.
func TestSelectAsTheFile(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, readSummary(t, scenesFolder(t)).Targets)
	var progress testdata.Progress
	ask := w.ask(32)
	ask.Feather, ask.Align = 1.5, background.Centre
	plan := testdata.Must(scenes.Select(t.Context(), w.ws, ask, &progress))(t)
	want := chosenInFile(t, w.folder)
	for i, list := range plan.Selection.Chosen {
		var got []string
		for _, s := range list {
			got = append(got, w.sceneName(s))
			row := plan.Table.Rows[plan.Targets[i]]
			d := background.Distance(row.Vector, plan.Table.Rows[plan.Scenes[s.Background]].Vector)
			if s.Distance != d {
				t.Errorf("%s: scene %s at %v, which is %v away", row.File, w.sceneName(s), s.Distance, d)
			}
		}
		testdata.Equal(t, w.files[i], got, want[w.files[i]])
		if plan.Table.Rows[plan.Targets[i]].File != w.files[i] {
			t.Errorf("%s has the row of %s", w.files[i], plan.Table.Rows[plan.Targets[i]].File)
		}
	}
	s := plan.Selection
	if s.Targets != w.targets.Hash || s.Masks != w.masks.Hash || s.Backgrounds != w.backgrounds.Hash ||
		s.Table != w.table.Hash ||
		s.Ontology != plan.Ontology.Hash || s.Ontology == "" || s.Feather != 1.5 || s.Align != background.Centre ||
		!reflect.DeepEqual(s.Choice, ask.Choice) {
		t.Errorf("%+v", s)
	}
	if len(plan.WithoutKeywords) > 0 || len(plan.Expansions) != 40 || progress.Total.Load() != 40 ||
		progress.Done.Load() != 40 {
		t.Errorf("%d without keywords, %d expansions, %d of %d counted",
			len(plan.WithoutKeywords), len(plan.Expansions), progress.Done.Load(), progress.Total.Load())
	}
	if list, err := w.ws.Selections(); err != nil || len(list) != 0 {
		t.Errorf("something was stored: %v, %v", list, err)
	}
}

// TestVetoedScenesAreNotChosen: nor those that the table knows and the suite does not have.
func TestVetoedScenesAreNotChosen(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/fish/fish_04.png"})
	ask := w.ask(5)
	first := w.plan(ask).Selection.Chosen
	for _, s := range slices.Concat(first...) {
		ask.Vetoed = append(ask.Vetoed, s.Background)
	}
	second := w.plan(ask).Selection
	for _, s := range slices.Concat(second.Chosen...) {
		if slices.Contains(ask.Vetoed, s.Background) {
			t.Errorf("%s was vetoed and is chosen", w.sceneName(s))
		}
	}
	ask.Vetoed = []int{600}
	testdata.Refused(t, "error", testdata.Err(scenes.Select(t.Context(), w.ws, ask, engine.NoProgress{})),
		"has no image 600")
	few := w.plan(w.ask(7)).Selection.Chosen[0]
	root := t.TempDir()
	for _, s := range few[1:] { // without the first scene
		copyFile(t, root, w.folder, "backgrounds", w.sceneName(s))
	}
	ask = w.ask(6)
	small := w.suite(root, nil)
	ask.Backgrounds = small.Hash
	for _, s := range w.plan(ask).Selection.Chosen[0] {
		if name := small.ImageName(s.Background); name == w.sceneName(few[0]) {
			t.Errorf("%s is not in the suite", name)
		}
	}
	ask.Choice.N = 7
	testdata.Refused(t, "error", testdata.Err(scenes.Select(t.Context(), w.ws, ask, engine.NoProgress{})),
		"there are 6")
}

// TestTargetsWithoutKeywords take the nearest scenes and are named.
func TestTargetsWithoutKeywords(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/fish/fish_04.png"})
	o := w.ontology
	table := testdata.Must(w.ws.Keywords(w.table.Hash))(w)
	for i, row := range table.Rows {
		if row.File == w.files[1] {
			table.Rows[i].Vector = make([]float64, len(row.Vector))
			for k, name := range table.Scenes {
				if name == "beach" {
					table.Rows[i].Vector[len(table.Elements)+k] = 1
				}
			}
		}
	}
	o.Rule.Excluded = []string{"beach"}
	k := testdata.Must(w.ws.AddKeywords("bare", "file", table))(w)
	o.Table = k.Hash
	ask := w.ask(4)
	ask.Ontology = o
	plan := w.plan(ask)
	if !slices.Equal(plan.WithoutKeywords, []int{1}) || len(plan.Expansions[1]) != 0 {
		t.Errorf("bare targets %v", plan.WithoutKeywords)
	}
	ask.Choice.Method = background.Nearest
	nearest := w.plan(ask).Selection.Chosen[1]
	for k, s := range plan.Selection.Chosen[1] {
		if s.Background != nearest[k].Background {
			t.Errorf("scene %d is %s, the nearest is %s", k, w.sceneName(s), w.sceneName(nearest[k]))
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png"})
	for want, change := range map[string]func(*scenes.Ask){
		"suite":    func(a *scenes.Ask) { a.Targets = strings.Repeat("a", 64) },
		"mask set": func(a *scenes.Ask) { a.Masks = strings.Repeat("a", 64) },
		"belong to another suite": func(a *scenes.Ask) {
			a.Targets, a.Backgrounds = w.backgrounds.Hash, w.targets.Hash
		},
		"keyword table":                func(a *scenes.Ask) { a.Ontology.Table = strings.Repeat("a", 64) },
		"ontology all: ":               func(a *scenes.Ask) { a.Ontology.Rule.Share = 2 },
		"ontology all is empty":        func(a *scenes.Ask) { a.Ontology.MinSupport = 1 },
		"choose another suite":         func(a *scenes.Ask) { a.Backgrounds = w.targets.Hash },
		"0 testing scenes":             func(a *scenes.Ask) { a.Choice.N = 0 },
		"601 testing scenes":           func(a *scenes.Ask) { a.Choice.N = 601 },
		"a feather of -1 pixels":       func(a *scenes.Ask) { a.Feather = -1 },
		`"up" is no alignment`:         func(a *scenes.Ask) { a.Align = "up" },
		"has no image -1 to be":        func(a *scenes.Ask) { a.Vetoed = []int{-1} },
		`"best" is no way of choosing`: func(a *scenes.Ask) { a.Choice.Method = "best" },
	} {
		ask := w.ask(3)
		change(&ask)
		testdata.Refused(t, "error", testdata.Err(scenes.Select(t.Context(), w.ws, ask, engine.NoProgress{})), want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "error",
		testdata.Err(scenes.Select(ended, w.ws, w.ask(3), engine.NoProgress{})), context.Canceled)
	// an empty ontology is no hindrance where nothing goes by keywords
	ask := w.ask(3)
	ask.Ontology.MinSupport, ask.Choice.Method = 1, background.Random
	w.plan(ask)
}

// TestEditsOfAnOntology change the expansion and are counted, while the hash of what it was made of
// stays.
func TestEditsOfAnOntology(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png"})
	before, _, _, err := scenes.Ontology(w.ws, w.ontology)
	must(w, err)
	edited := w.ontology
	edge := before.Edges[0]
	edited.Edits = append(edited.Edits, editOf(before.Names[edge.From], before.Names[edge.To], 0))
	after, table, keywords, err := scenes.Ontology(w.ws, edited)
	must(w, err)
	if len(after.Edges) != len(before.Edges)-1 || after.Hash != before.Hash || len(table.Rows) != 960 ||
		len(keywords.Present) != 960 {
		t.Errorf("%d edges in place of %d, hash %s", len(after.Edges), len(before.Edges)-1, after.Hash)
	}
	ask := w.ask(3)
	ask.Ontology = edited
	if s := w.plan(ask).Selection; s.Edits != 1 || s.Ontology != before.Hash {
		t.Errorf("%+v", s)
	}
	edited.Edits = append(edited.Edits, editOf("seg_unicorn", "seg_sky", 0.5))
	if _, _, _, err := scenes.Ontology(w.ws, edited); err == nil || !strings.Contains(err.Error(), "ontology all: ") ||
		!strings.Contains(err.Error(), "unicorn") {
		t.Errorf("%v", err)
	}
}

// TestComposites: every picture is the foreground on the scene that the selection names, to the
// bit, and what a run would be given.
func TestComposites(t *testing.T) {
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/fish/fish_04.png"})
	record := w.selection(w.ask(6))
	c := testdata.Must(scenes.Open(w.ws, record.Hash))(w)
	defer func() { must(w, errors.Join(c.Close(), c.Close())) }()
	if c.Selection() != record.Hash || c.Len() != 2 || c.Label(1) != w.targets.Labels[1] ||
		c.Name(0) != "dog/dog_00.png" || c.Record().N != 6 {
		t.Errorf("%s, %d targets", c.Selection(), c.Len())
	}
	masks := testdata.Must(scenes.OpenMasks(t.Context(), w.ws, w.masks))(w)
	for _, size := range []int{64, 40} {
		for i := range c.Len() {
			target := testdata.Must(c.Image(i))(w)
			mask := testdata.Must(masks.Mask(i, target.Height, target.Width))(w)
			for j := 0; j <= 6; j++ {
				got := testdata.Must(c.Picture(i, j, size, size))(w)
				want := suite.Fit(target, suite.Fitting{Channels: 3, Height: size, Width: size})
				if j > 0 {
					scene := testdata.Must(c.Background(i, j))(w)
					want = testdata.Must(background.Composite(target, mask, scene,
						background.Compositing{Height: size, Width: size}))(w)
				}
				if !slices.Equal(got.Pix, want.Pix) {
					t.Errorf("target %d, image %d at %d pixels differs from the composite by hand", i, j, size)
				}
			}
		}
	}
	for _, bad := range [][2]int{{-1, 1}, {2, 1}, {0, 7}} {
		if _, err := c.Picture(bad[0], bad[1], 64, 64); err == nil {
			t.Errorf("a picture of target %d on scene %d", bad[0], bad[1])
		}
	}
	if _, err := c.Background(0, 7); err == nil {
		t.Error("a seventh scene")
	}
	if _, err := c.Picture(0, 1, 0, 64); err == nil {
		t.Error("a picture without pixels")
	}
	checkCropped(t, c, masks)
	gray := suite.Fitting{Channels: 1, Height: 64, Width: 64}
	target := testdata.Must(c.Image(0))(w)
	fitted, dst := suite.Fit(target, gray), make([]float32, 64*64)
	if err := c.Compose(dst, fitted.Pix, 0, 1, gray); err != nil || slices.Equal(dst, fitted.Pix) ||
		slices.ContainsFunc(dst, func(v float32) bool { return math.IsNaN(float64(v)) }) {
		t.Errorf("a composite for a model of one channel: %v", err)
	}
}

// checkCropped: a model that is shown the centre of images is shown the centre of target, mask and
// scene.
func checkCropped(t *testing.T, c *scenes.Composites, masks *scenes.Masks) {
	t.Helper()
	to := suite.Fitting{Channels: 3, Height: 40, Width: 56, Resize: model.Crop}
	target := testdata.Must(c.Image(1))(t)
	mask := testdata.Must(masks.Mask(1, target.Height, target.Width))(t)
	scene := testdata.Must(c.Background(1, 2))(t)
	want := testdata.Must(background.Composite(target, mask, scene,
		background.Compositing{Height: 40, Width: 56, Resize: model.Crop}))(t)
	got := make([]float32, 3*40*56)
	if err := c.Compose(got, suite.Fit(target, to).Pix, 1, 2, to); err != nil || !slices.Equal(got, want.Pix) {
		t.Errorf("the cropped composite differs from that by hand, %v", err)
	}
}

// TestCompositesOfWhatIsGone: scenes, masks and selections that are not there any more.
func TestCompositesOfWhatIsGone(t *testing.T) {
	if testing.Short() {
		return // scenes are chosen in one goroutine
	}
	w := newWorld(t, []string{"targets/dog/dog_00.png"})
	root := t.TempDir()
	for _, s := range w.plan(w.ask(4)).Selection.Chosen[0] {
		copyFile(t, root, w.folder, "backgrounds", w.sceneName(s))
	}
	maskRoot := t.TempDir()
	copyFile(t, maskRoot, w.folder, "masks", "dog/dog_00.png")
	small := w.suite(root, nil)
	testdata.Must(w.ws.AddMasks(t.Context(), w.targets.Hash, maskRoot, false, engine.NoProgress{}))(w)
	ask := w.ask(4)
	ask.Backgrounds = small.Hash
	record := w.selection(ask)
	hideFolder(t, root, func() {
		if _, err := scenes.Open(w.ws, record.Hash); !errors.Is(err, store.ErrNoImages) ||
			!strings.Contains(err.Error(), "backgrounds") {
			t.Errorf("%v", err)
		}
	})
	hideFolder(t, maskRoot, func() {
		if _, err := scenes.Open(w.ws, record.Hash); !errors.Is(err, store.ErrNoImages) ||
			!strings.Contains(err.Error(), "masks") {
			t.Errorf("%v", err)
		}
	})
	c := testdata.Must(scenes.Open(w.ws, record.Hash))(w)
	compose := func() {
		for j := 1; j <= 4; j++ {
			testdata.Must(c.Picture(0, j, 48, 48))(t)
		}
	}
	compose()
	hideFolder(t, root, func() { hideFolder(t, maskRoot, compose) }) // what was read once is not read again
	hideFolder(t, root, func() {
		testdata.Refused(t, "a scene that is gone", testdata.Err(c.Picture(0, 1, 24, 24)), ".png")
	})
	testdata.Must(c.Picture(0, 1, 24, 24))(t) // it is back
	must(w, c.Close())
	testdata.ErrorIs(t, "error", testdata.Err(scenes.Open(w.ws, strings.Repeat("a", 64))), store.ErrNotFound)
}
