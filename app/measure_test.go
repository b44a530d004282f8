package app

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	measures "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/invariance"
)

// sureness is the formula of the measure that TestAMeasureIsAddedAsThePageSays adds.
func sureness(m measures.Measured) float64 { return 2*m.Mean[measures.EI] + 1 }

// TestAMeasureIsAddedAsThePageSays takes the steps that docs/architecture.md gives for a measure: a
// formula and a column. The measure is then in every place that the page names, and the test knows
// a check for each.
func TestAMeasureIsAddedAsThePageSays(t *testing.T) {
	page := regexp.MustCompile(`(?s)\*\*A measure\*\*\n1\. .* formula .*\n2\. .* column .*` +
		"`tables.go`: `result.Numbers\\(key, title, help, format, value\\)`.*\n3\\. .* appears in " +
		"([^.]*(?:\\.csv[^.]*)?)\\.")
	text := testdata.Must(os.ReadFile(filepath.Join(testdata.Root(), "docs", "architecture.md")))(t)
	named := page.FindStringSubmatch(strings.Split(string(text), "\n\n**An option**")[0])
	if named == nil {
		t.Fatal("docs/architecture.md does not give the steps that this test takes: " +
			"formula, column of tables.go, where it stands")
	}
	table, declared := &measures.Results, measures.Results.Columns
	t.Cleanup(func() { table.Columns = declared })
	table.Columns = append(slices.Clone(declared),
		result.Numbers("sureness", "sureness", "twice the mean EI and one", result.Number, sureness))

	made := sample.New(t, 3)
	for k, m := range made.Imported {
		made.ComputeOn(t, m, k, made.Shapes, "rot90")
	}
	testdata.OK(t, made.Close())
	ws, folder := made.Path(), t.TempDir()
	plan := filepath.Join(folder, "plan.toml")
	steps := "study = 1\ntitle = \"S\"\n[[step]]\nname = \"s\"\ncommand = \"ei\"\ntables = [\"ei\"]\n"
	testdata.OK(t, os.WriteFile(plan, []byte(steps), 0o600))
	carryOut(t, "study", plan, "--workspace", ws, "--out", filepath.Join(folder, "study"))
	carryOut(t, "export", ws, "--out", filepath.Join(folder, "export"))
	file := func(path string) string {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
		if err != nil {
			t.Error(err)
		}
		return string(bytes.ToValidUTF8(data, nil))
	}
	places := map[string]func() string{
		"terminal":      func() string { return carryOut(t, "ei", ws) },
		"JSON":          func() string { return carryOut(t, "ei", ws, "--json") },
		"CSV":           func() string { return file("study/s/ei.csv") },
		"Parquet":       func() string { return file("study/s/ei.parquet") },
		"LaTeX":         func() string { return file("study/s/ei.tex") },
		"HTML":          func() string { return file("study/s/ei.html") },
		"`columns.csv`": func() string { return file("export/columns.csv") },
		"window":        func() string { return onTheScreen(t, ws) },
	}
	for _, place := range regexp.MustCompile(`, | and `).Split(named[1], -1) {
		if where, known := places[place]; !known {
			t.Errorf("docs/architecture.md names %s, for which there is no check", place)
		} else if !strings.Contains(where(), "sureness") {
			t.Errorf("the measure is not in %s", place)
		}
		delete(places, place)
	}
	for place := range places {
		t.Errorf("docs/architecture.md does not name %s", place)
	}
}

func TestMain(m *testing.M) {
	onnx.ServeWorker()
	os.Exit(m.Run())
}

// carryOut is what a command line prints, which must succeed.
func carryOut(t *testing.T, line ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := Run(line, &out, &out); code != 0 {
		t.Fatalf("%q exits %d: %s", line, code, out.String())
	}
	return out.String()
}

// onTheScreen are the texts of the Invariance screen on a workspace.
func onTheScreen(t *testing.T, path string) string {
	ws := testdata.Must(store.Open(path))(t)
	defer ws.Close()
	on := stage.New(t)
	work := jobs.New(fyne.Do)
	defer func() { work.Stop(); work.Wait() }()
	window := on.Window(widget.NewLabel(""), fyne.NewSize(4000, 800))
	screen := invariance.New(&kit.Host{
		Work: work, Window: window, Status: func(string) {}, Changes: ws.Subscribe,
		ShowError: func(err error) { t.Error(err) },
	}, ws)
	defer screen.Close()
	window.SetContent(screen.Object())
	screen.Shown()
	on.Until("measured", screen.Idle)
	var list []string
	stage.Walk(window.Content(), func(o fyne.CanvasObject) {
		if text, is := o.(*canvas.Text); is {
			list = append(list, text.Text)
		}
	})
	return strings.Join(list, "\n")
}
