package sections

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func subject(t *testing.T, first, last int) pane.Subject {
	t.Helper()
	ws := sample.New(t, 4)
	return panetest.Within(panetest.Subject(t, ws.Workspace, ws.Imported[2].Hash, variance.AllImages()), first, last)
}

// matrix is the matrix of a modality over the whole family, computed directly.
func element(t *testing.T, s pane.Subject, modality string, i, j int) float64 {
	t.Helper()
	for _, tile := range s.Evidence.Tiles {
		if tile.Modality == modality {
			return tile.Matrix.At(i-s.First, j-s.First)
		}
	}
	t.Fatalf("no matrix %s", modality)
	return 0
}

func TestRowAndDiagonalReadTheMatrix(t *testing.T) {
	for _, span := range [][2]int{{0, sample.Last}, {5, 25}} {
		s := subject(t, span[0], span[1])
		s.Focus = pane.Focus{Modality: "max@CONV-1", I: 10, J: 13}
		row := Options{Lines: Focused}.Row(s)
		if len(row.Lines) != 1 || row.Lines[0].Name != "max@CONV-1" || len(row.Lines[0].X) != span[1]-span[0]+1 {
			t.Fatalf("row %+v", row)
		}
		for k, y := range row.Lines[0].Y {
			if want := element(t, s, "max@CONV-1", 10, span[0]+k); y != want ||
				row.Lines[0].X[k] != float64(span[0]+k-15) {
				t.Errorf("%v: row has %v at %v, want %v", span, y, row.Lines[0].X[k], want)
			}
		}
		diagonal := Options{Lines: Focused}.Diagonal(s)
		if got, want := len(diagonal.Lines[0].Y), span[1]-span[0]+1-3; got != want {
			t.Errorf("%v: %d elements on the diagonal, want %d", span, got, want)
		}
		for k, y := range diagonal.Lines[0].Y {
			if want := element(t, s, "max@CONV-1", span[0]+k, span[0]+k+3); y != want {
				t.Errorf("%v: diagonal has %v at %d, want %v", span, y, k, want)
			}
		}
		anti := Options{Lines: Focused, Anti: true}.Diagonal(s)
		for k, x := range anti.Lines[0].X {
			i := int(x) + 15
			if want := element(t, s, "max@CONV-1", i, 30-i); anti.Lines[0].Y[k] != want {
				t.Errorf("%v: anti-diagonal has %v at %v, want %v", span, anti.Lines[0].Y[k], x, want)
			}
		}
	}
}

func TestOptionsAndTitles(t *testing.T) {
	s := subject(t, 0, sample.Last)
	if c, ok := CellOf(s); !ok || c.Modality != "max@CONF" || c.I != 15 || c.J != 16 {
		t.Errorf("without a focus %+v", c)
	}
	s.Focus = pane.Focus{Modality: "mean@CONV-1", I: 12, J: 9}
	if got := len((Options{Lines: All}).Row(s).Lines); got != 5 {
		t.Errorf("%d lines for all matrices", got)
	}
	for _, line := range (Options{Lines: Shares}).Row(s).Lines {
		if largest := slices.Max(line.Y); largest > 1 || largest <= 0 {
			t.Errorf("%s reaches %v of its largest", line.Name, largest)
		}
	}
	for _, c := range []struct {
		change func(*pane.Subject)
		o      Options
		want   string
	}{
		{func(*pane.Subject) {}, Options{Lines: Focused}, "Diagonal V_j = V_i - 3°"},
		{func(s *pane.Subject) { s.Focus.J = 14 }, Options{Lines: Focused}, "Diagonal V_j = V_i + 2°"},
		{func(s *pane.Subject) { s.Focus.J = 12 }, Options{Lines: Focused}, "Diagonal V_j = V_i"},
		{func(*pane.Subject) {}, Options{Lines: Focused, Anti: true}, "Anti-diagonal, V_j opposite V_i"},
		{func(s *pane.Subject) {
			s.Evidence.Values = slices.Clone(s.Evidence.Values)
			s.Evidence.Values[3] = -11.5
		}, Options{Lines: Focused}, "Diagonal, V_j -3 steps from V_i"},
		{func(s *pane.Subject) { s.Evidence.Tiles = nil }, Options{Lines: Focused}, "Diagonal"},
	} {
		changed := s
		c.change(&changed)
		if got := c.o.DiagonalName(changed); got != c.want {
			t.Errorf("title %q, want %q", got, c.want)
		}
	}
	row := Options{Lines: Focused}.Row(s)
	if row.X.Name != "V_j: rotation" || row.X.Unit != "°" ||
		!strings.Contains(row.Title, "Row V_i = -3° of m02, shapes") || row.Note != "60 images, 1 skipped" {
		t.Errorf("row %q over %q (%s), note %q", row.Title, row.X.Name, row.X.Unit, row.Note)
	}
}

