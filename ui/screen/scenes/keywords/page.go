// Package keywords is the page Keywords of the Background screen: where keywords come from, images
// by keyword, how an image's keywords are expanded.
package keywords

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// settingExpansion is where the workspace remembers how far keywords are expanded here.
const settingExpansion = "scenes.keywords.expansion"

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps      page.Deps
	host      *kit.Host
	view      *View
	subject   page.Subject
	counting  background.Latest // under a rule
	expanding background.Latest // of all targets
	rule      bg.Rule
	ruleOf    [2]string // the table and the ontology that the rule belongs to
	expansion bg.Expansion
	memory    *background.Memory[bg.Expansion]
	recalled  bool // what the workspace remembers was read
	typed     int  // how often rule or expansion were changed here
	closed    bool

	screen  *kit.Screen[struct{}, answer]
	caption *fynewidget.Label
	masks   *fynewidget.Button
	table   *fynewidget.Button // what can be done with the table
	box     *ruleBox
	list    *kit.Records[bg.CountedKeyword]
	gallery *gallery
	detail  *detail
	root    fyne.CanvasObject
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, view: NewView(), expansion: bg.DefaultExpansion(), caption: fynewidget.NewLabel("")}
	p.memory = page.Remember(deps, settingExpansion, func() bg.Expansion { return p.expansion })
	p.host = deps.Kit(p.Focus)
	p.box, p.gallery, p.detail = newRuleBox(p.count, p.Focus), newGallery(p), newDetail(p)
	p.list = &kit.Records[bg.CountedKeyword]{
		Host: p.host, Table: keywordTable(), OnMarked: p.want, OnSelect: func(bg.CountedKeyword, bool) { p.want() },
		OnOpen: func(bg.CountedKeyword) { p.want() },
	}
	p.list.Keys.OnKey = func(ev *fyne.KeyEvent) bool { // Escape shows all images again
		if ev.Name != fyne.KeyEscape || len(p.list.Chosen()) == 0 {
			return false
		}
		p.list.Select("")
		p.list.Unmark()
		return true
	}
	left := container.NewBorder(p.box.object, nil, nil, nil, p.list.Object())
	p.screen = kit.New(kit.Screen[struct{}, answer]{
		Host: p.host, Name: "Read the table of keywords", Doing: "Reading keywords…", Key: "keywords", Quiet: true, Load: p.load,
		On:    []store.ChangeKind{store.BackgroundChanged, store.SuiteChanged},
		Body:  container.New(threeColumns{}, left, p.gallery.object, p.detail.object),
		Empty: p.empty, Show: p.show, Keys: p.list.Focus, OnHidden: p.gallery.rest,
	})
	p.caption.Truncation = fyne.TextTruncateEllipsis
	read := fynewidget.NewButtonWithIcon("Read keywords…", theme.ContentAddIcon(), p.askKeywords)
	p.masks = fynewidget.NewButton("Masks…", p.askMasks)
	p.table = fynewidget.NewButtonWithIcon("Table", theme.MenuDropDownIcon(), func() {
		widget.PopUpBelow(p.table, p.host.Window.Canvas(), p.tableMenu()...)
	})
	p.table.IconPlacement = fynewidget.ButtonIconTrailingText
	p.table.Disable()
	head := container.NewBorder(nil, nil, container.NewHBox(read, p.masks, p.table), nil, p.caption)
	p.root = container.NewBorder(head, nil, nil, nil, p.screen.Object())
	return p
}

// keywordTable begins with the most frequent keywords; the share says what the number of images
// does.
func keywordTable() result.Table[bg.CountedKeyword] {
	t := bg.KeywordTable.Place(result.Offered, "images")
	t.First = result.Order{Key: "share", Descending: true}
	return t
}

// Title implements page.Page.
func (p *Page) Title() string { return "Keywords" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.root }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	other := s.Table != p.subject.Table || s.Ontology != p.subject.Ontology
	if p.subject = s; other {
		p.screen.Changed()
	}
	p.screen.Shown()
}

// Hide implements page.Page.
func (p *Page) Hide() { p.screen.Hidden() }

// Changed implements page.Page: the parts of the page listen themselves.
func (p *Page) Changed(store.Change) {}

// Focus implements page.Page.
func (p *Page) Focus() {
	if p.host.Window.Canvas().Overlays().Top() == nil {
		p.screen.Focus()
	}
}

// Close implements page.Page.
func (p *Page) Close() {
	p.closed = true
	p.screen.Close()
	p.counting.Next()
	p.expanding.Next()
	p.gallery.close()
	p.detail.close()
}

// answer is what a reading of the subject gives.
type answer struct {
	data      Data
	counted   Counted
	expansion bg.Expansion
	typed     int // when it began
}

// load reads the subject.
func (p *Page) load(struct{}) kit.Work[answer] {
	p.counting.Next()
	subject, rule, ruleOf := p.subject, p.rule, p.ruleOf
	expansion, recall, typed := p.expansion, !p.recalled, p.typed
	return func(ctx context.Context, _ engine.Progress) (a answer, err error) {
		if a.expansion, a.typed = expansion, typed; recall {
			a.expansion = recalledExpansion(p.deps.Workspace)
		}
		if a.data, err = read(ctx, p.deps.Workspace, subject); err != nil || a.data.Record.Hash == "" {
			return a, err
		}
		if a.data.key() != ruleOf {
			rule = a.data.usualRule()
		}
		a.counted, err = count(a.data.Table, rule)
		return a, err
	}
}

