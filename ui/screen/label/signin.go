package label

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// RoundChoice is a round as the sign-in page offers it.
type RoundChoice struct {
	Round    labels.Round
	Progress []Progress // by annotator
}

// Choices are the rounds to choose from, newest first, with what was chosen last time.
type Choices struct {
	Rounds    []RoundChoice
	Round     int // index of the round to show first, -1 without rounds
	Annotator string
	Map       string
	Details   bool
}

// readChoices reads the rounds and everybody's progress; a number tells nothing of single labels.
func readChoices(from Store) (Choices, error) {
	c := Choices{Round: -1, Map: evidence.DefaultMap, Details: true}
	rounds, err := from.Rounds()
	if err != nil {
		return c, err
	}
	var lastRound string
	for key, into := range map[string]any{settingRound: &lastRound, settingAnnotator: &c.Annotator, settingMap: &c.Map, settingDetails: &c.Details} {
		if _, err := from.Setting(key, into); err != nil {
			return c, err
		}
	}
	slices.SortStableFunc(rounds, func(a, b labels.Round) int { return b.Created.Compare(a.Created) })
	for _, r := range rounds {
		events, err := from.Events(r.ID)
		if err != nil {
			return c, err
		}
		choice := RoundChoice{Round: r}
		for _, name := range r.Annotators {
			var p Progress
			p.Done, p.Skipped, p.Total = labels.Progress(r, name, events)
			choice.Progress = append(choice.Progress, p)
		}
		if c.Round < 0 || r.ID == lastRound {
			c.Round = len(c.Rounds)
		}
		c.Rounds = append(c.Rounds, choice)
	}
	return c, nil
}

// Names are the rounds' names for a menu; equal names are told apart by their day.
func (c Choices) Names() []string {
	names := make([]string, len(c.Rounds))
	for k, r := range c.Rounds {
		names[k] = r.Round.Name
		if slices.Contains(names[:k], names[k]) {
			names[k] = fmt.Sprintf("%s (%s, %s)", r.Round.Name, r.Round.Created.Format("2006-01-02 15:04:05"), r.Round.ID[:min(26, len(r.Round.ID))])
		}
	}
	return names
}

// About says what a round is, in one line.
func (c RoundChoice) About() string {
	r := c.Round
	text := fmt.Sprintf("%s, %d classes", present.Counted(int64(len(r.Models)), "model"), r.Classes)
	if r.Blind {
		text += ", blind: the labels of others are hidden until it is closed"
	}
	if r.Closed {
		text += ", closed: labels can be looked at, not changed"
	}
	return text
}

// signIn is the page on which a round and an annotator are chosen.
type signIn struct {
	s       *Screen
	object  *fyne.Container
	choices Choices
	rounds  *fynewidget.Select
	about   *fynewidget.Label
	names   *fyne.Container
	empty   *fyne.Container
	choose  *fyne.Container
	column  *fyne.Container
	centre  *fyne.Container
	scroll  *container.Scroll
}

// arrange lays the page out again after something in it was shown, hidden or changed its size.
func (p *signIn) arrange() {
	p.column.Refresh()
	p.centre.Refresh()
	p.scroll.Refresh()
}

// notSecurity is what signing in is and is not (DESIGN.md section 6).
const notSecurity = "Signing in is choosing a name, not security: anyone at this computer may choose any name. " +
	"It keeps each person's labels, order and progress apart."

func newSignIn(s *Screen) *signIn {
	p := &signIn{s: s, about: fynewidget.NewLabel(""), names: container.NewVBox()}
	p.about.Wrapping = fyne.TextWrapWord
	p.rounds = fynewidget.NewSelect(nil, func(string) { p.show(p.rounds.SelectedIndex()) })
	head := fynewidget.NewLabelWithStyle("Label", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameHeadingText
	note := fynewidget.NewLabel(notSecurity)
	note.Wrapping = fyne.TextWrapWord
	note.SizeName = theme.SizeNameCaptionText
	p.choose = container.NewVBox(
		container.NewBorder(nil, nil, fynewidget.NewLabel("Round"), nil, p.rounds), p.about,
		fynewidget.NewLabelWithStyle("Who labels?", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}), p.names, note)
	none := fynewidget.NewLabel("There is no round yet. A round is a list of models, a suite, a family and the people who label them.")
	none.Wrapping = fyne.TextWrapWord
	p.empty = container.NewVBox(none)
	column := container.NewVBox(head, p.choose, p.empty)
	if s.deps.NewRound != nil {
		column.Add(container.NewHBox(fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(), s.deps.NewRound)))
	}
	p.column, p.centre = column, container.New(columnLayout{width: 620}, column)
	p.scroll = container.NewVScroll(p.centre)
	p.object = container.NewStack(p.scroll)
	p.choose.Hide()
	p.empty.Hide()
	return p
}

func (s *Screen) loadRounds() {
	background.Load(s.deps.Work, &s.rounds, "read rounds", func(context.Context) (Choices, error) {
		return readChoices(s.deps.Store)
	}, func(c Choices, err error) {
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		s.view.Map = c.Map
		s.face.detailsOn = c.Details
		s.face.signIn.apply(c)
	})
}

func (p *signIn) apply(c Choices) {
	before := p.rounds.Selected
	p.choices = c
	p.rounds.Options = c.Names()
	if len(c.Rounds) == 0 {
		p.choose.Hide()
		p.empty.Show()
		p.arrange()
		return
	}
	p.empty.Hide()
	p.choose.Show()
	at := slices.Index(p.rounds.Options, before)
	if at < 0 {
		at = c.Round
	}
	p.rounds.ClearSelected()
	p.rounds.SetSelectedIndex(at)
}

// show offers the annotators of a round.
func (p *signIn) show(at int) {
	p.names.RemoveAll()
	if at < 0 || at >= len(p.choices.Rounds) {
		return
	}
	choice := p.choices.Rounds[at]
	p.about.SetText(choice.About())
	for a, name := range choice.Round.Annotators {
		button := fynewidget.NewButton(name, func() { p.s.SignIn(choice.Round.ID, name) })
		button.Alignment = fynewidget.ButtonAlignLeading
		if name == p.choices.Annotator {
			button.Importance = fynewidget.HighImportance
		}
		progress := fynewidget.NewLabel(choice.Progress[a].String())
		p.names.Add(container.New(layout.NewGridLayoutWithColumns(2), button, progress))
	}
	p.arrange()
}

// columnLayout centres one child in a column of limited width.
type columnLayout struct{ width float32 }

func (l columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(l.width, size.Width)
	for _, o := range objects {
		height := o.MinSize().Height
		top := max((size.Height-height)/4, 0)
		o.Move(fyne.NewPos((size.Width-width)/2, top))
		o.Resize(fyne.NewSize(width, height))
	}
}

func (l columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var least fyne.Size
	for _, o := range objects {
		least = least.Max(o.MinSize())
	}
	return least
}
