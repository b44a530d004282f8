package choose

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// strip is the distances of the target's scenes and of all, as a histogram and numbers, with those
// of another selection beside them.
type strip struct {
	p       *Page
	object  fyne.CanvasObject
	compare *widget.Picker
	chart   *widget.Chart
	names   *fynewidget.Label
	numbers *fyne.Container // a column each
	with    string          // hash of the other selection, "" for none
	other   *other          // nil until it is read
	latest  background.Latest
	figures comparison
}

func newStrip(p *Page) *strip {
	s := &strip{p: p, chart: widget.NewChart()}
	s.compare = widget.NewPicker(s.choose)
	s.chart.OnHover = func(_ float64, text string) { p.deps.Host.Say(text) }
	p.saver.Connect(s.chart, func() []string { return []string{p.view.Record.Name, "distances"} })
	s.names, s.numbers = ledger(fyne.TextAlignLeading), container.NewGridWithRows(1)
	head := container.NewBorder(nil, nil, fynewidget.NewLabel("compare with"), nil, s.compare.Select)
	lines := container.NewVScroll(container.NewBorder(nil, nil, container.NewPadded(s.names), nil, container.NewPadded(s.numbers)))
	s.object = container.New(picture.Split{First: chartShare}, s.chart, container.NewBorder(head, nil, nil, nil, lines))
	return s
}

// chartShare is the share of the width that the histogram has.
const chartShare = 0.45

// ledger is a column of small lines.
func ledger(alignment fyne.TextAlign) *fynewidget.Label {
	label := fynewidget.NewLabel("")
	label.SizeName, label.Alignment = theme.SizeNameCaptionText, alignment
	return label
}

// fill shows the numbers, a column each.
func (s *strip) fill() {
	column := func(k int) string {
		lines := []string{s.figures.head[k]}
		for _, row := range s.figures.rows {
			lines = append(lines, row[k])
		}
		return strings.Join(lines, "\n")
	}
	s.names.SetText(column(0))
	for len(s.numbers.Objects) < len(s.figures.head)-1 {
		label := ledger(fyne.TextAlignTrailing)
		label.Truncation = fyne.TextTruncateEllipsis
		s.numbers.Add(label)
	}
	s.numbers.Objects = s.numbers.Objects[:len(s.figures.head)-1]
	for k, o := range s.numbers.Objects {
		o.(*fynewidget.Label).SetText(column(k + 1))
	}
	s.numbers.Refresh()
}

// offer fills the menu of selections to compare with.
func (s *strip) offer() {
	v := s.p.view
	list := []widget.Option{{Key: "", Name: "no other selection"}}
	found := false
	for k := len(v.Offer.Selections) - 1; k >= 0; k-- {
		r := v.Offer.Selections[k]
		if r.Hash == v.Record.Hash {
			continue
		}
		list = append(list, widget.Option{Key: r.Hash, Name: r.Name})
		found = found || r.Hash == s.with
	}
	if !found && s.with != "" {
		s.choose("")
	}
	s.compare.Offer(list, s.with)
	widget.Enable(s.compare, len(list) > 1)
}

// choose compares with another selection, "" for none.
func (s *strip) choose(hash string) {
	s.with, s.other = hash, nil
	s.latest.Next()
	s.show()
	if hash == "" {
		return
	}
	ws := s.p.deps.Workspace
	subject := s.p.wanted
	subject.Selection = hash
	background.Load(s.p.deps.Host.Work, &s.latest, "read another selection", func(ctx context.Context) (Data, error) {
		return read(ctx, ws, subject)
	}, func(d Data, err error) {
		if err != nil {
			s.p.deps.Host.Fail(err)
			return
		}
		s.other = &other{name: d.Record.Name, selection: d.Record.Selection}
		if d.Shared != nil {
			s.other.plausibility = &d.Plausibility
		}
		s.show()
	})
}

// show shows the numbers of the target that is looked at.
func (s *strip) show() {
	v := s.p.view
	if v.Record.Hash == "" {
		return
	}
	s.figures = v.compared(s.other)
	s.fill()
	data := v.chart(s.other)
	data.Title = fmt.Sprintf("Distances of %s", v.Record.Name)
	s.chart.SetData(data)
}

func (s *strip) close() { s.latest.Next() }
