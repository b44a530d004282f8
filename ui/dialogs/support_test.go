package dialogs

import (
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a window over a real workspace in which dialogs open.
type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *sample.Workspace
	host   *kit.Host
	rounds Rounds
	steps  []history.Step
	said   []string
	failed []error
}

// newRig makes one over a workspace with so many models.
func newRig(t *testing.T, models int) *rig {
	t.Helper()
	r := &rig{T: t, stage: stage.New(t), ws: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() {
		work.Stop()
		work.Wait()
		r.stage.Pump()
	})
	r.host = &kit.Host{
		Window: r.stage.Window(widget.NewLabel(""), fyne.NewSize(1280, 800)), Work: work,
		ShowError: func(err error) { r.failed = append(r.failed, err) },
		Status:    func(text string) { r.said = append(r.said, text) },
	}
	r.rounds = Rounds{Host: r.host, Workspace: r.ws.Workspace, Did: r.did}
	return r
}

func (r *rig) did(step history.Step) { r.steps = append(r.steps, step) }

// last is what was said last at the foot of the window.
func (r *rig) last() string {
	if len(r.said) == 0 {
		return ""
	}
	return r.said[len(r.said)-1]
}

// open tells whether a dialog lies over the window.
func (r *rig) open() bool { return r.host.Window.Canvas().Overlays().Top() != nil }

// find returns the visible objects of a type in the dialog on top.
func find[T fyne.CanvasObject](r *rig) (list []T) {
	stage.Walk(r.host.Window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if w, ok := o.(T); ok {
			list = append(list, w)
		}
	})
	return list
}

func (r *rig) entries() []*widget.Entry {
	return stage.Entries(r.host.Window.Canvas().Overlays().Top())
}

// entry is the entry with a text or a place holder.
func (r *rig) entry(text string) *widget.Entry {
	r.Helper()
	list := r.entries()
	at := slices.IndexFunc(list, func(e *widget.Entry) bool {
		return e.Text == text || text != "" && strings.HasPrefix(e.PlaceHolder, text)
	})
	if at < 0 {
		r.Fatalf("there is no entry with %q", text)
	}
	return list[at]
}

func (r *rig) button(text string) (found *widget.Button) {
	for _, b := range find[*widget.Button](r) {
		if b.Text == text {
			found = b
		}
	}
	return found
}

// press waits for a button that can be pressed, and presses it.
func (r *rig) press(text string) {
	r.Helper()
	r.stage.Until("button "+text, func() bool { b := r.button(text); return b != nil && !b.Disabled() })
	test.Tap(r.button(text))
}

// check is a check by its name, whatever made it.
func (r *rig) check(text string) *widget.Check {
	r.Helper()
	c := r.offered(text)
	if c == nil {
		r.Fatalf("there is no check %q", text)
	}
	return c
}

// offered is a check by its name, nil where none is in sight.
func (r *rig) offered(text string) *widget.Check {
	for _, o := range find[fyne.CanvasObject](r) {
		v := reflect.Indirect(reflect.ValueOf(o))
		if inner := v.FieldByName("Check"); inner.IsValid() && inner.CanInterface() {
			v = inner
		}
		if c, ok := v.Addr().Interface().(*widget.Check); ok && c.Text == text {
			return c
		}
	}
	return nil
}

// menu is the menu with an option that begins so.
func (r *rig) menu(option string) *widget.Select {
	r.Helper()
	for _, menu := range find[*widget.Select](r) {
		if slices.ContainsFunc(menu.Options, func(text string) bool { return strings.HasPrefix(text, option) }) {
			return menu
		}
	}
	r.Fatalf("nothing to choose %q from", option)
	return nil
}

// page opens a page of a form.
func (r *rig) page(title string) {
	for _, tabs := range find[*container.AppTabs](r) {
		tabs.SelectIndex(slices.IndexFunc(tabs.Items, func(item *container.TabItem) bool { return item.Text == title }))
	}
}

func (r *rig) says(text string) bool {
	return slices.ContainsFunc(find[*widget.Label](r),
		func(l *widget.Label) bool { return strings.Contains(l.Text, text) }) ||
		// of a table
		slices.ContainsFunc(find[*canvas.Text](r), func(c *canvas.Text) bool { return strings.Contains(c.Text, text) })
}

// saying waits until a label has a text.
func (r *rig) saying(text string) {
	r.Helper()
	r.stage.Until(text, func() bool { return r.says(text) })
}

// fails waits until so many errors were shown, and looks what the last one says.
func (r *rig) fails(n int, text string) {
	r.Helper()
	r.stage.Until(text, func() bool { return len(r.failed) >= n })
	if len(r.failed) != n || !strings.Contains(r.failed[n-1].Error(), text) {
		r.Errorf("failed: %v, want %d, the last with %q", r.failed, n, text)
	}
}

// pictures are the images that are so many pixels wide.
func (r *rig) pictures(wide int) (list []image.Image) {
	for _, c := range find[*canvas.Image](r) {
		if c.Image != nil && c.Image.Bounds().Dx() == wide {
			list = append(list, c.Image)
		}
	}
	return list
}

// looks draws the window; for people who set VARISCOPE_SHOTS into a file.
func (r *rig) looks(name string) { r.stage.Draw(r.host.Window, os.Getenv("VARISCOPE_SHOTS"), name) }

// write writes a file, with the folders above it.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// backups counts the backups of a workspace.
func backups(t *testing.T, ws *store.Workspace) int {
	t.Helper()
	list, err := backup.List(ws.Path())
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
