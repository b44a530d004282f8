package dscore

import (
	"context"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
)

// percent are shares in percent.
func percent(shares []float64) []float64 {
	list := make([]float64, len(shares))
	for k, v := range shares {
		list[k] = 100 * v
	}
	return list
}

func TestScreenShowsScoresOfTheWorkspace(t *testing.T) {
	r := newRig(t, 5, computed("mask:3", "shift:3:5", "mask:2", "shift:2:5"))
	d := r.idle()
	want, _, err := diagnosis.Diagnose(t.Context(), r.store.Workspace, diagnosis.Ask{}, nil)
	list := r.screen.models.list
	if err != nil || len(want) != 8 || len(d.Rows) != 8 || len(list.Shown()) != 4 ||
		!strings.HasPrefix(d.line(), "4 models; scores have no intervals: fewer than 500") {
		t.Fatalf("%d scores, %d rows of which %d are shown, %v", len(want), len(d.Rows), len(list.Shown()), err)
	}
	for k, row := range list.Shown() {
		if k > 0 && row.Score.DScore > list.Shown()[k-1].Score.DScore || row.N != 3 {
			t.Errorf("%s stands below a lower score", row.Model.ID)
		}
	}
	for _, w := range want {
		if !slices.ContainsFunc(d.Rows, func(r Row) bool {
			return r.ID() == w.ID() && r.Score.DScore == w.Score.DScore
		}) {
			t.Errorf("%s %s has another score", w.Model.ID, w.Grid)
		}
	}
	bounded := d.Rows[0]
	bounded.Intervals = score.Intervals{Samples: 1000, DScore: score.Interval{Low: -1, High: 1}}
	for _, with := range []bool{true, false} {
		sheet := modelsTable(d, with).Sheet([]Row{bounded})
		if text := sheet.Fields[sheet.Field("d_score")].Say(0); strings.Contains(text, "..") != with {
			t.Errorf("intervals %v: D-Score %q", with, text)
		}
	}
	detail := r.screen.models.detail
	row, _ := list.Selected()
	for kind, values := range [][]float64{row.Score.Features, row.Score.Attention} {
		if got := detail.trio.maps[kind].Picture(); got.N != 3 || got.Image == nil ||
			!slices.Equal(got.Values, percent(values)) {
			t.Errorf("%s shows %d values over %v", score.KindKey(kind), len(got.Values), got.Image != nil)
		}
	}
	if len(detail.table.Shown()) != 9 || detail.title.Text != row.Model.ID+" on 60 images of shapes" {
		t.Errorf("%d regions, %q", len(detail.table.Shown()), detail.title.Text)
	}
	r.choose("regions", "mask:2 shift:2:5")
	if got := detail.trio.maps[score.Difference].Picture(); got.N != 2 || len(detail.table.Shown()) != 4 {
		t.Errorf("%d regions", len(detail.table.Shown()))
	}
	if again, _ := list.Selected(); again.Model.Hash != row.Model.Hash || again.N != 2 {
		t.Error("another grid loses the selected model")
	}
	list.OnOpen(list.Shown()[1])
	if !slices.Equal(r.opened, []string{list.Shown()[1].Model.Hash}) {
		t.Errorf("opened %v", r.opened)
	}
	r.press("Augmentation…")
	if len(r.augmented) != 1 || r.augmented[0].N != 2 {
		t.Errorf("augmentation of %d scores", len(r.augmented))
	}
}

// Pages that are in front when the first scores come, as the one of the last time is, show the
// models, though the table of models was never shown.
func TestPageInFrontHasTheModels(t *testing.T) {
	for key, models := range map[string]func(*rig) int{
		"several": func(r *rig) int { return len(r.screen.several.list.Shown()) },
		"compare": func(r *rig) int { return len(r.screen.compare.models) },
		"lose":    func(r *rig) int { return len(r.losses().Layers) },
	} {
		r := newRig(t, 3, nil)
		r.idle()
		r.tab(key)
		computed("mask:3", "shift:3:5")(r)
		r.stage.Until("scores", func() bool { return len(r.screen.data().Rows) == 2 })
		r.idle()
		if key == "lose" && models(r) == 0 || key != "lose" && models(r) != 2 {
			t.Errorf("%s shows %d models", key, models(r))
		}
	}
}

