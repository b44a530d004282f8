package figures

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/figuretest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

func data() result.Figure {
	return result.Figure{
		Title: "m1, row", X: result.Axis{Name: "V_j: rotation", Unit: "°"}, Y: result.Axis{Name: "delta"},
		Lines: []result.Line{{Name: "max@CONF", X: []float64{-1, 0, 1}, Y: []float64{0.2, 0, 0.25}}},
	}
}

func drawing(w io.Writer, format string) error {
	if format == "csv" {
		return Sheet(data())(w)
	}
	return One(data())(w, format)
}

func TestFileName(t *testing.T) {
	if got := FileName("svg", "m 1/a", "max@CONF"); got != "m-1-a_max@CONF.svg" {
		t.Errorf("name %q", got)
	}
}

type file struct {
	bytes.Buffer
	fails  error
	closed bool
}

func (f *file) Write(p []byte) (int, error) {
	if f.fails != nil {
		return 0, f.fails
	}
	return f.Buffer.Write(p)
}

func (f *file) Close() error { f.closed = true; return nil }

type rig struct {
	*Saver
	stage  *stage.Stage
	window fyne.Window
	said   string
	errs   []error
	closed int
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{stage: stage.New(t)}
	work := jobs.New(r.stage.Post)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(container.NewStack(), fyne.NewSize(900, 700))
	r.Saver = &Saver{
		Window: r.window, Work: work, Status: func(s string) { r.said = s }, Closed: func() { r.closed++ },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	}
	return r
}

func TestSave(t *testing.T) {
	r := newRig(t)
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF", "csv": "kind"} {
		out := &file{}
		r.said = ""
		r.Save(out, "f."+format, func(w io.Writer) error { return drawing(w, format) })
		r.stage.Until("saved", func() bool { return r.said == "saved f."+format })
		if !strings.HasPrefix(out.String(), begins) || !out.closed {
			t.Errorf("%s begins with %q", format, out.String()[:min(6, out.Len())])
		}
	}
	for _, out := range []*file{{fails: errors.New("no space left on device")}, {}} {
		r.errs = nil
		r.Save(out, "full.png", func(w io.Writer) error {
			if out.fails == nil {
				return errors.New("no curve to draw")
			}
			_, err := w.Write([]byte("x"))
			return err
		})
		r.stage.Until("failed", func() bool { return len(r.errs) == 1 })
		if !out.closed || !strings.Contains(r.errs[0].Error(), "save full.png: no ") {
			t.Errorf("error %v, closed %v", r.errs[0], out.closed)
		}
	}
}

func TestTheMenuCopiesAndSaves(t *testing.T) {
	r := newRig(t)
	items := map[string]*fyne.MenuItem{}
	saved := Of(data(), "m1", "row")
	saved.Command = "variscope matrix 'a b'"
	for _, item := range r.Entries(saved) {
		items[item.Label] = item
	}
	items["Copy as command"].Action()
	if got := fyne.CurrentApp().Clipboard().Content(); got != saved.Command {
		t.Errorf("clipboard %q", got)
	}
	items["Copy values (CSV)"].Action()
	r.stage.Until("copied", func() bool { return r.said == "values copied" })
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.Contains(got, "line,max@CONF,,,-1,0.2") {
		t.Errorf("clipboard %q", got)
	}
	items["Copy figure (SVG)"].Action()
	r.stage.Until("copied", func() bool { return r.said == "figure copied" })
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.Contains(got, "<svg") ||
		!strings.Contains(got, "max@CONF") {
		t.Errorf("clipboard begins %q", got[:min(40, len(got))])
	}
	for _, label := range []string{"Save as PNG…", "Save as SVG…", "Save as PDF…", "Save as CSV…"} {
		items[label].Action()
		top := r.window.Canvas().Overlays().Top()
		if top == nil {
			t.Fatalf("%s asks for no file", label)
		}
		r.window.Canvas().Overlays().Remove(top)
	}
}

// TestMatricesAreArrays: what a figure's menu saves as NPY has the rows of its matrix.
func TestMatricesAreArrays(t *testing.T) {
	f := figuretest.Matrix(3)
	var file bytes.Buffer
	testdata.OK(t, Array(&file, *f.Matrix))
	a := testdata.Must(numpy.Open(&file, 1<<20))(t)
	if got, err := a.ReadNumbers(); err != nil || !slices.Equal(got, f.Matrix.Values) ||
		!slices.Equal(a.Shape, []int{3, 3}) {
		t.Errorf("%v of %v, %v", got, a.Shape, err)
	}
}
