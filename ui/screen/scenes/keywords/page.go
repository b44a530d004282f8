// Package keywords is the page Keywords of the Background screen: where keywords come from, images
// by keyword, how an image's keywords are expanded.
package keywords

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"

	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// settingExpansion is where the workspace remembers how far keywords are expanded here.
const settingExpansion = "scenes.keywords.expansion"

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps      page.Deps
	saver     *figures.Saver
	view      *View
	subject   page.Subject
	renewal   *background.Renewal
	reading   background.Latest // of the subject
	counting  background.Latest // under a rule
	expanding background.Latest // of all targets
	known     bool              // something was read
	rule      bg.Rule
	ruleOf    [2]string // the table and the ontology that the rule belongs to
	expansion bg.Expansion
	memory    *background.Memory[bg.Expansion]
	recalled  bool // what the workspace remembers was read
	typed     int  // how often rule or expansion were changed here
	face      *face
	closed    bool
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, view: NewView(), expansion: bg.DefaultExpansion()}
	p.memory = page.Remember(deps, settingExpansion, func() bg.Expansion { return p.expansion })
	p.renewal = background.NewRenewal(deps.Host.Work, "refresh keywords", p.refresh)
	p.saver = &figures.Saver{
		Window: deps.Host.Window, Work: deps.Host.Work, Status: deps.Host.Say, ShowError: deps.Host.Fail, Closed: p.Focus,
	}
	p.face = newFace(p)
	return p
}

// Title implements page.Page.
func (p *Page) Title() string { return "Keywords" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.face.root }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	other := s.Table != p.subject.Table || s.Ontology != p.subject.Ontology
	p.subject = s
	switch read := p.renewal.Show(); {
	case read:
	case other || !p.known:
		p.refresh()
	default:
		p.face.grow()
	}
}

// Hide implements page.Page.
func (p *Page) Hide() {
	p.renewal.Hide()
	p.face.rest()
}

// Changed implements page.Page.
func (p *Page) Changed(c store.Change) {
	switch c.Kind {
	case store.BackgroundChanged, store.SuiteChanged:
		p.renewal.Changed()
	}
}

// Focus implements page.Page.
func (p *Page) Focus() {
	if c := p.deps.Host.Window.Canvas(); p.renewal.Shown() && p.face.body.Visible() && c.Overlays().Top() == nil {
		p.face.list.focus(c)
	}
}

// Close implements page.Page.
func (p *Page) Close() {
	p.closed = true
	p.reading.Next()
	p.counting.Next()
	p.expanding.Next()
	p.face.close()
}

// answer is what a reading of the subject gives.
type answer struct {
	data      Data
	counted   Counted
	expansion bg.Expansion
}

// refresh reads the subject anew; answers to older readings are dropped.
func (p *Page) refresh() {
	p.renewal.Begin()
	p.counting.Next()
	subject, rule, ruleOf := p.subject, p.rule, p.ruleOf
	expansion, recall, typed := p.expansion, !p.recalled, p.typed
	p.face.working()
	background.Load(p.deps.Host.Work, &p.reading, "keywords", func(ctx context.Context) (a answer, err error) {
		if a.expansion = expansion; recall {
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
	}, func(a answer, err error) {
		p.renewal.End()
		if err != nil {
			p.failed(err)
			return
		}
		p.counting.Next() // what is being counted is of the table before
		wish, grown, edited := p.rule, p.expansion, typed != p.typed && a.data.key() == ruleOf
		p.expansion, p.recalled, p.known = a.expansion, true, true
		p.rule, p.ruleOf = a.counted.Rule, a.data.key()
		p.view.Take(a.data, a.counted)
		if edited {
			p.rule, p.expansion = wish, grown
		}
		p.face.show()
		p.expandAll()
		if edited {
			p.count(wish)
		}
	})
}

// key names what a rule belongs to.
func (d Data) key() [2]string { return [2]string{d.Record.Hash, d.Graph.Record.ID} }

// recalledExpansion is what the workspace remembers; what does not make sense does not count.
func recalledExpansion(ws *store.Workspace) bg.Expansion {
	e := bg.DefaultExpansion()
	if found, err := ws.Setting(settingExpansion, &e); err != nil || !found || checkExpansion(e) != nil {
		return bg.DefaultExpansion()
	}
	return e
}

// failed says why there is nothing.
func (p *Page) failed(err error) {
	if errors.Is(err, background.ErrClosed) || present.Cancelled(err) {
		return
	}
	p.renewal.Spoil()
	p.face.vacant(present.Sentence(err))
	p.deps.Host.Fail(err)
}

// count counts under another rule.
func (p *Page) count(rule bg.Rule) {
	p.rule = rule
	p.typed++
	table := p.view.Table
	background.Load(p.deps.Host.Work, &p.counting, "count keywords", func(context.Context) (Counted, error) {
		return count(table, rule)
	}, func(c Counted, err error) {
		if err != nil {
			p.failed(err)
			return
		}
		p.view.Recount(c)
		p.face.recounted()
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
	p.face.detail.chips()
	p.expandAll()
}

// expandAll draws the figure of all targets.
func (p *Page) expandAll() {
	d, e := p.view.Data, p.expansion
	if d.Graph.Record.ID == "" {
		p.expanding.Next()
		p.face.detail.levels(Expanded{Expansion: e})
		return
	}
	background.Load(p.deps.Host.Work, &p.expanding, "expand keywords", func(ctx context.Context) (Expanded, error) {
		return expandAll(ctx, d, e)
	}, func(x Expanded, err error) {
		if err != nil {
			p.failed(err)
			return
		}
		p.face.detail.levels(x)
	})
}
