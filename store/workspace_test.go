package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestCreateAndOpen(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(filepath.Join(folder, "demo"))
	must(t, err)
	desk := w.Desk()
	if w.Name() != "demo" || w.Path() != filepath.Join(folder, "demo.variscope") || len(desk) != 26 {
		t.Errorf("name %q path %q desk %q", w.Name(), w.Path(), desk)
	}
	checkAndClose(t, w)
	if err := w.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	for _, path := range []string{"demo", "demo.variscope", "demo.variscope/"} {
		w := reopen(t, filepath.Join(folder, path))
		if w.Desk() != desk {
			t.Errorf("%s: desk %s in place of %s", path, w.Desk(), desk)
		}
		checkAndClose(t, w)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("beside the workspace lies %v, %v", left, err)
	}
}

func TestCreateWhereSomethingIs(t *testing.T) {
	folder := t.TempDir()
	must(t, os.Mkdir(filepath.Join(folder, "empty.variscope"), 0o755))
	w, err := Create(filepath.Join(folder, "empty"))
	if err != nil {
		t.Fatalf("an empty folder: %v", err)
	}
	checkAndClose(t, w)
	must(t, os.WriteFile(filepath.Join(folder, "file.variscope"), nil, 0o644))
	for _, name := range []string{"empty", "file"} {
		if _, err := Create(filepath.Join(folder, name)); !errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClosedWorkspace(t *testing.T) {
	w := fresh(t)
	checkAndClose(t, w)
	if _, err := w.Models(); !errors.Is(err, database.ErrClosed) {
		t.Errorf("read: %v", err)
	}
	if err := w.SetSetting("a", 1); !errors.Is(err, database.ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.Path(), database.OwnerFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the owner file is left: %v", err)
	}
}

func TestOpenWhatIsNoWorkspace(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "absent")} {
		if _, err := Open(path); !errors.Is(err, database.ErrNotWorkspace) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("Open made %v", entries)
	}
}

func TestMissingDatabase(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	must(t, os.Remove(filepath.Join(w.Path(), database.File)))
	before := storetest.Snapshot(t, w.Path())
	if _, err := Open(w.Path()); !errors.Is(err, database.ErrNotWorkspace) ||
		!strings.Contains(err.Error(), database.File) {
		t.Errorf("%v", err)
	}
	if after := storetest.Snapshot(t, w.Path()); after != before {
		t.Errorf("changed:\n%s%s", before, after)
	}
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
	cases := map[string][]byte{
		"empty":            {},
		"text":             []byte("this is no database\n"),
		"cut to one page":  whole[:page],
		"cut by half":      whole[:len(whole)/2],
		"cut by some":      whole[:len(whole)-3*page],
		"zeros":            make([]byte, len(whole)),
		"first half zeros": append(make([]byte, len(whole)/2), whole[len(whole)/2:]...),
		"tail zeros":       append(append([]byte{}, whole[:2*page]...), make([]byte, len(whole)-2*page)...),
	}
	for name, content := range cases {
		must(t, os.WriteFile(path, content, 0o644))
		before := storetest.Snapshot(t, w.Path())
		opened, err := Open(w.Path())
		if err == nil {
			_ = opened.Close()
		}
		if !errors.Is(err, database.ErrDamaged) || !strings.Contains(err.Error(), "workspace quiet: ") {
			t.Errorf("%s: %v", name, err)
		}
		if after := storetest.Snapshot(t, w.Path()); after != before {
			t.Errorf("%s: changed", name)
		}
	}
	must(t, os.WriteFile(path, whole, 0o644))
	reopen(t, w.Path())
}

