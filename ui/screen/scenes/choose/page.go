// Package choose is the page Scenes of the Background screen: testing scenes of every target,
// chosen, looked at, approved or vetoed, and the composites made of them.
package choose

import (
	"context"
	"errors"
	"reflect"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps    page.Deps
	saver   *figures.Saver
	view    *View
	wanted  page.Subject
	read    bool // something was read
	renewal *background.Renewal
	latest  background.Latest
	studio  *studio
	rack    *picture.Rack[shot]
	pending []judgement // verdicts that are not kept yet
	keeping bool
	face    *face
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, view: NewView(), studio: &studio{ws: deps.Workspace}}
	p.renewal = background.NewRenewal(deps.Host.Work, "refresh testing scenes", p.refresh)
	p.saver = &figures.Saver{Window: deps.Host.Window, Work: deps.Host.Work, Status: deps.Host.Say, ShowError: deps.Host.Fail, Closed: p.Focus}
	p.rack = picture.NewRack[shot](deps.Host.Work, nil, p.studio.release, func() { p.face.arrived() })
	p.face = newFace(p)
	return p
}

// Title implements page.Page.
func (p *Page) Title() string { return "Scenes" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.face.root }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	other := s != p.wanted || !p.read
	p.wanted = s
	if read := p.renewal.Show(); other && !read {
		p.refresh()
	} else if !read {
		p.face.grow()
	}
}

// Hide implements page.Page.
func (p *Page) Hide() {
	p.renewal.Hide()
	p.rack.Rest()
	p.deps.Host.Say("")
}

// Changed implements page.Page.
func (p *Page) Changed(c store.Change) {
	switch c.Kind {
	case store.BackgroundChanged, store.SuiteChanged, store.ModelChanged, store.SignalsChanged:
		p.renewal.Changed()
	case store.SettingChanged:
		if c.ID == settingVerdicts+p.view.Record.Hash && len(p.pending) == 0 && !p.keeping {
			p.recall()
		}
	}
}

// Focus implements page.Page.
func (p *Page) Focus() { p.face.focus() }

// Close implements page.Page.
func (p *Page) Close() {
	p.latest.Next()
	p.rack.Close()
	p.studio.close()
	p.face.close()
}

// refresh reads what is wanted; an answer to an older wish is dropped.
func (p *Page) refresh() {
	p.renewal.Begin()
	ws, s := p.deps.Workspace, p.wanted
	if !p.read {
		p.face.waiting()
	}
	background.Load(p.deps.Host.Work, &p.latest, "read testing scenes", func(ctx context.Context) (Data, error) { return read(ctx, ws, s) }, func(d Data, err error) {
		p.renewal.End()
		switch {
		case errors.Is(err, background.ErrClosed):
			return
		case err != nil:
			p.renewal.Spoil()
			p.face.failed(present.Sentence(err))
			p.deps.Host.Fail(err)
			return
		}
		p.take(d)
	})
}

// take shows what was read. Verdicts that are on their way to the workspace count already.
func (p *Page) take(d Data) {
	for _, j := range p.pending {
		if j.selection == d.Record.Hash {
			d.Verdicts = d.Verdicts.With(j.target, j.image, j.verdict)
		}
	}
	if p.keeping && d.Record.Hash == p.view.Record.Hash {
		d.Verdicts = p.view.Verdicts
	}
	p.read = true
	if d.Record.Hash != p.view.Record.Hash || d.Targets.Root != p.view.Targets.Root || d.Backgrounds.Root != p.view.Backgrounds.Root || p.rack.Problem() != nil {
		p.rack.Empty(p.studio.maker(d.Record.Hash))
		if d.Record.Hash == "" {
			p.rack.Empty(nil)
		}
	}
	p.view.Take(d)
	p.face.show()
}

// recall reads the verdicts again, after one was taken back.
func (p *Page) recall() {
	ws, hash := p.deps.Workspace, p.view.Record.Hash
	var v Verdicts
	p.deps.Host.Work.Quiet("read verdicts on scenes", func(context.Context) (err error) {
		v, err = recall(ws, hash)
		return err
	}, func(err error) {
		if err != nil || hash != p.view.Record.Hash || len(p.pending) > 0 || p.keeping || reflect.DeepEqual(v, p.view.Verdicts) {
			return // a failure is told where it is next read
		}
		p.view.Verdicts = v
		p.face.judged()
	})
}

// judge notes a verdict on the scene that is looked at.
func (p *Page) judge(verdict Verdict) {
	j, before, ok := p.view.Judge(verdict)
	if !ok {
		p.deps.Host.Say("Choose one of the scenes first: the target itself has no verdict.")
		return
	}
	p.face.judged()
	p.pending = append(p.pending, j)
	p.keep()
	back, ws := j, p.deps.Workspace
	back.verdict = before
	p.deps.Did(history.Step{
		Title: "verdict on a testing scene",
		Undo:  func(context.Context) error { return keep(ws, back) },
		Redo:  func(context.Context) error { return keep(ws, j) },
	})
}

// keep writes the verdicts that wait, in their order and one bundle at a time.
func (p *Page) keep() {
	if p.keeping || len(p.pending) == 0 {
		return
	}
	list := p.pending
	p.pending, p.keeping = nil, true
	ws := p.deps.Workspace
	p.deps.Host.Work.Quiet("keep verdicts on scenes", func(context.Context) error { return keep(ws, list...) }, func(err error) {
		p.keeping = false
		if err != nil && !errors.Is(err, background.ErrClosed) {
			p.deps.Host.Fail(err)
			p.recall()
		}
		p.keep()
	})
}
