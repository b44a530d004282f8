package images

import (
	"context"
	"path"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// ranked is what both panes are made of: the wall of a ranking below a line with what is ranked,
// the order and a button that excludes.
type ranked struct {
	*pane.Base
	cache   *picture.Cache
	wall    *kit.Wall
	ranking Ranking

	subject pane.Subject
	ask     Question
	answer  func() // begins to answer the question about the subject
	pace    background.Pace
	closed  bool
	title   *fynewidget.Label
	order   *widget.Picker
	exclude *fynewidget.Button
}

// preview is called with the image of a double click or Return; it may be nil.
func newRanked(site pane.Site, store picture.Store, preview func(image int), title string, tall bool) *ranked {
	b := &ranked{Base: pane.NewBase(site, title, tall)}
	b.cache = picture.NewCache(b.Work, store, func() { b.wall.Arrived(b.cache.Problem(), b.subject.Suite.Hash) })
	declared := kit.Wall{
		Host: b.Host, Look: kit.CardLook{Pictures: 2, Side: 84, Pad: 5, Below: 2, Close: 1, Words: 6, Room: 13}, Card: b.card,
		ID: func(x int) int { return b.ranking.Entries[x].Image }, Several: true, OnSelect: b.changed, Take: func() { b.TakeBack() },
	}
	if preview != nil {
		declared.OnOpen = func(x int) { preview(b.ranking.Entries[x].Image) }
	}
	b.wall = kit.NewWall(declared)
	b.title = fynewidget.NewLabel("")
	b.title.Truncation = fyne.TextTruncateEllipsis
	b.order = b.Menu(func(name string) {
		b.ask.Order = Order(slices.Index(orderNames, name))
		b.load()
	})
	b.order.Offer(widget.ByName(orderNames...), orderNames[ByShare])
	b.exclude = b.Button("Exclude (X)", nil, b.leaveOut)
	b.changed()
	return b
}

// head is the line over the pane, with more menus before the order's.
func (b *ranked) head(left, menu fyne.CanvasObject) fyne.CanvasObject {
	right := container.NewHBox(picture.Wide(155, b.order.Object()), picture.Wide(140, b.exclude))
	if menu != nil {
		right.Objects = append([]fyne.CanvasObject{menu}, right.Objects...)
	}
	return container.NewBorder(nil, nil, left, right, b.title)
}

// Show implements pane.Pane.
func (b *ranked) Show(s pane.Subject) {
	b.subject = s
	b.load()
}

// Hidden implements pane.Pane.
func (b *ranked) Hidden() { b.cache.Rest() }

// Close implements pane.Pane.
func (b *ranked) Close() {
	b.closed = true
	b.cache.Close()
}

// load answers what is asked about the subject now.
func (b *ranked) load() {
	if b.pace.Begin(b.load) {
		b.answer()
	}
}

// answer finds what a pane shows off the main goroutine and shows it, unless it is of another
// model than the one that is shown by then.
func answer[T any](b *ranked, name string, find func(pane.Subject, Question) T, show func(T)) {
	s, q := b.subject, b.ask
	var found T
	b.Work.Quiet(name, func(context.Context) error {
		found = find(s, q)
		return nil
	}, func(err error) {
		switch {
		case b.closed:
			return
		case err != nil:
			b.Fail(err)
		case s.Model.Hash == b.subject.Model.Hash:
			show(found)
		}
		b.pace.End()
	})
}

// show puts a ranking on the wall; what was selected stays so where it is still there.
func (b *ranked) show(r Ranking) {
	b.title.SetText(r.Title)
	other := r.Modality != b.ranking.Modality || r.Focus != b.ranking.Focus || r.subject.Model.Hash != b.ranking.subject.Model.Hash
	b.ranking = r
	if s := r.subject; s.Set != nil {
		b.cache.Use(picture.Lens{Suite: s.Suite.Hash, Root: s.Suite.Root, Spec: s.Set.Spec})
	}
	b.wall.Set(len(r.Entries), other)
	b.wall.Arrived(b.cache.Problem(), r.subject.Suite.Hash)
	b.changed()
}

// card shows the pair that differs, what the model says about both, and how much that counts.
func (b *ranked) card(x int) (c kit.Card) {
	d := b.ranking.Details(x)
	for side, guess := range d.Guesses {
		lines := []kit.CardText{{Text: d.V[side]}}
		if guess.Class != "" {
			lines[0].Text += "   " + result.Share.Say(guess.Confidence, 0)
			lines = append(lines, kit.CardText{Text: guess.Class + guess.Verdict.Mark(), Colour: guess.Verdict.Colour()})
		}
		key := picture.Key{Image: d.Image, Transformation: []int{d.I, d.J}[side]}
		c.Sides = append(c.Sides, kit.CardSide{Picture: b.cache.Picture(key), Lines: lines})
	}
	name := d.Class
	if name == "" {
		name = path.Base(d.Name)
	}
	c.Words = []kit.CardText{
		{Text: "# " + strconv.Itoa(d.Image), Bold: true},
		{Text: name, Colour: theme.ColorNamePlaceHolder},
		{Text: "dif " + result.Significant(d.D, 3)},
	}
	remark := ""
	switch {
	case d.Excluded:
		remark = "excluded"
	case d.Flagged:
		remark = "extreme"
	}
	if !d.Excluded {
		sum := kit.CardText{Text: "Σ " + result.Share.Say(d.Sum, 0), Colour: theme.ColorNamePlaceHolder}
		c.Words = append(c.Words, kit.CardText{Text: shareText(d.Share)}, sum)
	}
	if remark != "" {
		c.Words = append(c.Words, kit.CardText{Text: remark, Colour: theme.ColorNameWarning, Bold: true})
	}
	return c
}

// leaveOut excludes the selected images, or takes them back in where excluded ones are shown.
func (b *ranked) leaveOut() {
	list := b.wall.Marked()
	if len(list) == 0 {
		b.Say("select images first: click, or move with the arrow keys")
		return
	}
	b.wall.Unmark()
	if b.ranking.Entries[0].Excluded {
		b.Screen.Include(list)
		return
	}
	b.Screen.Exclude(list)
}

// changed follows a change of the selection: the button says what it would do.
func (b *ranked) changed() {
	n := len(b.wall.Marked())
	verb := "Exclude"
	if len(b.ranking.Entries) > 0 && b.ranking.Entries[0].Excluded {
		verb = "Include again"
	}
	if n > 1 {
		verb += " " + result.Whole(n)
	}
	b.exclude.SetText(verb + " (X)")
	widget.Enable(b.exclude, n > 0)
}

// letter takes the letters of both panes: X excludes, S sorts otherwise.
func (b *ranked) letter(r rune) bool {
	switch {
	case r == 's':
		b.order.SetSelectedIndex((b.order.SelectedIndex() + 1) % len(orderNames))
	case r != 'x':
		return false
	case b.Spend():
		b.leaveOut()
	}
	return true
}
