package ranking

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// rankingPage is the table of models and rankers, LaF's specialties beside it, and how good the rankings are below.
type rankingPage struct {
	s       *Screen
	table   *widget.Table
	bars    *widget.Bars
	quality *widget.Table
	columns []QualityColumn
	rows    []rank.Ranking // of the table of qualities, in its order
	sorted  int            // its column
	turned  bool
	ask     *fyne.Container // what labels are wanted
	wanted  *fynewidget.Label
	label   *fynewidget.Button
	object  fyne.CanvasObject
}

func newRankingPage(s *Screen) *rankingPage {
	p := &rankingPage{s: s, bars: widget.NewBars()}
	p.buildTable()
	p.buildQuality()
	p.bars.OnHover = s.deps.Status
	p.bars.OnTapped = func(bar int) { s.open(s.view.byLaF()[bar]) }
	p.bars.Menu = func() []*fyne.MenuItem {
		bars := p.bars.Data().Bars
		return s.saver.Entries(figures.Figure{Name: []string{"specialty", s.view.Material.Source.Name}, Write: bars.Write, CSV: figures.BarsCSV(bars)})
	}
	p.wanted = fynewidget.NewLabel("")
	p.wanted.Truncation = fyne.TextTruncateEllipsis
	p.label = fynewidget.NewButtonWithIcon("Label images…", theme.DocumentCreateIcon(), p.askLabels)
	p.ask = container.NewBorder(nil, nil, nil, p.label, p.wanted)
	p.ask.Hide()
	caption := fynewidget.NewLabelWithStyle("Specialty by LaF", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	upper := container.NewHSplit(p.table, container.NewBorder(caption, nil, nil, nil, container.NewVScroll(p.bars)))
	upper.Offset = 0.72
	lower := container.NewBorder(nil, p.ask, nil, nil, p.quality)
	split := container.NewVSplit(upper, lower)
	split.Offset = 0.58
	p.object = split
	return p
}

func (p *rankingPage) buildTable() {
	v := p.s.view
	p.table = widget.NewTable(nil, v.Len, v.Cell)
	p.table.StickyColumnCount = 1
	p.table.OnRow = func(row int) {
		if m, ok := v.At(row); ok {
			p.s.Select(keyOf(m))
			p.s.deps.Status(v.Detail(row))
		}
	}
	p.table.OnOpen = func(row int) {
		if row >= 0 && row < v.Len() {
			p.s.open(v.order[row])
		}
	}
	p.table.OnSort = func(col int) {
		v.SortBy(col)
		p.arranged()
	}
	p.table.OnHint = p.s.deps.Status
}

func (p *rankingPage) buildQuality() {
	p.quality = widget.NewTable(nil, func() int { return len(p.rows) }, func(row, col int) string {
		if row >= len(p.rows) || col >= len(p.columns) {
			return ""
		}
		return p.columns[col].Cell(p.rows[row])
	})
	p.quality.StickyColumnCount = 1
	p.quality.OnHint = p.s.deps.Status
	p.quality.OnRow = func(row int) {
		r := p.rows[row]
		p.s.deps.Status(rankerHint(r.Method) + " — " + remark(r))
	}
	p.quality.OnSort = func(col int) {
		p.turned = p.sorted == col && !p.turned
		p.sorted = col
		p.assess()
	}
}

// The least widths of columns in device-independent pixels.
const modelWidth, rankWidth, chanceWidth, sampledWidth, qualityWidth, spreadWidth, remarkWidth = 110, 104, 148, 158, 66, 118, 300

func (p *rankingPage) show() {
	p.s.face.grown = widget.Grown()
	v := p.s.view
	var list []widget.Column
	for col := range v.columns() {
		title := v.Title(col)
		c := widget.Column{Title: title, Width: max(p.widthOf(col)*widget.Grown(), widget.HeadingWidth(title)), Right: col != columnModel && !v.isChance(col), Hint: v.Hint(col)}
		list = append(list, c)
	}
	p.table.SetColumns(list)
	p.arranged()
	p.bars.SetData(v.Specialty())
	p.columns = v.qualityColumns()
	p.assess()
	p.showWanted()
}

func (p *rankingPage) widthOf(col int) float32 {
	r, ok := p.s.view.ranking(col)
	switch {
	case col == columnModel:
		return modelWidth
	case p.s.view.isChance(col):
		return chanceWidth
	case ok && r.SD != nil:
		return sampledWidth
	}
	return rankWidth
}

// arranged shows the rows in another order.
func (p *rankingPage) arranged() {
	col, descending := p.s.view.Order()
	p.table.SetSort(col, descending)
	p.table.Reload()
	p.selected()
}

func (p *rankingPage) selected() {
	if row := p.s.view.Row(); row != p.table.Selected() {
		p.table.SelectRow(row)
	}
}

// assess shows the table of qualities.
func (p *rankingPage) assess() {
	p.rows = p.rows[:0:0]
	for _, k := range p.s.view.qualityOrder(p.sorted, p.turned) {
		p.rows = append(p.rows, p.s.view.Board.Rankings[k])
	}
	var list []widget.Column
	for k, c := range p.columns {
		width := float32(qualityWidth)
		switch {
		case k == 0:
			width = sampledWidth
		case k == 1 && p.s.view.Board.Truth == nil:
			width = 2 * remarkWidth // there is nothing in the others
		case k == 1:
			width = remarkWidth
		case p.spreads(c):
			width = spreadWidth
		}
		list = append(list, widget.Column{
			Title: c.Title, Width: max(width*widget.Grown(), widget.HeadingWidth(c.Title)), Right: k > 1, Hint: c.Hint,
		})
	}
	p.quality.SetColumns(list)
	p.quality.SetSort(p.sorted, !p.turned)
	p.quality.SelectRow(-1)
	p.quality.Reload()
}

// spreads tells whether a column has a deviation in any row.
func (p *rankingPage) spreads(c QualityColumn) bool {
	return slices.ContainsFunc(p.s.view.Board.Rankings, func(r rank.Ranking) bool { return len(c.Text(r)) > len("-0.000") })
}

// wantedMethods are the rankers that wait for labels, in the order of the board.
func (v *View) wantedMethods() []rank.Method {
	var list []rank.Method
	for _, r := range v.Board.Rankings {
		if len(v.Wanted[r.Method]) > 0 && !slices.Contains(list, r.Method) {
			list = append(list, r.Method)
		}
	}
	return list
}

// WantedText says which rankers wait for labels, "" for none.
func (v *View) WantedText() string {
	var text string
	for k, m := range v.wantedMethods() {
		n := present.Counted(int64(len(v.Wanted[m])), "image")
		if k == 0 {
			text = fmt.Sprintf("Without true classes, some rankers wait for labels: %s for %s", rankerName(m), n)
		} else {
			text = fmt.Sprintf("%s, %s for %s", text, rankerName(m), n)
		}
	}
	return text
}

func (p *rankingPage) showWanted() {
	text := p.s.view.WantedText()
	p.wanted.SetText(text)
	p.label.Hidden = p.s.deps.Label == nil
	p.ask.Hidden = text == ""
	p.object.Refresh()
}

// askLabels offers the rankers that wait for labels, and asks for those of the chosen one.
func (p *rankingPage) askLabels() {
	methods := p.s.view.wantedMethods()
	if len(methods) == 1 {
		p.s.label(p.s.view.labelling(methods[0]))
		return
	}
	var items []*fyne.MenuItem
	for _, m := range methods {
		text := fmt.Sprintf("%s for %s", present.Counted(int64(len(p.s.view.Wanted[m])), "image"), rankerName(m))
		items = append(items, fyne.NewMenuItem(text, func() { p.s.label(p.s.view.labelling(m)) }))
	}
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), p.s.deps.Window.Canvas())
	menu.ShowAtRelativePosition(fyne.NewPos(0, -menu.MinSize().Height), p.label)
}

