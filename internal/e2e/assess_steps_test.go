package e2e

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// looksAtFeatures sorts the table, chooses another matrix, opens models from the scatter plot and
// from the pictures of what looks alike, and writes the table.
func (w *window) looksAtFeatures(want learned) {
	w.t.Helper()
	w.goes("ctrl+5", "12 models, 80 features")
	w.sorts(want, "max@CONF")
	w.choose("max@CONF", "mean@CONV-1")
	w.shows("mean@CONV-1.svm")
	w.sorts(want, "mean@CONV-1")
	w.shot("features-table")
	w.opens("Scatter", "across")
	w.again("the model of a dot", func() {
		x, y := w.point()
		w.tool("mousemove", "--window", w.id, strconv.Itoa(x), strconv.Itoa(y), "click", "--repeat", "2", "--delay",
			"80", "1")
	}, func() bool { return w.seen("Matrices…") })
	w.goes("ctrl+5", "Looks like")
	w.tap("Looks like")
	w.until("a model with its neighbours", patience, func() bool { return len(w.widgets("*widget.Heatmap")) == 6 })
	w.shot("features-alike")
	w.hits("the model of a matrix", nth("*widget.Heatmap", 1), node.middle, func() bool { return w.seen("Matrices…") })
	w.goes("ctrl+5", "Export features…")
	w.saves(named("Export features…"), "12 models as CSV…")
}

// sorts clicks on the heading of the first feature and reads its column: descending or ascending,
// and as the command line has it.
func (w *window) sorts(want learned, modality string) {
	w.t.Helper()
	for range 2 {
		w.tap("svm")
		models, shown := w.column("svm")
		if len(shown) != 12 || !slices.IsSorted(shown) &&
			!slices.IsSortedFunc(shown, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			w.t.Errorf("the column of svm is not sorted: %v", shown)
		}
		for k, id := range models {
			if v := want.of(id, modality+".svm"); !(math.Abs(v-shown[k]) <= 0.006*math.Abs(v)) {
				w.t.Errorf("svm of %s of %s is %v in the window, %v on the command line", modality, id, shown[k], v)
			}
		}
	}
}

// column reads the models of the table from top to bottom, and their numbers below a heading.
func (w *window) column(title string) (models []string, values []float64) {
	w.t.Helper()
	all := w.calm()
	var heading node
	for _, n := range all {
		if n.Text == title || strings.HasPrefix(n.Text, title+" ") {
			heading = n
		}
	}
	var cells []node
	for _, n := range all {
		if _, err := strconv.ParseFloat(n.Text, 64); err == nil && n.Y > heading.Y &&
			math.Abs(n.X+n.W-heading.X-heading.W) < 40 {
			cells = append(cells, n)
		}
	}
	slices.SortFunc(cells, func(a, b node) int { return int(a.Y - b.Y) })
	for _, c := range cells {
		for _, n := range all {
			if _, ok := rated[n.Text]; ok && math.Abs(n.Y+n.H/2-c.Y-c.H/2) < 4 && n.X < c.X {
				v, _ := strconv.ParseFloat(c.Text, 64)
				models, values = append(models, n.Text), append(values, v)
				break
			}
		}
	}
	return models, values
}

// point finds a dot of the scatter plot by its colour.
func (w *window) point() (x, y int) {
	w.t.Helper()
	var found bool
	w.until("a dot of the scatter plot", patience, func() bool {
		plots := w.widgets("*widget.Plot")
		if len(plots) == 0 {
			return false
		}
		p := plots[0]
		picture := w.look(filepath.Join(w.home, "plot.png"))
		for y = int(p.Y) + 60; y < int(p.Y+p.H)-60 && !found; y++ {
			for x = int(p.X) + 60; x < int(p.X+p.W)-20; x++ {
				if dot(picture, x, y) {
					return true
				}
			}
		}
		return false
	})
	return x, y
}

// dot tells whether a point lies within a round patch of one strong colour.
func dot(picture image.Image, x, y int) bool {
	middle := picture.At(x, y)
	if !strong(middle) {
		return false
	}
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if corner := dx*dx+dy*dy == 8; !corner && picture.At(x+dx, y+dy) != middle {
				return false
			}
		}
	}
	return true
}

// strong tells a colour from grey.
func strong(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return max(r, g, b)-min(r, g, b) > 0x3000
}

