// Package clouds is the page Matrices of the Background screen: signals over semantic distance and
// the variance matrices that are interpolated from them.
package clouds

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps     page.Deps
	subject  page.Subject
	settings Settings
	recall   bool // the settings were read
	memory   *background.Memory[Settings]
	known    bool // something was read
	view     *View
	renewal  *background.Renewal
	vault    *vault
	read     map[string]*scenes.Evidence // by model and key of its signals
	reading  background.Latest
	loading  bool // evidence is being read
	board    *board
	saver    *figures.Saver
	face     *face
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, settings: Settings{}.valid(), view: NewView(), vault: newVault(), read: map[string]*scenes.Evidence{}}
	p.board = &board{p: p}
	p.memory = page.Remember(deps, keySettings, func() Settings { return p.settings })
	p.renewal = background.NewRenewal(deps.Host.Work, "refresh what models did in scenes", p.refresh)
	p.saver = &figures.Saver{Window: deps.Host.Window, Work: deps.Host.Work, Status: deps.Host.Say, ShowError: deps.Host.Fail, Closed: p.Focus}
	p.face = newFace(p)
	return p
}

// Title implements page.Page.
func (p *Page) Title() string { return "Matrices" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.face.root }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	if s.Selection != p.subject.Selection {
		p.vault, p.read = newVault(), map[string]*scenes.Evidence{}
		p.board.clear()
		p.renewal.Spoil()
	}
	p.subject = s
	if !p.renewal.Show() && p.known {
		p.face.grow()
	}
}

// Hide implements page.Page.
func (p *Page) Hide() {
	p.renewal.Hide()
	p.face.images.rest()
}

// Changed implements page.Page.
func (p *Page) Changed(c store.Change) {
	switch c.Kind {
	case store.SuiteChanged, store.BackgroundChanged: // images and masks may be where they were not
		p.face.images.doubt()
		p.renewal.Changed()
	case store.ModelChanged, store.SignalsChanged:
		p.renewal.Changed()
	}
}

// Focus implements page.Page.
func (p *Page) Focus() {
	c := p.deps.Host.Window.Canvas()
	if p.renewal.Shown() && p.face.body.Visible() && c.Overlays().Top() == nil {
		p.face.list.Focus()
	}
}

// Close implements page.Page.
func (p *Page) Close() {
	p.board.closed = true
	p.board.halt()
	p.face.curve.close()
	p.face.images.close()
}

// again reads because somebody asks for it: images that were missing are looked for again, too.
func (p *Page) again() {
	p.face.images.doubt()
	p.refresh()
}

// refresh reads what the models did in the scenes, as a job that people see and can cancel.
func (p *Page) refresh() {
	selection, known, settings, recalled := p.subject.Selection, p.view.Data, p.settings, p.recall
	if known.Selection.Hash != selection {
		known = Data{}
	}
	var d Data
	p.face.working()
	p.renewal.Start("Read what models did in scenes", func(ctx context.Context, progress *background.Progress) (err error) {
		if !recalled {
			if _, err := p.deps.Workspace.Setting(keySettings, &settings); err != nil {
				settings = Settings{} // of another version of the program
			}
		}
		d, err = read(ctx, p.deps.Workspace, selection, known, progress)
		return err
	}, func(err error) {
		if err == nil && !p.recall {
			p.settings, p.recall = settings.valid(), true
		}
		p.ended(d, err)
	})
}

// ended shows what was read, or why nothing was.
func (p *Page) ended(d Data, err error) {
	switch {
	case err == nil:
		p.known = true
		p.view.Take(d, p.settings.Model)
		p.face.show()
		p.look()
	case errors.Is(err, background.ErrClosed):
	case present.Cancelled(err):
		p.renewal.Spoil()
		p.face.again("Reading was cancelled; what is shown may be out of date.")
	default:
		p.renewal.Spoil()
		p.face.again(present.Sentence(err))
		p.deps.Host.Fail(err)
	}
}

// chosen are the models that are looked at: one, or two side by side.
func (p *Page) chosen() []Row {
	r, ok := p.view.Selected()
	if !ok || !r.Ran() {
		return nil
	}
	list := []Row{r}
	if p.settings.Mode != Two {
		return list
	}
	if other, ok := p.view.second(p.settings.Second); ok {
		list = append(list, other)
	}
	return list
}

// look shows the chosen models, whose evidence is read first where it is not known.
func (p *Page) look() {
	rows := p.chosen()
	settings := p.settings
	switch {
	case len(rows) == 0:
		p.reading.Next()
		p.loading = false
		p.board.clear()
		p.face.unshown()
		return
	case len(rows) < 2 && settings.Mode == Two:
		settings.Mode = One // there is nothing to compare with
	}
	if list, ok := p.evidence(rows); ok {
		p.reading.Next()
		p.loading = false
		p.board.want(ask{evidence: list, settings: settings})
		p.face.images.follow(list)
		return
	}
	selection, ws := p.subject.Selection, p.deps.Workspace
	p.loading = true
	background.Load(p.deps.Host.Work, &p.reading, "read evidence", func(ctx context.Context) (list []*scenes.Evidence, err error) {
		for _, r := range rows {
			e, reason, err := scenes.Read(ctx, ws, r.Model, selection)
			switch {
			case err != nil:
				return nil, err
			case reason != "":
				return nil, fmt.Errorf("%s: %s", r.Model.ID, reason)
			}
			list = append(list, &e)
		}
		return list, nil
	}, func(list []*scenes.Evidence, err error) {
		p.loading = false
		if err != nil {
			p.board.failed(err)
			return
		}
		p.remember(rows, list)
		p.look()
	})
}

// mostRead is how many models' evidence is kept.
const mostRead = 6

// remember keeps evidence that was read.
func (p *Page) remember(rows []Row, list []*scenes.Evidence) {
	if len(p.read)+len(list) > mostRead {
		clear(p.read)
	}
	for k, r := range rows {
		p.read[r.Model.Hash+r.Key] = list[k]
	}
}

// evidence is that of models, ok is false where some of it was not read yet.
func (p *Page) evidence(rows []Row) (list []*scenes.Evidence, ok bool) {
	for _, r := range rows {
		e := p.read[r.Model.Hash+r.Key]
		if e == nil {
			return nil, false
		}
		list = append(list, e)
	}
	return list, true
}

// choose changes the settings and shows what they say.
func (p *Page) choose(change func(s *Settings)) {
	next := p.settings
	change(&next)
	if next = next.valid(); next == p.settings {
		return
	}
	p.settings, p.recall = next, true
	p.memory.Keep()
	p.face.showSettings()
	p.look()
}

// Select looks at a model.
func (p *Page) Select(hash string) {
	r, ok := p.view.of(hash)
	if !ok {
		return
	}
	p.view.Select(hash)
	p.face.list.selected()
	if r.Ran() {
		p.choose(func(s *Settings) { s.Model = hash })
	}
	p.look()
}

// start runs models in the scenes of the selection.
func (p *Page) start(models []string) {
	if len(models) > 0 && p.deps.Start != nil {
		p.deps.Start(p.view.run(models))
	}
}

// askRange asks for one's own colour range.
func (p *Page) askRange() {
	before, _ := p.settings.colours()
	evidence.AskRange(p.deps.Host.Window, before, func(r label.Range) { p.choose(func(s *Settings) { s.Range = r }) }, p.Focus)
}
