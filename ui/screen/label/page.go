package label

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// signIn is the page on which a round and an annotator are chosen, and rounds are managed.
type signIn struct {
	s       *Screen
	object  *fyne.Container
	surface *widget.Surface // takes the keys of the page
	choices Choices
	titles  []string
	at      int // of the round shown, -1 without one

	list   *fynewidget.List
	title  *fynewidget.Label
	about  *fynewidget.Label
	names  *fyne.Container
	keys   *fynewidget.Label // what keys do
	idle   *fynewidget.Select
	limits []time.Duration // that idle offers
	empty  *fyne.Container
	choose *fyne.Container
	right  *container.Scroll
	does   roundButtons

	joinLine fyne.CanvasObject // the line for a new name
	newcomer *widget.Entry     // the new name
	joinsTo  string            // the round that it is for
}

// roundButtons are what can be done with the round shown.
type roundButtons struct {
	row                                                           *fyne.Container
	edit, duplicate, divided, close, reopen, remove, invite, send *fynewidget.Button
}

// notSecurity is what signing in is and is not (DESIGN.md section 6).
const notSecurity = "Signing in is choosing a name, not security: anyone at this computer may choose any name. " +
	"It keeps each person's labels, order and progress apart."

// idleChoices are the times after which work pauses, 0 for never.
var idleChoices = []time.Duration{0, 15 * time.Second, IdleLimit, time.Minute, 2 * time.Minute, 5 * time.Minute}

// IdleText says after which time without a sign of activity work pauses.
func IdleText(limit time.Duration) string {
	if limit == 0 {
		return "never"
	}
	return "after " + result.Duration.Say(limit.Seconds(), 0)
}

// listWidth is the width of the list of rounds.
const listWidth = 300

func newSignIn(s *Screen, host *kit.Host) *signIn {
	p := &signIn{s: s, at: -1, about: fynewidget.NewLabel(""), names: container.NewVBox()}
	p.about.Wrapping = fyne.TextWrapWord
	p.title = widget.Bold("")
	p.title.SizeName, p.title.Truncation = theme.SizeNameSubHeadingText, fyne.TextTruncateEllipsis
	p.joinLine = p.newName()
	p.list = fynewidget.NewList(func() int { return len(p.titles) }, roundLine, p.fill)
	p.list.OnSelected = p.show
	note := widget.Wrapped(notSecurity)
	note.SizeName = theme.SizeNameCaptionText
	p.keys = fynewidget.NewLabel("")
	p.keys.SizeName = theme.SizeNameCaptionText
	p.choose = container.NewVBox(p.title, p.about, widget.Bold("Who labels?"), p.names, p.keys, note, p.buildIdle(),
		fynewidget.NewSeparator(), widget.Bold("This round"), p.buildButtons())
	p.choose.Hide()
	p.right = container.NewVScroll(container.New(columnLayout{width: 640}, p.choose))
	left := container.NewBorder(heading("Rounds"), p.buildNew(), nil, nil, p.list)
	p.empty = p.buildEmpty()
	p.empty.Hide()
	side := container.New(sideLayout{}, left)
	p.surface = widget.NewSurface(container.NewBorder(about.Line(host), nil, side, nil,
		container.NewStack(p.right, p.empty)))
	p.surface.Keys = widget.Keys{OnRune: p.typed, OnKey: p.pressed}
	p.object = container.NewStack(p.surface)
	return p
}

// typed takes a digit: it chooses who labels.
func (p *signIn) typed(r rune) {
	if round, ok := p.round(); ok && r >= '1' && r < '1'+rune(min(len(round.Annotators), 9)) && p.surface.Spend() {
		p.s.SignIn(round.ID, round.Annotators[r-'1'])
	}
}

// pressed takes Enter, which goes on with the name of last time, and the arrow keys, which choose
// a round.
func (p *signIn) pressed(ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if round, ok := p.round(); ok && slices.Contains(round.Annotators, p.choices.Annotator) && p.surface.Spend() {
			p.s.SignIn(round.ID, p.choices.Annotator)
		}
	case fyne.KeyUp:
		p.list.Select(max(p.at-1, 0))
	case fyne.KeyDown:
		p.list.Select(min(p.at+1, len(p.titles)-1))
	default:
		return false
	}
	return true
}

