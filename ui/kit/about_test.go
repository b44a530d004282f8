package kit

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// The question stands at the head of a screen, also while there is nothing to show; the rest comes
// when somebody asks, with the figures.
func TestAScreenSaysWhatItAnswers(t *testing.T) {
	r := newFixture(t)
	worked, failed := 0, error(nil)
	s := New(Screen[struct{}, int]{
		Host: r.host, Name: "Count", Doing: "Counting…", Key: "count",
		About: &About{
			Question: "How many?", Reading: []string{"One line each.", "A second paragraph."},
			Worked: func() ([]result.Figure, error) {
				worked++
				return []result.Figure{{
					Title: "Two lines", Note: "worked",
					Lines: []result.Line{{Name: "one", X: []float64{0, 1}, Y: []float64{0, 1}}},
				}}, failed
			},
		},
		Load: func(struct{}) Work[int] { return nil }, Body: fynewidget.NewLabel("body"),
		Empty: func(int) (Empty, bool) { return Empty{Text: "Nothing."}, true },
	})
	t.Cleanup(s.Close)
	r.window.SetContent(s.Object())
	s.Shown()
	r.stage.Pump()
	texts := func(root fyne.CanvasObject) string {
		var list []string
		stage.Walk(root, func(o fyne.CanvasObject) {
			if l, ok := o.(*fynewidget.Label); ok && l.Visible() {
				list = append(list, l.Text)
			}
			if b, ok := o.(*fynewidget.Button); ok && b.Text == "How to read this" && root == r.window.Content() {
				b.OnTapped()
			}
		})
		return strings.Join(list, "|")
	}
	if said := texts(r.window.Content()); !strings.Contains(said, "How many?") || worked != 1 {
		t.Fatalf("%q, %d times worked", said, worked)
	}
	top := r.window.Canvas().Overlays().Top()
	for _, part := range []string{"How many?|One line each.|A second paragraph.", "Two lines|worked"} {
		if said := texts(top); !strings.Contains(said, part) {
			t.Errorf("%q without %q", said, part)
		}
	}
	r.window.Canvas().Overlays().Remove(top)
	failed = errors.New("no example")
	if texts(r.window.Content()); len(r.errs) != 1 || r.window.Canvas().Overlays().Top() != nil {
		t.Errorf("errors %v", r.errs)
	}
}
