package export

import (
	"encoding/csv"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/sums"
)

// allMethods is an export of three models with signals for all methods but scenes.
func allMethods(t *testing.T) (out string, files []string) {
	d := newDesk(t)
	d.addRound("first", "all")
	d.run(d.models[2], "rotation:-15:15:15")
	for _, m := range d.models {
		for _, family := range []string{"rot90", "mask:2", "shift:2:5"} {
			d.run(m, family)
		}
	}
	out = t.TempDir()
	return out, exported(t, d, Options{Out: out, Signals: true, Without: []Part{Pictures}})
}

func TestExportHoldsAllMethods(t *testing.T) {
	out, _ := allMethods(t)
	for name, want := range map[string]int{
		"features.csv": 2, "ranking/ranks.csv": 3, "ranking/left_out.csv": 0, "dscore/scores.csv": 3,
		"dscore/regions.csv": 12, "calibration/left_out.csv": 0,
	} {
		if got := strings.Count(content(t, out, name), "\n") - 1; got != want {
			t.Errorf("%s has %d rows, want %d:\n%s", name, got, want, content(t, out, name))
		}
	}
	if got := strings.Count(content(t, out, "invariance/ei.csv"), ",rot90,"); got != 3 {
		t.Errorf("%d rows of rot90:\n%s", got, content(t, out, "invariance/ei.csv"))
	}
	if got := strings.Count(content(t, out, "calibration/calibration.csv"), ",rot90,"); got != 3 ||
		!strings.HasPrefix(content(t, out, "calibration/reliability_s1_pets.svg"), "<?xml") {
		t.Errorf("%d rows of the calibration under rot90", got)
	}
	card := content(t, out, cardName)
	for _, line := range []string{
		"- Rankings: 3 rows, in `ranking/`\n", "- D-Scores: 3 rows, in `dscore/`\n", "- Models in scenes: nothing\n",
	} {
		if !strings.Contains(card, line) {
			t.Errorf("the card lacks %q:\n%s", line, card)
		}
	}
}

// TestCardLoadsEveryTable: there is a true line of Python for each file of tables and arrays, of
// the signals in a folder for one model's.
func TestCardLoadsEveryTable(t *testing.T) {
	out, files := allMethods(t)
	_, rest, _ := strings.Cut(content(t, out, cardName), "## Load in Python\n")
	lines, _, _ := strings.Cut(rest, "\n## ")
	var told []string
	for _, m := range regexp.MustCompile(`(?:read_csv|read_parquet|numpy\.load|open)\("([^"]+)"\)`).FindAllStringSubmatch(lines, -1) {
		told = append(told, m[1])
	}
	slices.Sort(told)
	want := slices.DeleteFunc(files, func(file string) bool {
		loads := slices.Contains([]string{".csv", ".parquet", ".npz", ".json"}, path.Ext(file))
		return !loads || path.Base(path.Dir(file)) == "signals" && !strings.Contains(file, "/=s2.")
	})
	if !slices.Equal(told, want) {
		t.Errorf("the card loads %v, want %v", told, want)
	}
	if exec.Command("python3", "-c", "import numpy, pandas, pyarrow").Run() != nil {
		t.Log("pandas is not there")
		return
	}
	run := exec.Command("python3", "-c", strings.ReplaceAll(lines, "\n    ", "\n"))
	run.Dir = out
	if text, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}

// TestColumnsOfEveryTableAreExplained: columns.csv has the header of each table.
func TestColumnsOfEveryTableAreExplained(t *testing.T) {
	out, files := allMethods(t)
	read := func(name string) [][]string {
		rows, err := csv.NewReader(strings.NewReader(content(t, out, name))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	columns := map[string][]string{}
	for _, row := range read("columns.csv")[1:] {
		columns[row[0]] = append(columns[row[0]], row[1])
	}
	for _, file := range files {
		if path.Ext(file) == ".csv" && file != "columns.csv" && !slices.Equal(columns[file], read(file)[0]) {
			t.Errorf("%s has the columns %v, explained are %v", file, read(file)[0], columns[file])
		}
	}
	if len(columns["signals/=s2.parquet"]) < 10 || columns["features.parquet"] == nil {
		t.Errorf("Parquet files are not explained: %v", columns["signals/=s2.parquet"])
	}
}

// An export goes on past a model that cannot be read, damaged signals and scenes that give nothing,
// and its card says so.
func TestExportGoesOnPastWhatCannotBeRead(t *testing.T) {
	d := newDesk(t)
	scenes := sums.NearAndFar(d.tb, d.Workspace, d.suite)
	d.run(d.models[1], "brightness:-0.3:0.3:0.3")
	d.run(d.models[0], "rot90")
	d.run(d.models[2], "rot90")
	sums.Damage(d.tb, d.Workspace, func() { d.run(d.models[0], "brightness:-0.3:0.3:0.3") })
	d.empty = true
	d.run(d.models[0], scenes)
	err := d.UpdateModel(d.models[2].Hash, func(m *model.Model) error {
		m.Record = []model.Field{{Name: "output_kind", Value: "guesses"}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	files := exported(t, d, Options{Out: out, Signals: true, Without: []Part{Pictures}})
	for name, want := range map[string]bool{
		"rot90/signals/s1.npz": true, "rot90/signals/=s2.npz": false, "rotation/signals/s1.npz": true,
		"signals/s1.npz": false, "signals/s10.npz": true, "background/matrices.npz": false,
		"background/left_out.csv": true, "invariance/ei.csv": true,
	} {
		if slices.Contains(files, name) != want {
			t.Errorf("%s is written: %v; there are %v", name, !want, files)
		}
	}
	if models := content(t, out, "models.csv"); !strings.Contains(models, ",guesses,") {
		t.Errorf("the table of models keeps back what cannot be read:\n%s", models)
	}
	card := content(t, out, cardName)
	for _, part := range []string{
		`- cannot be read: model =s2: output_kind "guesses"`,
		"- Models in scenes: 1 row, in `background/`; 4 left out: ", "the signal of image 0 of target 0 is NaN",
		"- Signals: 5 rows, in `signals/`; 1 left out: signal file signals/",
	} {
		if !strings.Contains(card, part) {
			t.Errorf("the card lacks %q:\n%s", part, card)
		}
	}
	d.empty = false
	d.run(d.models[0], scenes)
	if files := exported(t, d, Options{Out: out}); !slices.Contains(files, "background/matrices.npz") {
		t.Errorf("scenes that give matrices have none: %v", files)
	}
}
