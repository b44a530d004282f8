package dscore

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

func TestScreenShowsScoresOfTheWorkspace(t *testing.T) {
	r := newRig(t, 5, computed("mask:3", "shift:3:5", "mask:2", "shift:2:5"))
	v := r.idle()
	want, _, err := diagnosis.Diagnose(t.Context(), r.store.Workspace, diagnosis.Ask{}, nil)
	if err != nil || len(want) != 8 || len(v.Rows) != 8 || v.Len() != 4 {
		t.Fatalf("%d scores, %d rows of which %d are shown, %v", len(want), len(v.Rows), v.Len(), err)
	}
	for _, w := range want {
		if got, ok := v.of(w.Model.Hash, w.Grid); !ok || got.Score.DScore != w.Score.DScore {
			t.Errorf("%s %s: %v, want %v", w.Model.ID, w.Grid, got.Score.DScore, w.Score.DScore)
		}
	}
	f := r.screen.face
	if !f.tabs.Visible() || f.empty.Visible() || f.suite.Selected != "shapes" || f.grid.Selected != "3 × 3 regions, t = 5" || len(f.grid.Options) != 2 {
		t.Errorf("suite %q, regions %q of %q", f.suite.Selected, f.grid.Selected, f.grid.Options)
	}
	d := f.main.detail
	row, _ := v.At(0)
	for kind, values := range [][]float64{row.Score.Features, row.Score.Attention} {
		if got := d.trio.maps[kind].Picture(); got.N != 3 || got.Image == nil || !slices.Equal(got.Values, percent(values)) {
			t.Errorf("%s shows %d values over %v", mapKey(kind), len(got.Values), got.Image != nil)
		}
	}
	if len(d.table.Shown()) != 9 || d.title.Text != row.Model.ID+" on 60 images of shapes" {
		t.Errorf("%d regions, %q", len(d.table.Shown()), d.title.Text)
	}
	f.grid.SetSelected("2 × 2 regions, t = 5")
	r.idle()
	if got := d.trio.maps[difference].Picture(); got.N != 2 || len(d.table.Shown()) != 4 || r.gated.asked != 1 {
		t.Errorf("%d regions after asking %d times", len(d.table.Shown()), r.gated.asked)
	}
	f.main.table.OnOpen(1)
	row, _ = v.At(1)
	if !slices.Equal(r.opened, []string{row.Model.Hash}) {
		t.Errorf("opened %v", r.opened)
	}
	r.press("Augmentation…")
	if len(r.augmented) != 1 || r.augmented[0].N != 2 {
		t.Errorf("augmentation of %d scores", len(r.augmented))
	}
}

func TestRegionsAreMarkedEverywhere(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	r.idle()
	d := r.screen.face.main.detail
	marked := func() (list []int) {
		for _, m := range d.trio.maps {
			list = append(list, m.Marked()...)
		}
		if at, ok := d.table.Selected(); ok {
			list = append(list, at.Number)
		}
		return list
	}
	d.trio.maps[attention].OnHover(5)
	if !slices.Equal(marked(), []int{5, 5, 5, 5}) || !strings.HasPrefix(r.said, "region 5, row 2, column 2: deleting it costs") {
		t.Errorf("marked %v, said %q", marked(), r.said)
	}
	d.trio.maps[attention].OnHover(0)
	if len(marked()) != 0 || r.said != "" {
		t.Errorf("marked %v, said %q", marked(), r.said)
	}
	d.table.OnSelect(d.table.Shown()[1], true)
	first := d.table.Shown()[1].Number
	d.trio.maps[features].OnHover(first%9 + 1)
	d.trio.maps[features].OnHover(0)
	if !slices.Equal(marked(), []int{first, first, first, first}) {
		t.Errorf("the chosen region %d is not marked again: %v", first, marked())
	}
	r.screen.Hidden()
	if r.said != "" {
		t.Errorf("a hidden screen says %q", r.said)
	}
}

