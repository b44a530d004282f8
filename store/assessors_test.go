package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store/database"
)

func mustSave(t *testing.T, w *Workspace, name, content string) {
	t.Helper()
	must(t, w.SaveAssessor(name, []byte(content)))
}

// savedIn is what the workspace has of assessors: NAME=CONTENT, in their order.
func savedIn(t *testing.T, w *Workspace) string {
	t.Helper()
	list, err := w.Assessors()
	must(t, err)
	var texts []string
	for _, a := range list {
		data, err := w.AssessorData(a.Name)
		if err != nil || int64(len(data)) != a.Size || a.Saved.IsZero() {
			t.Errorf("%+v: %d bytes, %v", a, len(data), err)
		}
		texts = append(texts, a.Name+"="+string(data))
	}
	return strings.Join(texts, " ")
}

func TestAssessors(t *testing.T) {
	w := fresh(t)
	var heard []Change
	defer w.Subscribe(func(c Change) { heard = append(heard, c) })()
	if got := savedIn(t, w); got != "" {
		t.Errorf("a new workspace has %s", got)
	}
	mustSave(t, w, "forest 10", "ten")
	mustSave(t, w, "forest 2", "two")
	mustSave(t, w, "Wald ü", "w")
	mustSave(t, w, "forest 10", "TEN")
	if got := savedIn(t, w); got != "forest 2=two forest 10=TEN Wald ü=w" {
		t.Error(got)
	}
	if err := w.RenameAssessor("Wald ü", "forest 3"); err != nil {
		t.Error(err)
	}
	if err := w.RenameAssessor("forest 3", "Forest 3"); err != nil {
		t.Errorf("other capitals of its own name: %v", err)
	}
	data, err := w.RemoveAssessor("forest 2")
	if err != nil || string(data) != "two" {
		t.Errorf("%q, %v", data, err)
	}
	if got := savedIn(t, w); got != "Forest 3=w forest 10=TEN" {
		t.Error(got)
	}
	mustSave(t, w, "forest 2", string(data))
	want := []string{
		"forest 10", "forest 2", "Wald ü", "forest 10", "Wald ü", "forest 3", "forest 3", "Forest 3",
		"forest 2", "forest 2",
	}
	var names []string
	for _, c := range heard {
		if c.Kind == AssessorChanged {
			names = append(names, c.ID)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("heard %v, want %v", names, want)
	}
}

func TestAssessorsOutliveTheProcess(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "a", "one")
	path := w.Path()
	leave(t, w, database.AssessorsFolder+"/b.vassessor"+database.PartSuffix, 9)
	leave(t, w, database.AssessorsFolder+"/notes.txt", 9)
	leave(t, w, database.AssessorsFolder+"/.hidden.vassessor", 9)
	checkAndClose(t, w)
	w = reopen(t, path)
	if got := savedIn(t, w); got != "a=one" {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(path, database.AssessorsFolder,
		"b.vassessor"+database.PartSuffix)); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("what a crash left is still there: %v", err)
	}
}

func TestAssessorNames(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "a", "one")
	for _, name := range []string{
		"", " ", " a", "a ", ".a", "a.", "../a", "a/b", `a\b`, "C:a", "a*", "a?", `"a"`, "a<b", "a|b", "a\nb", "a\x00",
		"\xff", "nul", "Com1.x", strings.Repeat("x", maxAssessorName+1),
	} {
		if err := w.SaveAssessor(name, nil); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("%q is saved: %v", name, err)
		}
		if _, err := w.AssessorData(name); err == nil {
			t.Errorf("%q is read", name)
		}
		if _, err := w.RemoveAssessor(name); err == nil {
			t.Errorf("%q is removed", name)
		}
		if err := w.RenameAssessor("a", name); err == nil {
			t.Errorf("a is renamed to %q", name)
		}
		if err := w.RenameAssessor(name, "b"); err == nil {
			t.Errorf("%q is renamed", name)
		}
	}
	for _, name := range []string{"a.b", "console", "rotation -15..15", strings.Repeat("ü", maxAssessorName/2)} {
		mustSave(t, w, name, name)
	}
	if list, err := w.Assessors(); err != nil || len(list) != 5 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAssessorErrors(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "Forest", "one")
	mustSave(t, w, "tree", "two")
	if _, err := w.AssessorData("wood"); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := w.RemoveAssessor("wood"); !errors.Is(err, database.ErrNotFound) ||
		!strings.Contains(err.Error(), "assessor wood") {
		t.Errorf("%v", err)
	}
	if err := w.RenameAssessor("wood", "x"); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if err := w.SaveAssessor("forest", nil); !errors.Is(err, ErrExists) ||
		!strings.Contains(err.Error(), "assessor Forest exists already") {
		t.Errorf("other capitals: %v", err)
	}
	for _, to := range []string{"Forest", "FOREST"} {
		if err := w.RenameAssessor("tree", to); !errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if got := savedIn(t, w); got != "Forest=one tree=two" {
		t.Error(got)
	}
}