func TestRegionsAreMarkedEverywhere(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	r.idle()
	d := r.screen.models.detail
	marked := func() (list []int) {
		for _, m := range d.trio.maps {
			list = append(list, m.Marked()...)
		}
		if at, ok := d.table.Selected(); ok {
			list = append(list, at.Number)
		}
		return list
	}
	d.trio.maps[score.Attention].OnHover(5)
	if !slices.Equal(marked(), []int{5, 5, 5, 5}) ||
		!strings.HasPrefix(r.said, "region 5, row 2, column 2: deleting it costs") {
		t.Errorf("marked %v, said %q", marked(), r.said)
	}
	d.trio.maps[score.Attention].OnHover(0)
	if len(marked()) != 0 || r.said != "" {
		t.Errorf("marked %v, said %q", marked(), r.said)
	}
	d.table.OnSelect(d.table.Shown()[1], true)
	first := d.table.Shown()[1].Number
	d.trio.maps[score.Features].OnHover(first%9 + 1)
	d.trio.maps[score.Features].OnHover(0)
	if !slices.Equal(marked(), []int{first, first, first, first}) {
		t.Errorf("the chosen region %d is not marked again: %v", first, marked())
	}
	for _, want := range [][]int{{4}, nil} { // chosen, and no longer
		d.trio.maps[score.Attention].OnChosen(4)
		if got := d.trio.maps[score.Features].Marked(); !slices.Equal(got, want) {
			t.Errorf("marked %v, want %v", got, want)
		}
	}
	r.screen.Hidden()
	if r.said != "" {
		t.Errorf("a hidden screen says %q", r.said)
	}
}

