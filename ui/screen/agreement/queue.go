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
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// queuePage is where items on which the annotators disagree get their final label. Single keys
// work on its surface; in the entries they write, and Escape leads back.
type queuePage struct {
	kit.Panel
	s       *Screen
	surface *widget.Surface
	none    *fynewidget.Label // why there is nothing to adjudicate
	work    fyne.CanvasObject

	judge    *nameEntry
	progress *fynewidget.Label
	table    *kit.Records[label.Case]
	title    *fynewidget.Label
	row      *evidence.Matrices
	evidence *evidence.Panel
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

	by     string       // id of who adjudicates
	saving bool         // an adjudication is being stored
	keeper *jobs.Keeper // of settings
	looks  jobs.Latest  // the matrices of the case shown
}

func newQueue(s *Screen, host *kit.Host) *queuePage {
	p := &queuePage{
		s: s, keeper: jobs.NewKeeper(host.Work, s.store.SetSetting, host.Fail),
		none: widget.Wrapped(""), progress: widget.Bold(""), title: widget.Bold(""), said: widget.Wrapped(""),
		final: widget.Wrapped(""),
	}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.judge = &nameEntry{leave: p.takeKeys}
	p.judge.ExtendBaseWidget(p.judge)
	p.judge.Wrapping = fyne.TextWrap(fyne.TextTruncateClip) // as fynewidget.NewSelectEntry has it
	p.judge.SetPlaceHolder("name of who decides")
	p.judge.OnChanged = p.judged
	p.table = &kit.Records[label.Case]{
		Host: host, Table: label.Cases(func(model string) string { return s.view().modelID(model) }), Plain: true,
		Keys: widget.Keys{OnRune: p.typedRune, OnKey: p.typedKey},
		OnSelect: func(c label.Case, ok bool) {
			if ok && c.Model != p.model {
				p.turnTo(slices.IndexFunc(p.cases(), func(o label.Case) bool { return o.Model == c.Model }))
				p.takeKeys()
			}
		},
		OnOpen: func(c label.Case) { host.Inspect(c.Model) },
	}
	p.row = evidence.NewMatrices(widget.Keys{OnRune: p.typedRune, OnKey: p.typedKey}, host.Say, p.takeKeys)
	who := container.NewBorder(nil, nil, fynewidget.NewLabel("Decides"), nil, p.judge)
	p.evidence = evidence.NewPanel(host, host.Say)
	below := container.NewVSplit(p.table.Object(), p.evidence.Object())
	below.Offset = 0.28 // the list scrolls, curves cannot be drawn too low
	left := container.NewBorder(container.NewVBox(who, p.progress), nil, nil, nil, below)
	saidScroll := container.NewVScroll(p.said)
	rest := container.NewGridWithColumns(2, saidScroll, p.buildDecision(host))
	right := container.NewBorder(p.title, nil, nil, nil, evidence.Above(p.row, rest))
	split := container.NewHSplit(left, right)
	split.Offset = 0.27
	p.work = split
	p.surface = widget.NewSurface(container.NewStack(container.NewVBox(p.none), p.work))
	p.surface.OnRune, p.surface.OnKey = p.typedRune, p.typedKey
	p.Panel = kit.Panel{
		Body: container.NewStack(p.surface), Show: p.show, Keys: p.takeKeys, OnShown: func() { p.come(true) },
		OnHidden: func() { p.come(false) },
	}
	return p
}

// judged follows the name of who decides; one that was taken from the menu is complete.
func (p *queuePage) judged(name string) {
	if p.quiet {
		return
	}
	p.s.Judge(name)
	if p.s.Window.Canvas().Focused() != fyne.Focusable(p.judge) {
		p.takeKeys()
	}
}

// buildDecision makes what a case is decided with.
func (p *queuePage) buildDecision(host *kit.Host) fyne.CanvasObject {
	buttons := container.NewGridWithColumns(3)
	for _, v := range label.Values(3) {
		b := fynewidget.NewButton("", func() { p.choose(v) })
		p.values = append(p.values, b)
		buttons.Add(b)
	}
	p.reason, p.note = widget.NewEntry(), widget.NewEntry()
	p.reason.SetPlaceHolder("reason for the final label (R)")
	p.reason.OnSubmitted = func(string) { p.decide() }
	p.note.SetPlaceHolder("note for the discussion (D), Return adds it")
	p.note.OnSubmitted = func(text string) { p.withCase(func(c label.Case) { p.s.Discuss(c, text) }) }
	for _, e := range []*widget.Entry{p.reason, p.note} {
		e.OnEscape = p.takeKeys
	}
	p.save = fynewidget.NewButtonWithIcon("Save final label (Return)", theme.ConfirmIcon(), p.decide)
	p.save.Importance = fynewidget.HighImportance
	p.back = fynewidget.NewButtonWithIcon("Take back (U)", theme.ContentUndoIcon(), p.takeBack)
	steps := container.NewHBox(
		host.IconButton(theme.NavigateBackIcon(), "The case before", func() { p.step(-1) }),
		host.IconButton(theme.NavigateNextIcon(), "The next case", func() { p.step(1) }),
		fynewidget.NewButtonWithIcon("Open model", theme.SearchIcon(),
			func() { p.withCase(func(c label.Case) { p.s.Inspect(c.Model) }) }))
	return container.NewVBox(p.final, buttons, p.reason, container.NewHBox(p.save, p.back), p.note, steps)
}

