// Package keywords is the page Keywords of the Background screen: where keywords come from, images
// by keyword, how an image's keywords are expanded.
package keywords

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// settingExpansion is where the workspace remembers how far keywords are expanded here.
const settingExpansion = "scenes.keywords.expansion"

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	*kit.Screen[struct{}, answer]
	site     page.Site
	view     *View
	subject  page.Subject
	changes  int       // of the subject and of the workspace
	known    int       // those that the view has
	ruleOf   [2]string // the table and the ontology that the rule belongs to
	memory   *jobs.Memory[bg.Expansion]
	recalled bool // what the workspace remembers was read
	filling  bool // forms are being filled
	gone     bool // it was closed

	masks   *fynewidget.Button
	table   *fynewidget.Button // what can be done with the table
	rule    *kit.Form[bg.RuleChoice]
	far     *kit.Form[bg.ExpansionOptions] // how far keywords are expanded
	list    *kit.Records[bg.CountedKeyword]
	gallery *gallery
	detail  *detail
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(site page.Site) *Page {
	p := &Page{site: site, view: NewView(), changes: 1}
	host := site.Kit(func() { p.Focus() })
	p.Screen = &kit.Screen[struct{}, answer]{Host: host} // the parts are made from it
	p.memory = page.Remember(site, settingExpansion, p.expansion)
	p.rule = &kit.Form[bg.RuleChoice]{
		Host: host, Rows: true, InPage: true, OnChange: func(bg.RuleChoice) { p.asked() },
		Named: func(_, choice string) string { name, _, _ := strings.Cut(bg.RuleName(choice), ":"); return name },
	}
	p.far = &kit.Form[bg.ExpansionOptions]{Host: host, OnChange: func(bg.ExpansionOptions) {
		if p.asked() {
			p.memory.Keep()
			p.detail.chips()
		}
	}}
	p.rule.Make()
	p.far.Make()
	p.gallery, p.detail = newGallery(p), newDetail(p)
	p.list = &kit.Records[bg.CountedKeyword]{
		Host: host, Table: keywordTable(), OnMarked: p.want, OnSelect: func(bg.CountedKeyword, bool) { p.want() },
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
	read := fynewidget.NewButtonWithIcon("Read keywords…", theme.ContentAddIcon(), p.askKeywords)
	p.masks = fynewidget.NewButton("Masks…", p.askMasks)
	p.table = fynewidget.NewButtonWithIcon("Table", theme.MenuDropDownIcon(), func() {
		widget.PopUpBelow(p.table, p.Window.Canvas(), p.tableMenu()...)
	})
	p.table.IconPlacement = fynewidget.ButtonIconTrailingText
	p.table.Disable()
	left := container.NewBorder(p.rule.Object(), nil, nil, nil, p.list.Object())
	p.Screen = kit.New(kit.Screen[struct{}, answer]{
		Host: host, Name: "Read the table of keywords", Doing: "Reading keywords…", Key: "keywords", Quiet: true,
		Load: p.load, On: []store.ChangeKind{store.BackgroundChanged, store.SuiteChanged},
		OnChange: func(store.ChangeKind) { p.changes++ },
		Body:     container.New(threeColumns{}, left, p.gallery.object, p.detail.object),
		Empty:    p.empty, Show: p.show, Line: func(answer) string { return p.view.Caption() },
		Tools: []fyne.CanvasObject{read, p.masks, p.table}, Keys: func() { p.list.Focus() },
		OnShown: func() { p.gallery.arrived() }, OnHidden: func() { p.gallery.each((*kit.ImageCache[int]).Rest) },
		OnClosed: func() {
			p.gone = true
			p.gallery.each((*kit.ImageCache[int]).Close)
			p.detail.large.Close()
		},
	})
	return p
}

// keywordTable begins with the most frequent keywords; the share says what the number of images
// does.
func keywordTable() result.Table[bg.CountedKeyword] {
	t := bg.KeywordTable.Place(result.Offered, "images")
	t.First = result.Order{Key: "share", Descending: true}
	return t
}

// Look implements page.Page.
func (p *Page) Look(s page.Subject) {
	other := s.Table != p.subject.Table || s.Ontology != p.subject.Ontology
	if p.subject = s; other {
		p.changes++
		p.Changed()
	}
}

// expansion is how far keywords are expanded.
func (p *Page) expansion() bg.Expansion { return p.far.Options().Expansion() }

// asked counts and expands anew after a change of the forms by a person.
func (p *Page) asked() bool {
	if !p.filling {
		p.Screen.Changed()
	}
	return !p.filling
}

// answer is a subject, counted and expanded.
type answer struct {
	changes   int // of those of the page
	data      Data
	counted   Counted
	expansion bg.Expansion
	targets   int
	levels    []bg.LevelCount // of all targets
}

// load reads the subject where that is not known, counts its keywords and expands them.
func (p *Page) load(struct{}) kit.Work[answer] {
	ws, subject, rule, ruleOf, recalled := p.site.Workspace, p.subject, p.rule.Options().Asked(), p.ruleOf, p.recalled
	current, known := p.known == p.changes, answer{changes: p.changes, data: p.view.Data, expansion: p.expansion()}
	return func(ctx context.Context, _ engine.Progress) (a answer, err error) {
		if a = known; !current {
			if a.data, err = read(ctx, ws, subject); err != nil {
				return a, err
			}
		}
		if !recalled {
			a.expansion = recalledExpansion(ws)
		}
		if a.data.Record.Hash == "" {
			return a, nil
		}
		if a.data.key() != ruleOf {
			rule = a.data.usualRule()
		}
		if a.counted, err = count(a.data.Table, rule); err != nil || a.data.Graph.Record.ID == "" {
			return a, err
		}
		all, _, err := bg.ExpandAll(ctx, a.data.Table, a.data.Graph.Ontology, a.data.Graph.Keywords, a.expansion)
		a.targets, a.levels = len(all), bg.Levels(all, a.expansion.MaxLevels)
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
	imports := kit.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.site.Import}
	if a.data.Suites == 0 {
		return kit.Empty{
			Help: []kit.Help{imports},
			Text: "This workspace has no images yet. Import a suite of targets, with a class label " +
				"each, and a suite of backgrounds without any foreground object.",
		}, true
	}
	return kit.Empty{
		Help: []kit.Help{{Text: "Read keywords…", Icon: theme.ContentAddIcon(), Do: p.askKeywords}, imports},
		Text: "What do the images contain? Two networks can tell, one for the elements and one for the kind of " +
			"scene, or a table that was made elsewhere. All that follows, ontology, testing scenes and matrices, " +
			"rests on these keywords.",
	}, true
}

// show shows what was read.
func (p *Page) show(a answer) {
	p.known, p.recalled, p.ruleOf = a.changes, true, a.data.key()
	p.view.Take(a.data, a.counted)
	p.filling = true
	if !p.rule.Options().Asked().Equal(a.counted.Rule) { // else what is being typed stays as it is
		p.failed(p.rule.Take(bg.RuleChoiceOf(a.counted.Rule, nil)))
	}
	if p.expansion() != a.expansion {
		p.failed(p.far.Take(bg.ExpansionOptions{MinKeywords: a.expansion.MinKeywords, Levels: a.expansion.MaxLevels}))
	}
	p.filling = false
	p.list.Set(p.view.Keywords.Counted(p.view.Table))
	p.gallery.show(false)
	p.detail.levels(a)
}

func (p *Page) failed(err error) {
	if err != nil {
		p.Fail(err)
	}
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

// recalledExpansion is what the workspace remembers; what does not make sense does not count.
func recalledExpansion(ws *store.Workspace) bg.Expansion {
	e := bg.DefaultExpansion()
	found, err := ws.Setting(settingExpansion, &e)
	if err != nil || !found ||
		option.Check(&bg.ExpansionOptions{MinKeywords: e.MinKeywords, Levels: e.MaxLevels}) != nil {
		return bg.DefaultExpansion()
	}
	return e
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
