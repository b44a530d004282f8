package images

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// ranked is what both tabs are made of: the wall of a ranking below a line with what is ranked, the
// order and a button that excludes.
type ranked struct {
	pane.Tab
	site    pane.Site
	page    *kit.Screen[struct{}, Report]
	cache   *picture.Cache
	wall    *kit.Wall
	ranking Ranking
	ask     Request
	order   *widget.Picker
	exclude *fynewidget.Button
}

// follow is called with each image that is chosen, preview with that of a double click or Return;
// both may be nil.
func newRanked(site pane.Site, store picture.Store, follow, preview func(image int)) *ranked {
	b := &ranked{site: site}
	b.cache = picture.NewCache(site.Work, store, b.arrived)
	declared := kit.Wall{
		Host: site.Host, Look: kit.CardLook{Pictures: 2, Side: 68, Pad: 5, Below: 2, Close: 1, Words: 6, Room: 11},
		Card: b.card, ID: func(x int) int { return b.ranking.Entries[x].Image }, Several: true, Take: site.Refocus,
	}
	declared.OnSelect = func() {
		b.changed()
		if at := b.wall.Cursor(); follow != nil && at >= 0 && at < len(b.ranking.Entries) {
			follow(b.ranking.Entries[at].Image)
		}
	}
	if preview != nil {
		declared.OnOpen = func(x int) { preview(b.ranking.Entries[x].Image) }
	}
	b.wall = kit.NewWall(declared)
	b.order = site.Menu(func(name string) {
		b.ask.Order = Order(slices.Index(orderNames, name))
		b.page.Changed()
	})
	b.order.Offer(widget.ByName(orderNames...), orderNames[ByShare])
	b.exclude = fynewidget.NewButton("", b.leaveOut)
	b.changed()
	b.OnKey = b.wall.Key
	return b
}

// menus choose what is ranked, by another menu, and how.
func (b *ranked) menus(menu *widget.Picker) fyne.CanvasObject {
	return evidence.Columns(widget.Named(nil, menu.Object()), widget.Named(nil, b.order.Object()))
}

// make makes the page; find answers a question about a subject, off the main goroutine.
func (b *ranked) make(title string, declared kit.Screen[struct{}, Report], find func(pane.Subject, Request) Report) {
	declared.Host, declared.Key, declared.Paced = b.site.Host, "inspect."+title, true
	declared.Load = func(struct{}) kit.Work[Report] {
		s, q := b.site.Screen.Subject(), b.ask
		return func(context.Context, engine.Progress) (Report, error) { return find(s, q), nil }
	}
	declared.Empty = func(r Report) (e kit.Empty, is bool) {
		if r.subject.Set == nil {
			e.Missing = r.subject.Missing()
		}
		if is = r.Reason != ""; is {
			e.Text = present.Sentence(errors.New(r.Reason))
			b.show(r.Ranking)
		}
		return e, is
	}
	declared.Keys = b.site.Refocus
	declared.OnShown, declared.OnHidden, declared.OnClosed = b.arrived, b.cache.Rest, b.cache.Close
	b.page = kit.New(declared)
	b.Tab.Tab = kit.Tab{Key: title, Title: title, Page: b.page}
}

// arrived shows pictures that have come, or why there are none.
func (b *ranked) arrived() { b.wall.Arrived(b.cache.Problem(), b.ranking.subject.Suite.Hash) }

// show puts a ranking on the wall; what was selected stays so where it is still there.
func (b *ranked) show(r Ranking) {
	other := r.Modality != b.ranking.Modality || r.Focus != b.ranking.Focus ||
		r.subject.Model.Hash != b.ranking.subject.Model.Hash
	b.ranking = r
	if s := r.subject; s.Set != nil {
		b.cache.Use(picture.Lens{Suite: s.Suite.Hash, Root: s.Suite.Root, Spec: s.Set.Spec})
	}
	b.wall.Set(len(r.Entries), other)
	b.arrived()
	b.changed()
}

// card shows the pair that differs, what the model says about both, and how much that counts.
func (b *ranked) card(x int) (c kit.Card) {
	d := b.ranking.Details(x)
	for side, guess := range d.Guesses {
		lines := []kit.CardText{{Text: d.V[side]}}
		if guess.Class != "" {
			lines[0].Text += "   " + result.Share.Say(guess.Confidence, 0)
			lines = append(lines, kit.CardText{
				Text: guess.Class + guess.Verdict.Mark(), Colour: guess.Verdict.Colour(),
			})
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
		b.site.Say("select images first: click, or move with the arrow keys")
		return
	}
	b.wall.Unmark()
	if b.ranking.Entries[0].Excluded {
		b.site.Screen.Include(list)
		return
	}
	b.site.Screen.Exclude(list)
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
	case b.site.Spend():
		b.leaveOut()
	}
	return true
}