// empty says why there is nothing to show, and what to do.
func (p *Page) empty(a answer) (e kit.Empty, is bool) {
	widget.Enable(p.masks, a.data.Suites > 0)
	widget.Enable(p.table, a.data.Record.Hash != "")
	if a.data.Record.Hash != "" {
		return e, false
	}
	p.view.Take(a.data, a.counted)
	p.caption.SetText("")
	imports := kit.Help{Text: "Import…", Icon: theme.FolderOpenIcon(), Do: p.deps.Import}
	if a.data.Suites == 0 {
		return kit.Empty{Help: []kit.Help{imports}, Text: "This workspace has no images yet. Import a suite of targets, with a class label " +
			"each, and a suite of backgrounds without any foreground object."}, true
	}
	return kit.Empty{
		Help: []kit.Help{{Text: "Read keywords…", Icon: theme.ContentAddIcon(), Do: p.askKeywords}, imports},
		Text: "What do the images contain? Two networks can tell, one for the elements and one for the kind of scene, or a table " +
			"that was made elsewhere. All that follows, ontology, testing scenes and matrices, rests on these keywords.",
	}, true
}

// show shows what was read. A rule that was typed meanwhile is counted anew.
func (p *Page) show(a answer) {
	p.counting.Next() // what is being counted is of the table before
	edited := a.typed != p.typed && a.data.key() == p.ruleOf
	p.recalled, p.ruleOf = true, a.data.key()
	p.view.Take(a.data, a.counted)
	if !edited {
		p.rule, p.expansion = a.counted.Rule, a.expansion
	}
	p.box.show(p.rule)
	p.recounted()
	p.expandAll()
	if edited {
		p.count(p.rule)
	}
}

// recounted shows the keywords under another rule.
func (p *Page) recounted() {
	p.caption.SetText(p.view.Caption())
	p.list.Set(p.view.Keywords.Counted(p.view.Table))
	p.gallery.show(false)
}

// want shows the images of the marked keywords, without marks of the selected one, else all.
func (p *Page) want() {
	var names []string
	for _, k := range p.list.Chosen() {
		names = append(names, k.Item)
	}
	if slices.Equal(names, p.view.wanted) {
		return
	}
	p.view.Want(names)
	p.gallery.show(true)
}

// pick shows the images of a keyword by its name.
func (p *Page) pick(name string) {
	p.list.Unmark()
	p.list.Select(name)
	p.want()
}

// key names what a rule belongs to.
func (d Data) key() [2]string { return [2]string{d.Record.Hash, d.Graph.Record.ID} }

// recalledExpansion is what the workspace remembers; what does not make sense does not count.
func recalledExpansion(ws *store.Workspace) bg.Expansion {
	e := bg.DefaultExpansion()
	found, err := ws.Setting(settingExpansion, &e)
	if err != nil || !found || option.Check(&bg.ExpansionOptions{MinKeywords: e.MinKeywords, Levels: e.MaxLevels}) != nil {
		return bg.DefaultExpansion()
	}
	return e
}

// count counts under another rule.
func (p *Page) count(rule bg.Rule) {
	p.rule = rule
	p.typed++
	table := p.view.Table
	background.Load(p.host.Work, &p.counting, "count keywords", func(context.Context) (Counted, error) {
		return count(table, rule)
	}, func(c Counted, err error) {
		if err != nil {
			p.host.Fail(err)
			return
		}
		p.view.Recount(c)
		p.recounted()
	})
}

// expand expands as far as is said now, and remembers it.
func (p *Page) expand(e bg.Expansion) {
	if e == p.expansion {
		return
	}
	p.expansion = e
	p.typed++
	p.memory.Keep()
	p.detail.chips()
	p.expandAll()
}

// expandAll draws the figure of all targets.
func (p *Page) expandAll() {
	d, e := p.view.Data, p.expansion
	if d.Graph.Record.ID == "" {
		p.expanding.Next()
		p.detail.levels(Expanded{Expansion: e})
		return
	}
	background.Load(p.host.Work, &p.expanding, "expand keywords", func(ctx context.Context) (Expanded, error) {
		return expandAll(ctx, d, e)
	}, func(x Expanded, err error) {
		if err != nil {
			p.host.Fail(err)
			return
		}
		p.detail.levels(x)
	})
}

// threeColumns gives the outer columns shares of the width, within bounds, and the middle the rest.
type threeColumns struct{}

// The gap between the columns, the width in which the list shows all its columns, and the width
// that is left to the images all the same.
const columnGap, leastList, leastMiddle = 8, 392, 216

// Layout implements fyne.Layout.
func (threeColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := max(objects[2].MinSize().Width, min(0.325*size.Width, 620))
	most := size.Width - right - 2*columnGap - leastMiddle*widget.Grown()
	left := max(objects[0].MinSize().Width, min(0.35*size.Width, 460), min(leastList*widget.Grown(), most))
	middle := max(0, size.Width-left-right-2*columnGap)
	at := float32(0)
	for k, width := range []float32{left, middle, right} {
		objects[k].Move(fyne.NewPos(at, 0))
		objects[k].Resize(fyne.NewSize(width, size.Height))
		at += width + columnGap
	}
}

// MinSize implements fyne.Layout.
func (threeColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(2*columnGap, 0)
	for _, o := range objects {
		size := o.MinSize()
		least.Width += size.Width
		least.Height = max(least.Height, size.Height)
	}
	return least
}