// The curves over V equal what counting image by image gives, for a choice of images and a
// sub-interval.
func TestOverV(t *testing.T) {
	ws := sample.New(t, 9)
	images := variance.AllImages()
	images.Class = 1
	s := panetest.Within(panetest.Subject(t, ws.Workspace, ws.Imported[7].Hash, images), 3, 27)
	confidence := Confidence(s)
	rows := s.Set.Predictions()
	always := map[int]bool{}
	for _, k := range s.Chosen {
		always[k] = true
	}
	for i := 3; i <= 27; i++ {
		right, sum := 0, 0.0
		for _, k := range s.Chosen {
			if int(rows[i][k]) == s.Suite.Labels[k] {
				right++
			} else {
				always[k] = false
			}
			sum += float64(s.Set.Confidence[i*s.Set.Images+k])
		}
		n := float64(len(s.Chosen))
		if s.Evidence.Accuracy[i-3] != float64(right)/n || math.Abs(confidence[i-3]-sum/n) > 1e-12 {
			t.Errorf("transformation %d: accuracy %v, confidence %v", i, s.Evidence.Accuracy[i-3], confidence[i-3])
		}
	}
	robust := 0
	for _, yes := range always {
		if yes {
			robust++
		}
	}
	if s.Evidence.Robust != float64(robust)/float64(len(s.Chosen)) || len(s.Chosen) != sample.PerClass {
		t.Errorf("robust %v of %d images", s.Evidence.Robust, len(s.Chosen))
	}
	if names := lineNames(OverV(s, confidence)); !slices.Equal(names,
		[]string{"accuracy", "mean confidence", "robust accuracy"}) {
		t.Errorf("lines %v", names)
	}
	bare := s
	bare.Evidence.Accuracy = nil
	if names := lineNames(OverV(bare, confidence)); !slices.Equal(names, []string{"mean confidence"}) {
		t.Errorf("lines without labels %v", names)
	}
	bare.Set = nil
	if names := lineNames(OverV(bare, Confidence(bare))); names != nil {
		t.Errorf("lines without signals %v", names)
	}
}

func lineNames(d result.Figure) (names []string) {
	for _, s := range d.Lines {
		names = append(names, s.Name)
	}
	return names
}

// stand brings the tab to the front of a screen.
func stand(t *testing.T, s pane.Subject) (*Pane, *panetest.Screen) {
	screen := panetest.New(t, fyne.NewSize(1200, 300))
	p := New(screen.Site())
	screen.Stand(p.Tab, s)
	return p, screen
}

func TestPaneMovesTheFocus(t *testing.T) {
	p, screen := stand(t, subject(t, 4, 26))
	last := func() pane.Focus { return screen.Marked[len(screen.Marked)-1] }
	for k, c := range []struct {
		do   func()
		want pane.Focus
	}{
		{func() { p.tapped(plotRow, 2) }, pane.Focus{Modality: "max@CONF", I: 15, J: 17}},
		{func() { p.tapped(plotDiagonal, -5) }, pane.Focus{Modality: "max@CONF", I: 10, J: 12}},
		{func() { p.tapped(plotOverV, 0) }, pane.Focus{Modality: "max@CONF", I: 15, J: 12}},
		{func() { p.Move(1) }, pane.Focus{Modality: "max@CONF", I: 16, J: 12}},
		{func() { p.slider.SetValue(26) }, pane.Focus{Modality: "max@CONF", I: 26, J: 12}},
	} {
		if c.do(); last() != c.want {
			t.Errorf("step %d: %+v", k, last())
		}
	}
	before := len(screen.Marked)
	p.Move(1) // the interval ends here
	p.tapped(plotLoss, 3)
	if len(screen.Marked) != before || p.row.Text != "V_i = 11°" {
		t.Error("the focus moved out of the interval, or by an epoch")
	}
	if x := p.figures[plotRow].Data().Lines[0].X; x[0] != -11 || x[len(x)-1] != 11 {
		t.Errorf("the row runs over %v", x)
	}
}

func TestPaneMenus(t *testing.T) {
	p, screen := stand(t, subject(t, 0, sample.Last))
	shown := func() (n int) {
		for _, f := range p.figures {
			if f.Object().Visible() {
				n++
			}
		}
		return n
	}
	var menus []*fynewidget.Select
	stage.Walk(screen.Window.Content(), func(o fyne.CanvasObject) {
		if m, ok := o.(*fynewidget.Select); ok {
			menus = append(menus, m)
		}
	})
	if shown() != plots {
		t.Errorf("%d plots", shown())
	}
	menus[0].SetSelected("diagonal")
	menus[1].SetSelected(All)
	menus[2].SetSelected(antiDiagonal)
	data := p.figures[plotDiagonal].Data()
	if shown() != 1 || !p.figures[plotDiagonal].Object().Visible() || len(data.Lines) != 5 ||
		!strings.HasPrefix(data.Title, "Anti-diagonal") {
		t.Errorf("%d plots, %d lines below %q", shown(), len(data.Lines), data.Title)
	}
	screen.Stage.Draw(screen.Window, os.Getenv("VARISCOPE_PICTURES"), "sections")
}

func TestSectionsWithoutImagesSaySo(t *testing.T) {
	s := subject(t, 0, sample.Last)
	s.Chosen = nil
	for k := range s.Evidence.Tiles {
		s.Evidence.Tiles[k].Matrix = variance.Matrix{}
	}
	if d := (Options{Lines: Focused}).Row(s); d.Empty != "no images left" || len(d.Lines) != 0 {
		t.Errorf("a row of no images: %q", d.Empty)
	}
	s.Set = nil
	if d := (Options{Lines: Focused}).Row(s); d.Empty != "no matrix yet" {
		t.Errorf("a row without signals: %q", d.Empty)
	}
}
