package evidence

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/widget"
)

// Where the squares are large enough everything fits into the area; else the area scrolls and no
// square is too small.
func TestGridFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "tiles")
		area := fyne.NewSize(rapid.Float32Range(300, 2000).Draw(t, "width"),
			rapid.Float32Range(130, 1200).Draw(t, "height"))
		g := gridFor(n, area, 30)
		if g.columns < 1 || g.columns > n {
			t.Fatalf("%d columns for %d tiles", g.columns, n)
		}
		rows := float32((n + g.columns - 1) / g.columns)
		height := max(g.height, area.Height)
		side := min(area.Width/float32(g.columns)-tileBeside, height/rows-tileAbove-30)
		if side < leastSide-0.1 {
			t.Fatalf("squares of %v in %v", side, area)
		}
		if g.height > area.Height && min(area.Width/float32(n)-tileBeside, area.Height-tileAbove-30) >= leastSide {
			t.Fatal("it scrolls although one row has the room")
		}
	})
	if g := gridFor(0, fyne.NewSize(100, 100), 0); g.columns != 1 {
		t.Errorf("no tiles: %+v", g)
	}
}

func TestAreaScrollsWhenThereAreTooMany(t *testing.T) {
	st := stage.New(t)
	ws := sample.New(t, 3)
	row := NewMatrices(widget.Keys{}, func(string) {}, nil)
	area := Area(row)
	st.Window(container.NewStack(area), fyne.NewSize(900, 240))
	e := load(t, ws, 1, nil)
	row.Show(Prepare(e, View{}))
	tiles := row.Tiles()
	if tiles[4].Position().Y != tiles[0].Position().Y || row.Object().Size().Height > area.Size().Height {
		t.Errorf("five tiles at %v and %v, %v high", tiles[0].Position(), tiles[4].Position(),
			row.Object().Size().Height)
	}
	room := fyne.NewSize(1100, 600)
	wide := row.BestWidth(room) // three beside each other, as high as two rows of them
	if want := 3*(room.Height/2-tileAbove+tileBeside) + 2*theme.Padding(); wide != want {
		t.Errorf("best width %v, want %v", wide, want)
	}
	row.Note([][]string{{"a", "b"}})
	if len(tiles[4].Notes()) != 2 || tiles[4].Notes()[0] != "" || tiles[0].Notes()[1] != "b" {
		t.Errorf("notes %q", tiles[4].Notes())
	}
	if got := row.BestWidth(room); got != wide-3*widget.NotesHeight(2) {
		t.Errorf("best width %v with notes, %v without", got, wide)
	}
	row.Enlarge(2)
	if got, side := row.BestWidth(room), room.Height-tileAbove-widget.NotesHeight(2); got != side+tileBeside ||
		tiles[2].Size().Height < 230 {
		t.Errorf("one alone wants %v and is %v high", got, tiles[2].Size().Height)
	}
	row.Enlarge(-1)
	for range 3 {
		e.Tiles = append(e.Tiles, e.Tiles...)
	}
	row.Show(Prepare(e, View{}))
	tiles = row.Tiles()
	if last := tiles[39]; !last.Visible() || last.Position().Y == tiles[0].Position().Y ||
		row.Object().Size().Height <= area.Size().Height {
		t.Errorf("forty tiles: the last at %v, %v high", last.Position(), row.Object().Size().Height)
	}
	if last := tiles[39]; last.Position().Y+last.Size().Height > row.Object().Size().Height+1 {
		t.Error("the last tile is cut off")
	}
	if got := row.BestWidth(fyne.NewSize(600, 300)); got != 600 {
		t.Errorf("many tiles want %v of 600", got)
	}
}

