package element

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const conf = "max@CONF"

// rig is a screen with the tab, and what the tab told of images.
type rig struct {
	*panetest.Screen
	pane             *Pane
	followed, opened []int
}

func stand(t *testing.T, s pane.Subject, size fyne.Size) *rig {
	r := &rig{Screen: panetest.New(t, size)}
	r.pane = New(r.Site(), func(image int) { r.followed = append(r.followed, image) },
		func(image int) { r.opened = append(r.opened, image) })
	r.Stand(r.pane.Tab, s)
	r.Stage.Until("answered", r.pane.page.Idle)
	return r
}

// TestAnElementInOnePlace: the sentence, both figures and the table are of the element in focus,
// also after the focus has moved, and a choice in one of them is one in all.
func TestAnElementInOnePlace(t *testing.T) {
	ws := sample.New(t, 4)
	s := panetest.Focused(panetest.Subject(t, ws.Workspace, ws.Imported[2].Hash, variance.AllImages()), conf, 30, 2)
	s.Workspace = "w.variscope"
	r := stand(t, s, fyne.NewSize(310, 580))
	p := r.pane
	if text := p.about.Text(); !strings.HasPrefix(text, "max@CONF between 15° and -13°: δ = ") ||
		!strings.Contains(text, "from 60 images, 95 % of 1,000 resamples between ") ||
		!strings.Contains(text, ". Half of δ² comes from ") {
		t.Errorf("it says %q", text)
	}
	pairs := p.pairs.Shown()
	matrix := s.Evidence.Tiles[0].Matrix
	sum := 0.0
	for _, one := range pairs {
		sum += one.Difference * one.Difference
	}
	if got := math.Sqrt(sum / 60); len(pairs) != 60 || math.Abs(got-matrix.At(30, 2)) > 1e-9 {
		t.Errorf("%d pairs make %v, the matrix says %v", len(pairs), got, matrix.At(30, 2))
	}
	if points := p.scatter.Data().Points; len(points) != 60 || points[0].X != pairs[0].Signals[0] ||
		points[0].Y != pairs[0].Signals[1] {
		t.Errorf("%d points", len(points))
	}
	bars := 0.0
	for _, b := range p.histogram.Data().Boxes {
		bars += b.Y1 - b.Y0
	}
	if bars != 60 {
		t.Errorf("bars of %v images", bars)
	}
	p.scatter.OnTap(variance.Pairs.ID(pairs[7]))
	if one, _ := p.pairs.Selected(); one.Image != pairs[7].Image || !slices.Equal(r.followed, []int{pairs[7].Image}) {
		t.Errorf("a click on a point selects %d and is followed by %v", one.Image, r.followed)
	}
	p.pairs.OnOpen(pairs[3])
	if !slices.Equal(r.opened, []int{pairs[3].Image}) {
		t.Errorf("opened %v", r.opened)
	}
	if got, want := p.pairs.Command(), "variscope matrix w.variscope --models m02 --suite shapes --family '"+
		sample.Family+
		"' --modalities max@CONF --element 15,-13"; got != want {
		t.Errorf("the command is %q, not %q", got, want)
	}
	r.Stage.Draw(r.Window, os.Getenv("VARISCOPE_SHOTS"), "inspect-element")
	r.Show(panetest.Focused(s, "mean@CONV-1", 15, 16))
	r.Stage.Until("the other element", func() bool {
		return strings.HasPrefix(p.about.Text(), "mean@CONV-1 between 0° and 1°")
	})
	if got := p.pairs.Shown()[0].Modality; got != "mean@CONV-1" {
		t.Errorf("pairs of %s", got)
	}
}

// TestNoElement says why, and what helps.
func TestNoElement(t *testing.T) {
	ws := sample.New(t, 4)
	s := panetest.Within(panetest.Subject(t, ws.Workspace, ws.Imported[1].Hash, variance.AllImages()), 5, 25)
	r := stand(t, s, fyne.NewSize(500, 500))
	r.Stage.Press(r.Window, "Largest element of max@CONF")
	f := r.Marked[0]
	if got := s.Evidence.Tiles[0].Matrix; got.At(f.I-5, f.J-5) != got.Max() || f.I < 5 || f.J > 25 {
		t.Errorf("the largest element is at %+v", f)
	}
	r.Stage.Until("explained", func() bool { return r.pane.page.Idle() && r.pane.page.Body.Visible() })
	bare := panetest.Subject(t, ws.Workspace, ws.Imported[3].Hash, variance.AllImages())
	r.Show(bare)
	r.Stage.Until("no signals", func() bool { return r.pane.page.Idle() && !r.pane.page.Body.Visible() })
	r.Stage.Press(r.Window, "Compute the signals of m03 on shapes")
	if len(r.Started) != 1 {
		t.Errorf("started %v", r.Started)
	}
	broken := panetest.Focused(panetest.WithSignal(panetest.Subject(t, ws.Workspace, ws.Imported[1].Hash,
		variance.AllImages()), conf, 4, 17, float32(math.NaN())), conf, 4, 2)
	for what, c := range map[string]struct {
		s    pane.Subject
		want string
	}{
		"a signal that is none": {broken, "image " + strconv.Itoa(17)}, "no focus": {s, "click an element"},
	} {
		a, err := Find(t.Context(), c.s)
		if err != nil || a.reason == nil || !strings.Contains(a.reason.Error(), c.want) {
			t.Errorf("%s: %v, %v", what, a.reason, err)
		}
	}
}