// valueButton is a label in the round's word, with its key.
func valueButton(r label.Round, v label.Value) string {
	word := []rune(r.Word(v))
	return string(unicode.ToUpper(word[0])) + string(word[1:]) + " (" + strings.ToUpper(string(v)[:1]) + ")"
}

func (p *queuePage) cases() []label.Case { return p.s.view().Cases }

// at is the index of the case shown, -1 without one.
func (p *queuePage) at() int {
	return slices.IndexFunc(p.cases(), func(c label.Case) bool { return c.Model == p.model })
}

func (p *queuePage) withCase(do func(label.Case)) {
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
	if at := p.at(); at >= 0 {
		p.look(p.cases()[at])
	}
}

// takeKeys gives the keyboard to the page's surface.
func (p *queuePage) takeKeys() {
	if p.front {
		p.surface.TakeIn(p.s.Window.Canvas())
	}
}

// take hears who adjudicated last.
func (p *queuePage) take(d Data) {
	if p.by == "" {
		p.by = d.Judge
	}
}

// show applies what was read; the case shown stays.
func (p *queuePage) show() {
	v := p.s.view()
	p.quiet = true
	names, chosen := p.s.judges()
	p.judge.SetOptions(names)
	if p.judge.Text == "" {
		p.judge.SetText(chosen)
	}
	p.quiet = false
	p.none.SetText(v.NoQueue)
	if v.NoQueue != "" {
		p.none.Show()
		p.work.Hide()
		p.model = ""
		return
	}
	p.none.Hide()
	p.work.Show()
	p.progress.SetText(progressText(v.Cases))
	p.table.Set(v.Cases)
	at := p.at()
	if at < 0 {
		p.forget()
		at, _ = nextOpen(v.Cases, -1)
		at = max(at, 0) // all are decided
	}
	p.turnTo(at)
}

// takeUp begins with the final label that the case has.
func (p *queuePage) takeUp(c label.Case) {
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
	p.title.SetText(p.s.view().heading(c))
	if p.seenOf(c) {
		p.title.SetText(p.s.view().heading(c) + baseline(p.row.Shown().Evidence))
	}
	p.said.SetText(p.s.view().spoken(c))
	p.showDecision(c)
}

// item names a case among those of all rounds.
func (p *queuePage) item(c label.Case) string { return p.s.view().Round.ID + " " + c.Model + " " }

// seenOf tells whether the matrices are those of a case, in whatever colours.
func (p *queuePage) seenOf(c label.Case) bool { return strings.HasPrefix(p.seen, p.item(c)) }

// look reads the matrices of a case while the page can be seen.
func (p *queuePage) look(c label.Case) {
	d, _ := p.s.Data()
	wanted := p.item(c) + d.Colour + " " + d.Fields
	if !p.front {
		return
	}
	if p.seen == wanted {
		p.looks.Next() // what is being read is another case's
		return
	}
	round := p.s.view().Round
	p.evidence.Begin(round, model.Model{})
	if !p.seenOf(c) {
		p.seen = ""
		// it takes a moment, and others' matrices would stand there
		p.row.Blank(evidence.Blank(round, c.Model, "reading"))
		p.evidence.Blank("reading")
	}
	p.s.lookAt(c, func(e evidence.Prepared) {
		p.seen = wanted
		p.row.Show(e)
		p.evidence.Show(e.Evidence)
		p.title.SetText(p.s.view().heading(c) + baseline(e.Evidence))
	})
}

// baseline is what the accuracies of a background round's model say of it, "" where there are none.
func baseline(e evidence.Evidence) string {
	if e.Scenes == nil || e.Scenes.Labelled == 0 {
		return ""
	}
	return fmt.Sprintf("; accuracy %s, worst case %s", result.Share.Say(e.Scenes.Accuracy, 0),
		result.Share.Say(e.Scenes.WorstCase, 0))
}

func (p *queuePage) showDecision(c label.Case) {
	p.final.SetText("No final label yet.")
	p.back.Disable()
	if c.Final != nil {
		p.final.SetText(fmt.Sprintf("Final label: %s. %s", p.s.view().Round.Word(c.Final.Value), c.Final.Note))
		p.back.Enable()
	}
	round := p.s.view().Round
	for k, v := range label.Values(3) {
		b := p.values[k]
		b.Text = valueButton(round, v)
		if _, ok := v.Index(round.Classes); ok {
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
	if _, ok := v.Index(p.s.view().Round.Classes); !ok || p.at() < 0 {
		return
	}
	p.value = v
	p.showDecision(p.cases()[p.at()])
	p.focus(p.reason)
}

func (p *queuePage) focus(e *widget.Entry) { p.s.Window.Canvas().Focus(e) }

func (p *queuePage) decide() {
	p.withCase(func(c label.Case) { p.s.Adjudicate(c, p.value, p.reason.Text) })
	switch {
	case p.by == "":
		p.s.Window.Canvas().Focus(p.judge)
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
