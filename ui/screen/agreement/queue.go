package agreement

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// queuePage is where items on which the annotators disagree get their final label. Single keys
// work on its surface; in the entries they write, and Escape leads back.
type queuePage struct {
	s       *Screen
	object  *fyne.Container
	surface *widget.Surface
	none    *fynewidget.Label
	work    fyne.CanvasObject

	judge    *nameEntry
	progress *fynewidget.Label
	table    *kit.Records[Case]
	title    *fynewidget.Label
	row      *evidence.Row
	said     *fynewidget.Label
	final    *fynewidget.Label
	values   []*fynewidget.Button
	reason   *widget.Entry
	note     *widget.Entry
	save     *fynewidget.Button
	back     *fynewidget.Button

	front bool   // the page is the one that is seen
	seen  string // what the matrices are of: round, model and colours
	model string // hash of the case shown, "" before the first
	value label.Value
	quiet bool
}

func newQueuePage(s *Screen) *queuePage {
	p := &queuePage{s: s, none: wrapped(""), progress: caption(""), title: caption(""), said: wrapped(""), final: wrapped("")}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.judge = newNameEntry(p.takeKeys)
	p.judge.SetPlaceHolder("name of who decides")
	p.judge.OnChanged = p.judged
	p.table = &kit.Records[Case]{
		Host: s.host(), Table: caseTable, Bare: true, Keys: widget.Keys{OnRune: p.typedRune, OnKey: p.typedKey},
		OnSelect: func(c Case, ok bool) {
			if ok && c.Model != p.model {
				p.turnTo(slices.IndexFunc(p.cases(), func(o Case) bool { return o.Model == c.Model }))
				p.takeKeys()
			}
		},
		OnOpen: func(c Case) { s.deps.Inspect(c.Model) },
	}
	p.row = evidence.NewRow(widget.Keys{OnRune: p.typedRune, OnKey: p.typedKey}, s.deps.Status, p.takeKeys)
	who := container.NewBorder(nil, nil, fynewidget.NewLabel("Decides"), nil, p.judge)
	left := container.NewBorder(container.NewVBox(who, p.progress), nil, nil, nil, p.table.Object())
	saidScroll := container.NewVScroll(p.said)
	rest := container.NewGridWithColumns(2, saidScroll, p.buildDecision())
	right := container.NewBorder(p.title, nil, nil, nil, evidence.Above(p.row, rest))
	split := container.NewHSplit(left, right)
	split.Offset = 0.27
	p.work = split
	p.surface = widget.NewSurface(container.NewStack(container.NewVBox(p.none), p.work))
	p.surface.OnRune, p.surface.OnKey = p.typedRune, p.typedKey
	p.object = container.NewStack(p.surface)
	return p
}

// judged follows the name of who decides; one that was taken from the menu is complete.
func (p *queuePage) judged(name string) {
	if p.quiet {
		return
	}
	p.s.Judge(name)
	if p.s.deps.Window.Canvas().Focused() != fyne.Focusable(p.judge) {
		p.takeKeys()
	}
}

// buildDecision makes what a case is decided with.
func (p *queuePage) buildDecision() fyne.CanvasObject {
	buttons := container.NewGridWithColumns(3)
	for _, v := range label.Values(3) {
		b := fynewidget.NewButton(valueButton(v), func() { p.choose(v) })
		p.values = append(p.values, b)
		buttons.Add(b)
	}
	p.reason, p.note = widget.NewEntry(), widget.NewEntry()
	p.reason.SetPlaceHolder("reason for the final label (R)")
	p.reason.OnSubmitted = func(string) { p.decide() }
	p.note.SetPlaceHolder("note for the discussion (D), Return adds it")
	p.note.OnSubmitted = func(text string) { p.withCase(func(c Case) { p.s.Discuss(c, text) }) }
	for _, e := range []*widget.Entry{p.reason, p.note} {
		e.OnEscape = p.takeKeys
	}
	p.save = fynewidget.NewButtonWithIcon("Save final label (Return)", theme.ConfirmIcon(), p.decide)
	p.save.Importance = fynewidget.HighImportance
	p.back = fynewidget.NewButtonWithIcon("Take back (U)", theme.ContentUndoIcon(), p.takeBack)
	steps := container.NewHBox(
		fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { p.step(-1) }),
		fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { p.step(1) }),
		fynewidget.NewButtonWithIcon("Open model", theme.SearchIcon(), func() { p.withCase(func(c Case) { p.s.deps.Inspect(c.Model) }) }))
	return container.NewVBox(p.final, buttons, p.reason, container.NewHBox(p.save, p.back), p.note, steps)
}

