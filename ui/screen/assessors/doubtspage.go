package assessors

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// doubtsPage shows which labels deserve a second look, and which models the assessor is least sure
// of.
type doubtsPage struct {
	*kit.Screen[struct{}, doubts]
	second, sure *doubtList
}

// doubts are the models of both lists, with what is said of them.
type doubts struct {
	second, unsure    []assess.Doubted
	noSecond, noOrder string // why there are none
	order             string // what unsure is in order of
}

func newDoubtsPage(s *Screen) *doubtsPage {
	p := &doubtsPage{}
	p.second = newDoubtList(s, assess.DoubtedLabels, "Second look", "Models whose label the assessor doubts when it has not seen them, the most doubtful first.")
	p.sure = newDoubtList(s, assess.LeastSureModels, "Least sure", "Models to label next: what the assessor is least sure of teaches it most.")
	p.Screen = kit.New(kit.Screen[struct{}, doubts]{
		Host: s.host, Name: "List doubts", Doing: "Asking the assessor…", Key: "assessors.doubts", Quiet: true,
		Load: func(struct{}) kit.Work[doubts] {
			subject := *s.subject
			return func(context.Context, engine.Progress) (doubts, error) { return doubtsOf(subject), nil }
		},
		Body: container.NewHSplit(p.second.object, p.sure.object),
		Show: func(d doubts) {
			p.second.show(d.second, d.noSecond)
			p.sure.show(d.unsure, d.noOrder)
			p.sure.about.SetText(d.order)
		},
	})
	return p
}

func doubtsOf(s Subject) doubts {
	d := doubts{second: SecondLook(s), noSecond: "None: unseen, the assessor agrees with every label."}
	if s.Evaluation == nil {
		d.noSecond = "A saved assessor has seen its models; train anew to see which labels it doubts."
	}
	var err error
	if d.unsure, d.order, err = LeastSure(s); err != nil {
		d.noOrder = present.Sentence(err)
	}
	return d
}

// doubtList is one of the two lists.
type doubtList struct {
	*kit.Records[assess.Doubted]
	about  *fynewidget.Label
	object fyne.CanvasObject
}

func newDoubtList(s *Screen, table result.Table[assess.Doubted], title, text string) *doubtList {
	l := &doubtList{about: wrapped(text), Records: &kit.Records[assess.Doubted]{
		Host: s.host, Table: table,
		OnSelect: func(d assess.Doubted, _ bool) { s.host.Say(d.String()) },
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