func TestOneImage(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	v := r.idle()
	d := r.screen.face.main.detail
	row, _ := v.Selected()
	if !d.number.Disabled() || !d.next.Disabled() {
		t.Error("images can be walked through while all are shown")
	}
	at := func(image int) {
		t.Helper()
		r.stage.Until("image", func() bool { return d.one != nil && d.one.Image.Index == image && d.picture() != nil })
		want, err := diagnosis.OneImage(t.Context(), r.store.Workspace, d.row, image)
		if err != nil {
			t.Fatal(err)
		}
		got := d.trio.maps[features].Picture()
		if !slices.Equal(got.Values, percent(want.Features)) || got.Image == nil || d.number.Text != "" && !strings.HasPrefix(d.title.Text, "image "+d.number.Text) {
			t.Errorf("image %d: %v, %q", image, got.Values, d.title.Text)
		}
		if len(d.table.Table.Columns) != len(regionTable(true).Columns) {
			t.Error("the table has the columns of all images")
		}
	}
	d.mode.SetSelected("one image")
	at(0)
	test.Tap(d.next)
	at(1)
	d.class.SetSelected(sample.Classes[2])
	first := slices.Index(r.store.Shapes.Labels, 2)
	at(first)
	test.Tap(d.previous)
	at(first) // there is no other before it
	d.number.SetText("59")
	d.number.OnSubmitted("59")
	at(59)
	d.number.OnSubmitted("60")
	if !strings.Contains(r.said, "a number from 0 to 59") || d.walk.At() != 59 {
		t.Errorf("said %q at %d", r.said, d.walk.At())
	}
	other, _ := v.At(1)
	r.screen.Select(other.Model.Hash)
	r.stage.Until("the other model", func() bool { return d.one != nil && d.one.Row.Model.Hash == other.Model.Hash })
	at(59)
	if f := d.figure(features); f.Name[0] != other.Model.ID+", image 59" {
		t.Errorf("it is saved as %v", f.Name)
	}
	d.mode.SetSelected("all images")
	if d.one != nil || !slices.Equal(d.trio.maps[features].Picture().Values, percent(other.Score.Features)) || other.Model.Hash == row.Model.Hash {
		t.Error("the average is not back")
	}
}

func TestImageThatCannotBeReadSaysWhy(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	r.idle()
	d := r.screen.face.main.detail
	d.row.MaskKey = "nowhere"
	d.mode.SetSelected("one image")
	r.stage.Until("why", func() bool { return d.wanted == "" })
	if text := d.trio.maps[features].Picture().Absent; text == "" || d.title.Text != text || len(d.table.Shown()) != 0 {
		t.Errorf("%q, %q, %d regions", text, d.title.Text, len(d.table.Shown()))
	}
}

// Where the images are gone, the maps stand without them, and the images can be located.
func TestImagesThatAreGone(t *testing.T) {
	r := newRig(t, 3, func(r *rig) {
		computed("mask:3", "shift:3:5")(r)
		r.gated.gone = store.ErrNoImages
	})
	r.idle()
	d := r.screen.face.main.detail
	if p := d.trio.maps[features].Picture(); p.Image != nil || p.N != 3 {
		t.Error("there is a picture, or no map")
	}
	r.press("Locate…")
	if !slices.Equal(r.located, []string{r.store.Shapes.Hash}) {
		t.Errorf("located %v", r.located)
	}
	r.gated.gone = nil
	r.screen.Refresh()
	r.idle()
	if d.average.picture == nil || d.missing.Object().Visible() {
		t.Error("the average image is not made when the images are back")
	}
}

