package keywords

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
)

// handMade is a table of two targets and three backgrounds: sky in all but the last, which has
// nothing.
func handMade() background.Table {
	return background.Table{
		Elements: []string{"sky", "sand", "tree"}, Scenes: []string{"beach", "city_park"},
		Rows: []background.Row{
			{
				File: "targets/dog/a.png", Kind: background.TargetKind, Label: "dog", Visible: 90,
				Vector: []float64{0.5, 0.2, 0, 0.9, 0.1},
			},
			{
				File: "targets/cat/b.png", Kind: background.TargetKind, Label: "cat", Visible: 80,
				Vector: []float64{0.4, 0, 0.3, 0.2, 0.8},
			},
			{
				File: "bg/c.png", Kind: background.BackgroundKind, Scene: "beach", Visible: 100,
				Vector: []float64{0.6, 0.4, 0, 1, 0},
			},
			{
				File: "bg/d.png", Kind: background.BackgroundKind, Visible: 100,
				Vector: []float64{0.1, 0, 0.005, 0.3, 0.7},
			},
			{File: "bg/e.png", Kind: background.BackgroundKind, Visible: 100, Vector: []float64{0, 0, 0, 0, 0}},
		},
	}
}

func newView(t *testing.T, rule background.Rule) *View {
	t.Helper()
	table := handMade()
	counted := testdata.Must(count(table, rule))(t)
	v := NewView()
	v.Take(Data{Table: table}, counted)
	return v
}

func TestImagesByKeyword(t *testing.T) {
	v := newView(t, background.PaperRule())
	check := func(what, found string, images ...int) {
		t.Helper()
		if !slices.Equal(v.Images(), images) || v.Found() != found {
			t.Errorf("%s: images %v, %q", what, v.Images(), v.Found())
		}
	}
	check("all", "5 images", 0, 1, 2, 3, 4)
	v.Want([]string{"seg_sky"})
	check("one selected", "4 images with sky", 0, 1, 2, 3)
	v.Want([]string{"seg_sand", "seg_tree"})
	check("both", "0 images with sand and tree")
	v.Join(true)
	check("either", "3 images with sand or tree", 0, 1, 2)
	v.Kind(background.TargetKind)
	check("targets", "2 targets with sand or tree", 0, 1)
	v.Kind(background.BackgroundKind)
	check("backgrounds", "1 background with sand or tree", 2)
	v.Choose(0)
	if v.Chosen() != 2 || v.Cursor() != 0 {
		t.Errorf("chosen %d at %d", v.Chosen(), v.Cursor())
	}
	v.Kind("")
	v.Want([]string{"seg_tree"})
	check("the mark is gone again", "1 image with tree", 1)
	if v.Cursor() != -1 || v.Chosen() != 2 {
		t.Error("an image that is not shown is not let go")
	}
	v.Want(nil)
	check("cleared", "5 images", 0, 1, 2, 3, 4)
}

func TestUsualRule(t *testing.T) {
	d := Data{Table: handMade()}
	if got := d.usualRule(); !got.Equal(background.PaperRule().Without("cat", "dog")) {
		t.Errorf("rule %+v", got)
	}
	d.Graph.Record.ID, d.Graph.Record.Rule = "x", background.RefcodeRule()
	if got := d.usualRule(); !got.Equal(background.RefcodeRule()) {
		t.Errorf("rule %+v", got)
	}
}

// TestTakeKeepsTheImage: after another reading the same image is chosen, wherever its row is now.
func TestTakeKeepsTheImage(t *testing.T) {
	v := newView(t, background.PaperRule())
	v.Choose(3)
	table := handMade()
	table.Rows = table.Rows[2:]
	counted, err := count(table, background.PaperRule())
	if err != nil {
		t.Fatal(err)
	}
	v.Take(Data{Table: table}, counted)
	if v.Chosen() != 1 {
		t.Errorf("row %d is chosen", v.Chosen())
	}
	table.Rows = table.Rows[2:]
	if counted, err = count(table, background.PaperRule()); err != nil {
		t.Fatal(err)
	}
	v.Take(Data{Table: table}, counted)
	if v.Chosen() != -1 {
		t.Errorf("row %d is chosen although the image is gone", v.Chosen())
	}
}
