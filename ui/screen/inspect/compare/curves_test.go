package compare

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

func TestCurvesLieWhereTheMatricesStayLarge(t *testing.T) {
	for name, tt := range map[string]struct {
		size      fyne.Size
		columns   int
		below, ok bool
	}{
		"one model":               {fyne.NewSize(1168, 470), 1, false, true},
		"two models":              {fyne.NewSize(1168, 470), 2, false, true},
		"four and a difference":   {fyne.NewSize(1168, 470), 5, true, true},
		"a high window":           {fyne.NewSize(1168, 900), 3, true, true},
		"a wide window":           {fyne.NewSize(1800, 400), 3, false, true},
		"too low for both":        {fyne.NewSize(900, 250), 4, false, false},
		"no columns at all":       {fyne.NewSize(1168, 470), 0, false, true},
		"hardly any room at all":  {fyne.NewSize(300, 200), 2, false, false},
		"a window of no height":   {fyne.NewSize(1168, 0), 2, false, false},
		"five in a small window":  {fyne.NewSize(912, 380), 5, false, false},
		"two in a smaller window": {fyne.NewSize(912, 390), 2, false, true},
	} {
		matrices, below, ok := divide(tt.size, tt.columns)
		if below != tt.below || ok != tt.ok {
			t.Errorf("%s: below %v, shown %v", name, below, ok)
		}
		if matrices.Width > tt.size.Width || matrices.Height > tt.size.Height || !ok && matrices != tt.size {
			t.Errorf("%s: matrices %v of %v", name, matrices, tt.size)
		}
		if rest := tt.size.Subtract(matrices); ok && max(rest.Width-curvesWidth, rest.Height-curvesHeight) < 0 {
			t.Errorf("%s: the curves have %v", name, rest)
		}
	}
}

func TestCurvesFollowTheFocus(t *testing.T) {
	r := newRig(t, 6)
	r.pane.Add(r.hash(1))
	found := r.until(0, 1)
	c := r.pane.curves
	if !c.accuracy.Object().Visible() || !c.row.Object().Visible() {
		t.Fatal("no curves beside one row of matrices")
	}
	names := func(d result.Figure) (list []string) {
		for _, s := range d.Lines {
			list = append(list, s.Name)
		}
		return list
	}
	for _, chart := range []*kit.Figure{c.accuracy, c.row} {
		if got := names(chart.Data()); !slices.Equal(got, []string{"m00", "m01"}) {
			t.Errorf("curves of %v", got)
		}
	}
	if c.accuracy.Data().Lines[1].Y[3] != found.Columns[1].Accuracy[3] ||
		c.row.Data().Title != "Row V_i = 0°, max@CONF" {
		t.Errorf("the accuracy is another, or the row: %q", c.row.Data().Title)
	}
	// A focus moves the row, also where only the focus is new.
	r.Now.Focus = pane.Focus{Modality: "max@CONF", I: 4, J: 9}
	r.Show(r.Now)
	r.until(0, 1)
	if row := c.row.Data().Lines[1]; c.row.Data().Title != "Row V_i = -11°, max@CONF" ||
		row.Y[9] != found.Columns[1].Tiles[0].Matrix.At(4, 9) {
		t.Errorf("%q does not follow the focus", c.row.Data().Title)
	}
	// The pointer moves it too, and leaves it where it was.
	r.pane.hover(0, widget.Cell{I: 20, J: 2, Inside: true})
	if c.row.Data().Title != "Row V_i = 5°, max@CONF" {
		t.Errorf("under the pointer: %q", c.row.Data().Title)
	}
	r.pane.hover(0, widget.Cell{})
	if c.row.Data().Title != "Row V_i = -11°, max@CONF" {
		t.Errorf("after the pointer: %q", c.row.Data().Title)
	}
	r.pane.rows.SetSelected(allRows)
	r.until(0, 1)
	r.Stage.Until("no curves beside five rows", func() bool {
		return !c.accuracy.Object().Visible() && !c.row.Object().Visible()
	})
	test.Tap(r.pane.heads[1].menu) // still there
	r.Stage.Capture(r.Window, "", "")
}