// valueButton is a label with its key.
func valueButton(v label.Value) string {
	word := []rune(string(v))
	return string(unicode.ToUpper(word[0])) + string(word[1:]) + " (" + strings.ToUpper(string(v)[:1]) + ")"
}

// shortly are the reasons of cases as they fit into the column.
func shortly() map[string]string {
	return map[string]string{whyConflict: "conflict", whyTie: "tie", whyDiffer: "differ"}
}

func (p *queuePage) cases() []Case { return p.s.answer.view.Cases }

// at is the index of the case shown, -1 without one.
func (p *queuePage) at() int {
	return slices.IndexFunc(p.cases(), func(c Case) bool { return c.Model == p.model })
}

func (p *queuePage) withCase(do func(Case)) {
	if at := p.at(); at >= 0 {
		do(p.cases()[at])
	}
	p.takeKeys()
}

// forget leaves the case, for another round.
func (p *queuePage) forget() {
	p.model, p.value = "", ""
	p.table.Select("")
	p.reason.SetText("")
	p.note.SetText("")
}

// come is called when a page comes to the front: this one, or another.
func (p *queuePage) come(front bool) {
	if p.front = front; !front {
		return
	}
	p.work.Refresh() // what was hidden has not heard of a change of theme
	p.takeKeys()
	if at := p.at(); at >= 0 {
		p.look(p.cases()[at])
	}
}

// takeKeys gives the keyboard to the page's surface.
func (p *queuePage) takeKeys() {
	if p.s.shown && p.s.deps.Window != nil {
		p.surface.TakeIn(p.s.deps.Window.Canvas())
	}
}

// show applies what was read; the case shown stays.
func (p *queuePage) show(a answer) {
	p.quiet = true
	names, chosen := p.s.judges()
	p.judge.SetOptions(names)
	if p.judge.Text == "" {
		p.judge.SetText(chosen)
	}
	p.quiet = false
	p.none.SetText(a.view.NoQueue)
	if a.view.NoQueue != "" {
		p.none.Show()
		p.work.Hide()
		p.model = ""
		return
	}
	p.none.Hide()
	p.work.Show()
	p.progress.SetText(progressText(a.view.Cases))
	p.table.Set(a.view.Cases)
	at := p.at()
	if at < 0 {
		p.forget()
		at, _ = nextOpen(a.view.Cases, -1)
		at = max(at, 0) // all are decided
	}
	p.turnTo(at)
	if p.front && p.s.deps.Window.Canvas().Focused() == nil && p.s.deps.Window.Canvas().Overlays().Top() == nil {
		p.takeKeys() // a menu took them
	}
}

// takeUp begins with the final label that the case has.
func (p *queuePage) takeUp(c Case) {
	if c.Final == nil {
		return
	}
	p.value = c.Final.Value
	p.reason.SetText(c.Final.Note)
}

// turnTo shows a case.
func (p *queuePage) turnTo(at int) {
	if at < 0 || at >= len(p.cases()) {
		return
	}
	c := p.cases()[at]
	switch {
	case c.Model != p.model:
		p.forget()
		p.model = c.Model
		p.takeUp(c)
		p.look(c)
	case p.value == "" && p.reason.Text == "":
		p.takeUp(c) // its final label may have been stored just before, and read only now
	}
	p.table.Select(c.Model)
	p.title.SetText(c.heading())
	if shown := p.row.Shown(); shown.Model.Hash == c.Model {
		p.title.SetText(c.heading() + baseline(shown.Evidence))
	}
	p.said.SetText(c.spoken())
	p.showDecision(c)
}

// look reads the matrices of a case while the page can be seen.
func (p *queuePage) look(c Case) {
	wanted := strings.Join([]string{p.s.answer.in.Round.ID, c.Model, p.s.answer.colour, p.s.answer.fields}, " ")
	if !p.front {
		return
	}
	if p.seen == wanted {
		p.s.looks.Next() // what is being read is another case's
		return
	}
	if round := p.s.answer.in.Round; round.Kind == label.BackgroundRound && p.row.Shown().Model.Hash != c.Model {
		p.seen = ""
		p.row.Blank(evidence.Blank(round, c.Model, "reading")) // it takes a moment, and others' matrices would stand there
	}
	p.s.lookAt(c, func(e evidence.Prepared) {
		p.seen = wanted
		p.row.Show(e)
		p.title.SetText(c.heading() + baseline(e.Evidence))
	})
}

