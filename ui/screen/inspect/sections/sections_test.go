package sections

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

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
			if want := element(t, s, "max@CONV-1", 10, span[0]+k); y != want || row.Lines[0].X[k] != float64(span[0]+k-15) {
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
	if row.X.Name != "V_j: rotation" || row.X.Unit != "°" || !strings.Contains(row.Title, "Row V_i = -3° of m02, shapes") || row.Note != "60 images, 1 skipped" {
		t.Errorf("row %q over %q (%s), note %q", row.Title, row.X.Name, row.X.Unit, row.Note)
	}
}

// The course over V equals what counting image by image gives, for a choice of images and a sub-interval.
func TestCourse(t *testing.T) {
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
	if names := lineNames(Course(s, confidence)); !slices.Equal(names, []string{"accuracy", "mean confidence", "robust accuracy"}) {
		t.Errorf("lines %v", names)
	}
	bare := s
	bare.Evidence.Accuracy = nil
	if names := lineNames(Course(bare, confidence)); !slices.Equal(names, []string{"mean confidence"}) {
		t.Errorf("lines without labels %v", names)
	}
	bare.Set = nil
	if names := lineNames(Course(bare, Confidence(bare))); names != nil {
		t.Errorf("lines without signals %v", names)
	}
}

func lineNames(d result.Figure) (names []string) {
	for _, s := range d.Lines {
		names = append(names, s.Name)
	}
	return names
}

type rig struct {
	host   panetest.Host
	stage  *stage.Stage
	window fyne.Window
	pane   *Pane
}

func newRig(t *testing.T, s pane.Subject, size fyne.Size) *rig {
	t.Helper()
	r := &rig{stage: stage.New(t)}
	work := background.New(r.stage.Post)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(container.NewStack(), size)
	r.pane = New(r.host.Site(r.window, work, widget.Keys{}))
	r.host.OnFocus = func(f pane.Focus) {
		s.Focus = f
		r.pane.Show(s)
	}
	r.window.SetContent(r.pane.Object())
	r.pane.Show(s)
	r.stage.Until("course", func() bool { return s.Set == nil || r.pane.confidence != nil })
	return r
}

func TestPaneMovesTheFocus(t *testing.T) {
	r := newRig(t, subject(t, 4, 26), fyne.NewSize(1200, 300))
	last := func() pane.Focus { return r.host.Focuses[len(r.host.Focuses)-1] }
	r.pane.tapped(plotRow, 2)
	if got := last(); got != (pane.Focus{Modality: "max@CONF", I: 15, J: 17}) {
		t.Errorf("a click in the row gives %+v", got)
	}
	r.pane.tapped(plotDiagonal, -5)
	if got := last(); got.I != 10 || got.J != 12 {
		t.Errorf("a click in the diagonal gives %+v", got)
	}
	r.pane.tapped(plotCourse, 0)
	if got := last(); got.I != 15 || got.J != 12 {
		t.Errorf("a click in the accuracy gives %+v", got)
	}
	r.pane.Move(1)
	if got := last(); got.I != 16 || got.J != 12 {
		t.Errorf("one step up gives %+v", got)
	}
	r.pane.slider.SetValue(26)
	if got := last(); got.I != 26 || r.pane.row.Text != "V_i = 11°" {
		t.Errorf("the slider gives %+v, %q", got, r.pane.row.Text)
	}
	before := len(r.host.Focuses)
	r.pane.Move(1) // the interval ends here
	r.pane.tapped(plotLoss, 3)
	if len(r.host.Focuses) != before {
		t.Error("the focus moved out of the interval, or by an epoch")
	}
	if !r.pane.Focused() {
		t.Error("the keys do not come back after a click")
	}
	if x := r.pane.figures[plotRow].Data().Lines[0].X; x[0] != -11 || x[len(x)-1] != 11 {
		t.Errorf("the row runs over %v", x)
	}
}

func TestPaneMenus(t *testing.T) {
	r := newRig(t, subject(t, 0, sample.Last), fyne.NewSize(1200, 300))
	shown := func() (n int) {
		for _, f := range r.pane.figures {
			if f.Object().Visible() {
				n++
			}
		}
		return n
	}
	if shown() != plots {
		t.Errorf("%d plots", shown())
	}
	r.pane.only.SetSelected("diagonal")
	if shown() != 1 || !r.pane.figures[plotDiagonal].Object().Visible() {
		t.Errorf("%d plots when one is chosen", shown())
	}
	r.pane.lines.SetSelected(All)
	r.pane.which.SetSelectedIndex(1)
	data := r.pane.figures[plotDiagonal].Data()
	if len(data.Lines) != 5 || !strings.HasPrefix(r.pane.options.DiagonalName(r.pane.subject), "Anti-diagonal") {
		t.Errorf("%d lines below %q", len(data.Lines), r.pane.options.DiagonalName(r.pane.subject))
	}
}

func TestPaneWithoutSignals(t *testing.T) {
	ws := sample.New(t, 2)
	s := panetest.Within(panetest.Subject(t, ws.Workspace, ws.Imported[1].Hash, variance.AllImages()), 0, sample.Last)
	r := newRig(t, s, fyne.NewSize(1000, 260))
	r.stage.Until("drawn", func() bool { return r.pane.figures[plotRow].Data().Empty != "" })
	r.pane.Move(1)
	r.pane.tapped(plotRow, 0)
	if len(r.host.Focuses) != 0 || r.pane.moves.Visible() {
		t.Error("sections of a model without signals can be moved")
	}
}

// TestPaneLooks draws the pane; with VARISCOPE_PICTURES set to a folder, the pictures stay there.
func TestPaneLooks(t *testing.T) {
	r := newRig(t, subject(t, 0, sample.Last), fyne.NewSize(1190, 290))
	folder := os.Getenv("VARISCOPE_PICTURES")
	if img := r.stage.Capture(r.window, folder, "sections"); img.Bounds().Dx() < 1000 {
		t.Errorf("picture of %v", img.Bounds())
	}
	r.pane.lines.SetSelected(Shares)
	r.pane.only.SetSelectedIndex(1)
	r.stage.Draw(r.window, folder, "section-row")
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
