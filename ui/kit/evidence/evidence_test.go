package evidence

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

func load(t *testing.T, ws *sample.Workspace, k int, change func(*Request)) Evidence {
	t.Helper()
	req := Request{
		Model: ws.Imported[k].Hash, Suite: ws.Shapes.Hash, Family: sample.Family, Modalities: DefaultModalities(),
		Images: variance.AllImages(),
	}
	if change != nil {
		change(&req)
	}
	e, err := Load(context.Background(), ws, req)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestLoadFromSummaryEqualsSignals(t *testing.T) {
	ws := sample.New(t, 6)
	for k := range 5 {
		summary := load(t, ws, k, nil)
		if !summary.Ready() || summary.Counts() != "60 images, 1 skipped" || summary.Unit != "°" ||
			len(summary.Values) != 31 {
			t.Fatalf("model %d: %q %q", k, summary.Counts(), summary.Unit)
		}
		// Another modality beside the default ones forces the way through the signals.
		signals := load(t, ws, k, func(r *Request) { r.Modalities = append(r.Modalities, "std@CONF") })
		if len(signals.Tiles) != 6 || signals.Tiles[5].Absent() {
			t.Fatalf("model %d: %d tiles", k, len(signals.Tiles))
		}
		for i, tile := range summary.Tiles {
			if !slices.Equal(tile.Matrix.Data, signals.Tiles[i].Matrix.Data) || tile.Reason != signals.Tiles[i].Reason {
				t.Errorf("model %d: %s differs between summary and signals", k, tile.Modality)
			}
		}
		if !slices.Equal(summary.Accuracy, signals.Accuracy) || summary.Robust != signals.Robust {
			t.Errorf("model %d: accuracy %v and %v", k, summary.Robust, signals.Robust)
		}
	}
}

func TestLoadSaysWhatIsMissing(t *testing.T) {
	ws := sample.New(t, 6)
	if e := load(t, ws, 4, nil); e.Tiles[3].Reason != "no second convolution" || e.Tiles[0].Absent() {
		t.Errorf("one convolution: %+v", e.Tiles[3])
	}
	if e := load(t, ws, 5, nil); e.Ready() || !strings.Contains(e.State, "no signals") || len(e.Tiles) != 5 {
		t.Errorf("no signals: %q", e.State)
	}
	if e := load(t, ws, 0, func(r *Request) { r.Suite = "" }); !strings.Contains(e.State, "no test suite") ||
		!strings.Contains(e.State, "import one") {
		t.Errorf("no suite: %q", e.State)
	}
	if e := load(t, ws, 0, func(r *Request) { r.Family = "" }); !strings.Contains(e.State, "no family") {
		t.Errorf("no family: %q", e.State)
	}
	e := load(t, ws, 0, func(r *Request) { r.Modalities = []string{"max@HEAD", "L2@CONV-1", "max@conv9"} })
	for k, want := range []string{
		"not among the run's positions", "not among the run's modalities",
		"no tensor conv9",
	} {
		if e.Tiles[k].Reason != want {
			t.Errorf("%s: %q, want %q", e.Tiles[k].Modality, e.Tiles[k].Reason, want)
		}
	}
	if err := ws.UpdateModel(ws.Imported[0].Hash, func(m *model.Model) error {
		m.Correction.Std = []float64{2}
		m.Correction.Mean = []float64{0}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if e := load(t, ws, 0, nil); !strings.Contains(e.State, "other preprocessing") {
		t.Errorf("other preprocessing: %q", e.State)
	}
	if err := ws.UpdateModel(ws.Imported[1].Hash, func(m *model.Model) error {
		m.Correction.Std = []float64{0}
		m.Correction.Mean = []float64{0}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if e := load(t, ws, 1, nil); !strings.Contains(strings.ToLower(e.State), "std") || e.Ready() {
		t.Errorf("settings that cannot be read: %q", e.State)
	}
}

func TestLoadErrors(t *testing.T) {
	ws := sample.New(t, 2)
	req := Request{
		Model: ws.Imported[0].Hash, Suite: ws.Shapes.Hash, Family: sample.Family, Modalities: []string{"max@CONF"},
		Images: variance.Images{Which: variance.Wrong, Class: 0, Share: 0.1, Seed: 1},
	}
	if _, err := Load(context.Background(), ws, req); !errors.Is(err, variance.ErrNoImages) {
		t.Errorf("no images: %v", err)
	}
	req.Images = variance.AllImages()
	req.Modalities = []string{"loudest@CONF"}
	if _, err := Load(context.Background(), ws, req); err == nil {
		t.Error("an unknown modality is read")
	}
	req.Model = "unknown"
	if _, err := Load(context.Background(), ws, req); err == nil {
		t.Error("an unknown model is read")
	}
}

func TestSharedRanges(t *testing.T) {
	ws := sample.New(t, 5)
	ranges, err := SharedRanges(context.Background(), ws, ws.Shapes.Hash, sample.Family, DefaultModalities())
	if err != nil {
		t.Fatal(err)
	}
	if ranges["max@CONF"] != (label.Range{Low: 0, High: 0.3}) {
		t.Errorf("max@CONF %+v", ranges["max@CONF"])
	}
	var values []float64
	for k := range 4 {
		values = append(values, load(t, ws, k, nil).Tiles[1].Matrix.Data...)
	}
	low, high := render.P99Range(values)
	if got := ranges["max@CONV-1"]; got != (label.Range{Low: low, High: high}) {
		t.Errorf("max@CONV-1 %+v, want %v..%v", got, low, high)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := SharedRanges(ctx, ws, ws.Shapes.Hash, sample.Family, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestViewRange(t *testing.T) {
	v := View{Shared: Ranges{"a": {Low: 0, High: 2}, "b": {Low: 0, High: 0.15}}, Own: label.Range{Low: 1, High: 2}}
	for _, c := range []struct {
		preset   Preset
		modality string
		high     float64
		badge    bool
	}{
		{Shared, "a", 2, false},
		{Paper, "a", 0.15, true},
		{Paper, "b", 0.15, false},
		{Own, "b", 2, true},
		{Shared, "unknown", 0.3, false},
	} {
		v.Preset = c.preset
		r, badge := v.Range(c.modality)
		if r.High != c.high || (badge != "") != c.badge {
			t.Errorf("%+v gives %+v %q", c, r, badge)
		}
		if v.Seen([]string{c.modality})[c.modality] != r {
			t.Errorf("%+v: seen differs", c)
		}
	}
	v.Map = "no such map"
	if v.Scale("a").Map != &render.Viridis {
		t.Error("an unknown map is not viridis")
	}
}

func TestOwnRangeIsChecked(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		taken     bool
	}{{0.1, 2, true}, {1, 1, false}, {2, 1, false}} {
		if err := option.Check(&ownRange{c.low, c.high}); (err == nil) != c.taken {
			t.Errorf("%v..%v: %v", c.low, c.high, err)
		}
	}
}

func TestReadOut(t *testing.T) {
	e := Evidence{Values: []float64{-5, 0, 5}, Unit: "°", Tiles: []Tile{
		{Modality: "max@CONF", Matrix: variance.Matrix{N: 3, Data: []float64{0, 1, 2, 1, 0, 3, 2, 3, 0}}},
		{Modality: "max@CONV-2", Reason: "absent"},
	}}
	got := e.ReadOut(0, 2, 1)
	for _, part := range []string{"max@CONF", "5°", "0°", "3"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q lacks %q", got, part)
		}
	}
	for _, c := range [][3]int{{0, 3, 0}, {0, -1, 0}, {1, 0, 0}, {2, 0, 0}, {-1, 0, 0}} {
		if got := e.ReadOut(c[0], c[1], c[2]); got != "" {
			t.Errorf("%v reads %q", c, got)
		}
	}
}

func TestRecordAndFileLines(t *testing.T) {
	m := model.Model{
		Record: []model.Field{
			{Name: "test_accuracy", Value: "0.9663333333"},
			{Name: "note", Value: " "},
			{Name: "seed", Value: "100000001"},
		},
	}
	lines := RecordFacts(nil, m)
	if !slices.Equal(lines, []Fact{{"test accuracy", "0.96633"}, {"seed", "100000001"}}) {
		t.Errorf("lines %+v", lines)
	}
	file := FileFacts(m)
	if !slices.Contains(file, Fact{"CONV-2", "absent: no convolution"}) {
		t.Errorf("file lines %+v", file)
	}
}

// Every tile lies inside the area, none overlaps another, and the chosen number of columns is not
// beaten by another.
func TestTileLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "tiles")
		area := fyne.NewSize(rapid.Float32Range(130, 2000).Draw(t, "width"),
			rapid.Float32Range(130, 1200).Draw(t, "height"))
		best, largest := bestColumns(n, area, 0)
		side := func(columns int) float32 {
			rows := (n + columns - 1) / columns
			return min(area.Width/float32(columns)-tileBeside, area.Height/float32(rows)-tileAbove)
		}
		for columns := 1; columns <= n; columns++ {
			if side(columns) > side(best) || side(best) != largest {
				t.Fatalf("%d columns are better than %d", columns, best)
			}
			if rows := (n + best - 1) / best; columns < best && side(columns) == largest &&
				(n+columns-1)/columns == rows {
				t.Fatalf("%d columns fill %d rows as well as %d do", columns, rows, best)
			}
		}
	})
}

func TestRowFillsItsPlace(t *testing.T) {
	st := stage.New(t)
	ws := sample.New(t, 3)
	var said string
	row := NewMatrices(widget.Keys{}, func(text string) { said = text }, nil)
	st.Window(Above(row, nil), fyne.NewSize(900, 560))
	row.Show(Prepare(load(t, ws, 1, nil), View{}))
	tiles := row.Tiles()
	if len(tiles) != 5 || tiles[4].Position().Y == tiles[0].Position().Y || tiles[0].Size().Width < 280 {
		t.Errorf("%d tiles of %v", len(tiles), tiles[0].Size())
	}
	tiles[0].Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if !strings.Contains(said, "max@CONF") {
		t.Errorf("read-out %q", said)
	}
	row.Blank(Blank(label.Round{Modalities: []string{"max@CONF"}}, "other", "reading"))
	if tiles[1].Visible() || row.Shown().Model.Hash != "other" {
		t.Error("blank tiles")
	}
}

func BenchmarkPrepare(b *testing.B) {
	m := variance.Matrix{N: 31, Data: make([]float64, 31*31)}
	e := Evidence{Values: make([]float64, 31)}
	for _, name := range signal.DefaultModalities() {
		e.Tiles = append(e.Tiles, Tile{Modality: name.String(), Matrix: m})
	}
	for b.Loop() {
		Prepare(e, View{})
	}
}

func TestColumnsShareTheRoomOfHiddenOnes(t *testing.T) {
	test.NewTempApp(t)
	a, b, c := canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	box := Columns(a, b, c)
	gap := theme.Padding()
	box.Resize(fyne.NewSize(300+2*gap, 50))
	if a.Size().Width != 100 || c.Position().X != 200+2*gap || c.Size().Height != 50 {
		t.Errorf("three columns: first %v, last at %v", a.Size(), c.Position())
	}
	b.Hide()
	box.Refresh()
	if want := 150 + gap/2; a.Size().Width != want || c.Position().X != want+gap {
		t.Errorf("two columns: first %v, last at %v", a.Size(), c.Position())
	}
	charts := NewCharts(&kit.Host{}, func(string) {})
	if !charts.Show(Evidence{}) || charts.LossBox().Visible() || charts.Show(Evidence{}) {
		t.Error("a model without curves must hide their box, once")
	}
	curves := model.Model{Curves: []model.Epoch{{Epoch: 1, Values: map[string]float64{"train_loss": 2}}}}
	if !charts.Show(Evidence{Model: curves}) || !charts.LossBox().Visible() {
		t.Error("curves must bring the box back")
	}
}
