package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
)

// operation is one thing that the store does with its files.
type operation struct {
	name string
	do   func(t *testing.T, w *Workspace) error
	// state tells the states before and after apart; it must not fail.
	state func(t *testing.T, w *Workspace) string
}

func operations(t *testing.T) []operation {
	copied, masked := storetest.WriteSuite(t, "copied", 3), storetest.Keywords(4)
	list := func(t *testing.T, w *Workspace) string {
		var names []string
		for _, m := range testdata.Must(w.Models())(t) {
			names = append(names, "model "+m.ID)
		}
		for _, s := range testdata.Must(w.Suites())(t) {
			names = append(names, fmt.Sprintf("suite %s %v", s.Name, s.Copied))
		}
		return fmt.Sprint(names, len(testdata.Must(w.PredictionTables())(t)), len(testdata.Must(w.KeywordTables())(t)))
	}
	assessors := func(t *testing.T, w *Workspace) string { return "assessors " + savedIn(t, w) }
	round := func(t *testing.T, w *Workspace) label.Round { return testdata.Must(w.Rounds())(t)[0] }
	return []operation{
		{"label", func(t *testing.T, w *Workspace) error {
			r := round(t, w)
			return testdata.Err(w.Append(storetest.LabelEvent(r, r.Models[0], "A", label.Variant)))
		}, func(t *testing.T, w *Workspace) string {
			return fmt.Sprint(len(testdata.Must(w.Events(round(t, w).ID))(t)))
		}},
		{"import a model", func(_ *testing.T, w *Workspace) error {
			_, _, err := w.AddModel(model.Model{ID: "next"}, strings.NewReader("next"))
			return err
		}, list},
		{"import a suite with its images", func(t *testing.T, w *Workspace) error {
			return testdata.Err(w.CopySuite(t.Context(), copied))
		}, list},
		{"derive a suite", func(_ *testing.T, w *Workspace) error {
			return testdata.Err(w.DeriveSuite(storetest.HashOf("s"), aside, ""))
		}, list},
		{"import predictions", func(_ *testing.T, w *Workspace) error {
			return testdata.Err(w.AddPredictions(testTable("t", "")))
		}, list},
		{"import keywords", func(_ *testing.T, w *Workspace) error {
			return testdata.Err(w.AddKeywords("kw", "file", masked))
		}, list},
		{"record a unit", func(t *testing.T, w *Workspace) error {
			spec := testdata.Must(roundSpec(w, round(t, w)))(t)
			return w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3))
		}, func(t *testing.T, w *Workspace) string {
			inDatabase, _ := named(t, w)
			return strings.ReplaceAll(fmt.Sprint(inDatabase), w.Path(), "")
		}},
		{
			"save an assessor", func(_ *testing.T, w *Workspace) error { return w.SaveAssessor("a", []byte("other")) },
			assessors,
		},
		{"rename an assessor", func(_ *testing.T, w *Workspace) error { return w.RenameAssessor("a", "b") }, assessors},
		{
			"remove an assessor",
			func(_ *testing.T, w *Workspace) error { return testdata.Err(w.RemoveAssessor("a")) }, assessors,
		},
		{"remove a model", func(_ *testing.T, w *Workspace) error {
			_, err := w.RemoveModels([]string{storetest.HashOf("model n")}, nil)
			return err
		}, list},
		{
			"back up", func(t *testing.T, w *Workspace) error { _, err := w.Backup(t.Context()); return err },
			func(t *testing.T, w *Workspace) string {
				for _, b := range mustList(t, w.Path()) {
					must(t, backup.Check(t.Context(), filepath.Join(w.Path(), database.BackupsFolder, b.Name)))
				}
				return ""
			},
		},
		{"copy the workspace", func(t *testing.T, w *Workspace) error {
			must(t, os.RemoveAll(database.WithSuffix(w.Path()+"-copy"))) // that of the first time
			_, err := w.SaveCopy(t.Context(), w.Path()+"-copy", engine.NoProgress{})
			return err
		}, func(t *testing.T, w *Workspace) string {
			if _, err := os.Stat(database.WithSuffix(w.Path() + "-copy")); err == nil {
				checkAndClose(t, reopen(t, database.WithSuffix(w.Path()+"-copy")))
			}
			return list(t, w)
		}},
	}
}

// TestEveryWriteFails lets each write, fsync, rename, removal and new folder of each operation
// fail, also those of the database itself, once with a full disk, once with a disk that stays full,
// with an error of the disk and with a short write. After each failure the error names the file and
// says what to do, the workspace goes on, opens again whole, is as before or as after, and holds
// nothing half-written.
func TestEveryWriteFails(t *testing.T) {
	begin := fresh(t)
	m, _, s := storetest.AddModel(t, begin, "m"), storetest.AddModel(t, begin, "n"),
		storetest.AddSuite(t, begin, "s", 300)
	storetest.AddRound(t, begin, s, m)
	mustSave(t, begin, "a", "one")
	checkAndClose(t, begin)
	every := 1
	if testing.Short() {
		every = 7
	}
	for _, o := range operations(t) {
		t.Run(o.name, func(t *testing.T) { everyWriteFails(t, begin.Path(), o, every) })
	}
}

func everyWriteFails(t *testing.T, begin string, o operation, every int) {
	d := faults.Watch(t, "")
	var w *Workspace
	var before, after string
	var mend func()
	trial := 0
	d.Every(t, every, func(start func()) error {
		trial++
		path := filepath.Join(t.TempDir(), fmt.Sprint(trial)+database.Suffix)
		must(t, os.CopyFS(path, os.DirFS(begin)))
		var err error
		w, err = Open(path)
		must(t, err)
		mend = makeFaulty(t, w.db)
		before = o.state(t, w)
		start()
		err = o.do(t, w)
		return err
	}, func(what string, err error) {
		mend()
		faults.Told(t, what, err)
		now := o.state(t, w)
		if after == "" {
			after = now
		}
		if now != before && now != after || err == nil && now != after {
			t.Errorf("%s: %v; the state is %s, before it was %s, after it should be %s", what, err, now, before, after)
		}
		must(t, w.Close())
		again := reopen(t, w.Path())
		if got := o.state(t, again); got != now {
			t.Errorf("%s: reopened, the state is %s, it was %s", what, got, now)
		}
		filesAreThere(t, what, again)
		if left := storetest.Parts(t, filepath.Dir(w.Path())); len(left) > 0 { // also of a copy beside it
			t.Errorf("%s: %v is left", what, left)
		}
		if err := o.do(t, again); err != nil && now == before {
			t.Errorf("%s: it does not go the second time: %v", what, err)
		}
		checkAndClose(t, again)
	})
}

// filesAreThere holds the database to its word: every file that it names is there.
func filesAreThere(t *testing.T, what string, w *Workspace) {
	t.Helper()
	inDatabase, onDisk := named(t, w)
	for _, name := range inDatabase {
		if !slices.Contains(onDisk, name) {
			t.Errorf("%s: the database names %s, which is gone", what, name)
		}
	}
	for _, table := range testdata.Must(w.PredictionTables())(t) {
		if _, _, err := w.PredictionLabels(table.ID); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, s := range testdata.Must(w.Suites())(t) {
		if !s.Copied {
			continue
		}
		if opened, err := w.OpenSuite(s.Hash); err != nil {
			t.Errorf("%s: %v", what, err)
		} else {
			must(t, opened.Close())
		}
	}
}