func heading(text string) fyne.CanvasObject {
	head := widget.Bold(text)
	head.SizeName = theme.SizeNameHeadingText
	return head
}

func (p *signIn) buildEmpty() *fyne.Container {
	none := fynewidget.NewLabel("There is no round yet. A round is a list of models, a suite, a family and the " +
		"people who label them. New round… makes one.")
	none.Wrapping = fyne.TextWrapWord
	return container.New(columnLayout{width: 520}, none)
}

func (p *signIn) buildNew() fyne.CanvasObject {
	if p.s.deps.Rounds == nil {
		return container.NewVBox()
	}
	return container.NewPadded(fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(), p.s.deps.Rounds.New))
}

func (p *signIn) buildIdle() fyne.CanvasObject {
	p.idle = fynewidget.NewSelect(nil, nil)
	p.idle.OnChanged = func(string) {
		if at := p.idle.SelectedIndex(); at >= 0 && p.limits[at] != p.s.idle {
			p.s.SetIdle(p.limits[at])
		}
	}
	p.showIdle(p.s.idle)
	return container.NewHBox(fynewidget.NewLabel("Pause when nothing happens"), p.idle)
}

// showIdle shows the limit in force; one that was set in the settings is offered beside the usual
// ones.
func (p *signIn) showIdle(limit time.Duration) {
	p.limits = slices.Clone(idleChoices)
	if !slices.Contains(p.limits, limit) {
		p.limits = append(p.limits, limit)
		slices.Sort(p.limits)
	}
	p.idle.Options = nil
	for _, d := range p.limits {
		p.idle.Options = append(p.idle.Options, IdleText(d))
	}
	p.idle.Selected = IdleText(limit)
	p.idle.Refresh()
}

// buildButtons makes the buttons of a round; those without a callback stay away.
func (p *signIn) buildButtons() fyne.CanvasObject {
	d, b := &p.s.deps, &p.does
	b.row = container.New(layout.NewGridLayoutWithColumns(3))
	add := func(there bool, text string, icon fyne.Resource, do func(id string)) *fynewidget.Button {
		button := fynewidget.NewButtonWithIcon(text, icon, func() {
			if r, ok := p.round(); ok {
				do(r.ID)
			}
		})
		if there {
			b.row.Add(button)
		}
		return button
	}
	manage := d.Rounds != nil
	b.edit = add(manage, "Edit…", theme.SettingsIcon(), func(id string) { d.Rounds.Edit(id) })
	b.duplicate = add(manage, "Duplicate…", theme.ContentCopyIcon(), func(id string) { d.Rounds.Duplicate(id) })
	b.divided = add(manage, "Disagreements…", theme.ContentAddIcon(), func(id string) { d.Rounds.Disagreements(id) })
	b.close = add(manage, "Close", theme.ConfirmIcon(), func(id string) { d.Rounds.Close(id, true) })
	b.reopen = add(manage, "Open again", theme.ViewRefreshIcon(), func(id string) { d.Rounds.Close(id, false) })
	b.remove = add(manage, "Delete", theme.DeleteIcon(), func(id string) { d.Rounds.Delete(id) })
	b.invite = add(d.Invite != nil, "Invite…", theme.MailSendIcon(), d.Invite)
	b.send = add(d.Send != nil, "Send my labels…", theme.UploadIcon(), d.Send)
	return b.row
}

// roundLine is a line of the list: a name above a few words.
func roundLine() fyne.CanvasObject {
	name, brief := widget.Bold(""), fynewidget.NewLabel("")
	name.Truncation, brief.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	brief.SizeName = theme.SizeNameCaptionText
	return container.New(layout.NewCustomPaddedVBoxLayout(-10), name, brief)
}

func (p *signIn) fill(at fynewidget.ListItemID, line fyne.CanvasObject) {
	if at < 0 || at >= len(p.titles) {
		return
	}
	parts := line.(*fyne.Container).Objects
	parts[0].(*fynewidget.Label).SetText(p.titles[at])
	parts[1].(*fynewidget.Label).SetText(p.choices.Rounds[at].Brief())
}

// round is the round shown.
func (p *signIn) round() (labels.Round, bool) {
	if p.at < 0 || p.at >= len(p.choices.Rounds) {
		return labels.Round{}, false
	}
	return p.choices.Rounds[p.at].Round, true
}

