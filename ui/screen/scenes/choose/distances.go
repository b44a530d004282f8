package choose

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// distances is the distances of the target's scenes and of all, as a histogram and numbers, with
// those of another selection beside them.
type distances struct {
	p       *Page
	object  fyne.CanvasObject
	compare *widget.Picker
	chart   *kit.Figure
	names   *fynewidget.Label
	numbers *fyne.Container // a column each
	with    string          // hash of the other selection, "" for none
	other   *other          // nil until it is read
	latest  jobs.Latest
	figures *result.Sheet // a row each
}

func newDistances(p *Page) *distances {
	s := &distances{p: p}
	s.chart = &kit.Figure{
		Host: p.Host, Name: func() []string { return []string{p.view.Record.Name, "distances"} },
		Command: func() string {
			// No command compares, or names images to veto.
			if v := p.view; s.other == nil && v.Known && len(v.Ask.Vetoed) == 0 {
				return option.Command(p.command(v.Ask.Options()))
			}
			return ""
		},
	}
	s.compare = widget.NewPicker(s.choose)
	s.names, s.numbers = ledger(fyne.TextAlignLeading), container.NewGridWithRows(1)
	head := container.NewBorder(nil, nil, fynewidget.NewLabel("compare with"), nil, s.compare.Select)
	lines := container.NewVScroll(container.NewBorder(nil, nil, container.NewPadded(s.names), nil,
		container.NewPadded(s.numbers)))
	s.object = container.New(picture.Split{First: chartShare}, s.chart.Object(),
		container.NewBorder(head, nil, nil, nil, lines))
	return s
}

// chartShare is the share of the width that the histogram has.
const chartShare = 0.41

// ledger is a column of small lines.
func ledger(alignment fyne.TextAlign) *fynewidget.Label {
	label := fynewidget.NewLabel("")
	label.SizeName, label.Alignment = theme.SizeNameCaptionText, alignment
	return label
}

// offer fills the menu of selections to compare with.
func (s *distances) offer() {
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
func (s *distances) choose(hash string) {
	s.with, s.other = hash, nil
	s.latest.Next()
	s.show()
	if hash == "" {
		return
	}
	ws := s.p.site.Workspace
	subject := s.p.wanted
	subject.Selection = hash
	jobs.Load(s.p.Work, &s.latest, "read another selection", func(ctx context.Context) (Data, error) {
		return read(ctx, ws, subject)
	}, func(d Data, err error) {
		if err != nil {
			s.p.Fail(err)
			return
		}
		s.other = &other{d.Record.Name, d.Record.Selection, d.Plausibility}
		s.show()
	})
}

// show shows the numbers of the target that is looked at.
func (s *distances) show() {
	v := s.p.view
	if v.Record.Hash == "" {
		return
	}
	s.figures = v.compared(s.other)
	columns := make([][]string, 1+s.figures.Len())
	for k := range s.figures.Fields {
		f := &s.figures.Fields[k]
		title := f.Title
		if k == 0 {
			title = ""
		}
		columns[0] = append(columns[0], title)
		for row := range s.figures.Len() {
			columns[1+row] = append(columns[1+row], f.Say(row))
		}
	}
	s.names.SetText(strings.Join(columns[0], "\n"))
	s.numbers.RemoveAll()
	for _, lines := range columns[1:] {
		label := ledger(fyne.TextAlignTrailing)
		label.Truncation = fyne.TextTruncateEllipsis
		label.SetText(strings.Join(lines, "\n"))
		s.numbers.Add(label)
	}
	s.chart.Set(v.chart(s.other))
}

func (s *distances) close() { s.latest.Next() }
