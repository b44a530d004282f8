package kit

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

func scattered() result.Figure {
	return result.Figure{
		Title: "Robustness", Crossed: "at chance",
		X: result.Axis{Name: "EI", Format: result.Number},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Groups: []result.Group{
			{Name: "invariant", Look: result.LookInvariant}, {Name: "variant", Look: result.LookVariant},
		},
		Points: []result.Point{
			{Name: "m1", ID: "one", X: 0.2, Y: 0.5, Low: 0.4, High: 0.6},
			{Name: "m2", ID: "two", X: 0.9, Y: 0.9, Group: 1, Crossed: true},
			{Name: "m3", X: math.NaN(), Y: 0.5},
		},
		Trends: []result.Trend{{
			X: []float64{0.2, 0.9}, Y: []float64{0.5, 0.9}, Low: []float64{0.4, 0.8},
			High: []float64{0.6, 1},
		}},
	}
}

func lined() result.Figure {
	x := []float64{-15, 0, 15}
	return result.Figure{
		X: result.Axis{Name: "rotation", Unit: "°", Ticks: x},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Lines: []result.Line{
			{Name: "accuracy", X: x, Y: []float64{0.8, 0.97, 0.8}},
			{Name: "robust", X: []float64{-15, 15}, Y: []float64{0.7, 0.7}},
		},
	}
}

type figureRig struct {
	*Figure
	stage  *stage.Stage
	window fyne.Window
	said   string
	errs   []error
}

func newFigureRig(t *testing.T, change func(*Figure)) *figureRig {
	t.Helper()
	r := &figureRig{stage: stage.New(t)}
	r.stage.App().Settings().SetTheme(stage.Look(theme.VariantLight, 1))
	work := jobs.New(r.stage.Post)
	t.Cleanup(func() { work.Stop(); work.Wait(); r.stage.Pump() })
	r.Figure = &Figure{Host: &Host{
		Work: work, Status: func(text string) { r.said = text },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	}}
	change(r.Figure)
	r.window = r.stage.Window(r.Object(), fyne.NewSize(500, 300))
	r.Window = r.window
	return r
}

// at is where the values stand on the widget.
func (r *figureRig) at(x, y float64) fyne.Position {
	for left := float32(0); left < 500; left += 3 {
		for top := float32(0); top < 300; top += 3 {
			r.said = ""
			test.MoveMouse(r.window.Canvas(), fyne.NewPos(left, top))
			if strings.Contains(r.said, r.data.X.Say(x)) &&
				(len(r.data.Lines) > 0 || strings.Contains(r.said, r.data.Y.Say(y))) {
				return fyne.NewPos(left, top)
			}
		}
	}
	return fyne.Position{}
}

func TestFigureOfPointsIsReadTappedAndOpened(t *testing.T) {
	tapped, opened := "", ""
	r := newFigureRig(t, func(f *Figure) {
		f.OnTap, f.OnOpen = func(id string) { tapped += id + " " }, func(id string) { opened += id + " " }
	})
	r.Set(scattered())
	at := r.at(0.2, 0.5)
	if want := "m1, invariant: EI 0.2, accuracy 50.0 % (40.0 %..60.0 %)"; r.said != want {
		t.Errorf("read out as %q", r.said)
	}
	test.TapCanvas(r.window.Canvas(), at)
	test.TapCanvas(r.window.Canvas(), at)
	if tapped != "one " || opened != "one " {
		t.Errorf("tapped %q, opened %q", tapped, opened)
	}
	next := scattered()
	next.Points = next.Points[1:]
	next.Points = append(next.Points, scattered().Points[0])
	r.Set(next)
	if r.plot.Selected() != 2 {
		t.Errorf("after another figure point %d is selected", r.plot.Selected())
	}
	r.Select("two")
	if r.plot.Selected() != 0 || tapped != "one " {
		t.Errorf("point %d is selected, tapped %q", r.plot.Selected(), tapped)
	}
	r.Set(lined())
	if r.plot.Selected() != -1 {
		t.Error("a figure of lines has a selected point")
	}
}

func TestFigureOfLinesIsReadAndTapped(t *testing.T) {
	tapped := math.NaN()
	r := newFigureRig(t, func(f *Figure) { f.OnX = func(x float64) { tapped = x } })
	r.Set(lined())
	at := r.at(-15, 0)
	if r.said != "rotation -15°: accuracy 80.0 %, robust 70.0 %" {
		t.Errorf("read out as %q", r.said)
	}
	test.TapCanvas(r.window.Canvas(), at)
	if tapped != -15 {
		t.Errorf("tapped %v", tapped)
	}
	r.plot.MouseOut()
	if r.said != "" {
		t.Errorf("beside the figure %q is said", r.said)
	}
	own := ""
	r = newFigureRig(t, func(f *Figure) { f.Headed, f.OnHover = true, func(text string) { own += text } })
	r.Head("Course")
	r.Set(lined())
	r.at(-15, 0)
	if r.said != "" || own == "" || !r.head.Visible() || r.head.Text != "Course" {
		t.Errorf("%q below %q, and the status line says %q", own, r.head.Text, r.said)
	}
}

