package e2e

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// fiveScenes are the models that are ranked in the tests of rankings.
var fiveScenes = []string{"s01", "s05", "s09", "s11", "s13"}

// screenRankers are the rankers that a workspace is ranked with that was never ranked before.
const screenRankers = "laf,crc,random,sds,ces,ei,d-score,robust-accuracy,mean-variance"

// wideScreen has room for all columns of the tables at once, see widen.
const wideScreen = "2400x800"

// widen lets the window fill a wide screen. Dialogs are slow to draw in such a window. Fyne gives
// a window that is being laid out the size of before again, so it may take more than once.
func (w *window) widen() {
	w.t.Helper()
	w.again("a window laid out anew", func() { w.tool("windowsize", w.id, "2400", "800") }, func() bool {
		return slices.ContainsFunc(w.screen(), func(n node) bool { return n.Text != "" && n.X+n.W > 2200 })
	})
}

// someScenes makes a workspace with five models and the scenes, without signals.
func (d *desk) someScenes() string {
	d.t.Helper()
	scenes, folder := filepath.Join(testdata.Root(), "assets", "scenes"), d.t.TempDir()
	records := filepath.Join(folder, "models.csv")
	rows := [][]string{{"id", "file", "architecture", "mean", "std", "output_kind"}}
	for _, row := range table(d.t, filepath.Join(scenes, "models.csv")) {
		if slices.Contains(fiveScenes, row["id"]) {
			file := filepath.Join(scenes, "models", row["id"]+".onnx")
			rows = append(rows, []string{
				row["id"], file, row["architecture"], row["mean"], row["std"], row["output_kind"],
			})
		}
	}
	d.writeTable(records, rows)
	workspace := filepath.Join(folder, "ranked.variscope")
	d.run("import", workspace, records, filepath.Join(scenes, "targets"))
	return workspace
}

func (d *desk) writeTable(path string, rows [][]string) {
	d.t.Helper()
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	out := csv.NewWriter(f)
	if err := out.WriteAll(rows); err != nil {
		d.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
}

// cells are the rows of the table that has this heading, each from left to right, by what stands
// first.
func (w *window) cells(heading string) map[string][]string {
	w.t.Helper()
	rows := map[string][]string{}
	for _, texts := range w.rows(heading) {
		rows[texts[0]] = texts[1:]
	}
	return rows
}

// rows are the rows of the table that has this heading, in any order, each from left to right.
func (w *window) rows(heading string) [][]string {
	w.t.Helper()
	all := top(w.screen())
	table, ok := tableWith(all, heading)
	if !ok {
		return nil
	}
	lines := map[int][]node{}
	for _, n := range all {
		if n.Text != "" && table.holds(n) {
			y := int(math.Round((n.Y + n.H/2) / 4))
			lines[y] = append(lines[y], n)
		}
	}
	var rows [][]string
	for _, line := range lines {
		slices.SortFunc(line, func(a, b node) int { return int(a.X - b.X) })
		texts := make([]string, len(line))
		for k, n := range line {
			texts[k] = n.Text
		}
		rows = append(rows, texts)
	}
	return rows
}

// tableWith is the smallest table that has this heading, perhaps with the arrow of its order.
func tableWith(all []node, heading string) (found node, ok bool) {
	for _, table := range all {
		if table.Type != "*widget.Table" || ok && table.W*table.H >= found.W*found.H {
			continue
		}
		if slices.ContainsFunc(all, func(n node) bool {
			return table.holds(n) && (n.Text == heading || strings.HasPrefix(n.Text, heading+" "))
		}) {
			found, ok = table, true
		}
	}
	return found, ok
}

// holds tells whether another node lies inside.
func (n node) holds(o node) bool {
	return o.X >= n.X-1 && o.Y >= n.Y-1 && o.X+o.W <= n.X+n.W+1 && o.Y+o.H <= n.Y+n.H+1
}

// settled reads a table once it is the same twice.
func (w *window) settled(heading string, ready func(map[string][]string) bool) map[string][]string {
	w.t.Helper()
	var before, now string
	var rows map[string][]string
	w.until("the table of "+heading, patience, func() bool {
		time.Sleep(200 * time.Millisecond)
		rows = w.cells(heading)
		before, now = now, fmt.Sprint(rows)
		return before == now && ready(rows)
	})
	return rows
}

// rankedBy asks the command line for the ranking as the screen writes it: by model, the rank and
// the score of every ranker, after those of true accuracy.
func (d *desk) rankedBy(args ...string) map[string][]string {
	d.t.Helper()
	sheets := d.sheets(append([]string{"rank", "--json"}, args...)...)
	rows := map[string][]string{}
	for _, m := range sheets["ranks"] {
		var cells []string
		if m["accuracy"] != nil {
			cells = append(cells, fmt.Sprintf("%.0f   %s", m.number("accuracy_rank"),
				result.Share.Say(m.number("accuracy"), 0)))
		}
		rows[m.text("model_id")] = cells
	}
	scores := map[[2]string]string{}
	for _, one := range sheets["ranking"] {
		cell := fmt.Sprintf("%.0f   %s", one.number("rank"), result.Number.Say(one.number("score"), 4))
		if one["score_sd"] != nil {
			cell += " ± " + result.Number.Say(one.number("score_sd"), 4)
		}
		if one["score"] != nil {
			scores[[2]string{one.text("model_id"), one.text("method")}] = cell
		}
	}
	for _, ranker := range sheets["quality"] { // also those that have no ranking
		for id := range rows {
			rows[id] = append(rows[id], cmp.Or(scores[[2]string{id, ranker.text("method")}], "-"))
		}
	}
	if len(sheets["ranking"]) == 0 {
		d.t.Fatalf("rank %s has %d models and no ranker", strings.Join(args, " "), len(rows))
	}
	return rows
}

// sameRows compares what a table shows with what it has to show, cell by cell.
func (d *desk) sameRows(what string, got, want map[string][]string) {
	d.t.Helper()
	same := 0
	for id, cells := range want {
		if !slices.Equal(got[id], cells) {
			d.t.Errorf("%s: %s has\n%q in the window,\n%q on the command line", what, id, got[id], cells)
			continue
		}
		same += len(cells)
	}
	fmt.Printf("window tests: %s: %d cells as on the command line\n", what, same)
}
