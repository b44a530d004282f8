package picture

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
)

// TestPairs: each card has both pictures and its titles, and says its detail under the pointer.
func TestPairs(t *testing.T) {
	r := newRig(t)
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	var said []string
	p := NewPairs(work, r.store, nil, func(text string) { said = append(said, text) })
	t.Cleanup(p.Close)
	window := r.stage.Window(p.Object(), fyne.NewSize(800, 600))
	p.Show([]PairOf{
		{Image: 2, Transformations: [2]int{0, 1}, Titles: [2]string{"before", "after"}, Head: "head", Detail: "all of it"},
		{Image: 1, Transformations: [2]int{0, 1}},
	}, Guesses{}, r.lens, "")
	cards := func() (list []*Card) {
		stage.Walk(window.Content(), func(o fyne.CanvasObject) {
			if c, ok := o.(*Card); ok {
				list = append(list, c)
			}
		})
		return list
	}
	r.stage.Until("the pictures", func() bool {
		list := cards()
		return len(list) == 2 && list[0].content.Sides[0].Picture != nil && list[1].content.Sides[1].Picture != nil
	})
	first := cards()[0]
	if f := first.content; f.Head != "head" || f.Sides[0].Lines[0].Words != "before" || f.Sides[1].Lines[0].Words != "after" || p.Missing() {
		t.Errorf("%+v", f)
	}
	first.MouseIn(nil)
	first.MouseOut()
	if len(said) != 2 || said[0] != "all of it" || said[1] != "" {
		t.Errorf("said %q", said)
	}
	p.Show(nil, Guesses{}, Lens{}, "")
	if len(cards()) != 0 || len(p.List()) != 0 {
		t.Error("cards are left of nothing")
	}
}
