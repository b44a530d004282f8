package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDScore has D-Scores computed in the window, reads tables and maps, looks at a region, a
// single image and what one model would lose, and takes the augmentation away that is recommended:
// all numbers and files as the command line has them.
func TestDScore(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, wideScreen)
	workspace := d.someScenes()
	w := d.start(workspace)
	w.goes("ctrl+9", "No D-Score was computed on targets yet")
	w.computesDScores("3", 2)
	w.goes("ctrl+9", "3 × 3 regions, t = 5")
	w.widen()
	models := w.scores()
	w.shot("dscore")
	const model = "s09"
	w.selects(model)
	regions := w.settled("region", func(rows map[string][]string) bool { return len(rows) == 1+9 })
	line := w.pointsAt(5)
	w.looksAtImage(17, model)
	losses := w.loses()
	w.takesAugmentation(model)
	w.close()

	want := d.diagnosedBy(workspace, "--models", model, "--per-layer")
	d.sameRows("what one model would lose", lengthened(losses, want.losses(model)), want.losses(model))
	d.sameRows("regions of one model", regions, want.of(model).regions())
	if line != want.of(model).line(5) {
		t.Errorf("the window says\n%s\nthe command line\n%s", line, want.of(model).line(5))
	}
	d.checkScores(models, d.diagnosedBy(workspace))
	d.checkAugmented(workspace, model)
	fmt.Printf("window tests: D-Scores in %s\n", time.Since(begun).Round(time.Second))
}

// computesDScores has D-Scores of all models with n and t = 5 computed, which takes so many runs.
func (w *window) computesDScores(n string, runs int) {
	w.t.Helper()
	before := w.stored("run")
	w.asksForDScores(n)
	w.tapUntil("Start", "the start of the runs", func() bool { return w.stored("run") > before })
	// A run is stored when it starts and when it has ended.
	w.until(fmt.Sprintf("the end of %d runs", runs), toil, func() bool { return w.stored("run") >= before+2*runs })
}

// asksForDScores opens the form and fills it in: all models, n, t = 5.
func (w *window) asksForDScores(n string) {
	w.t.Helper()
	w.opens("Compute…", "Compute D-Scores")
	w.choose("without a score (5)", "all (5)")
	w.typesInto("the number of regions", beside("n × n regions"), n)
}

// scores reads the table of models once it stands still.
func (w *window) scores() map[string][]string {
	w.t.Helper()
	var before, now string
	var rows map[string][]string
	w.until("the table of D-Scores", patience, func() bool {
		time.Sleep(200 * time.Millisecond)
		rows = map[string][]string{}
		for _, texts := range w.rows("D-Score") {
			if slices.Contains(fiveScenes, texts[0]) {
				rows[texts[0]] = texts[1:]
			}
		}
		before, now = now, fmt.Sprint(rows)
		return before == now && len(rows) == len(fiveScenes)
	})
	return rows
}

// checkScores compares the table of models with the command line, number by number.
func (d *desk) checkScores(shown map[string][]string, want diagnosed) {
	d.t.Helper()
	same := 0
	for _, s := range want.Scores {
		cells, numbers := shown[s.Model], s.numbers()
		at := slices.Index(cells, numbers[0]) // what stands before comes from the training records
		if at < 0 || len(cells) < at+len(numbers)+1 || !slices.Equal(cells[at:at+len(numbers)], numbers) ||
			cells[len(cells)-1] != fmt.Sprint(s.Images) {
			d.t.Errorf("%s has\n%q in the window,\n%q on %d images on the command line",
				s.Model, cells, numbers, s.Images)
			continue
		}
		same += len(numbers)
	}
	if len(want.Scores) != len(fiveScenes) {
		d.t.Errorf("%d models have a score", len(want.Scores))
	}
	fmt.Printf("window tests: D-Scores: %d numbers as on the command line\n", same)
}

// selects chooses a model of the table.
func (w *window) selects(model string) {
	w.t.Helper()
	w.hits("the model "+model, onLine(model, ""), node.middle, func() bool { return w.seen(model + " on ") })
}