func TestOneImage(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	r.idle()
	list, d := r.screen.models.list, r.screen.models.detail
	row, _ := list.Selected()
	if !d.number.Disabled() || !d.next.Disabled() {
		t.Error("images can be walked through while all are shown")
	}
	at := func(image int) {
		t.Helper()
		r.stage.Until("image", func() bool { return d.one != nil && d.one.Image.Index == image && d.picture() != nil })
		want := testdata.Must(diagnosis.OneImage(t.Context(), r.store.Workspace, d.row, image))(t)
		got := d.trio.maps[score.Features].Picture()
		if !slices.Equal(got.Values, percent(want.Features)) || got.Image == nil || d.number.Text != "" &&
			!strings.HasPrefix(d.title.Text, "image "+d.number.Text) {
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
	other := list.Shown()[1]
	list.Select(other.Model.Hash)
	list.OnSelect(other, true)
	r.stage.Until("the other model", func() bool { return d.one != nil && d.one.Row.Model.Hash == other.Model.Hash })
	at(59)
	if f := d.figure(score.Features); f.Name[0] != other.Model.ID+", image 59" ||
		!strings.HasPrefix(r.said, other.Model.ID+": D-Score") {
		t.Errorf("it is saved as %v, said %q", f.Name, r.said)
	}
	d.mode.SetSelected("all images")
	if d.one != nil || !slices.Equal(d.trio.maps[score.Features].Picture().Values, percent(other.Score.Features)) ||
		other.Model.Hash == row.Model.Hash {
		t.Error("the average is not back")
	}
}

func TestImageThatCannotBeReadSaysWhy(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	r.idle()
	d := r.screen.models.detail
	d.row.MaskKey = "nowhere"
	d.mode.SetSelected("one image")
	r.stage.Until("why", func() bool { return d.wanted == "" })
	if text := d.trio.maps[score.Features].Picture().Absent; text == "" || d.title.Text != text ||
		len(d.table.Shown()) != 0 {
		t.Errorf("%q, %q, %d regions", text, d.title.Text, len(d.table.Shown()))
	}
}

func TestTabs(t *testing.T) {
	r := newRig(t, 6, computed("mask:3", "shift:3:5", "mask:2", "shift:2:5", "mask:3;layers=1"))
	r.idle()
	s := r.screen
	r.tab("several")
	if rows := s.several.list.Shown(); len(rows) != 5 || len(rows[0].By) != 2 ||
		s.several.more.Text != "Compute n = 4" {
		t.Errorf("%d models, %q", len(rows), s.several.more.Text)
	}
	if data := s.several.chart.Data(); data.Drawable() || data.Empty == "" || s.several.command() != "" {
		t.Errorf("without a column of numbers that differ: %+v", data)
	}
	r.recordP()
	r.stage.Until("the scores are read again", func() bool {
		return len(s.data().Rows) > 0 && s.data().Rows[0].Model.Value("kind") != "" && r.screen.Idle()
	})
	r.stage.Until("the scores stand over p", func() bool { return len(s.several.chart.Data().Points) == 2*5 })
	if f := s.several.chart.Data(); f.X.Name != "p" || f.Check() != nil || len(f.Lines[0].X) != 5 ||
		!strings.Contains(s.several.command(), "--over p") || len(s.several.scoresOver()) != 5 {
		t.Errorf("%+v, %s", f, s.several.command())
	}
	r.press("Compute n = 4")
	r.press("Start")
	r.press("Close")
	if !slices.Equal(r.sets(), []string{"mask:4", "shift:4:5"}) {
		t.Errorf("started %v", r.sets())
	}
	r.tab("lose")
	p := s.lose
	l := r.losses()
	if len(l.Layers) != 2 || len(p.row.Objects) != 4 ||
		!slices.Equal(p.maps[1].regions.Marked(), l.Layers[1].Free(0.01)) {
		t.Fatalf("%d layers, %d objects", len(l.Layers), len(p.row.Objects))
	}
	r.started = nil
	r.press("Compute each layer alone")
	r.press("Start")
	r.press("Close")
	if !slices.Equal(r.sets(), []string{"mask:3;layers=1", "mask:3;layers=2"}) || len(r.started[1].Models) != 1 {
		t.Errorf("started %v", r.started)
	}
	testdata.OK(t, p.Form.Put("tolerance", "0.005"))
	if l := r.losses(); !slices.Equal(p.maps[1].regions.Marked(), l.Layers[1].Free(0.005)) ||
		!strings.Contains(l.Hint(0.005), "0.5 points") {
		t.Errorf("%q", l.Hint(0.005))
	}
	other := s.models.list.Shown()[3]
	testdata.OK(t, p.Form.Put("model", other.Model.Hash))
	if l := r.losses(); l.Row.Model.Hash != other.Model.Hash {
		t.Errorf("%s is shown", l.Row.Model.ID)
	}
	p.maps[0].regions.OnHover(2)
	if !strings.HasPrefix(r.said, "all layers, region 2: deleting it costs") {
		t.Errorf("said %q", r.said)
	}
	r.tab("models")
	if got := s.models.detail.row; got.Model.Hash != other.Model.Hash {
		t.Errorf("the maps are of %s", got.Model.ID)
	}
	s.models.list.Focus()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	r.tab("compare")
	c := s.compare
	if len(c.models) != 1 || c.models[0].Model.Hash != other.Model.Hash {
		t.Errorf("%d models side by side", len(c.models))
	}
	r.tab("models")
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	r.tab("compare")
	if len(c.models) != 3 || len(c.column.Objects) != 3 || c.maps[0].Scales != c.maps[2].Scales ||
		!strings.Contains(c.note.Text, "first models") {
		t.Fatalf("%d models side by side, %q", len(c.models), c.note.Text)
	}
	c.rows[1].trio.maps[score.Features].OnHover(7)
	for _, row := range c.rows[:3] {
		if !slices.Equal(row.trio.maps[score.Difference].Marked(), []int{7}) {
			t.Errorf("marked %v", row.trio.maps[score.Difference].Marked())
		}
	}
	if !strings.HasPrefix(r.said, "region 7: "+c.models[0].Model.ID+" features") {
		t.Errorf("said %q", r.said)
	}
	c.list.OnSelect(c.list.Shown()[4+9+1], true)
	c.rows[1].trio.maps[score.Features].OnHover(0)
	if c.marks.region() != 2 {
		t.Errorf("region %d is marked", c.marks.region())
	}
	r.tab("models")
	for _, key := range []fyne.KeyName{fyne.KeySpace, fyne.KeyUp, fyne.KeySpace} {
		r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	r.tab("compare")
	r.stage.Until("what sets two models apart", func() bool { return c.apart != nil })
	sheet := c.sheet()()
	if f := sheet.Fields[sheet.Field("difference")]; len(c.models) != 2 || !strings.Contains(f.Say(0), "pp (") {
		t.Errorf("the accuracies of %d models differ by %s", len(c.models), f.Say(0))
	}
}

func TestExport(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	r.idle()
	items := r.screen.exportMenu()
	if len(items) != 7 || items[6].ChildMenu == nil || len(items[6].ChildMenu.Items) != 7 {
		t.Fatalf("%d entries", len(items))
	}
	items[0].Action()
	r.stage.Until("copied", func() bool { return r.said == "values copied" })
	rows, err := csv.NewReader(strings.NewReader(fyne.CurrentApp().Clipboard().Content())).ReadAll()
	if err != nil || len(rows) != 1+3 || rows[0][0] != "model_id" || !slices.Contains(rows[0], "d_score_low") {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	d := r.screen.models.detail
	var out strings.Builder
	for kind := range score.Kinds {
		out.Reset()
		if err := d.figure(kind).CSV(&out); err != nil || strings.Count(out.String(), "\n") != 10 {
			t.Errorf("%s: %d lines, %v", score.KindKey(kind), strings.Count(out.String(), "\n"), err)
		}
	}
	if err := d.figures().Write(&out, "svg"); err != nil || !strings.Contains(out.String(), "Attention") {
		t.Errorf("three maps: %v", err)
	}
	r.tab("lose")
	l := r.losses()
	figure := r.screen.lose.figure(l.Row, l.Layers[0], r.screen.lose.bar.Scale())
	if err := figure.Write(&out, "png"); err != nil || len(r.screen.exportMenu()) != 8 {
		t.Errorf("%d entries with what would be lost, %v", len(r.screen.exportMenu()), err)
	}
	for _, sheet := range []func() *result.Sheet{
		r.screen.several.sheet(), r.screen.compare.sheet(),
		r.screen.lose.sheet(l.Layers...),
	} {
		if sheet().Len() == 0 {
			t.Errorf("%s has no rows", sheet().Name)
		}
	}
}

// A grid of a single layer is computed when it is chosen.
func TestGridOfOneLayer(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5", "mask:3;layers=2"))
	if d := r.idle(); len(d.Grids) != 2 || len(d.Rows) != 2 {
		t.Fatalf("%d grids, %d rows", len(d.Grids), len(d.Rows))
	}
	r.choose("regions", "mask:3;layers=2 shift:3:5")
	if d := r.idle(); len(d.Rows) != 4 || len(r.screen.models.list.Shown()) != 2 || d.Grid.Mask != "mask:3;layers=2" {
		t.Errorf("%d rows, %s", len(d.Rows), d.Grid.Mask)
	}
	r.tab("lose")
	if l := r.losses(); len(l.Layers) != 2 || l.Layers[0].Name() != "layer 2" {
		t.Errorf("the first line is %q", l.Layers[0].Name())
	}
}

// Below the maps of all tabs lies the average image of the suite that is looked at; what is there
// already is not read again for another grid.
func TestOtherSuite(t *testing.T) {
	var other suite.Manifest
	r := newRig(t, 3, func(r *rig) {
		computed("mask:2", "shift:2:5")(r)
		other = r.store.Shift(r.T, "contrast", 5)
		for _, m := range r.store.Imported[:2] {
			for _, set := range []string{"mask:2", "shift:2:5"} {
				r.store.ComputeOn(r.T, m, spread, other, set)
			}
		}
	})
	first := r.idle()
	testdata.OK(t, r.store.SetCurrent(store.Current{Suite: other.Hash}))
	r.stage.Until("the other suite is read", func() bool { return r.screen.data().Suite.Hash == other.Hash })
	second := r.idle()
	if second.Suite.Hash != other.Hash || second.picture == nil || second.picture == first.picture {
		t.Fatalf("%s is shown", second.Suite.Name)
	}
	r.tab("compare")
	r.tab("lose")
	r.losses()
	for _, got := range []any{
		r.screen.compare.rows[0].trio.maps[score.Features].Picture().Image,
		r.screen.lose.maps[0].regions.Picture().Image,
	} {
		if got != any(second.picture) {
			t.Error("below the maps lies another image")
		}
	}
	made, err := r.screen.load(r.screen.Options())(context.Background(), nil)
	if err != nil || made.picture != second.picture || len(made.Rows) != len(second.Rows) {
		t.Errorf("it is read again: %v", err)
	}
}
