package dscore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// comparePage shows a few models side by side: the maps of each in a row, all with the same
// colours, and their numbers in the form of the paper's Table VI.
type comparePage struct {
	kit.Panel
	s      *Screen
	models []Row
	maps   []score.Distributions // of models, with the same colours for all
	note   *fynewidget.Label
	marks  marks
	rows   []*compareRow
	column *fyne.Container
	list   *kit.Records[score.Quantity]
	apart  *score.Differences // of two models, once they are computed
	asked  int                // counts what was shown: answers about earlier models are dropped
}

// compareRow is one model: its name and scores, and its maps.
type compareRow struct {
	facts  *fynewidget.Label
	trio   *trio
	object *fyne.Container
}

// rowsShare is the share of the width that the maps take.
const rowsShare = 0.68

func newCompare(s *Screen, host *kit.Host) *comparePage {
	p := &comparePage{s: s, note: fynewidget.NewLabel("")}
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.marks.changed = p.marked
	p.list = &kit.Records[score.Quantity]{
		Host: host, Table: score.QuantityTable(nil), Plain: true,
		OnSelect: func(q score.Quantity, ok bool) {
			if ok && q.Region > 0 {
				p.marks.set(q.Region)
			}
		},
	}
	p.column = container.New(rowsLayout{})
	split := container.NewHSplit(container.NewVScroll(p.column), p.list.Object())
	split.Offset = rowsShare
	body := container.NewBorder(p.note, nil, nil, nil, split)
	p.Panel = kit.Panel{Body: body, Show: p.show, Keys: p.list.Focus, OnHidden: p.Changed} // marks may change meanwhile
	return p
}

func (p *comparePage) newRow(k int) *compareRow {
	r := &compareRow{facts: fynewidget.NewLabel(""), trio: newTrio(&p.marks)}
	r.facts.Truncation = fyne.TextTruncateEllipsis
	for kind, m := range r.trio.maps {
		m.Menu = func() []*fyne.MenuItem {
			return p.s.Saver().Entries(mapFigure(p.models[k], p.maps[k], kind, p.s.data().average,
				regionsOf(p.models[k])))
		}
	}
	r.object = container.New(factsLayout{}, r.facts, r.trio.object)
	return r
}

// chosen are the first marked models, or fewer of the first of the table, and what to say of that.
func (p *comparePage) chosen() (models []Row, note string) {
	const most, few = 4, 3
	models = p.s.models.compared()
	marked := len(p.s.models.list.Marked())
	switch {
	case marked == 0:
		return models[:min(few, len(models))],
			"These are the first models of the table. To compare others, mark them there: " +
				"Ctrl and a click, or the space bar."
	case marked > most:
		return models[:most], fmt.Sprintf("The first %d of %d marked models are shown.", most, marked)
	}
	return models,
		"These are the marked models. " +
			"Ctrl and a click, or the space bar, marks a model of the table or takes its mark away."
}

// sheet is what is saved.
func (p *comparePage) sheet() func() *result.Sheet {
	models, _ := p.chosen()
	apart := p.apart
	if !slices.EqualFunc(models, p.models, func(a, b Row) bool { return a.ID() == b.ID() }) {
		apart = nil // the page was not shown since
	}
	return func() *result.Sheet { return score.QuantityTable(models).Sheet(score.QuantitiesOf(models, apart)) }
}

func (p *comparePage) show() {
	d := p.s.data()
	models, note := p.chosen()
	p.models, p.maps = models, nil
	for _, r := range models {
		p.maps = append(p.maps, r.Distributions())
	}
	score.ScaleTogether(p.maps, d.Colours)
	p.note.SetText(note)
	p.column.Objects = nil
	for k, r := range models {
		if k == len(p.rows) {
			p.rows = append(p.rows, p.newRow(k))
		}
		p.rows[k].facts.SetText(facts(r))
		p.rows[k].trio.show(p.maps[k], d.picture, "")
		p.column.Objects = append(p.column.Objects, p.rows[k].object)
	}
	p.marks.within(d.Grid.N)
	p.column.Refresh()
	p.list.Table = score.QuantityTable(models)
	p.apart = nil
	p.list.Set(score.QuantitiesOf(models, nil))
	p.asked++
	if asked := p.asked; len(models) == 2 {
		ask := diagnosis.Ask{Suites: []string{p.models[0].Suite}, Grids: []score.Grid{p.models[0].Grid}}
		for _, r := range p.models {
			ask.Models = append(ask.Models, r.Model.Hash)
		}
		var pairs []score.Pair
		p.s.Work.Quiet("compare D-Scores", func(ctx context.Context) (err error) {
			pairs, err = diagnosis.Compare(ctx, p.s.store, ask, nil)
			return err
		}, func(err error) {
			switch {
			case asked != p.asked:
			case err != nil:
				p.s.Fail(err)
			case len(pairs) == 1:
				p.apart = &pairs[0].Differences
				p.list.Set(score.QuantitiesOf(p.models, p.apart))
			}
		})
	}
}

// facts are the lines beside a model's maps.
func facts(r Row) string {
	say := func(v float64) string { return result.Number.Say(v, 4) }
	lines := []string{
		r.Model.ID, "accuracy " + result.Share.Say(r.Accuracies.Original, 0), "unevenness " + say(r.Score.Robust),
		"fitness " + say(r.Score.Fitness), "D-Score " + say(r.Score.DScore), "share to pad " + say(r.Score.P),
	}
	var flags []string
	for _, f := range r.Flags() {
		flags = append(flags, f.Word())
	}
	if len(flags) > 0 {
		lines = append(lines, strings.Join(flags, ", "))
	}
	return strings.Join(lines, "\n")
}

// marked says what the models have in a region.
func (p *comparePage) marked(region int) {
	var parts []string
	for _, r := range p.models {
		if region > 0 && region <= r.N*r.N {
			parts = append(parts, fmt.Sprintf("%s features %s, attention %s", r.Model.ID,
				result.Share.Say(r.Score.Features[region-1], 0), result.Share.Say(r.Score.Attention[region-1], 0)))
		}
	}
	if len(parts) == 0 {
		p.s.Say("")
		return
	}
	p.s.Say(fmt.Sprintf("region %d: %s", region, strings.Join(parts, "; ")))
}

// rowsLayout gives its rows the same height: that of the whole where it is enough for all.
type rowsLayout struct{}

// leastRow is the least height of a row.
const leastRow = 150

// Layout implements fyne.Layout.
func (l rowsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) == 0 {
		return
	}
	gap, bar := theme.Padding(), 2*theme.Padding() // the bar of the scroll lies over the rows
	height := (size.Height - gap*float32(len(objects)-1)) / float32(len(objects))
	for k, o := range objects {
		o.Move(fyne.NewPos(0, float32(k)*(height+gap)))
		o.Resize(fyne.NewSize(size.Width-bar, height))
	}
}

// MinSize implements fyne.Layout.
func (l rowsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var width float32
	for _, o := range objects {
		width = max(width, o.MinSize().Width)
	}
	return fyne.NewSize(width, float32(len(objects))*leastRow*widget.Grown())
}

// factsLayout puts a narrow text before a trio.
type factsLayout struct{}

// factsWidth is the width of the text.
const factsWidth = 140

// Layout implements fyne.Layout.
func (factsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := factsWidth * widget.Grown()
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width, 0))
	objects[1].Resize(fyne.NewSize(max(size.Width-width, 0), size.Height))
}

// MinSize implements fyne.Layout.
func (factsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[1].MinSize()
	return fyne.NewSize(factsWidth*widget.Grown()+least.Width, least.Height)
}
