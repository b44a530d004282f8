package kit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestWritingOverAsks: what is not there, and an empty folder, is written at once; a file or a
// folder with files in it only after a person has agreed, and the question names it.
func TestWritingOverAsks(t *testing.T) {
	folder := t.TempDir()
	full, empty, file := filepath.Join(folder, "full"), filepath.Join(folder, "empty"),
		filepath.Join(folder, "full", "a.csv")
	for _, path := range []string{full, empty} {
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := newFixture(t)
	for _, one := range []struct {
		path, says string
	}{
		{filepath.Join(folder, "new.csv"), ""},
		{empty, ""},
		{file, "a.csv is there already"},
		{full, "files of others stay"},
	} {
		a := r.ask()
		a.Writes = func(o herd) []string { return o.Files }
		a.item("folder").entry.SetText(folder)
		a.item("files").entry.SetText(one.path)
		a.says("counts merino")
		if a.do(); one.says == "" {
			a.stage.Until("it is written", func() bool { return len(a.done) == 1 })
			continue
		}
		a.do() // pressed again meanwhile: one question
		questions := func() (n int) {
			for _, over := range r.host.Window.Canvas().Overlays().List() {
				stage.Walk(over, func(o fyne.CanvasObject) {
					if l, ok := o.(*fynewidget.Label); ok && strings.Contains(l.Text, one.says) {
						n++
					}
				})
			}
			return n
		}
		a.stage.Until("the question", func() bool { return questions() == 1 })
		a.stage.Press(r.host.Window, "Cancel")
		if a.do(); len(a.done) > 0 || a.dialog.Closed() {
			t.Fatalf("%s: written over without an agreement", one.path)
		}
		a.stage.Until("the question again", func() bool { return questions() == 1 })
		if a.stage.Press(r.host.Window, "Write over"); len(a.done) != 1 {
			t.Errorf("%s: agreed, and not written", one.path)
		}
	}
	given := r.ask() // and given up while the disk is looked at
	given.Writes = func(herd) []string { return []string{full} }
	given.item("folder").entry.SetText(folder)
	given.do()
	given.dialog.Close()
	r.host.Work.Wait()
	given.stage.Pump()
	if over := r.window.Canvas().Overlays().Top(); over != nil || len(given.done) > 0 {
		t.Errorf("given up, and yet asked or written: %v", given.done)
	}
}

// TestTheQuestionNamesAFew: of many files that are there a few are named and the others counted.
func TestTheQuestionNamesAFew(t *testing.T) {
	var paths []string
	for k := range 8 {
		paths = append(paths, filepath.Join(t.TempDir(), string(rune('a'+k))))
		if err := os.WriteFile(paths[k], nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := occupied(paths)
	if err != nil || strings.Count(got, "\n") != mostNamed || !strings.HasSuffix(got, "3 files more.") {
		t.Errorf("%q, %v", got, err)
	}
}