func TestTabs(t *testing.T) {
	r := newRig(t, 6, computed("mask:3", "shift:3:5", "mask:2", "shift:2:5", "mask:3;layers=1"))
	v := r.idle()
	f := r.screen.face
	r.tab(1)
	if p := f.several; len(p.made.Grids) != 2 || len(p.made.Models) != 5 || p.more.Text != "Compute n = 4" || p.more.Hidden {
		t.Errorf("%d grids, %d models, %q", len(p.made.Grids), len(p.made.Models), p.more.Text)
	}
	r.press("Compute n = 4")
	if !slices.Equal(r.sets(), []string{"mask:4", "shift:4:5"}) {
		t.Errorf("started %v", r.sets())
	}
	f.several.table.OnSort(3)
	if m := f.several.made; m.rank(m.Models[0], 3) != 1 {
		t.Error("the best is not first")
	}
	r.tab(2)
	p := f.lose
	r.stage.Until("the layers", func() bool { return len(p.made.Layers) == 2 })
	if len(p.row.Objects) != 4 || !slices.Equal(p.maps[1].regions.Marked(), p.made.Layers[1].Free(0.01)) {
		t.Errorf("%d objects, marked %v", len(p.row.Objects), p.maps[1].regions.Marked())
	}
	r.started = nil
	r.press("Compute each layer alone")
	if !slices.Equal(r.sets(), []string{"mask:3;layers=1", "mask:3;layers=2"}) || len(r.started[1].Models) != 1 {
		t.Errorf("started %v", r.started)
	}
	before := p.hint.Text
	p.tolerance.SetSelected("0.5 points")
	if p.hint.Text == before || r.screen.settings.Tolerance != 0.005 {
		t.Errorf("tolerance %v: %q", r.screen.settings.Tolerance, p.hint.Text)
	}
	other, _ := v.At(3)
	p.model.SetSelected(other.Model.ID)
	r.stage.Until("the other model", func() bool { return p.made.Model.Hash == other.Model.Hash && len(p.made.Layers) > 1 })
	p.maps[0].regions.OnHover(2)
	if !strings.HasPrefix(r.said, "all layers, region 2: deleting it costs") {
		t.Errorf("said %q", r.said)
	}
	r.tab(3)
	c := f.compare
	if len(c.made.Rows) != 3 || len(c.column.Objects) != 3 {
		t.Fatalf("%d models side by side", len(c.made.Rows))
	}
	c.rows[1].trio.maps[features].OnHover(7)
	for _, row := range c.rows[:3] {
		if !slices.Equal(row.trio.maps[difference].Marked(), []int{7}) {
			t.Errorf("marked %v", row.trio.maps[difference].Marked())
		}
	}
	if !strings.HasPrefix(r.said, "region 7: "+c.made.Rows[0].Model.ID+" features") {
		t.Errorf("said %q", r.said)
	}
	c.table.Select(fynewidget.TableCellID{Row: fixedQuantities + 9 + 1, Col: 1})
	c.rows[1].trio.maps[features].OnHover(0)
	if c.marks.region() != 2 {
		t.Errorf("region %d is marked", c.marks.region())
	}
	r.tab(0)
	f.main.table.Select(fynewidget.TableCellID{Row: 2, Col: 0})
	marked, _ := v.At(2)
	if !v.Marked(marked.Model.Hash) {
		t.Error("a click on the dot marks nothing")
	}
	f.main.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if v.Marked(marked.Model.Hash) {
		t.Error("the space bar does not take the mark away")
	}
}

func TestSettingsAreRemembered(t *testing.T) {
	want := Settings{Columns: []string{"augmentation_range"}, NoIntervals: true, Tolerance: 0.005}
	r := newRig(t, 4, func(r *rig) {
		computed("mask:3", "shift:3:5")(r)
		if err := r.store.SetSetting(keySettings, want); err != nil {
			t.Fatal(err)
		}
	})
	v := r.idle()
	if r.screen.face.main.intervals.Checked || strings.Contains(v.Cell(0, 3, !r.screen.settings.NoIntervals), "(") || !slices.Equal(v.Records(), want.Columns) {
		t.Errorf("%+v", r.screen.settings)
	}
	r.screen.face.main.intervals.SetChecked(true)
	items := r.screen.face.main.columnMenu()
	at := slices.IndexFunc(items, func(i *fyne.MenuItem) bool { return i.Label == "augmentation_range" })
	if at < 0 || !items[at].Checked {
		t.Fatal("the column is not checked")
	}
	items[at].Action()
	r.stage.Until("remembered", func() bool { s := recalled(r.gated); return s.Columns != nil && len(s.Columns) == 0 && !s.NoIntervals })
	if err := r.store.SetSetting(keySettings, map[string]any{"tolerance": "much"}); err != nil {
		t.Fatal(err)
	}
	if s := recalled(r.gated); s.Tolerance != 0.01 || s.Suite != "" {
		t.Errorf("settings of another version give %+v", s)
	}
}

