package assessors

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// doubtsPage shows which labels deserve a second look, and which models the assessor is least sure
// of.
type doubtsPage struct {
	object       fyne.CanvasObject
	s            *Screen
	second, sure *doubtList
}

func newDoubtsPage(s *Screen) *doubtsPage {
	p := &doubtsPage{s: s}
	p.second = newDoubtList(s, assess.DoubtedLabels, "Second look", "Models whose label the assessor doubts when it has not seen them, the most doubtful first.")
	p.sure = newDoubtList(s, assess.LeastSureModels, "Least sure", "Models to label next: what the assessor is least sure of teaches it most.")
	p.object = container.NewHSplit(p.second.object, p.sure.object)
	return p
}

func (p *doubtsPage) clear() {
	p.second.show(nil, "…")
	p.sure.show(nil, "…")
}

func (p *doubtsPage) show() {
	why := "None: unseen, the assessor agrees with every label."
	if p.s.subject.Evaluation == nil {
		why = "A saved assessor has seen its models; train anew to see which labels it doubts."
	}
	p.second.show(p.s.insight.second, why)
	p.sure.show(p.s.insight.unsure, p.s.insight.why)
	p.sure.about.SetText(p.s.insight.order)
}

// doubtList is one of the two lists.
type doubtList struct {
	*kit.Records[assess.Doubted]
	about  *fynewidget.Label
	object fyne.CanvasObject
}

func newDoubtList(s *Screen, table result.Table[assess.Doubted], title, text string) *doubtList {
	l := &doubtList{about: wrapped(text), Records: &kit.Records[assess.Doubted]{
		Host: s.host(), Table: table,
		OnSelect: func(d assess.Doubted, _ bool) { s.deps.Status(d.String()) },
		OnOpen:   func(d assess.Doubted) { s.open(d.ID, d.Hash) },
		Actions: []kit.Action[assess.Doubted]{
			{
				Name: "New round from these…", Icon: theme.DocumentCreateIcon(), Button: true, All: true,
				Do: func(list []assess.Doubted) { s.newRound(strings.ToLower(table.Title), list) },
			},
		},
	}}
	l.about.SizeName = theme.SizeNameCaptionText
	l.object = container.NewBorder(container.NewVBox(caption(title), l.about), nil, nil, nil, l.Object())
	return l
}

// show lists models; why says why there are none.
func (l *doubtList) show(list []assess.Doubted, why string) {
	l.Empty = why
	l.Set(list)
}