// TestForeignDatabase: a sound bbolt file without our buckets.
func TestForeignDatabase(t *testing.T) {
	folder := t.TempDir()
	for name, fill := range map[string]func(tx *bbolt.Tx) error{
		"nothing": func(*bbolt.Tx) error { return nil },
		"schema only": func(tx *bbolt.Tx) error {
			if _, err := tx.CreateBucket([]byte(database.Meta.Name)); err != nil {
				return err
			}
			return database.PutSchema(tx, database.SchemaVersion)
		},
		"nonsense schema": func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(database.Meta.Name))
			if err != nil {
				return err
			}
			return b.Put(database.KeySchema, []byte("one"))
		},
		"value for a bucket": func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(database.Meta.Name))
			if err != nil {
				return err
			}
			_, err = b.CreateBucket(database.KeySchema)
			return err
		},
	} {
		path := filepath.Join(folder, name+database.Suffix)
		must(t, os.Mkdir(path, 0o755))
		db, err := bbolt.Open(filepath.Join(path, database.File), 0o644, nil)
		must(t, err)
		must(t, db.Update(fill))
		must(t, db.Close())
		before := storetest.Snapshot(t, path)
		if _, err := Open(path); !errors.Is(err, database.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if after := storetest.Snapshot(t, path); after != before {
			t.Errorf("%s: changed", name)
		}
	}
}

func TestOpenElsewhereInThisProcess(t *testing.T) {
	w := fresh(t)
	start := time.Now()
	_, err := Open(w.Path())
	if took := time.Since(start); took > 10*time.Second { // at once, but a loaded machine is slow
		t.Errorf("told after %v", took)
	}
	var elsewhere *database.OpenElsewhereError
	if !errors.As(err, &elsewhere) || elsewhere.Process != os.Getpid() {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	for _, part := range []string{
		"quiet is open in Variscope (process ", " on host " + host, " since ",
		"; close it there or work on a copy",
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
	// the owner file may be missing or cut off; the lock decides
	for _, content := range []string{"", "{"} {
		must(t, os.WriteFile(filepath.Join(w.Path(), database.OwnerFile), []byte(content), 0o644))
		if _, err := Open(w.Path()); !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), "another program") {
			t.Error(err)
		}
	}
}

func TestSettings(t *testing.T) {
	w := fresh(t)
	var got struct{ A int }
	if found, err := w.Setting("k", &got); found || err != nil {
		t.Error(found, err)
	}
	must(t, w.SetSetting("k", struct{ A int }{7}))
	if found, err := w.Setting("k", &got); !found || err != nil || got.A != 7 {
		t.Error(found, err, got)
	}
	if err := w.SetSetting("k", func() {}); err == nil {
		t.Error("took a function")
	}
	var wrong []int
	if _, err := w.Setting("k", &wrong); err == nil {
		t.Error("decoded an object into a list")
	}
	s := storetest.AddSuite(t, w, "suite", 3)
	must(t, w.SetCurrent(Current{Suite: s.Hash, Family: "rotation:-15:15:15"}))
	if err := w.SetCurrent(Current{Suite: s.Hash, Family: "rotation"}); err == nil {
		t.Error("took a family that is none")
	}
	if c, err := w.Current(); err != nil || c != (Current{s.Hash, storetest.Family(t)}) {
		t.Error(c, err)
	}
	if err := w.SetCurrent(Current{Suite: "unknown"}); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
}

func TestChangesAreHeardAfterCommit(t *testing.T) {
	w := fresh(t)
	var mu sync.Mutex
	var heard []Change
	cancel := w.Subscribe(func(c Change) {
		if c.Kind == ModelChanged { // the model is there already, and reading it does not deadlock
			if _, err := w.Model(c.ID); err != nil {
				t.Error(err)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, c)
	})
	m := storetest.AddModel(t, w, "m")
	s := storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", "variant"))
	cancel()
	storetest.AddModel(t, w, "n")
	want := []Change{{ModelChanged, m.Hash}, {SuiteChanged, s.Hash}, {RoundChanged, r.ID}, {LabelsChanged, r.ID}}
	if len(heard) != len(want) {
		t.Fatalf("heard %v", heard)
	}
	for i := range want {
		if heard[i] != want[i] {
			t.Errorf("%d: %v in place of %v", i, heard[i], want[i])
		}
	}
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
