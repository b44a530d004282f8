package label

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/agreement"
	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// ending is what stands in the place of the matrices when a round is done for an annotator.
type ending struct {
	text    *fynewidget.Label
	onward  *fynewidget.Button // to the next round
	next    labels.Round
	onto    *fynewidget.Label // says which one that is
	known   *fyne.Container   // how the annotator did on models with a known answer
	answers *fynewidget.Label
	drift   *kit.Figure
	drawn   *fyne.Container // holds drift
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
		step("Agreement", theme.NavigateNextIcon(), func() { f.s.deps.Agreement(f.s.session.Round().ID) })
	}
	e.onward = step("Next round", theme.MediaSkipNextIcon(), func() { f.s.SignIn(e.next.ID, f.s.session.Annotator()) })
	e.onward.Importance = fynewidget.HighImportance
	step("Look back", theme.NavigateBackIcon(), f.s.Back)
	step("Another annotator", theme.AccountIcon(), f.s.SignOut)
	e.onto = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	e.onto.Truncation = fyne.TextTruncateEllipsis
	e.answers = fynewidget.NewLabel("")
	e.answers.Wrapping = fyne.TextWrapWord
	e.drift = &kit.Figure{Host: host, Name: func() []string {
		return []string{f.s.session.Round().Name, "known answers"}
	}}
	e.drawn = container.NewCenter(container.NewGridWrap(fyne.NewSize(560, 230), e.drift.Object()))
	e.known = container.NewVBox(e.answers, e.drawn)
	// From the top down, so that no button moves when more is said below it.
	return container.NewVBox(bigWord("Done"), e.text, container.NewCenter(steps), e.onto, e.known)
}

// showDone is the end of the round for this annotator, with what can be done next.
func (f *widgets) showDone() {
	session, e, keys := f.s.session, &f.ending, f.s.keys()
	f.setTitle(session.Round().Name)
	back := keys.Text("Back", keymap.Back) + " leads back to look at a label"
	if !session.Round().Closed {
		back = fmt.Sprintf("%s and %s lead back to change a label", keys.Text("Back", keymap.Back),
			keys.Text("Undo", keymap.Undo))
	}
	e.text.SetText(fmt.Sprintf("%s has done all %s of round %s. %s, %s lists all.", f.s.name(session.Annotator()),
		result.Counted(session.Shown().Total, "model"), session.Round().Name, back,
		keys.Text("My models", keymap.Items)))
	text, drift, shown := session.Calibration(f.s.modelNames, f.s.names)
	e.answers.SetText(text)
	e.drift.Set(drift)
	widget.Show(e.known, shown)
	widget.Show(e.drawn, session.Round().Closed && session.Round().HasAnswers())
	f.done.Refresh()
	jobs.Load(f.s.Work, &f.next, "look for the next round", func(context.Context) (Choices, error) {
		return readChoices(f.s.deps.Store)
	}, func(c Choices, err error) {
		next, ok := c.onward(session.Annotator(), session.Round().ID)
		switch {
		case err != nil:
			f.s.problem(err)
		case f.s.session != session:
		case ok:
			f.ending.offer(next.Round, "Next round: "+next.Round.Name)
		default:
			f.ending.offer(labels.Round{}, "No other round waits for your labels.")
		}
	})
}

// offer offers a round to go on with, the one without an id for none, and says what it is. It comes
// while somebody aims at a button, so nothing moves.
func (e *ending) offer(next labels.Round, said string) {
	e.next = next
	widget.Enable(e.onward, next.ID != "")
	e.onto.SetText(said)
}

// Calibration says how this annotator did on the models with a known answer. shown is false where
// the round has no such models, or does not show their answers yet; where they are at another desk
// the text says so. While labels can be changed, an annotator could bring them in line with the
// answers: until the round is closed the first labels count, and neither which models were called
// otherwise nor how that went over time is told. names are those of models by hash, people those of
// annotators by id.
func (s *Session) Calibration(names, people map[string]string) (text string, drift result.Figure, shown bool) {
	all, models, first := 0, make([]string, len(s.round.Models)), map[string]labels.Value{}
	for _, ev := range slices.Backward(s.own) {
		if ev.Kind == labels.Label && ev.Pass == 1 {
			first[ev.Model] = ev.Value
		}
	}
	var wrong []string
	for k, hash := range s.round.Models {
		models[k] = nameOf(names, hash)
		ev, labelled := s.current[labels.Turn{Model: hash, Pass: 1}]
		known, is := s.round.Known[hash]
		if !labelled || !is {
			continue
		}
		value := ev.Value
		if !s.round.Closed {
			value = first[hash]
		}
		if all++; value != known {
			wrong = append(wrong, fmt.Sprintf("%s: %s, known as %s", models[k], s.round.Word(value),
				s.round.Word(known)))
		}
	}
	if len(s.round.Known) > 0 && !s.round.HasAnswers() {
		return "The known answers of this round are at the desk that made it.", drift, true
	}
	if all == 0 || !s.round.SeesKnown(s.annotator, s.own) {
		return "", drift, false
	}
	share := float64(all-len(wrong)) / float64(all)
	low, high := stats.Wilson(share, all)
	when := ""
	if !s.round.Closed {
		when = " at first"
	}
	text = fmt.Sprintf("%s of %s with a known answer called as known%s: %s, 95 %% interval %s to %s.",
		result.Whole(all-len(wrong)), result.Counted(all, "model"), when,
		result.Percent(share), result.Percent(low), result.Percent(high))
	const most = 12
	switch others := wrong[:min(len(wrong), most)]; {
	case len(wrong) == 0:
	case !s.round.Closed:
		text += " The others are named once the round is closed."
	case len(wrong) > most:
		text += fmt.Sprintf(" Others: %s; and %s more.", strings.Join(others, "; "), result.Whole(len(wrong)-most))
	default:
		text += fmt.Sprintf(" Others: %s.", strings.Join(others, "; "))
	}
	if s.round.Closed {
		window := agreement.UsualOverTime.Window
		raters := make([]string, len(s.round.Annotators))
		for k, id := range s.round.Annotators {
			raters[k] = nameOf(people, id)
		}
		measured := agreement.OfRound(s.round, s.own, models, raters, agreement.Options{})
		drift = agreement.DriftFigure(measured.Drifts(window), window)
	}
	return text, drift, true
}
