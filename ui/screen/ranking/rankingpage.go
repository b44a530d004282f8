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
	"github.com/variscope/variscope/ui/widget"
)

// rankingPage is the table of models and rankers, LaF's specialties beside it, and how good the
// rankings are below.
type rankingPage struct {
	s       *Screen
	table   *widget.Table
	bars    *widget.Bars
	quality *kit.Records[rank.Rated]
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
	lower := container.NewBorder(nil, p.ask, nil, nil, p.quality.Object())
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
	p.quality = &kit.Records[rank.Rated]{
		Host: p.s.host(), Table: rank.Qualities, Empty: "Nothing was ranked yet.",
		OnSelect: func(r rank.Rated, ok bool) {
			if ok {
				p.s.deps.Status(r.Ranking().Method.Help() + " — " + r.RestsOn())
			}
		},
	}
}

// The least widths of columns in device-independent pixels.
const modelWidth, rankWidth, chanceWidth, sampledWidth = 110, 104, 148, 158

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
	p.quality.Set(rank.RatedOf(v.on()))
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
			text = fmt.Sprintf("Without true classes, some rankers wait for labels: %s for %s", m.Title(), n)
		} else {
			text = fmt.Sprintf("%s, %s for %s", text, m.Title(), n)
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
		text := fmt.Sprintf("%s for %s", present.Counted(int64(len(p.s.view.Wanted[m])), "image"), m.Title())
		items = append(items, fyne.NewMenuItem(text, func() { p.s.label(p.s.view.labelling(m)) }))
	}
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), p.s.deps.Window.Canvas())
	menu.ShowAtRelativePosition(fyne.NewPos(0, -menu.MinSize().Height), p.label)
}

// labelling is what is asked for a ranker.
func (v *View) labelling(m rank.Method) Labelling {
	ask := Labelling{Suite: v.Material.Source.ID, Title: fmt.Sprintf("Labels for %s", m.Title()), Images: v.Wanted[m]}
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
	list *kit.Records[rank.LeftOut]
}

func newLeftPage(s *Screen) *leftPage {
	return &leftPage{s, &kit.Records[rank.LeftOut]{
		Host: s.host(), Table: rank.LeftOuts, Empty: "Every model has predictions on these images.",
		OnSelect: func(l rank.LeftOut, ok bool) {
			if ok {
				s.deps.Status(l.String())
			}
		},
		Actions: []kit.Action[rank.LeftOut]{{
			Name: "Predict with them", Icon: theme.MediaPlayIcon(), Button: true, All: true,
			Can: func([]rank.LeftOut) bool { return s.deps.Predict != nil && len(runnable(s.view.Material.Left)) > 0 },
			Do:  func([]rank.LeftOut) { s.predictLeft() },
		}},
	}}
}

// title is the tab's, with the number of models.
func (p *leftPage) title() string {
	if n := len(p.s.view.Material.Left); n > 0 {
		return fmt.Sprintf("Left out %d", n)
	}
	return "Left out"
}

func (p *leftPage) show()    { p.list.Set(p.s.view.Material.Left) }
func (p *leftPage) changed() {}
func (p *leftPage) close()   {}
