package dscore

import (
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2/container"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// modelsPage is the table of models, with the maps of the selected one below it. The marked ones
// are compared on other pages.
type modelsPage struct {
	kit.Panel
	s      *Screen
	list   *kit.Records[Row]
	detail *detail
	row    string // hash of the selected model
}

// tableShare is the share of the height that the table takes.
const tableShare = 0.4

func newModels(s *Screen, host *kit.Host) *modelsPage {
	p := &modelsPage{s: s, detail: newDetail(s, host)}
	p.list = &kit.Records[Row]{
		Host: host, Table: modelsTable(Data{}, true),
		OnSelect: func(Row, bool) { p.selected() },
		OnOpen:   func(r Row) { host.Inspect(r.Model.Hash) },
	}
	split := container.NewVSplit(p.list.Object(), p.detail.object)
	split.Offset = tableShare
	p.Panel = kit.Panel{
		Body: split, Show: p.selected, Keys: p.list.Focus, OnHidden: p.hidden, OnClosed: p.detail.cache.Close,
	}
	return p
}

// hidden lets go of what is only needed while the page is shown. Another page may select a model.
func (p *modelsPage) hidden() {
	p.detail.rest()
	p.Changed()
}

// set fills the table with the scores of the grid that is looked at. All pages take their models
// from the table, so it is filled also while another one is in front.
func (p *modelsPage) set() {
	d := p.s.data()
	p.list.Table = modelsTable(d, p.s.Options().Intervals)
	p.list.Set(d.rows())
	if rows := p.list.Shown(); len(rows) > 0 {
		if _, ok := p.list.Selected(); !ok { // so that there is something below the table
			p.list.Select(rows[0].Model.Hash)
		}
	}
}

// selected shows the maps of the selected model.
func (p *modelsPage) selected() {
	r, ok := p.list.Selected()
	if p.row != "" && ok && p.row != r.Model.Hash {
		p.s.Say(about(r))
	}
	p.row = r.Model.Hash
	p.detail.show(r, ok)
}

// compared are the marked models, those that the filter hides first, or all that the table shows,
// in its order.
func (p *modelsPage) compared() []Row {
	shown, marked := p.list.Shown(), p.list.Marked()
	if len(marked) == 0 {
		return shown
	}
	place := func(r Row) int {
		return slices.IndexFunc(shown, func(one Row) bool { return one.Model.Hash == r.Model.Hash })
	}
	slices.SortStableFunc(marked, func(a, b Row) int { return place(a) - place(b) })
	return marked
}

// modelsTable is score.Scores of one suite and grid: what is the same in all rows is for files
// alone, and columns of the training records that tell models apart stand before the numbers,
// those shown that tell variants of one network apart.
func modelsTable(d Data, intervals bool) result.Table[Row] {
	t := score.Scores.Place(result.FileOnly, "suite", "n", "t").Place(result.Offered, "padded_height", "padded_width")
	t.ID, t.More, t.Noun = func(r Row) string { return r.Model.Hash }, nil, "model"
	at := slices.IndexFunc(t.Columns, func(c result.Column[Row]) bool { return c.Key == "images" })
	images := t.Columns[at]
	var records []result.Column[Row]
	for _, name := range model.RecordNames(d.Models, 2, math.MaxInt) {
		c := result.Texts(result.RecordKey(name), name, "", func(r Row) string { return r.Model.Value(name) })
		if !slices.Contains([]string{"group", "architecture", "augmentation"}, name) {
			c.Show = result.Offered
		}
		records = append(records, c)
	}
	t.Columns = append(slices.Replace(t.Columns, at, at+1, records...), images)
	for k, c := range t.Columns {
		if !intervals {
			t.Columns[k] = c.Between(nil, nil)
		}
	}
	return t
}

// about is the line about a row, with the addends of unevenness (v_robust).
func about(r Row) string {
	say := func(v float64) string { return result.Number.Say(v, 4) }
	t := r.Score.RobustTerms
	text := fmt.Sprintf("%s: D-Score %s = fitness %s − unevenness %s (features %s, attention %s, loss by shifting %s)",
		r.Model.ID, say(r.Score.DScore), say(r.Score.Fitness), say(r.Score.Robust), say(t[0]), say(t[1]), say(t[2]))
	for _, f := range r.Score.Flags {
		text += "; " + f.Sentence()
	}
	return text
}