func TestFigureSavesWhatIsShown(t *testing.T) {
	r := newFigureRig(t, func(*Figure) {})
	r.Set(scattered())
	var whole, part, csv bytes.Buffer
	if err := r.saved().Write(&whole, "svg"); err != nil || !strings.Contains(whole.String(), "100 %") {
		t.Fatal(err)
	}
	r.plot.Scrolled(&fyne.ScrollEvent{
		PointEvent: fyne.PointEvent{Position: fyne.NewPos(250, 150)},
		Scrolled:   fyne.NewDelta(0, 100),
	})
	if err := r.saved().Write(&part, "svg"); err != nil || strings.Contains(part.String(), ">100 %<") {
		t.Errorf("the zoomed figure has all of the axis, %v", err)
	}
	if err := r.saved().CSV(&csv); err != nil ||
		!strings.Contains(csv.String(), "point,invariant,m1,one,0.2,0.5,0.4,0.6\n") {
		t.Errorf("%v: %s", err, csv.String())
	}
	var labels []string
	for _, item := range r.plot.Menu() {
		labels = append(labels, item.Label)
	}
	want := "Copy values (CSV)|Copy figure (SVG)||Save as PNG…|Save as SVG…|Save as PDF…|Save as CSV…"
	if got := strings.Join(labels, "|"); got != want {
		t.Errorf("the menu has %s", got)
	}
}

func TestFigureThatCannotBeDrawnIsSaid(t *testing.T) {
	r := newFigureRig(t, func(*Figure) {})
	r.Set(lined())
	wrong := scattered()
	wrong.Points[0].Group = 9
	r.Set(wrong)
	if len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), "point 0 is of group 9") || len(r.Data().Lines) != 2 {
		t.Errorf("%v", r.errs)
	}
	r.Set(result.Figure{Empty: "select a row"})
	said := false
	stage.Walk(r.Object(), func(o fyne.CanvasObject) { said = said || textOf(o) == "select a row" })
	if !said {
		t.Error("an empty figure does not say why")
	}
}

// TestFigureLook keeps pictures in the folder VARISCOPE_SHOTS, for people.
func TestFigureLook(t *testing.T) {
	folder := os.Getenv("VARISCOPE_SHOTS")
	for name, look := range map[string]fyne.Theme{
		"light": stage.Look(theme.VariantLight, 1), "dark": stage.Look(theme.VariantDark, 1),
		"large": stage.Look(theme.VariantLight, 1.4),
	} {
		r := newFigureRig(t, func(*Figure) {})
		r.stage.App().Settings().SetTheme(look)
		r.Set(scattered())
		r.Select("two")
		r.stage.Draw(r.window, folder, "kit-points-"+name)
		r.Set(lined())
		r.Mark(0)
		r.plot.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(480, 100)}})
		r.stage.Draw(r.window, folder, "kit-lines-"+name)
	}
}

// TestFigureOfNamesIsAsHighAsTheyNeed: bars that do not fit are scrolled to by the wheel.
func TestFigureOfNamesIsAsHighAsTheyNeed(t *testing.T) {
	tapped := ""
	r := newFigureRig(t, func(f *Figure) { f.OnTap = func(id string) { tapped = id } })
	bars := result.Figure{X: result.Axis{Name: "specialty"}, Groups: []result.Group{{}}}
	for k := range 40 {
		name := fmt.Sprintf("m%d", k)
		bars.AddBar(name, "1", name+" is special", 0, float64(40-k), 0).ID = name
	}
	r.Set(bars)
	r.stage.Draw(r.window, "", "")
	r.plot.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -60)})
	if r.scroll.Offset.Y <= 0 || r.plot.Zoomed() || r.plot.Size().Height < 600 {
		t.Errorf("scrolled to %v of %v", r.scroll.Offset, r.plot.Size())
	}
	r.plot.Tapped(&fyne.PointEvent{Position: fyne.NewPos(200, r.plot.Size().Height/2)})
	if !strings.HasPrefix(tapped, "m") || !strings.HasSuffix(r.said, " is special") {
		t.Errorf("tapped %q, said %q", tapped, r.said)
	}
}

func TestFigureRingsFollowTheIDs(t *testing.T) {
	r := newFigureRig(t, func(*Figure) {})
	r.Set(scattered())
	before := r.stage.Capture(r.window, "", "")
	r.Ring("two", "none")
	if after := r.stage.Capture(r.window, "", ""); reflect.DeepEqual(before, after) {
		t.Error("no ring is drawn")
	}
	r.Ring()
	if after := r.stage.Capture(r.window, "", ""); !reflect.DeepEqual(before, after) {
		t.Error("a ring stays")
	}
}