func TestExport(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	v := r.idle()
	items := r.screen.face.exportMenu()
	if len(items) != 7 || items[6].ChildMenu == nil || len(items[6].ChildMenu.Items) != 4 {
		t.Fatalf("%d entries", len(items))
	}
	items[0].Action()
	r.stage.Until("copied", func() bool { return r.said == "values copied" })
	rows, err := csv.NewReader(strings.NewReader(fyne.CurrentApp().Clipboard().Content())).ReadAll()
	if err != nil || len(rows) != 1+v.Len() || rows[0][0] != "model_id" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	d := r.screen.face.main.detail
	for kind := range mapKinds {
		for _, format := range []string{"png", "svg", "pdf"} {
			var out strings.Builder
			if err := d.figure(kind).Write(&out, format); err != nil || out.Len() < 1000 {
				t.Errorf("%s as %s: %d bytes, %v", mapKey(kind), format, out.Len(), err)
			}
		}
		var out strings.Builder
		if err := d.figure(kind).CSV(&out); err != nil || strings.Count(out.String(), "\n") != 10 {
			t.Errorf("%d lines, %v", strings.Count(out.String(), "\n"), err)
		}
	}
	var out strings.Builder
	if err := mapsFigure(d.row, d.maps(), d.saved(), d.regions()).Write(&out, "svg"); err != nil || !strings.Contains(out.String(), "Attention") {
		t.Errorf("three maps: %v", err)
	}
	r.tab(2)
	p := r.screen.face.lose
	r.stage.Until("the layers", func() bool { return p.known })
	if err := p.figure(p.made.Layers[0], p.bar.Scale()).Write(&out, "png"); err != nil {
		t.Error(err)
	}
	if items := r.screen.face.exportMenu(); len(items) != 8 {
		t.Errorf("%d entries with what would be lost", len(items))
	}
}

func TestFilterByTyping(t *testing.T) {
	r := newRig(t, 5, computed("mask:3", "shift:3:5"))
	v, p := r.idle(), r.screen.face.main
	p.table.TypedRune('m')
	test.Type(p.filter, "02")
	if v.Len() != 1 || r.screen.face.caption.Text != v.Caption() {
		t.Errorf("%d rows, %q", v.Len(), r.screen.face.caption.Text)
	}
	p.filter.SetText("")
	p.table.OnSort(slices.IndexFunc(v.Columns(), func(c Column) bool { return c.Key == "v_robust" }))
	if key, down := v.Order(); key != "v_robust" || down {
		t.Errorf("sorted by %s", key)
	}
	p.table.OnHint(v.Columns()[len(v.Columns())-3].Help)
	if !strings.Contains(r.said, "recommended probability") {
		t.Errorf("said %q", r.said)
	}
	p.table.OnRow(2)
	row, _ := v.At(2)
	if got, _ := v.Selected(); got.Model.Hash != row.Model.Hash || !strings.HasPrefix(r.said, row.Model.ID+": D-Score") || p.detail.row.Model.Hash != row.Model.Hash {
		t.Errorf("selected %s, said %q", got.Model.ID, r.said)
	}
}

// The maps are as large as their place allows, never overlap, and leave the table its least width.
func TestLayouts(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	r.idle()
	d := r.screen.face.main.detail
	for _, size := range []fyne.Size{{Width: 1024, Height: 700}, {Width: 1280, Height: 800}, {Width: 1920, Height: 1080}, {Width: 1500, Height: 560}} {
		r.window.Resize(size)
		r.stage.Pump()
		end := float32(0)
		for kind, m := range d.trio.maps {
			if m.Position().X < end || m.Size() != d.trio.maps[0].Size() || m.Size().Height < 90 {
				t.Errorf("%v: map %d of %v begins at %v, the one before ends at %v", size, kind, m.Size(), m.Position().X, end)
			}
			end = m.Position().X + m.Size().Width
		}
		table := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.table.Object())
		bar := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.trio.bars[1])
		if bar.X+d.trio.bars[1].Size().Width > table.X+1 || d.table.Object().Size().Width < 300 {
			t.Errorf("%v: the table begins at %v and is %v wide", size, table.X, d.table.Object().Size().Width)
		}
	}
	var cut []string
	stage.Walk(r.screen.Object(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Size().Width < b.MinSize().Width-0.5 {
			cut = append(cut, b.Text)
		}
	})
	if len(cut) > 0 {
		t.Errorf("buttons are cut: %q", cut)
	}
}
