package clouds

import (
	"cmp"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// pick looks at the k-th model.
func (r *rig) pick(k int) *sheet {
	r.Helper()
	r.idle()
	r.page.Select(r.ws.Models[k].Hash)
	return r.idle()
}

// evidence is read beside the page.
func (r *rig) evidence(k int) scenes.Evidence {
	r.Helper()
	e, reason, err := scenes.Read(r.Context(), r.ws.Workspace, r.ws.Models[k], r.ws.Selection.Hash)
	if err != nil || reason != "" {
		r.Fatal(reason, err)
	}
	return e
}

func (r *rig) interpolate(c scatter.Cloud, raster int, list ...scatter.Interpolant) []scatter.Matrix {
	r.Helper()
	return testdata.Must(scatter.Interpolate(r.Context(), c, raster, list))(r)
}

func TestExactMatricesTakeThePlaceOfPreviews(t *testing.T) {
	r := newRig(t, 4, nil)
	s := r.pick(2)
	if !s.exact || len(s.rows) != 2 || len(s.all()) != 5 {
		t.Fatalf("%d rows, exact: %v", len(s.rows), s.exact)
	}
	cloud := r.evidence(2).Clouds[scenes.ConfMax]
	for k, m := range r.interpolate(cloud, 64, scatter.Interpolants()...) {
		if got := s.rows[0][k]; !slices.Equal(got.matrix.Values, m.Values) || got.preview || got.picture.Preview {
			t.Errorf("%s is not the exact matrix, or marked as a preview", got.by.Name())
		}
	}
	first, err := preview(t.Context(), newVault(), s.ask)
	if err != nil || first.exact {
		t.Fatalf("a preview says that it is exact: %v", err)
	}
	for k, tile := range first.all() {
		if d := scatter.Difference(tile.matrix, s.all()[k].matrix); !(d < 0.05) {
			t.Errorf("the preview of %s is off by %v", first.title(tile), d)
		}
		if tile.preview == tile.points() {
			t.Errorf("%s: preview %v", first.title(tile), tile.preview)
		}
	}
}

func TestKeptMatricesAreNotComputedAgain(t *testing.T) {
	r := newRig(t, 2, nil)
	s := r.idle()
	e := r.evidence(0)
	kept, err := scenes.Matrices(t.Context(), r.ws.Workspace, e, scenes.ConfMax, 64, scatter.Interpolants())
	if err != nil || !slices.Equal(kept[1].Values, s.rows[0][1].matrix.Values) {
		t.Error("the workspace keeps other matrices", err)
	}
	if groups := s.ask.missing(r.page.vault); len(groups) != 0 {
		t.Errorf("%+v are computed again", groups)
	}
}

func TestFreeInterpolant(t *testing.T) {
	r := newRig(t, 4, nil)
	r.pick(2)
	free := r.page.bar.free
	for name, text := range map[string]string{"sigma": "6", "raster": "32", "size": "10.5", "k": "5"} {
		if err := free.Put(name, text); err != nil {
			t.Error(err)
		}
	}
	s := r.idle()
	got := s.rows[1][1]
	want := scatter.Interpolant{Size: 10.5, Sigma: 6, K: 5}
	if got.by != want || got.raster != 32 {
		t.Errorf("the free interpolant is %v on %d", got.by, got.raster)
	}
	m := r.interpolate(r.evidence(2).Clouds[scenes.ConfMax], 32, want)[0]
	if !slices.Equal(got.matrix.Values, m.Values) || got.preview {
		t.Error("the free matrix is not the exact one")
	}
	if title := s.title(got); !strings.HasPrefix(title, "free: 10.5,6,5 on 32², largest 0.") {
		t.Error(title)
	}
	r.press("I2")
	if s = r.idle(); s.rows[1][1].by.Name() != "I2" ||
		!slices.Equal(s.rows[1][1].matrix.Values, s.rows[0][1].matrix.Values) {
		t.Errorf("the free interpolant begins with %s", s.rows[1][1].by)
	}
	if o := free.Options(); o.Size != 32 || o.Raster != scatter.DefaultRaster {
		t.Errorf("the form shows %+v", o)
	}
}

func TestShareOfTheImages(t *testing.T) {
	r := newRig(t, 4, nil)
	whole := r.pick(2)
	r.page.choose(func(s *Settings) { s.Share = 50 })
	s := r.idle()
	cloud := r.evidence(2).Clouds[scenes.ConfMax]
	part := cloud.Of(scatter.Draw(len(cloud.Signals), 0.5, 1, 0))
	for k, m := range r.interpolate(part, 64, scatter.Interpolants()...) {
		got := s.rows[0][k]
		if !slices.Equal(got.matrix.Values, m.Values) {
			t.Errorf("%s is not that of half of the targets", got.by.Name())
		}
		if want := scatter.Difference(m, whole.rows[0][k].matrix); got.apart != want || want == 0 {
			t.Errorf("%s differs by %v, want %v", got.by.Name(), got.apart, want)
		}
	}
	if !math.IsNaN(whole.rows[0][0].apart) || !strings.Contains(s.title(s.rows[0][0]), "(Δ 0.") {
		t.Errorf("titles %q and %q", whole.title(whole.rows[0][0]), s.title(s.rows[0][0]))
	}
	r.press("Compute")
	r.idle()
	data := r.page.shares.chart.Data()
	if len(data.Lines) != 3 || len(data.Lines[0].X) != len(scatter.Shares()) || data.Lines[0].Y[0] != 0 ||
		data.Lines[0].Y[4] <= 0 || data.Check() != nil {
		t.Errorf("the curve is %+v", data.Lines)
	}
	r.pick(1)
	if d, _ := r.page.shares.Data(); d.found || d.about != "m01, max@CONF" {
		t.Errorf("another model has the differences of the one before: %+v", d)
	}
	r.pick(2)
	if d, _ := r.page.shares.Data(); !d.found || !slices.Equal(d.effects.Mean[0], data.Lines[0].Y) {
		t.Error("the kept curve does not come back")
	}
}

func TestAllMeasuresAndTwoModels(t *testing.T) {
	r := newRig(t, 4, nil)
	r.pick(2)
	r.page.choose(func(s *Settings) { s.Mode = All })
	s := r.idle()
	if len(s.rows) != 3 || len(s.rows[0]) != 4 || !s.exact {
		t.Fatalf("%d rows of %d", len(s.rows), len(s.rows[0]))
	}
	e := r.evidence(2)
	for column, measure := range scenes.Measures() {
		m := r.interpolate(e.Clouds[measure], 64, scatter.Interpolants()[2])[0]
		if got := s.rows[2][column]; got.measure != measure || !slices.Equal(got.matrix.Values, m.Values) {
			t.Errorf("column %d is %s", column, got.measure)
		}
	}
	r.page.choose(func(s *Settings) { s.Mode, s.Second = Two, r.ws.Models[0].Hash })
	s = r.idle()
	row := s.rows[1]
	if s.who() != "m02 and m00" || s.title(row[2]) != "I2, difference" ||
		!strings.HasPrefix(s.title(row[1]), "I2, m00, largest ") {
		t.Errorf("%s: %q, %q", s.who(), s.title(row[1]), s.title(row[2]))
	}
	for e, v := range row[2].matrix.Values {
		if v != row[0].matrix.Values[e]-row[1].matrix.Values[e] {
			t.Fatalf("element %d differs by %v", e, v)
		}
	}
	scale := row[2].picture.Scale
	if scale.Map != &render.Diverging || scale.Low != -scale.High || scale != s.rows[0][2].picture.Scale ||
		row[0].picture.Scale != row[1].picture.Scale {
		t.Errorf("the difference has the scale %v..%v", scale.Low, scale.High)
	}
}

// TestOneModelInSeveralSelections: a row per selection of the same targets that the model ran in,
// by name, on common axes, as the command draws them (Fig. 15 of the background paper).
func TestOneModelInSeveralSelections(t *testing.T) {
	r := newRig(t, 3, nil)
	r.pick(1)
	r.page.choose(func(s *Settings) { s.Mode = Several })
	if s := r.idle(); len(s.rows) != 1 || !strings.HasSuffix(s.foot(), "it ran in no other scenes of these targets") {
		t.Errorf("alone: %d rows, %s", len(s.rows), s.foot())
	}
	var found scenes.Measured
	found.Selections = []store.SelectionRecord{r.ws.Selection}
	for k, name := range []string{"level 12", "level 2", "level 3", "level 10", "not run", "one more", "other"} {
		chosen := r.ws.Choose(t, name, func(a *scenes.Ask) {
			a.Choice.Method, a.Choice.Seed = background.Random, uint64(k)
		})
		if name != "not run" {
			r.ws.Run(t, r.ws.Models[1], 1, chosen)
		}
		if strings.HasPrefix(name, "level") {
			found.Selections = append(found.Selections, chosen)
		}
	}
	r.page.Refresh()
	r.stage.Until("the selections are there", func() bool {
		s := r.idle()
		return len(s.rows) == mostSelections && len(s.ask.left) == 2
	})
	s := r.idle()
	want := []string{"level 2", "level 3", "level 10", "level 12", "near"}
	if got := s.selections(); !slices.Equal(got, want) || !s.exact ||
		!strings.HasPrefix(s.foot(), "without 2 selections (see Notes); m01 in level 2: prediction changes in ") ||
		!strings.Contains(s.foot(), "; 12 of 12 targets: level 2 × ") {
		t.Errorf("selections %v, exact: %v, %s", got, s.exact, s.foot())
	}
	if text := r.page.notes.Text; !strings.HasSuffix(text,
		"Left out\none more: there is room for 5 selections\nother: there is room for 5 selections") {
		t.Error(text)
	}
	option.SetDefaults(&found.Options)
	found.Workspace, found.Models = r.ws.Workspace, r.ws.Models[1:2]
	found = testdata.Must(found.Measure(t.Context(), engine.NoProgress{}))(t)
	for row, name := range s.selections() {
		at := slices.IndexFunc(found.Of, func(m scenes.MeasuredModel) bool { return m.InScenes.Selection == name })
		for k, made := range found.Of[at].Matrices[scenes.ConfMax] {
			if got := s.rows[row][1+k]; !slices.Equal(got.matrix.Values, made.Matrix.Values) ||
				!strings.HasPrefix(s.title(got), name+", "+made.Name+", largest ") {
				t.Errorf("%s: not the matrix %s of %s", s.title(got), made.Name, name)
			}
		}
	}
	own := look{Row: Row{Model: r.ws.Models[1], Key: "new"}, selection: r.ws.Selection.Hash}
	gone := look{Row: Row{Model: r.ws.Models[1], Key: "gone", Selection: "gone"}, selection: "gone"}
	list, left, err := newVault().read(t.Context(), r.ws.Workspace, []look{gone, own}, own.selection)
	if err != nil || len(list) != 1 || len(left) != 1 || !strings.HasPrefix(left[0], "gone: ") {
		t.Errorf("beside what cannot be read: %d, %q, %v", len(list), left, err)
	}
	if _, _, err := newVault().read(t.Context(), r.ws.Workspace, []look{gone, own}, gone.selection); err == nil {
		t.Error("what is looked at cannot be read, and nothing is said")
	}
	if text := s.command(r.page.site, nil); strings.Count(text, "--selection") != mostSelections ||
		!strings.Contains(text, "--measure max@CONF") {
		t.Error(text)
	}
}

func TestColours(t *testing.T) {
	r := newRig(t, 3, nil)
	s := r.pick(1)
	scale := s.rows[0][0].picture.Scale
	for _, tile := range s.all() {
		if !s.logarithmic(tile) && (tile.picture.Scale.High != 0.3 || tile.picture.Scale.Map != &render.Green) {
			t.Errorf("%s has a range of its own", s.title(tile))
		}
	}
	r.page.choose(func(s *Settings) { s.Range, s.Map = label.Range{Low: 0, High: 1}, "cividis" })
	s = r.idle()
	if got := s.rows[0][0].picture.Scale; got.High != 1 || got.Map != &render.Cividis || got == scale {
		t.Errorf("the scale is %v..%v", got.Low, got.High)
	}
	if text := r.page.bar.ranged.Text; text != "0..1 (own)" {
		t.Error(text)
	}
	items := r.page.bar.rangeMenu()
	items[0].Action()
	r.idle()
	if text := r.page.bar.ranged.Text; text != "0..0.3" || r.page.settings.Map != "cividis" {
		t.Error(text)
	}
}

func TestHoverReadsOut(t *testing.T) {
	r := newRig(t, 4, nil)
	s := r.pick(2)
	d := r.page.tiles
	f := d.fields[1]
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	at := f.Cursor()
	if !at.Inside ||
		d.fields[0].Cursor() != (widget.FieldPoint{
			A: at.A, B: at.B, Inside: true, X: at.X, Y: at.Y, Value: d.fields[0].Cursor().Value,
		}) {
		t.Errorf("another field shows %+v, want the place %+v", d.fields[0].Cursor(), at)
	}
	if p := d.fields[3].Cursor(); !p.Inside || math.Abs(p.X-at.X) > s.ask.far()/64 {
		t.Errorf("the points show %+v, want the distances of %+v", p, at)
	}
	points := int(s.counts[places{0, 64}].At(at.A, at.B))
	if text := r.page.foot.Text; !strings.HasPrefix(text, "image i at 0.") || !strings.Contains(text, "max@CONF") ||
		!strings.Contains(text, "point") {
		t.Errorf("the read-out of %d points says %q", points, text)
	}
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if text := r.page.foot.Text; !strings.HasPrefix(text, "m02: prediction changes in ") ||
		!strings.Contains(text, ", worst case ") ||
		!strings.HasSuffix(text, "; 12 of 12 targets × 9 images, 972 points") {
		t.Error(text)
	}
	total := 0.0
	for _, n := range s.counts[places{0, 64}].Values {
		total += n
	}
	if total != 972 {
		t.Errorf("%v points in all elements", total)
	}
}

// TestLocateWhatIsGone: where the images of the backgrounds are gone, those are located, and not
// the targets.
func TestLocateWhatIsGone(t *testing.T) {
	r := newRig(t, 2, func(r *rig) {
		testdata.OK(t, os.RemoveAll(r.ws.Backgrounds.Root))
	})
	r.pick(0)
	r.page.tiles.fields[2].OnTapped(widget.FieldPoint{A: 50, B: 10, Inside: true, X: 0.7, Y: 0.15})
	r.idle()
	r.stage.Until("the problem is told", func() bool {
		r.page.images.wall.Update()
		return r.page.images.wall.Missing()
	})
	if r.press("Locate…"); !slices.Equal(r.calls.Located, []string{r.ws.Backgrounds.Hash}) {
		t.Errorf("located %v, not the backgrounds %s", r.calls.Located, r.ws.Backgrounds.Hash)
	}
}

func TestImagesBehindAnElement(t *testing.T) {
	r := newRig(t, 4, nil)
	r.pick(2)
	d := r.page.tiles
	r.page.choose(func(s *Settings) { s.Share = 50 })
	s := r.idle()
	d.fields[2].OnTapped(widget.FieldPoint{A: 50, B: 10, Inside: true, X: 0.7, Y: 0.15})
	r.idle()
	i := r.page.images
	b, _ := i.Data()
	if r.page.tabs.Front() != "images" || len(b.makers.List) == 0 {
		t.Fatalf("tab %s with %d pairs", r.page.tabs.Front(), len(b.makers.List))
	}
	cloud, _ := s.ask.cloud(0, scenes.ConfMax, 50)
	want, err := cloud.Makers(t.Context(), scatter.Element{A: 50, B: 10, Raster: 64, By: scatter.Interpolants()[2]},
		false, mostPairs)
	if err != nil || !slices.Equal(want.List, b.makers.List) {
		t.Error("other pairs stand in the list", err)
	}
	drawn := s.ask.drawn()
	if got := b.target(want.List[0]); got != drawn[want.List[0].Target] {
		t.Errorf("target %d of the share is target %d of the suite, want %d",
			want.List[0].Target, got, drawn[want.List[0].Target])
	}
	m := want.List[0]
	r.stage.Until("the pictures are there", func() bool {
		key := picture.Key{Image: drawn[m.Target], Transformation: m.I}
		other := picture.Key{Image: drawn[m.Target], Transformation: m.J}
		return i.wall.Picture(key) != nil && i.wall.Picture(other) != nil
	})
	if said := i.wall.List()[0].Detail; !strings.Contains(said, ".png") || !strings.Contains(said, "scene") ||
		!strings.Contains(said, "max@CONF") {
		t.Errorf("a pair says %q", said)
	}
	if err := i.Form.Put("order", "near"); err != nil {
		t.Error(err)
	}
	r.idle()
	if b, _ = i.Data(); !slices.IsSortedFunc(b.makers.List,
		func(p, q scatter.Maker) int { return cmp.Compare(p.Apart, q.Apart) }) {
		t.Error("the nearest does not come first")
	}
	r.pick(1)
	if b, _ = i.Data(); i.asked != nil || len(b.makers.List) != 0 {
		t.Error("another model has the pairs of the one before")
	}
}
