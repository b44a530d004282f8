package figures

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/durable"
)

// choose asks for a file of the home folder and chooses a name in the dialog, over a file that may
// be there.
func (r *rig) choose(t *testing.T, name string, write func(w io.Writer) error) {
	t.Helper()
	r.Ask("offered.svg", write)
	_, err := os.Stat(filepath.Join(os.Getenv("HOME"), name))
	typed := false
	stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if e, ok := o.(*widget.Entry); ok && e.Text == "offered.svg" {
			e.SetText(name)
			typed = true
		}
	})
	if !typed {
		t.Fatal("the dialog offers no name")
	}
	r.stage.Press(r.window, "Save")
	if err == nil {
		r.stage.Press(r.window, "Yes") // it may be written over
	}
}

// TestAFigureThatFailsLeavesTheFormerFile: also where the disk is what fails. One that is whole
// takes its place.
func TestAFigureThatFailsLeavesTheFormerFile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	r := newRig(t)
	path := filepath.Join(home, "figure.svg")
	testdata.OK(t, os.WriteFile(path, []byte("former"), 0o644))
	has := func(what, want string) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil || string(data) != want {
			t.Errorf("%s: the file has %q, %v", what, data, err)
		}
		list, err := os.ReadDir(home)
		list = slices.DeleteFunc(list, func(e os.DirEntry) bool { return e.Name() == ".cache" }) // of fonts
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", what, list, err)
		}
	}
	fails := func(io.Writer) error { return errors.New("no curve to draw") }
	works := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	wait := func(n int) { r.stage.Until("failed", func() bool { return len(r.errs) == n }) }
	r.choose(t, "figure.svg", fails)
	wait(1)
	has("not drawn", "former")
	r.choose(t, "other.svg", fails)
	wait(2)
	has("not drawn under another name", "former")
	full := faults.Watch(t, home)
	full.Refuse(durable.Write, os.ErrPermission)
	r.choose(t, "figure.svg", works)
	wait(3)
	has("not written", "former")
	full.Refuse(durable.Write, nil)
	r.choose(t, "figure.svg", works)
	r.stage.Until("saved", func() bool { return r.said == "saved "+path })
	has("saved", "new")
	if r.closed != 4 || len(r.errs) != 3 {
		t.Errorf("the keys came back %d times, %v", r.closed, r.errs)
	}
}

// TestFilesForOthers: what else writes through Fyne gets its file, emptied, when it has closed it.
func TestFilesForOthers(t *testing.T) {
	test.NewTempApp(t)
	keepFiles()
	keepFiles()
	path := filepath.Join(t.TempDir(), "note")
	testdata.OK(t, os.WriteFile(path, []byte("a long text"), 0o644))
	out := testdata.Must(storage.Writer(storage.NewFileURI(path)))(t)
	testdata.Must(io.WriteString(out, "short"))(t)
	testdata.OK(t, out.Close())
	if data, err := os.ReadFile(path); err != nil || string(data) != "short" {
		t.Errorf("%q, %v", data, err)
	}
	if ok, err := storage.CanList(storage.NewFileURI(filepath.Dir(path))); !ok || err != nil {
		t.Errorf("folders cannot be listed: %v", err)
	}
}
