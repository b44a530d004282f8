package store

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func TestCreateAndOpen(t *testing.T) {
	folder := t.TempDir()
	w := testdata.Must(Create(filepath.Join(folder, "demo")))(t)
	desk := w.Desk()
	if w.Name() != "demo" || w.Path() != filepath.Join(folder, "demo.variscope") || len(desk) != 26 {
		t.Errorf("name %q path %q desk %q", w.Name(), w.Path(), desk)
	}
	checkAndClose(t, w)
	must(t, w.Close()) // twice
	for _, path := range []string{"demo", "demo.variscope", "demo.variscope/"} {
		w := reopen(t, filepath.Join(folder, path))
		testdata.Is(t, path, w.Desk(), desk)
		checkAndClose(t, w)
	}
	testdata.Is(t, "files beside it", len(testdata.Must(os.ReadDir(folder))(t)), 1)
}

func TestCreateWhereSomethingIs(t *testing.T) {
	folder := t.TempDir()
	must(t, os.Mkdir(filepath.Join(folder, "empty.variscope"), 0o755))
	w := testdata.Must(Create(filepath.Join(folder, "empty")))(t)
	checkAndClose(t, w)
	must(t, os.WriteFile(filepath.Join(folder, "file.variscope"), nil, 0o644))
	for _, name := range []string{"empty", "file"} {
		testdata.ErrorIs(t, name, testdata.Err(Create(filepath.Join(folder, name))), ErrExists)
	}
}

func TestClosedWorkspace(t *testing.T) {
	w := fresh(t)
	checkAndClose(t, w)
	testdata.ErrorIs(t, "reading", testdata.Err(w.Models()), database.ErrClosed)
	testdata.ErrorIs(t, "writing", w.SetSetting("a", 1), database.ErrClosed)
	testdata.ErrorIs(t, "the owner file", testdata.Err(os.Stat(filepath.Join(w.Path(), database.OwnerFile))),
		os.ErrNotExist)
}

func TestOpenWhatIsNoWorkspace(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	must(t, os.Remove(filepath.Join(w.Path(), database.File)))
	before := storetest.Snapshot(t, w.Path())
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent"), w.Path()} {
		testdata.ErrorIs(t, path, testdata.Err(Open(path)), database.ErrNotWorkspace)
	}
	testdata.Refused(t, "no database", testdata.Err(Open(w.Path())), database.File)
	testdata.Is(t, "the files without the database", storetest.Snapshot(t, w.Path()), before)
}

// TestDamagedDatabase damages the database in many ways: each is one clear error, and nothing
// changes.
func TestDamagedDatabase(t *testing.T) {
	w := fresh(t)
	for _, id := range []string{"a", "b", "c"} {
		storetest.AddModel(t, w, id)
	}
	checkAndClose(t, w)
	path := filepath.Join(w.Path(), database.File)
	whole := storetest.Read(t, path)
	page := os.Getpagesize()
	for name, content := range map[string][]byte{
		"empty":            {},
		"text":             []byte("this is no database\n"),
		"cut to one page":  whole[:page],
		"cut by half":      whole[:len(whole)/2],
		"cut by some":      whole[:len(whole)-3*page],
		"zeros":            make([]byte, len(whole)),
		"first half zeros": append(make([]byte, len(whole)/2), whole[len(whole)/2:]...),
		"tail zeros":       append(append([]byte{}, whole[:2*page]...), make([]byte, len(whole)-2*page)...),
	} {
		must(t, os.WriteFile(path, content, 0o644))
		before := storetest.Snapshot(t, w.Path())
		opened, err := Open(w.Path())
		if err == nil {
			_ = opened.Close()
		}
		testdata.ErrorIs(t, name, err, database.ErrDamaged)
		testdata.Refused(t, name, err, "workspace quiet: ")
		testdata.Is(t, name, storetest.Snapshot(t, w.Path()), before)
	}
	must(t, os.WriteFile(path, whole, 0o644))
	reopen(t, w.Path())
}

