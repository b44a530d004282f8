package kill_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/database"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

const family = "rotation:-15:15:15"

// modelIDs are those of the demo's models that are imported, run and exported.
var modelIDs = []string{"s01", "s05", "s11", "s27"}

// ground is where things happen: workspaces to begin with, which are copied for each kill, and what
// undisturbed activities made.
type ground struct {
	folder string
	suite  string // hash of the suite that is run
	want   tree   // what the undisturbed run computed, or shard, or collection
}

func (g *ground) at(name string) string { return filepath.Join(g.folder, name) }

// scenes is a file of the demo.
func scenes(name ...string) string {
	return filepath.Join(append([]string{testdata.Root(), "assets", "scenes"}, name...)...)
}

// newGround makes the workspaces: imported.variscope has models and a suite, whole.variscope also
// signals, a round, labels and an assessor. plan is the plan of a run of planned.variscope,
// computed is the same with all results.
func newGround(t *testing.T) *ground {
	t.Helper()
	g := &ground{folder: t.TempDir()}
	g.some(t, g.at("few"), 4)
	g.predictions(t)
	imported := []string{"import", g.at("imported.variscope"), scenes("targets")}
	for _, id := range modelIDs {
		imported = append(imported, scenes("models", id+".onnx"))
	}
	program(t, imported...)
	copied(t, g.at("imported.variscope"), g.at("whole.variscope"))
	copied(t, g.at("imported.variscope"), g.at("planned.variscope"))
	program(t, "run", g.at("planned.variscope"), "--family", family, "--plan", g.at("plan"), "--shards", "1")
	copied(t, g.at("plan"), g.at("computed"))
	program(t, "worker", "--plan", g.at("computed"), "--shard", "1")
	whole := g.at("whole.variscope")
	program(t, "run", whole, "--family", family)
	program(t, "label", whole, "round", "--name", "R1", "--annotators", "A,B", "--family", family)
	for i, id := range modelIDs {
		value := []string{"invariant", "variant"}[i%2]
		program(t, "label", whole, "set", "--annotator", "A", "--model", id, "--value", value)
		program(t, "label", whole, "set", "--annotator", "B", "--model", id, "--value", value)
	}
	using(t, whole, func(ws *store.Workspace) {
		list, err := ws.Suites()
		must(t, err)
		g.suite = list[0].Hash
	})
	return g
}

// some copies the first n images of each class.
func (g *ground) some(t *testing.T, folder string, n int) {
	t.Helper()
	classes, err := os.ReadDir(scenes("targets"))
	must(t, err)
	for _, class := range classes {
		if !class.IsDir() {
			continue
		}
		files, err := os.ReadDir(scenes("targets", class.Name()))
		must(t, err)
		for _, f := range files[:n] {
			data, err := os.ReadFile(scenes("targets", class.Name(), f.Name()))
			must(t, err)
			must(t, os.MkdirAll(filepath.Join(folder, class.Name()), 0o755))
			must(t, os.WriteFile(filepath.Join(folder, class.Name(), f.Name()), data, 0o644))
		}
	}
}

// predictions writes a table of predictions that were made elsewhere.
func (g *ground) predictions(t *testing.T) {
	t.Helper()
	var text strings.Builder
	text.WriteString("image,truth,a,b,c\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "i%d,%d,%d,%d,%d\n", i, i%3, i%3, i/2%3, i/3%3)
	}
	must(t, os.WriteFile(g.at("table.csv"), []byte(text.String()), 0o644))
}

// activities are what is killed. The shares are together 100.
func (g *ground) activities() []activity {
	work := g.at("work.variscope")
	from := func(name string) func(t *testing.T) {
		return func(t *testing.T) { copied(t, g.at(name), work) }
	}
	models := []string{"import", "--copy", work, g.at("few")}
	for _, id := range modelIDs {
		models = append(models, scenes("models", id+".onnx"))
	}
	return append([]activity{
		{
			name: "label", share: 17, task: "label", args: []string{work}, ready: from("whole.variscope"),
			check: g.labelled,
		},
		{
			name: "import models, suite", share: 13, task: "program", args: models,
			ready: func(t *testing.T) { must(t, os.RemoveAll(work)) }, check: g.imported,
		},
		{
			name: "import predictions", share: 8, task: "program",
			args: []string{"import", work, "--predictions", g.at("table.csv")}, ready: from("imported.variscope"),
			check: g.tabled,
		},
		{
			name: "run", share: 13, task: "program", args: []string{"run", work, "--family", family, "--json"},
			ready: from("imported.variscope"), calm: func(t *testing.T) {
				g.want = files(t, filepath.Join(work, "signals"))
			}, check: g.ran,
		},
		{
			name: "derive suites", share: 5, task: "program", args: []string{"corrupt", work, "--shift", "5:6"},
			ready: from("imported.variscope"), check: g.derived,
		},
		{
			name: "shard of a plan", share: 5, task: "program",
			args:  []string{"worker", "--plan", g.at("work"), "--shard", "1"},
			ready: func(t *testing.T) { copied(t, g.at("plan"), g.at("work")) },
			calm:  func(t *testing.T) { g.want = files(t, g.at("work/results")) }, check: g.worked,
		},
		{
			name: "collect a plan", share: 4, task: "program",
			args: []string{"run", work, "--collect", g.at("computed")}, ready: from("planned.variscope"),
			calm: func(t *testing.T) { g.want = files(t, filepath.Join(work, "signals")) }, check: g.collected,
		},
		g.migration(1, 4), g.migration(2, 3), g.migration(3, 3),
	}, g.exports()...)
}

