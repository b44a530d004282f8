package assessors

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
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
	p.second = newDoubtList(s, assess.DoubtedLabels, "Second look",
		"Models whose label the assessor doubts when it has not seen them, the most doubtful first.")
	p.sure = newDoubtList(s, assess.LeastSureModels, "Least sure",
		"Models to label next: what the assessor is least sure of teaches it most.")
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
	l := &doubtList{about: widget.Wrapped(text), Records: &kit.Records[assess.Doubted]{
		Host: s.host, Table: table,
		OnSelect: func(d assess.Doubted, _ bool) { s.host.Say(d.String()) },
		OnOpen:   func(d assess.Doubted) { s.open(d.ID, d.Hash) },
		Actions: []kit.Action[assess.Doubted]{
			{
				Name: "New round from these…", Icon: theme.ContentAddIcon(), Button: true, All: true,
				Do: func(list []assess.Doubted) { s.newRound(strings.ToLower(table.Title), list) },
			},
		},
	}}
	l.about.SizeName = theme.SizeNameCaptionText
	l.object = container.NewBorder(container.NewVBox(widget.Bold(title), l.about), nil, nil, nil, l.Object())
	return l
}

// show lists models; why says why there are none.
func (l *doubtList) show(list []assess.Doubted, why string) {
	l.Empty = why
	l.Set(list)
}

// SecondLook lists the models whose label the assessor doubts when it has not seen it, the most
// doubtful first; none for a saved assessor, which has no folds.
func SecondLook(s Subject) []assess.Doubted {
	if s.Evaluation == nil {
		return nil
	}
	return assess.DoubtsOf([]assess.Compared{{Settings: s.Assessor.Settings, Evaluation: *s.Evaluation, Data: &s.Data}})
}

// LeastSure lists the models without a label, the one that the assessor is least sure of first.
// Where all have a label it lists all models by what assessors said that had not seen them; a
// saved assessor has the models that it did not learn from. about says which of these it is.
func LeastSure(s Subject) (list []assess.Doubted, about string, err error) {
	learned := s.learned()
	var unlabelled, fresh []int
	for k, r := range s.Data.Rows {
		if learned[k] {
			continue
		}
		fresh = append(fresh, k)
		if r.Label == "" {
			unlabelled = append(unlabelled, k)
		}
	}
	var unsure []assess.Unsure
	switch {
	case len(unlabelled) > 0:
		about = "Models without a label, the least sure first: the order in which new labels teach the assessor most."
		unsure, err = assess.LeastSure(s.Data, unlabelled, s.Assessor)
	case len(fresh) > 0:
		about = "Models that the assessor did not learn from, the least sure first."
		unsure, err = assess.LeastSure(s.Data, fresh, s.Assessor)
	case s.Evaluation != nil:
		about = "Every model has a label. " +
			"These verdicts are of assessors that had not seen the model; the least sure first."
		unsure = assess.LeastSureUnseen(s.Data, *s.Evaluation)
	default:
		err = errors.New("the assessor has learned from all of these models, so it is sure of them; train anew to " +
			"see which are hard to judge unseen")
	}
	return assess.UnsureOf(s.Data, unsure), about, err
}

// hashes are the models of a list in its order.
func hashes(list []assess.Doubted) []string {
	out := make([]string, len(list))
	for k, d := range list {
		out[k] = d.Hash
	}
	return out
}

// What is shown was measured before: models may have been removed from the workspace since.

// open shows a model on the inspect screen, unless it is gone.
func (s *Screen) open(id, hash string) {
	s.whenThere([]string{hash}, func(there []string) {
		if len(there) == 0 {
			s.host.Fail(fmt.Errorf("model %s was removed from the workspace after this training; "+
				"train again to go on without it", id))
			return
		}
		if s.host.Inspect != nil {
			s.host.Inspect(hash)
		}
	})
}

// newRound asks for a round of the models of a list that are not gone, in its order.
func (s *Screen) newRound(name string, list []assess.Doubted) {
	asked, selection := hashes(list), s.subject.Place.Selection.Hash
	s.whenThere(asked, func(there []string) {
		if gone := len(asked) - len(there); gone > 0 {
			s.host.Say(fmt.Sprintf("%s removed from the workspace after this training; left out",
				result.Counted(gone, "model")))
		}
		if len(there) == 0 {
			s.host.Fail(errors.New("none of these models is in the workspace any more; train again"))
			return
		}
		if selection != "" {
			s.actions.NewScenesRound(selection, name, there)
			return
		}
		s.actions.NewRound(name, there)
	})
}

// whenThere looks in the background which models the workspace still has, and goes on with them in
// their order.
func (s *Screen) whenThere(asked []string, then func(there []string)) {
	ws := s.ws
	jobs.Load(s.host.Work, &s.lookups, "look for models", func(context.Context) ([]string, error) {
		var there []string
		for _, hash := range asked {
			switch _, err := ws.Model(hash); {
			case err == nil:
				there = append(there, hash)
			case !errors.Is(err, store.ErrNotFound):
				return nil, err
			}
		}
		return there, nil
	}, func(there []string, err error) {
		if err != nil {
			s.host.Fail(err)
			return
		}
		then(there)
	})
}