func TestRowMarksAndReports(t *testing.T) {
	st := stage.New(t)
	ws := sample.New(t, 3)
	row := NewMatrices(widget.Keys{}, func(string) {}, nil)
	row.Outside = true
	type at struct {
		tile int
		cell widget.Cell
	}
	var clicked, moved []at
	row.OnCell = func(k int, c widget.Cell) { clicked = append(clicked, at{k, c}) }
	row.OnMoved = func(k int, c widget.Cell) { moved = append(moved, at{k, c}) }
	row.Keyed = func(_ int, ev *fyne.KeyEvent) bool { return ev.Name == fyne.KeyHome }
	st.Window(Area(row), fyne.NewSize(1200, 300))
	e := load(t, ws, 1, nil)
	row.Show(Prepare(e, View{Preset: Own, Own: label.Range{Low: 0.001, High: 0.002}}))
	row.Mark(3, 4)
	heat := row.Tiles()[2].Heatmap()
	heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(moved) != 1 || moved[0].tile != 2 || moved[0].cell.I != 4 || moved[0].cell.J != 4 || len(clicked) != 1 ||
		clicked[0].cell != moved[0].cell {
		t.Errorf("moved %+v, clicked %+v", moved, clicked)
	}
	if got := row.badge(0); !strings.HasPrefix(got, "not shared: 0.001..0.002; ") ||
		!strings.Contains(got, " above, ") || !strings.HasSuffix(got, " below") {
		t.Errorf("badge %q", got)
	}
	row.Outside = false
	if got := row.badge(0); strings.Contains(got, "above") {
		t.Errorf("badge %q", got)
	}
}

func TestOutsideText(t *testing.T) {
	for _, c := range []struct {
		over, under int
		want        string
	}{{0, 0, ""}, {1200, 0, "1,200 above"}, {0, 2, "2 below"}, {3, 4, "3 above, 4 below"}} {
		if got := OutsideText(widget.Picture{Over: c.over, Under: c.under}); got != c.want {
			t.Errorf("%+v reads %q", c, got)
		}
	}
}

func TestNoteAndCounts(t *testing.T) {
	for _, c := range []struct {
		e    Evidence
		want string
	}{
		{Evidence{}, ""},
		{Evidence{Images: 10000, Total: 10000, Skipped: 3}, "10,000 images, 3 skipped"},
		{
			Evidence{Images: 3912, Total: 10000, Excluded: 2, Filter: "correct only"},
			"3,912 of 10,000 images, 0 skipped, 2 excluded: correct only",
		},
	} {
		if got := c.e.Note(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A modality without a shared range has the one of its model, and says that others have another.
func TestSingleRange(t *testing.T) {
	v := View{Shared: Ranges{"a": {High: 2}}, Single: Ranges{"a": {High: 9}, "b": {High: 5}}}
	for _, c := range []struct {
		preset   Preset
		modality string
		high     float64
		badge    string
	}{
		{Shared, "a", 2, ""},
		{Shared, "b", 5, "not shared: 0..5"},
		{Paper, "b", 0.15, "not shared: 0..0.15"},
		{Shared, "c", 0.3, ""},
	} {
		v.Preset = c.preset
		if r, badge := v.Range(c.modality); r.High != c.high || badge != c.badge {
			t.Errorf("%+v: %v %q", c, r, badge)
		}
	}
}

func TestDescribeLeavesTheMatricesOut(t *testing.T) {
	ws := sample.New(t, 3)
	req := Request{
		Model: ws.Imported[0].Hash, Suite: ws.Shapes.Hash, Family: sample.Family,
		Modalities: DefaultModalities(), Images: variance.AllImages(),
	}
	e, summary, err := Describe(t.Context(), ws, req)
	if err != nil || summary.Key == "" || len(e.Tiles) != 0 || len(e.Values) != 31 || e.Total != sample.Images ||
		e.State != "" {
		t.Errorf("%+v, %q, %v", e.Tiles, summary.Key, err)
	}
	req.Model = ws.Imported[2].Hash
	if e, summary, err = Describe(t.Context(), ws, req); err != nil || summary.Key != "" || len(e.Tiles) != 5 ||
		e.State == "" {
		t.Errorf("without signals: %q, %v, %q", summary.Key, err, e.State)
	}
}
