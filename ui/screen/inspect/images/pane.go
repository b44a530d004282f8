package images

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// Deps is what the panes need of their surroundings.
type Deps struct {
	Host   pane.Host
	Work   *background.Group
	Store  picture.Store // *store.Workspace is one
	Window fyne.Window
	// Keys gets the keys that a pane does not use.
	Keys widget.Keys
	// Preview shows an image under the whole family; nil where nobody can.
	Preview func(image int)
	// Locate asks where a suite's images are now; nil leaves the button away.
	Locate func(suite string)
}

var _ pane.Pane = (*Pane)(nil)

// Pane shows the images behind the cell that was clicked, those that contribute most first.
type Pane struct {
	deps    Deps
	board   *board
	surface *widget.Surface
	pace    pace
	subject pane.Subject
	ask     Question
	quiet   bool // menus are being set, not chosen

	title       *fynewidget.Label
	order, from *fynewidget.Select
	exclude     *fynewidget.Button
}

// New makes the pane.
func New(deps Deps) *Pane {
	p := &Pane{deps: deps, pace: pace{work: deps.Work}}
	p.board = newBoard(deps, p.selection, p.take)
	p.title = fynewidget.NewLabel("")
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.order = fynewidget.NewSelect(orderNames(), func(string) {
		p.choose(func() { p.ask.Order = Order(p.order.SelectedIndex()) })
	})
	p.from = fynewidget.NewSelect(fromNames(0), func(string) {
		p.choose(func() { p.ask.Excluded = p.from.SelectedIndex() == 1 })
	})
	p.quiet = true
	p.order.SetSelectedIndex(int(ByShare))
	p.from.SetSelectedIndex(0)
	p.quiet = false
	p.exclude = fynewidget.NewButton("Exclude (X)", func() { p.board.exclude(); p.take() })
	head := container.NewBorder(nil, nil, nil, container.NewHBox(picture.Wide(150, p.from), picture.Wide(155, p.order), picture.Wide(140, p.exclude)), p.title)
	p.surface = widget.NewSurface(container.NewBorder(head, nil, nil, nil, p.board.body))
	p.surface.OnRune, p.surface.OnKey = p.rune, p.key
	return p
}

// Title implements pane.Pane.
func (p *Pane) Title() string { return "Images" }

// Object implements pane.Pane.
func (p *Pane) Object() fyne.CanvasObject { return p.surface }

// Tall implements pane.Pane: the matrices stay in sight, to click the next cell.
func (p *Pane) Tall() bool { return false }

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	p.subject = s
	p.load()
}

// Hidden implements pane.Pane.
func (p *Pane) Hidden() { p.board.shelf.Rest() }

// Close implements pane.Pane.
func (p *Pane) Close() {
	p.pace.closed = true
	p.board.shelf.Close()
}

// load ranks the images off the main goroutine.
func (p *Pane) load() {
	s, q := p.subject, p.ask
	ask(&p.pace, "rank images", func() Ranking { return Rank(s, q) }, func(r Ranking, err error) {
		if err != nil {
			p.deps.Host.ShowError(err)
			return
		}
		if s.Model.Hash != p.subject.Model.Hash {
			return // the answer for the model that is shown now follows
		}
		p.board.show(r)
		p.title.SetText(r.Title)
		p.quiet = true
		p.from.SetOptions(fromNames(r.Excluded))
		p.from.SetSelectedIndex(map[bool]int{true: 1}[p.ask.Excluded])
		p.quiet = false
	})
}

// fromNames are the menu's words for the images that count and those left out.
func fromNames(excluded int) []string {
	return []string{"counted images", fmt.Sprintf("%s excluded", result.Whole(excluded))}
}

// choose applies a menu's choice.
func (p *Pane) choose(apply func()) {
	if p.quiet {
		return
	}
	apply()
	p.load()
	p.take()
}

// selection follows the board's selection.
func (p *Pane) selection() {
	p.exclude.SetText(p.board.excludeText())
	widget.Enable(p.exclude, len(p.board.picked()) > 0)
}

// take gives the keys to the pane.
func (p *Pane) take() { p.surface.TakeIn(p.deps.Window.Canvas()) }

func (p *Pane) rune(r rune) {
	switch r {
	case 'x', 'X':
		if p.surface.Spend() {
			p.board.exclude()
		}
	case 's', 'S':
		p.order.SetSelectedIndex((p.order.SelectedIndex() + 1) % len(orderNames()))
	case 'e', 'E':
		p.from.SetSelectedIndex(1 - p.from.SelectedIndex())
	default:
		if p.deps.Keys.OnRune != nil {
			p.deps.Keys.OnRune(r)
		}
	}
}

func (p *Pane) key(ev *fyne.KeyEvent) bool {
	return p.board.key(ev.Name) || p.deps.Keys.OnKey != nil && p.deps.Keys.OnKey(ev)
}