func (p *signIn) apply(c Choices) {
	at := p.choices.next(c, p.at)
	p.choices, p.titles = c, c.Titles()
	p.list.Refresh()
	if len(c.Rounds) == 0 {
		p.at = -1
		p.choose.Hide()
		p.empty.Show()
		return
	}
	p.empty.Hide()
	p.choose.Show()
	p.list.UnselectAll()
	p.list.Select(at)
}

// show offers the annotators of a round and what can be done with it.
func (p *signIn) show(at fynewidget.ListItemID) {
	if at < 0 || at >= len(p.choices.Rounds) {
		return
	}
	p.at = at
	choice := p.choices.Rounds[at]
	p.title.SetText(p.titles[at])
	p.about.SetText(choice.About())
	p.names.RemoveAll()
	for a, annotator := range choice.Round.Annotators {
		button := fynewidget.NewButton(p.choices.Name(annotator), func() { p.s.SignIn(choice.Round.ID, annotator) })
		button.Alignment = fynewidget.ButtonAlignLeading
		if annotator == p.choices.Annotator {
			button.Importance = fynewidget.HighImportance
		}
		progress := fynewidget.NewLabel(choice.Progress[a].String())
		digit := ""
		if a < 9 {
			digit = strconv.Itoa(a + 1)
		}
		line := container.New(layout.NewGridLayoutWithColumns(2), button, progress)
		p.names.Add(container.NewBorder(nil, nil, container.New(digitLayout{}, fynewidget.NewLabel(digit)), nil, line))
	}
	if p.joinsTo != choice.Round.ID {
		p.joinsTo = choice.Round.ID
		p.newcomer.SetText("")
	}
	if choice.Takes {
		p.names.Add(p.joinLine)
	}
	said := "A digit chooses a name, the arrow keys a round."
	if slices.Contains(choice.Round.Annotators, p.choices.Annotator) {
		said = fmt.Sprintf("Enter goes on as %s. %s", p.choices.Name(p.choices.Annotator), said)
	}
	p.keys.SetText(said)
	p.does.arrange(choice)
	p.choose.Refresh()
	p.right.Refresh()
}

// newName lets somebody who is not among the annotators join the round shown. It stays, with what
// was typed, while the page follows the workspace.
func (p *signIn) newName() fyne.CanvasObject {
	name := widget.NewEntry()
	p.newcomer = name
	name.SetPlaceHolder("new name")
	join := func() {
		if text := strings.TrimSpace(name.Text); text != "" {
			p.s.Join(p.joinsTo, text)
		}
	}
	name.OnSubmitted = func(string) { join() }
	name.OnEscape = p.s.focus
	return container.NewBorder(nil, nil, container.New(digitLayout{}, fynewidget.NewLabel("")), nil,
		container.New(layout.NewGridLayoutWithColumns(2), name, container.NewHBox(fynewidget.NewButton("Join", join))))
}

// digitLayout gives the key before a name its width.
type digitLayout struct{ drawerLayout }

func (digitLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(2*theme.TextSize(), objects[0].MinSize().Height)
}

// arrange shows those buttons that can do something with the round.
func (b *roundButtons) arrange(c RoundChoice) {
	for _, set := range []struct {
		button *fynewidget.Button
		shown  bool
	}{
		{b.close, !c.Round.Closed},
		{b.reopen, c.Round.Closed},
		{b.divided, c.Divided > 0},
		{b.remove, !c.Used},
		{b.send, c.Used},
	} {
		set.button.Hidden = !set.shown
	}
	b.row.Refresh()
}

// columnLayout puts one child in a column of limited width at the left.
type columnLayout struct{ width float32 }

func (l columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		width := min(max(l.width, o.MinSize().Width), size.Width-2*columnMargin) // large texts need more
		o.Move(fyne.NewPos(columnMargin, columnMargin))
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
	}
}

// columnMargin is the room around the column.
const columnMargin = 14

func (l columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var least fyne.Size
	for _, o := range objects {
		least = least.Max(o.MinSize())
	}
	return least.AddWidthHeight(2*columnMargin, 2*columnMargin)
}

// sideLayout gives the list of rounds its width.
type sideLayout struct{}

func (sideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

func (sideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(listWidth, objects[0].MinSize().Height)
}