// Every step that fails is ErrFull and names a file, unless only the lasting of a new or removed
// name failed; it leaves the former assessor or the new one, whole, and nothing beside it.
func TestEveryStepOfAssessorsFails(t *testing.T) {
	w := fresh(t)
	d := faults.Watch(t, w.Path())
	for _, c := range []struct {
		name   string
		do     func() error
		steps  int
		before string
		after  string
	}{
		{"the first", func() error { return w.SaveAssessor("a", []byte("one")) }, 6, "", "a=one"},
		{"replace", func() error { return w.SaveAssessor("a", []byte("other")) }, 6, "a=one", "a=other"},
		{"rename", func() error { return w.RenameAssessor("a", "b") }, 1, "a=other", "b=other"},
		{"remove", func() error { _, err := w.RemoveAssessor("b"); return err }, 1, "b=other", ""},
	} {
		failed := 0
		for n := 1; ; n++ {
			d.FailAt(n, errNoSpace)
			err := c.do()
			d.FailAt(0, nil)
			got := savedIn(t, w)
			if err == nil && got == c.after {
				break
			}
			if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), w.Path()) || got != c.before &&
				got != c.after {
				t.Fatalf("%s, step %d: %v, %s", c.name, n, err, got)
			}
			failed++
			if got == c.after { // only its lasting failed
				break
			}
		}
		if failed < c.steps {
			t.Errorf("%s: only %d steps failed", c.name, failed)
		}
		if parts, _ := filepath.Glob(filepath.Join(w.Path(), database.AssessorsFolder,
			"*"+database.PartSuffix)); len(parts) > 0 {
			t.Errorf("%s left %v", c.name, parts)
		}
		if c.after == "a=one" {
			mustSave(t, w, "a", "one")
		}
	}
}

func TestAssessorsOnAReadOnlyDisk(t *testing.T) {
	w := fresh(t)
	d := faults.Watch(t, w.Path())
	mustSave(t, w, "a", "one")
	d.FailAt(1, syscall.EROFS)
	if err := w.SaveAssessor("a", nil); !errors.Is(err, ErrReadOnly) ||
		!strings.Contains(err.Error(), "save assessor a") {
		t.Errorf("%v", err)
	}
	d.FailAt(1, syscall.EROFS)
	if err := w.RenameAssessor("a", "b"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("%v", err)
	}
	if got := savedIn(t, w); got != "a=one" {
		t.Error(got)
	}
}

// Usage counts assessors by themselves, RemoveUnusedFiles keeps them, copies and moves carry them.
func TestAssessorsBelongToTheWorkspace(t *testing.T) {
	w := filled(t)
	mustSave(t, w, "a", "12345")
	mustSave(t, w, "b", "678")
	if u := mustUsage(t, w); u.Assessors != 8 || u.Loose.Files != 0 {
		t.Errorf("%+v", u)
	}
	if freed, err := w.RemoveUnusedFiles(t.Context()); err != nil || freed.Files != 0 {
		t.Errorf("%+v, %v", freed, err)
	}
	folder := t.TempDir()
	to, err := w.SaveCopy(t.Context(), filepath.Join(folder, "copy"), engine.NoProgress{})
	must(t, err)
	if to, err = Move(t.Context(), to, filepath.Join(folder, "moved"), engine.NoProgress{}); err != nil {
		t.Fatal(err)
	}
	if got := savedIn(t, reopen(t, to)); got != "a=12345 b=678" {
		t.Error(got)
	}
}

func TestAssessorTooLarge(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads and writes much
	}
	w := fresh(t)
	mustSave(t, w, "a", "")
	must(t, os.Truncate(assessorPath(w.path, "a"), maxAssessorSize+1))
	if _, err := w.AssessorData("a"); err == nil ||
		!strings.Contains(err.Error(), "read assessor a: its file is larger than 268.4 MB") {
		t.Errorf("%v", err)
	}
	if err := w.SaveAssessor("b", make([]byte, maxAssessorSize+1)); err == nil ||
		!strings.Contains(err.Error(), "at most 268.4 MB") {
		t.Errorf("%v", err)
	}
}

// Savers at the same time leave one whole file.
func TestAssessorsAtTheSameTime(t *testing.T) {
	w := unsynced(fresh(t))
	contents := [][]byte{bytes.Repeat([]byte("a"), 5000), bytes.Repeat([]byte("b"), 7000)}
	done := make(chan error)
	for _, content := range contents {
		go func() {
			var err error
			for range 20 {
				err = errors.Join(err, w.SaveAssessor("x", content))
			}
			done <- err
		}()
	}
	for range contents {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	data, err := w.AssessorData("x")
	if err != nil || !bytes.Equal(data, contents[0]) && !bytes.Equal(data, contents[1]) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
