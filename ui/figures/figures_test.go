package figures

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

func data() widget.ChartData {
	return widget.ChartData{
		Title: "m1, row", Note: "60 images", XName: "V_j: rotation", XUnit: "°", YName: "delta",
		Series: []widget.Series{
			{Name: "max@CONF", X: []float64{-1, 0, 1}, Y: []float64{0.2, 0, 0.25}},
			{Name: "=2+3", X: []float64{0, 1, 2}, Y: []float64{0, math.NaN()}},
		},
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := CSV(&out, data()); err != nil {
		t.Fatal(err)
	}
	want := "V_j: rotation (°),max@CONF,=2+3\n-1,0.2,\n0,0,0\n1,0.25,\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	if err := CSV(&out, widget.ChartData{Series: []widget.Series{{X: []float64{1}, Y: []float64{2}}}}); err != nil || out.String() != "x,y\n1,2\n" {
		t.Errorf("without names %q, %v", out.String(), err)
	}
}

func TestCurvesFollowTheView(t *testing.T) {
	d := data()
	d.Low, d.High = 0, 1
	if f := Curves(d, View{}); f.Y.Low != 0 || f.Y.High != 1 || f.X.High != 0 || len(f.Curves[1].X) != 2 || f.Title != "m1, row" || f.Note != "60 images" {
		t.Errorf("all: %+v", f)
	}
	if f := Curves(d, View{X0: -1, X1: 0, Y0: 0.1, Y1: 0.2}); f.X.Low != -1 || f.X.High != 0 || f.Y.Low != 0.1 || f.Y.High != 0.2 {
		t.Errorf("a part: %+v", f)
	}
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
	chart  *widget.Chart
	window fyne.Window
	said   string
	errs   []error
	closed int
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{stage: stage.New(t), chart: widget.NewChart()}
	work := background.New(r.stage.Post)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.chart.SetData(data())
	r.window = r.stage.Window(r.chart, fyne.NewSize(900, 700))
	r.Saver = &Saver{
		Window: r.window, Work: work, Status: func(s string) { r.said = s }, Closed: func() { r.closed++ },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	}
	r.Connect(r.chart, func() []string { return []string{"m1", "row"} })
	return r
}

func TestSave(t *testing.T) {
	r := newRig(t)
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF", "csv": "V_j"} {
		out := &file{}
		r.said = ""
		r.Save(out, "f."+format, func(w io.Writer) error { return WriteChart(w, data(), View{}, format) })
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

func TestChartsMenu(t *testing.T) {
	r := newRig(t)
	items := map[string]*fyne.MenuItem{}
	for _, item := range r.chart.Menu() {
		items[item.Label] = item
	}
	items["Copy values (CSV)"].Action()
	r.stage.Until("copied", func() bool { return r.said == "values copied" })
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasPrefix(got, "V_j: rotation (°),max@CONF") {
		t.Errorf("clipboard %q", got)
	}
	items["Copy figure (SVG)"].Action()
	r.stage.Until("copied", func() bool { return r.said == "figure copied" })
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.Contains(got, "<svg") || !strings.Contains(got, "max@CONF") {
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

func TestDeviationsHaveAColumn(t *testing.T) {
	var out bytes.Buffer
	data := widget.ChartData{XName: "labels", Series: []widget.Series{
		{Name: "random", X: []float64{30, 35}, Y: []float64{0.5, 0.75}, Spread: []float64{0.25, 0.125}}, {Name: "LaF", X: []float64{30}, Y: []float64{1}},
	}}
	if err := CSV(&out, data); err != nil || out.String() != "labels,random,random SD,LaF\n30,0.5,0.25,1\n35,0.75,0.125,\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestDeviationsAreInTheFigure(t *testing.T) {
	data := widget.ChartData{Series: []widget.Series{
		{Name: "random", X: []float64{30, 35}, Y: []float64{0.5, 0.75}, Spread: []float64{0.25, 0.125}}, {Name: "LaF", X: []float64{30}, Y: []float64{1}},
	}}
	f := Curves(data, View{})
	if !slices.Equal(f.Curves[0].Spread, []float64{0.25, 0.125}) || f.Curves[1].Spread != nil {
		t.Errorf("the deviations are %v and %v", f.Curves[0].Spread, f.Curves[1].Spread)
	}
}