// TestForeignDatabase: a sound bbolt file without our buckets.
func TestForeignDatabase(t *testing.T) {
	for name, fill := range map[string]func(meta *bbolt.Bucket) error{
		"nothing": nil,
		"schema only": func(meta *bbolt.Bucket) error {
			return database.PutSchema(meta.Tx(), database.SchemaVersion)
		},
		"nonsense schema": func(meta *bbolt.Bucket) error { return meta.Put(database.KeySchema, []byte("one")) },
		"value for a bucket": func(meta *bbolt.Bucket) error {
			_, err := meta.CreateBucket(database.KeySchema)
			return err
		},
	} {
		path := filepath.Join(t.TempDir(), name+database.Suffix)
		must(t, os.Mkdir(path, 0o755))
		db, err := bbolt.Open(filepath.Join(path, database.File), 0o644, nil)
		must(t, err)
		if fill != nil {
			must(t, db.Update(func(tx *bbolt.Tx) error {
				meta, err := tx.CreateBucket([]byte(database.Meta.Name))
				return errors.Join(err, fill(meta))
			}))
		}
		must(t, db.Close())
		before := storetest.Snapshot(t, path)
		testdata.ErrorIs(t, name, testdata.Err(Open(path)), database.ErrDamaged)
		testdata.Is(t, name, storetest.Snapshot(t, path), before)
	}
}

func TestOpenElsewhereInThisProcess(t *testing.T) {
	w := fresh(t)
	_, err := Open(w.Path())
	var elsewhere *database.OpenElsewhereError
	if !errors.As(err, &elsewhere) || elsewhere.Process != os.Getpid() {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	testdata.Refused(t, "an open one", err, "quiet is open in Variscope (process ", " on host "+host, " since ",
		"; close it there or work on a copy")
	// the owner file may be missing or cut off; the lock decides
	for _, content := range []string{"", "{"} {
		must(t, os.WriteFile(filepath.Join(w.Path(), database.OwnerFile), []byte(content), 0o644))
		testdata.Refused(t, "without an owner", testdata.Err(Open(w.Path())), "another program")
	}
}

func TestSettings(t *testing.T) {
	w := fresh(t)
	var got struct{ A int }
	testdata.Is(t, "found", testdata.Must(w.Setting("k", &got))(t), false)
	must(t, w.SetSetting("k", struct{ A int }{7}))
	if found, err := w.Setting("k", &got); !found || err != nil || got.A != 7 {
		t.Error(found, err, got)
	}
	testdata.Refused(t, "a function", w.SetSetting("k", func() {}))
	testdata.Refused(t, "an object in place of a list", testdata.Err(w.Setting("k", new([]int))))
	s := storetest.AddSuite(t, w, "suite", 3)
	must(t, w.SetCurrent(Current{Suite: s.Hash, Family: "rotation:-15:15:15"}))
	testdata.Refused(t, "a family that is none", w.SetCurrent(Current{Suite: s.Hash, Family: "rotation"}))
	testdata.ErrorIs(t, "an unknown suite", w.SetCurrent(Current{Suite: "unknown"}), database.ErrNotFound)
	testdata.Is(t, "current", testdata.Must(w.Current())(t), Current{s.Hash, storetest.Family(t)})
}

func TestChangesAreHeardAfterCommit(t *testing.T) {
	w := fresh(t)
	var heard []Change
	cancel := w.Subscribe(func(c Change) {
		if c.Kind == ModelChanged { // the model is there already, and reading it does not deadlock
			if _, err := w.Model(c.ID); err != nil {
				t.Error(err)
			}
		}
		heard = append(heard, c)
	})
	m := storetest.AddModel(t, w, "m")
	s := storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", "variant"))
	cancel()
	storetest.AddModel(t, w, "n")
	want := []Change{{ModelChanged, m.Hash}, {SuiteChanged, s.Hash}, {RoundChanged, r.ID}, {LabelsChanged, r.ID}}
	testdata.Equal(t, "heard", heard, want)
}

func TestIDsGrow(t *testing.T) {
	w := fresh(t)
	const each = 500
	lists := make([][]string, 4)
	var group sync.WaitGroup
	for g := range lists {
		group.Go(func() {
			for range each {
				lists[g] = append(lists[g], w.NewID())
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for _, list := range lists {
		for i, id := range list {
			if seen[id] || i > 0 && id <= list[i-1] {
				t.Fatalf("%s came twice or does not grow", id)
			}
			seen[id] = true
		}
	}
}
