package label

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// ending is what stands in the place of the matrices when a round is done for an annotator.
type ending struct {
	text    *fynewidget.Label
	onward  *fynewidget.Button // to the next round
	next    labels.Round
	known   *fyne.Container // how the annotator did on models with a known answer
	answers *fynewidget.Label
	drift   *kit.Figure
}

func (f *widgets) buildDone(host *kit.Host) *fyne.Container {
	e := &f.ending
	e.text = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	e.text.Wrapping = fyne.TextWrapWord
	steps := container.NewHBox()
	step := func(text string, icon fyne.Resource, do func()) *fynewidget.Button {
		b := fynewidget.NewButtonWithIcon(text, icon, f.then(do))
		steps.Add(b)
		return b
	}
	if f.s.deps.Send != nil {
		step("Send my labels…", theme.UploadIcon(), func() { f.s.deps.Send(f.s.session.Round().ID) })
	}
	if f.s.deps.Agreement != nil {
		step("Agreement", theme.NavigateNextIcon(), func() { f.s.deps.Agreement() })
	}
	e.onward = step("Next round", theme.MediaSkipNextIcon(), func() { f.s.SignIn(e.next.ID, f.s.session.Annotator()) })
	e.onward.Importance = fynewidget.HighImportance
	step("Look back", theme.NavigateBackIcon(), f.s.Back)
	step("Another annotator", theme.AccountIcon(), f.s.SignOut)
	e.answers = fynewidget.NewLabel("")
	e.answers.Wrapping = fyne.TextWrapWord
	e.drift = &kit.Figure{Host: host, Name: func() []string {
		return []string{f.s.session.Round().Name, "known answers"}
	}}
	drift := container.NewGridWrap(fyne.NewSize(560, 230), e.drift.Object())
	e.known = container.NewVBox(e.answers, container.NewCenter(drift))
	return container.NewVBox(
		layout.NewSpacer(), bigWord("Done"), e.text, container.NewCenter(steps), e.known, layout.NewSpacer())
}

// showDone is the end of the round for this annotator, with what can be done next.
func (f *widgets) showDone() {
	session, e, keys := f.s.session, &f.ending, f.s.keys()
	f.setTitle(session.Round().Name)
	e.text.SetText(fmt.Sprintf("%s has done all %s of round %s. %s and %s lead back to change a label, %s lists all.",
		f.s.name(session.Annotator()), result.Counted(session.Shown().Total, "model"), session.Round().Name,
		keys.Text("Back", keymap.Back), keys.Text("Undo", keymap.Undo), keys.Text("My models", keymap.Items)))
	text, drift, shown := session.Calibration(f.s.modelNames)
	e.answers.SetText(text)
	e.drift.Set(drift)
	widget.Show(e.known, shown)
	e.onward.Hide()
	f.done.Show()
	f.arrange()
	f.seekNext(session)
}

// seekNext offers the next round in which there is something to do for the annotator.
func (f *widgets) seekNext(session *Session) {
	background.Load(f.s.Work, &f.next, "look for the next round", func(context.Context) (Choices, error) {
		return readChoices(f.s.deps.Store)
	}, func(c Choices, err error) {
		if err != nil {
			f.s.problem(err)
			return
		}
		next, ok := c.onward(session.Annotator(), session.Round().ID)
		if !ok || f.s.session != session {
			return
		}
		f.ending.next = next.Round
		f.ending.onward.SetText("Next round: " + next.Round.Name)
		f.ending.onward.Show()
		f.done.Refresh()
	})
}

// answered is a label of a model with a known answer.
type answered struct {
	ev    labels.Event
	at    int // which of the annotator's labels it is, counted from 1
	right bool
}

// answers are this annotator's labels of models with a known answer in the order of labelling.
func (s *Session) answers() (list []answered) {
	at := 0
	for _, ev := range s.active {
		if ev.Kind != labels.Label || ev.Pass != 1 || s.current[ev.Turn()].ID != ev.ID {
			continue
		}
		at++
		if known, ok := s.round.Known[ev.Model]; ok {
			list = append(list, answered{ev, at, ev.Value == known})
		}
	}
	return list
}

// Calibration says how this annotator did on the models with a known answer, and draws what
// drifts over the order of labelling: the share that was called as known, among so many
// neighbours. shown is false where the round has no such models, or does not show their answers
// yet.
func (s *Session) Calibration(names map[string]string) (text string, drift result.Figure, shown bool) {
	list := s.answers()
	if len(list) == 0 || !s.round.SeesKnown(s.annotator, s.own) {
		return "", drift, false
	}
	right := 0
	var wrong []string
	for _, a := range list {
		if a.right {
			right++
			continue
		}
		given, known := s.round.Word(a.ev.Value), s.round.Word(s.round.Known[a.ev.Model])
		wrong = append(wrong, fmt.Sprintf("%s: %s, known as %s", nameOf(names, a.ev.Model), given, known))
	}
	share := float64(right) / float64(len(list))
	low, high := stats.Wilson(share, len(list))
	text = fmt.Sprintf("%s of %s with a known answer called as known: %s, 95 %% interval %s to %s.",
		result.Whole(right), result.Counted(len(list), "model"),
		result.Percent(share), result.Percent(low), result.Percent(high))
	if len(wrong) > 0 {
		const most = 12
		text += " Others: " + strings.Join(wrong[:min(len(wrong), most)], "; ")
		if len(wrong) > most {
			text += fmt.Sprintf("; and %s more", result.Whole(len(wrong)-most))
		}
		text += "."
	}
	return text, driftFigure(list), true
}

// leastNeighbours is the least number of known answers that a share of the drift rests on.
const leastNeighbours = 5

// driftFigure is the share of known answers met among neighbours in the order of labelling: a
// quarter of all, and leastNeighbours at least.
func driftFigure(list []answered) result.Figure {
	wide := max(leastNeighbours, len(list)/4)
	f := result.Figure{
		Title: "Known answers met", X: result.Axis{Name: "label", Format: result.Count},
		Y:     result.Axis{Name: fmt.Sprintf("called as known, of %d neighbours", wide), Format: result.Share, High: 1},
		Empty: fmt.Sprintf("a drift is shown from %d known answers on", wide+1),
	}
	if len(list) <= wide {
		return f
	}
	line := result.Line{Name: "called as known"}
	for end := wide; end <= len(list); end++ {
		right, neighbours := 0, list[end-wide:end]
		for _, a := range neighbours {
			if a.right {
				right++
			}
		}
		line.X = append(line.X, float64(neighbours[0].at+neighbours[wide-1].at)/2)
		line.Y = append(line.Y, float64(right)/float64(wide))
	}
	f.Lines = []result.Line{line}
	return f
}