// pointsAt moves the mouse over a region of the first map and returns what is said of it.
func (w *window) pointsAt(region int) (said string) {
	w.t.Helper()
	beginning := fmt.Sprintf("region %d, row %d, column %d: ", region, (region-1)/3+1, (region-1)%3+1)
	w.again("what is said of region "+fmt.Sprint(region),
		func() { w.reach(nth("*widget.Regions", 0), inRegion(region)) }, func() bool {
			n, ok := pick(w.screen(), beginning)
			said = n.Text
			return ok
		})
	return said
}

// inRegion is the middle of one of 3 x 3 regions.
func inRegion(region int) spot {
	return share((float64((region-1)%3)+0.5)/3, (float64((region-1)/3)+0.5)/3)
}

// looksAtImage shows a single image and points at a region of it.
func (w *window) looksAtImage(number int, model string) {
	w.t.Helper()
	w.hits("a single image", named("one image"), start, func() bool { return w.seen("image 0, labelled ") })
	w.typesInto("the number of the image", beside("one image"), fmt.Sprint(number))
	w.goes("Return", fmt.Sprintf("image %d, labelled ", number))
	if said := w.pointsAt(5); !strings.Contains(said, "without it the score is ") {
		w.t.Errorf("the window says of a region of one image: %s", said)
	}
	w.shot("dscore-image")
	w.hits("all images", named("all images"), start, func() bool { return w.seen(model + " on 360 images") })
}

// loses has each layer of the selected model computed alone, and reads what it would lose.
func (w *window) loses() map[string][]string {
	w.t.Helper()
	w.computesLayers()
	rows := w.settled("deleted in", func(rows map[string][]string) bool { return len(rows) > 2 })
	w.shot("dscore-lose")
	w.toModels()
	return rows
}

// lengthened are rows whose long names, which a column cuts, are whole where they begin as wanted.
func lengthened(rows, want map[string][]string) map[string][]string {
	for id, cells := range rows {
		for k, cell := range cells {
			short, cut := strings.CutSuffix(cell, "…")
			if cut && k < len(want[id]) && strings.HasPrefix(want[id][k], short) {
				cells[k] = want[id][k]
			}
		}
	}
	return rows
}

// computesLayers shows what the selected model would lose, with each layer computed alone.
func (w *window) computesLayers() {
	w.t.Helper()
	const each = "Compute each layer alone"
	before := w.stored("run")
	w.opens("What would I lose?", each)
	form := func() bool { return w.seen("Compute what is missing") }
	w.tapUntil(each, "the form", form)
	w.tapUntil("Start", "the start of the runs", func() bool { return w.stored("run") > before })
	w.tapUntil("Close", "the end of the form", func() bool { return !form() })
	w.until("the loss of all layers", toil, func() bool {
		if w.seen("What would I lose?") {
			return w.seen("layer 1") && !w.seen(each)
		}
		w.key("ctrl+9")
		return false
	})
}

// toModels opens the tab of the models, whose name stands in the rail as well.
func (w *window) toModels() {
	w.t.Helper()
	w.hits("the tab of the models", most("Models", func(n node) float64 { return n.X }), node.middle,
		func() bool { return w.seen("Augmentation…") })
}

// asksForAugmentation opens the dialog of the augmentation for the selected model.
func (w *window) asksForAugmentation(model string) {
	w.t.Helper()
	w.opens("Augmentation…", "Augmentation for "+model)
	w.until("the preview", patience, func() bool { return w.seen("With seed 1, ") && !w.seen("drawing …") })
}

// takesAugmentation saves the recipe of the selected model, and an augmented set beside the
// workspace.
func (w *window) takesAugmentation(model string) {
	w.t.Helper()
	w.asksForAugmentation(model)
	w.shot("dscore-augmentation")
	w.tapUntil("Save recipe…", "the question for a file",
		func() bool { _, ok := exactly("Save")(w.screen()); return ok })
	w.hits("the end of the question for a file", exactly("Save"), node.middle, func() bool { return w.layers() == 1 })
	w.shows("saved ")
	w.opens("Save augmented set…", "PNG files in class folders")
	w.hits("the augmented set", exactly("Save"), node.middle, func() bool { return w.seen("Saved 1 augmented set") })
	w.closes("Close")
}

