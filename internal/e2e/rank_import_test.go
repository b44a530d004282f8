package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPredictionsImported brings predictions of models that cannot be run here, ranks them, and
// takes the ranking away.
func TestPredictionsImported(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, wideScreen)
	answers := filepath.Join(d.home, "answers.csv")
	d.writeTable(answers, guesses())
	workspace := d.someScenes()
	w := d.start(workspace)
	w.menu("Import predictions…")
	w.shows("Class names")
	w.text(answers)
	w.shows("6 models, 120 images, 4 classes")
	w.shot("import-predictions")
	before := w.stored("predictions")
	w.tapUntil("Import", "the table of predictions", func() bool { return w.stored("predictions") > before })
	w.shows("6 models on 120 images of answers")
	w.widen()
	shown := w.settled("model", func(rows map[string][]string) bool {
		return len(rows) == 7 && w.answered("6 models on 120 images of answers")
	})
	w.shot("ranking-imported")
	w.saves(most("Export…", func(n node) float64 { return n.Y }), "Ranking (CSV)…")
	w.close()

	out := filepath.Join(d.home, "out")
	d.run("rank", answers, "--methods", screenRankers, "--out", out)
	d.sameRows("ranking of imported predictions", shown, d.rankedBy(answers, "--methods", screenRankers))
	d.sameRows("ranking of imported predictions, from the workspace", shown,
		d.rankedBy(workspace, "--suite", "answers", "--methods", screenRankers))
	fromWindow, err := os.ReadFile(filepath.Join(d.home, "ranking.csv"))
	if err != nil {
		t.Fatal(err)
	}
	fromCommand, err := os.ReadFile(filepath.Join(out, "ranking.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if string(fromWindow) != string(fromCommand) {
		t.Errorf("the window exports\n%s\nthe command line\n%s", fromWindow, fromCommand)
	}
	fmt.Printf("window tests: imported predictions in %s\n", time.Since(begun).Round(time.Second))
}

// guesses are a table of six models that are right in 90 % of the images down to 40 %.
func guesses() [][]string {
	r := rand.New(rand.NewPCG(5, 1))
	classes := []string{"cat", "dog", "eel", "fox"}
	rows := [][]string{{"image", "truth", "a90", "b80", "c70", "d60", "e50", "f40"}}
	for i := range 120 {
		truth := r.IntN(len(classes))
		row := []string{fmt.Sprintf("q%03d", i), classes[truth]}
		for model := range 6 {
			guess := truth
			if r.Float64() > 0.9-0.1*float64(model) {
				guess = (truth + 1 + r.IntN(3)) % len(classes)
			}
			row = append(row, classes[guess])
		}
		rows = append(rows, row)
	}
	return rows
}