// migration opens a workspace of an older program.
func (g *ground) migration(schema, share int) activity {
	work, older := g.at("work.variscope"), g.at(fmt.Sprintf("older%d.variscope", schema))
	return activity{
		name: fmt.Sprintf("migrate from schema %d", schema), share: share, task: "open", args: []string{work},
		ready: func(t *testing.T) {
			if _, err := os.Stat(older); errors.Is(err, fs.ErrNotExist) {
				copied(t, g.at("whole.variscope"), older)
				must(t, database.MakeOlder(older, schema))
			}
			copied(t, older, work)
		},
		check: func(t *testing.T, _ kill.Outcome) error { return g.migrated(t, schema) },
	}
}

// exports write files for others.
func (g *ground) exports() []activity {
	whole, out := g.at("whole.variscope"), g.at("out")
	empty := func(t *testing.T) { must(t, os.RemoveAll(out)) }
	export := func(name string, share int, check func(t *testing.T, there bool) error, args ...string) activity {
		return activity{
			name: name, share: share, task: "program", args: args, ready: empty,
			check: func(t *testing.T, _ kill.Outcome) error {
				return errors.Join(check(t, false), g.opens(t, whole), g.again(t, args, out, check))
			},
		}
	}
	set := []string{"export", whole, "--out", filepath.Join(out, "set")}
	wholeSet := func(_ *testing.T, there bool) error { return g.wholeSet(filepath.Join(out, "set"), there) }
	anew := export("export over another", 5, wholeSet, set...)
	anew.ready = func(t *testing.T) {
		empty(t)
		program(t, append(set, "--round", "R1")...)
	}
	return []activity{
		export("export the labelled set", 7, wholeSet, set...),
		anew,
		export("report", 4, func(_ *testing.T, there bool) error { return wholeReports(out, there) },
			"report", whole, "--round", "R1", "--out", filepath.Join(out, "r.html"), "--out",
			filepath.Join(out, "r.pdf")),
		export("round package", 4, func(t *testing.T, there bool) error {
			return g.wholePackage(t, filepath.Join(out, "r.vround"), there)
		},
			"label", whole, "invite", "R1", "--full", "--out", filepath.Join(out, "r.vround")),
		export("suites as files", 3, func(_ *testing.T, there bool) error {
			return wholeSuites(filepath.Join(out, "files"), there)
		},
			"corrupt", g.at("few"), "--corruption", "fog:3", "--out", filepath.Join(out, "files")),
		export("tables", 2, func(_ *testing.T, there bool) error { return wholeTables(out, there) },
			"matrix", whole, "--family", family, "--format", "csv", "--out", out),
	}
}

// program lets the program carry out a command, undisturbed.
func program(t *testing.T, args ...string) []string {
	t.Helper()
	return kill.Undisturbed(t, "program", args...).Lines
}

// ranReport is what is read of the report of `run --json`; counts are inferences.
type ranReport struct {
	Sheets []struct {
		Name string `json:"name"`
		Rows []struct {
			State    string `json:"state"`
			Computed int64  `json:"computed"`
			Reused   int64  `json:"reused"`
		} `json:"rows"`
	} `json:"sheets"`
}

func (r ranReport) work() (computed, reused int64) {
	for _, sheet := range r.Sheets {
		for _, m := range sheet.Rows {
			if sheet.Name == "run" {
				computed, reused = computed+m.Computed, reused+m.Reused
			}
		}
	}
	return computed, reused
}

func readReport(t *testing.T, lines []string) (r ranReport) {
	t.Helper()
	must(t, json.Unmarshal([]byte(strings.Join(lines, "\n")), &r))
	return r
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.RemoveAll(to))
	must(t, os.CopyFS(to, os.DirFS(from)))
}

func using(t *testing.T, path string, use func(ws *store.Workspace)) {
	t.Helper()
	ws, err := store.Open(path)
	must(t, err)
	use(ws)
	must(t, ws.Close())
}