// labelling is what is asked for a ranker.
func (v *View) labelling(m rank.Method) Labelling {
	ask := Labelling{Suite: v.Material.Source.ID, Title: fmt.Sprintf("Labels for %s", rankerName(m)), Images: v.Wanted[m]}
	for c := range v.Data.Classes {
		ask.Classes = append(ask.Classes, v.Material.Class(int32(c)))
	}
	return ask
}

func (p *rankingPage) changed() {}
func (p *rankingPage) close()   {}

// leftPage lists the models that take no part.
type leftPage struct {
	s    *Screen
	list *kit.Records[evidence.LeftOut]
}

func newLeftPage(s *Screen) *leftPage {
	return &leftPage{s, evidence.LeftOuts(s.host(), "ranking_left_out", "Every model has predictions on these images.",
		kit.Action[evidence.LeftOut]{
			Name: "Predict with them",
			Can:  func([]evidence.LeftOut) bool { return s.deps.Predict != nil && len(runnable(s.view.Material.Left)) > 0 },
			Do:   func([]evidence.LeftOut) { s.predictLeft() },
		})}
}

// title is the tab's, with the number of models.
func (p *leftPage) title() string {
	if n := len(p.s.view.Material.Left); n > 0 {
		return fmt.Sprintf("Left out %d", n)
	}
	return "Left out"
}

func (p *leftPage) show() {
	var list []evidence.LeftOut
	for _, l := range p.s.view.Material.Left {
		list = append(list, evidence.LeftOut{ID: l.ID, Hash: l.Hash, Why: present.Reason(l.Reason)})
	}
	p.list.Set(list)
}

func (p *leftPage) changed() {}
func (p *leftPage) close()   {}