// heading says what a case is.
func (c Case) heading() string { return c.ID + ": " + c.Why + ", " + c.Counts }

// baseline is what the accuracies of a background round's model say of it, "" where there are none.
func baseline(e evidence.Evidence) string {
	if e.Scenes == nil || e.Scenes.Labelled == 0 {
		return ""
	}
	return fmt.Sprintf("; accuracy %s, worst case %s", present.Percent(e.Scenes.Accuracy), present.Percent(e.Scenes.WorstCase))
}

// spoken is everything that was said of a case, without names.
func (c Case) spoken() string {
	lines := slices.Clone(c.Votes)
	add := func(title string, more []string) {
		if len(more) > 0 {
			lines = append(append(lines, "", title), more...)
		}
	}
	add("At several desks:", c.Conflicts)
	add("Notes:", c.Notes)
	add("Discussion:", c.Discussion)
	return strings.Join(lines, "\n")
}

func (p *queuePage) showDecision(c Case) {
	p.final.SetText("No final label yet.")
	p.back.Disable()
	if c.Final != nil {
		p.final.SetText(fmt.Sprintf("Final label: %s. %s", string(c.Final.Value), c.Final.Note))
		p.back.Enable()
	}
	classes := p.s.answer.view.Round.Classes
	for k, v := range label.Values(3) {
		b := p.values[k]
		if _, ok := v.Index(classes); ok {
			b.Show()
		} else {
			b.Hide()
		}
		b.Importance = fynewidget.MediumImportance
		if v == p.value {
			b.Importance = fynewidget.HighImportance
		}
		b.Refresh()
	}
}

// choose marks the label that is to be final; the reason is still to be given.
func (p *queuePage) choose(v label.Value) {
	if _, ok := v.Index(p.s.answer.view.Round.Classes); !ok || p.at() < 0 {
		return
	}
	p.value = v
	p.showDecision(p.cases()[p.at()])
	p.focus(p.reason)
}

func (p *queuePage) focus(e *widget.Entry) { p.s.deps.Window.Canvas().Focus(e) }

func (p *queuePage) decide() {
	p.withCase(func(c Case) { p.s.Adjudicate(c, p.value, p.reason.Text) })
	switch {
	case p.s.judge == "":
		p.s.deps.Window.Canvas().Focus(p.judge)
	case p.value != "" && strings.TrimSpace(p.reason.Text) == "":
		p.focus(p.reason)
	}
}

func (p *queuePage) takeBack() { p.withCase(p.s.TakeBack) }

// decided turns to the next case without a final label after one was stored.
func (p *queuePage) decided() {
	if next, ok := nextOpen(p.cases(), p.at()); ok && p.cases()[next].Model != p.model {
		p.turnTo(next)
	}
	p.takeKeys()
}

// noted clears the entry after a note was stored.
func (p *queuePage) noted() { p.note.SetText("") }

// step goes back or forth in the queue.
func (p *queuePage) step(by int) {
	if n := len(p.cases()); n > 0 {
		p.turnTo((p.at() + by + n) % n)
	}
	p.takeKeys()
}

// typedRune takes the single keys of the page.
func (p *queuePage) typedRune(r rune) {
	if p.at() < 0 || !p.surface.Spend() {
		return
	}
	switch unicode.ToLower(r) {
	case 'i', '1':
		p.choose(label.Invariant)
	case 'b', '2':
		p.choose(label.Borderline)
	case 'v', '3':
		p.choose(label.Variant)
	case 'r':
		p.focus(p.reason)
	case 'd':
		p.focus(p.note)
	case 'u':
		p.takeBack()
	case 'n':
		p.step(1)
	case 'p':
		p.step(-1)
	}
}

// typedKey takes the named keys of the page.
func (p *queuePage) typedKey(ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		p.step(-1)
	case fyne.KeyRight, fyne.KeyDown:
		p.step(1)
	case fyne.KeyReturn, fyne.KeyEnter:
		if p.surface.Spend() {
			p.decide()
		}
	default:
		return false
	}
	return true
}