// checkFeatures compares the table that the window wrote with the command line, and its labels
// with the annotators'.
func checkFeatures(t *testing.T, path string, want learned) {
	t.Helper()
	rows := table(t, path)
	finals := map[string]string{}
	for _, row := range rows {
		finals[row["model_id"]] = row["final"]
		for _, name := range want.names {
			if row[name] != strconv.FormatFloat(want.of(row["model_id"], name), 'g', -1, 64) {
				t.Errorf("%s of %s is %q in the file, %v on the command line", name, row["model_id"], row[name],
					want.of(row["model_id"], name))
			}
		}
	}
	if len(rows) != 12 || len(want.names) != 80 {
		t.Errorf("%d models and %d features in %s, want 12 and 80", len(rows), len(want.names), path)
	}
	for id, want := range map[string]string{
		"s01": "variant", "s09": "invariant", "s15": "invariant", "s22": "variant",
		"s20": "", "s27": "",
	} {
		if finals[id] != want {
			t.Errorf("the final label of %s is %q in the file, want %q", id, finals[id], want)
		}
	}
}

// verdicts are the lines of the page of verdicts: model, verdict, probability of variant.
func (w *window) verdicts() []string {
	w.t.Helper()
	w.tapUntil("Verdicts", "the verdicts", func() bool { return len(w.line("s01")) > 2 })
	var list []string
	for id := range rated {
		w.types("Filter", id)
		var cells []string
		w.until("the verdict on "+id, patience, func() bool { cells = w.line(id); return len(cells) > 1 })
		list = append(list, strings.Join([]string{id, cells[0], cells[1]}, " "))
		w.again("the end of the search for "+id, func() { w.key("ctrl+a", "BackSpace") },
			func() bool { return w.seen("Filter") })
	}
	slices.Sort(list)
	return list
}

// keeps saves the assessor that is looked at in the workspace.
func (w *window) keeps(name string) {
	w.t.Helper()
	w.opens("Keep…", "Save in the workspace…")
	w.opens("Save in the workspace…", "Save assessor")
	w.until("the line for the name", patience, w.typing)
	w.key("ctrl+a")
	w.text(name)
	before := w.stored("assessor")
	w.tapUntil("Save", "the assessor", func() bool { return w.stored("assessor") > before })
	w.shows("assessor " + name + " is saved")
}

// judgesWith has a saved assessor judge the models.
func (w *window) judgesWith(name string) {
	w.t.Helper()
	w.goes("ctrl+6", "Saved")
	w.opens("Saved", name)
	w.opens(name, "random forest, ")
	w.opens("Judge the models", name+", saved ")
}

// takesAway writes the assessor that is looked at as a file and as an ONNX model.
func (w *window) takesAway() {
	w.t.Helper()
	w.saves(named("Keep…"), "Export as assessor file…")
	w.opens("Keep…", "Export as ONNX…")
	w.opens("Export as ONNX…", "ONNX Runtime gives the same verdicts on 12 models")
	w.hits("the end of the chooser", exactly("Save"), node.middle, func() bool { return w.layers() == 0 })
	w.until("the ONNX model", patience, func() bool {
		found, _ := filepath.Glob(filepath.Join(w.home, "*.onnx"))
		return len(found) == 1
	})
}

// exit is the exit code of a command that may fail, with what it printed.
func (d *desk) exit(args ...string) (code int, out string) {
	d.t.Helper()
	command := exec.Command(d.program, args...)
	command.Env = d.environment()
	text, err := command.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		d.t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(text)
}

// gatesLike judges model files with the exported assessor and expects the verdicts that the window
// gave.
func (d *desk) gatesLike(verdicts []string, ids ...string) {
	d.t.Helper()
	files, _ := filepath.Glob(filepath.Join(d.home, "*.vassessor"))
	onnx, _ := filepath.Glob(filepath.Join(d.home, "*.onnx"))
	if len(files) != 1 || len(onnx) != 1 {
		d.t.Fatalf("exported %v and %v, want one each", files, onnx)
	}
	if info, err := os.Stat(onnx[0]); err != nil || info.Size() < 1000 {
		d.t.Errorf("the ONNX model is no model: %v, %v", info, err)
	}
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	for _, id := range ids {
		code, text := d.exit("gate", filepath.Join(scenes, "models", id+".onnx"), "--json", "--suite",
			filepath.Join(scenes, "targets"), "--assessor", files[0])
		var judged []struct {
			Verdict string  `json:"verdict"`
			Variant float64 `json:"probability_variant"`
		}
		if d.sheet(text, "gate", &judged); len(judged) != 1 {
			d.t.Fatalf("gate of %s: exit %d, %s", id, code, text)
		}
		says := fmt.Sprintf("%s %s %s %%", id, judged[0].Verdict, decimals(100*judged[0].Variant, 1))
		if !slices.Contains(verdicts, says) || (code == 3) != (judged[0].Verdict == "variant") {
			d.t.Errorf("the gate says %q and exits %d, the window said\n%s", says, code, strings.Join(verdicts, "\n"))
		}
	}
}
