package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestRankingDisturbed closes the window while models are being ranked, and while they are run on
// shifted suites: nothing of the program is left behind, and the workspace is as good as before.
func TestRankingDisturbed(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.someScenes()
	d.run("corrupt", workspace, "--suite", "targets", "--corruption", "fog", "--severity", "1,3,5")
	d.run("run", workspace, "--suite", "targets", "--family", "plain")
	many := filepath.Join(d.home, "many.csv")
	d.writeTable(many, manyGuesses())
	d.run("import", workspace, "--predictions", many)
	const rankers = "laf,crc,random,sds,ces"
	before := d.run("rank", workspace, "--suite", "targets", "--methods", rankers, "--json")

	w := d.start(workspace)
	w.goes("ctrl+8", "5 models on 360 images of targets")
	w.chooseBeside("Rank on", "many (imported)")
	w.shows("Rank models")
	w.stops("Work is not finished")

	w = d.start(workspace)
	w.asksForSet("rot90")
	w.tapUntil("Start", "the start of the runs", func() bool { return w.stored("run") > 0 })
	w.until("the first signals", toil, func() bool { return w.stored("signals") > 0 })
	w.stops("Close Variscope?")
	if after := d.run("rank", workspace, "--suite", "targets", "--methods", rankers, "--json"); after != before {
		t.Errorf("the ranking was\n%s\nafter two windows that were closed in the middle it is\n%s", before, after)
	}
	d.run("run", workspace, "--suite", "targets", "--suite", "targets, fog 5", "--family", "rot90")
	fmt.Printf("window tests: disturbed rankings in %s\n", time.Since(begun).Round(time.Second))
}

// manyGuesses are a table of models and images that takes long to rank.
func manyGuesses() [][]string {
	const models, images, classes = 60, 20_000, 10
	r := rand.New(rand.NewPCG(7, 1))
	head := []string{"truth"}
	for model := range models {
		head = append(head, fmt.Sprintf("m%02d", model))
	}
	rows := [][]string{head}
	for range images {
		truth := r.IntN(classes)
		row := []string{strconv.Itoa(truth)}
		for model := range models {
			guess := truth
			if r.Float64() > 0.9-0.01*float64(model) {
				guess = r.IntN(classes)
			}
			row = append(row, strconv.Itoa(guess))
		}
		rows = append(rows, row)
	}
	return rows
}
