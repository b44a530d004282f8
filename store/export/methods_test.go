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
	"github.com/variscope/variscope/internal/testdata"
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

func TestExportOfAllMethods(t *testing.T) {
	out, files := allMethods(t)
	t.Run("rows", func(t *testing.T) {
		for name, want := range map[string]int{
			"features.csv": 2, "ranking/ranks.csv": 3, "ranking/left_out.csv": 0, "dscore/scores.csv": 3,
			"dscore/regions.csv": 12, "calibration/left_out.csv": 0,
		} {
			testdata.Is(t, "rows of "+name, strings.Count(content(t, out, name), "\n")-1, want)
		}
		for _, name := range []string{"invariance/ei.csv", "calibration/calibration.csv"} {
			testdata.Is(t, "rows of rot90 in "+name, strings.Count(content(t, out, name), ",rot90,"), 3)
		}
		lacks(t, content(t, out, "calibration/reliability_s1_pets.svg"), "<?xml")
		lacks(t, content(t, out, cardName), "- Rankings: 3 rows, in `ranking/`\n", "- D-Scores: 3 rows, in `dscore/`\n",
			"- Models in scenes: nothing\n")
	})
	t.Run("the card loads every table", func(t *testing.T) { cardLoads(t, out, files) })
	t.Run("columns.csv has the header of each table", func(t *testing.T) { columnsAreExplained(t, out, files) })
}

// cardLoads looks for a true line of Python for each file of tables and arrays, of the signals in a
// folder for one model's.
func cardLoads(t *testing.T, out string, files []string) {
	_, rest, _ := strings.Cut(content(t, out, cardName), "## Load in Python\n")
	lines, _, _ := strings.Cut(rest, "\n## ")
	var told []string
	loads := regexp.MustCompile(`(?:read_csv|read_parquet|numpy\.load|open)\("([^"]+)"\)`)
	for _, m := range loads.FindAllStringSubmatch(lines, -1) {
		told = append(told, m[1])
	}
	slices.Sort(told)
	want := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		loads := slices.Contains([]string{".csv", ".parquet", ".npz", ".json"}, path.Ext(file))
		return !loads || path.Base(path.Dir(file)) == "signals" && !strings.Contains(file, "/=s2.")
	})
	testdata.Equal(t, "the card loads", told, want)
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

func columnsAreExplained(t *testing.T, out string, files []string) {
	read := func(name string) [][]string {
		return testdata.Must(csv.NewReader(strings.NewReader(content(t, out, name))).ReadAll())(t)
	}
	columns := map[string][]string{}
	for _, row := range read("columns.csv")[1:] {
		columns[row[0]] = append(columns[row[0]], row[1])
	}
	for _, file := range files {
		if path.Ext(file) == ".csv" && file != "columns.csv" {
			testdata.Equal(t, "explained columns of "+file, columns[file], read(file)[0])
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
	testdata.OK(t, d.UpdateModel(d.models[2].Hash, func(m *model.Model) error {
		m.Record = []model.Field{{Name: "output_kind", Value: "guesses"}}
		return nil
	}))
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
	lacks(t, content(t, out, "models.csv"), ",guesses,")
	lacks(t, content(t, out, cardName), `- cannot be read: model =s2: output_kind "guesses"`,
		"- Models in scenes: 1 row, in `background/`; 4 left out: ", "the signal of image 0 of target 0 is NaN",
		"- Signals: 5 rows, in `signals/`; 1 left out: signal file signals/")
	d.empty = false
	d.run(d.models[0], scenes)
	if files := exported(t, d, Options{Out: out}); !slices.Contains(files, "background/matrices.npz") {
		t.Errorf("scenes that give matrices have none: %v", files)
	}
}