// checkAugmented compares the recipe and the augmented set that the window wrote with those of the
// command line, byte by byte.
func (d *desk) checkAugmented(workspace, model string) {
	d.t.Helper()
	out, set := filepath.Join(d.home, "out"), filepath.Join(d.home, "set")
	d.run("dscore", workspace, "--models", model, "--out", out, "--no-pictures", "--augment", set, "--train", "targets")
	saved, written := filesOf(d.t, d.home, "recipe_"+model+".json"), filesOf(d.t, out, "recipe*.json")
	if len(saved) != 1 || len(written) != 1 || !bytes.Equal(one(saved), one(written)) {
		d.t.Errorf("the window saves the recipe\n%s\nthe command line\n%s", one(saved), one(written))
	}
	fromWindow, err := filepath.Glob(filepath.Join(filepath.Dir(workspace), "*-augmented"))
	if err != nil || len(fromWindow) != 1 {
		d.t.Fatalf("augmented sets beside the workspace: %v, %v", fromWindow, err)
	}
	got, want := tree(d.t, fromWindow[0]), tree(d.t, set)
	if len(want) < 360 || !maps.EqualFunc(got, want, bytes.Equal) {
		d.t.Errorf("the window writes %d files, the command line %d, and they differ", len(got), len(want))
	}
	fmt.Printf("window tests: an augmented set of %d files as on the command line\n", len(want))
}

// filesOf are the contents of files that match a pattern.
func filesOf(t *testing.T, folder, pattern string) map[string][]byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, path := range found {
		if files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// one is any of some contents, nil of none.
func one(files map[string][]byte) []byte {
	for _, data := range files {
		return data
	}
	return nil
}

// tree are the contents of all files in a folder by their paths in it.
func tree(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDScoreKilled kills the program in the middle of a run that deletes regions, has it resumed,
// and finds the same signals, byte by byte, and the same scores as where nobody disturbed it.
func TestDScoreKilled(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.someScenes()
	calm := filepath.Join(d.home, "calm.variscope")
	if err := os.CopyFS(calm, os.DirFS(workspace)); err != nil {
		t.Fatal(err)
	}
	w := d.start(workspace)
	w.goes("ctrl+9", "No D-Score was computed on targets yet")
	w.asksForDScores("5")
	w.tapUntil("Start", "the start of the runs", func() bool { return w.stored("run") > 0 })
	w.until("the first signals", toil, func() bool { return w.stored("signals") > 0 })
	if err := w.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-w.ended
	left := signalFiles(t, workspace)
	d.run("dscore", calm, "--n", "5")
	want := signalFiles(t, calm)
	if len(left) == 0 || len(left) >= len(want) {
		t.Errorf("%d of %d files of signals are there after the kill", len(left), len(want))
	}

	w = d.start(workspace)
	w.opens("Resume…", "These models were being computed")
	w.hits("the end of the question", exactly("Resume"), node.middle, func() bool { return w.layers() == 0 })
	w.until("the end of what was resumed", toil, func() bool { return len(signalFiles(t, workspace)) >= len(want) })
	w.goes("ctrl+9", "5 × 5 regions, t = 5")
	w.close()
	if got := signalFiles(t, workspace); !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%d files of signals after the kill, %d undisturbed, and they differ", len(got), len(want))
	}
	for name, data := range left {
		if !bytes.Equal(data, want[name]) {
			t.Errorf("%s was there after the kill and is not as undisturbed", name)
		}
	}
	if got, want := d.run("dscore", workspace, "--n", "5", "--json"),
		d.run("dscore", calm, "--n", "5", "--json"); got != want {
		t.Errorf("the scores are\n%s\nundisturbed\n%s", got, want)
	}
	fmt.Printf("window tests: a killed D-Score: %d of %d files of signals were there and stayed, in %s\n", len(left),
		len(want), time.Since(begun).Round(time.Second))
}

// signalFiles are the whole files of signals of a workspace.
func signalFiles(t *testing.T, workspace string) map[string][]byte {
	t.Helper()
	files := tree(t, filepath.Join(workspace, "signals"))
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return filepath.Ext(name) != ".npz" })
	return files
}
