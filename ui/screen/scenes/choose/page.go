// Package choose is the page Scenes of the Background screen: testing scenes of every target,
// chosen, looked at, approved or vetoed, and the composites made of them.
package choose

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// Page is the page: targets on the left, the scenes and numbers of one of them in the
// middle, one picture on the right. All methods are called on Fyne's main goroutine.
type Page struct {
	*kit.Screen[struct{}, Data]
	site    page.Site
	view    *View
	wanted  page.Subject
	cache   *kit.ImageCache[shot]
	pending []judgement // verdicts that are not kept yet
	keeping bool

	list   *kit.Records[measure.TargetScenes]
	wall   *wall
	detail *detail
	strip  *distances
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(site page.Site) *Page {
	p := &Page{site: site, view: NewView()}
	host := site.Kit(func() { p.Focus() })
	p.Screen = &kit.Screen[struct{}, Data]{Host: host} // the parts are made from it
	p.cache = kit.NewImageCache[shot](host.Work, func() { p.arrived() })
	p.wall, p.detail, p.strip = newWall(p), newDetail(p), newDistances(p)
	p.list = &kit.Records[measure.TargetScenes]{
		Host: host, Table: measure.TargetTable, Letters: "av", Keys: widget.Keys{OnRune: p.typed},
		OnSelect: func(t measure.TargetScenes, ok bool) {
			if ok {
				p.look(t.Target)
			}
		},
	}
	middle := container.NewVSplit(p.wall.object, p.strip.object)
	middle.Offset = 0.68
	inner := container.NewHSplit(middle, p.detail.object)
	inner.Offset = 0.66
	body := container.NewHSplit(p.list.Object(), inner)
	body.Offset = 0.26
	button, stop := fynewidget.NewButtonWithIcon, p.followVerdicts()
	var export *fynewidget.Button
	export = button("Export…", theme.DocumentSaveIcon(), func() {
		widget.PopUpBelow(export, host.Window.Canvas(), p.exportMenu()...)
	})
	p.Screen = kit.New(kit.Screen[struct{}, Data]{
		Host: host, Name: "Read the scenes", Doing: "Reading the scenes…", Key: "scenes.choose", Quiet: true,
		Load: func(struct{}) kit.Work[Data] {
			ws, s := site.Workspace, p.wanted
			return func(ctx context.Context, _ engine.Progress) (Data, error) { return read(ctx, ws, s) }
		},
		On:   []store.ChangeKind{store.BackgroundChanged, store.SuiteChanged, store.ModelChanged, store.SignalsChanged},
		Body: body,
		Head: []fyne.CanvasObject{
			button("Choose scenes…", theme.ContentAddIcon(), p.askNew),
			button("Run models…", theme.MediaPlayIcon(), func() { p.askRun() }),
			fynewidget.NewButton("New round…", func() { site.NewRound(p.view.Record.Hash) }), export,
			button("Remove…", theme.DeleteIcon(), p.askRemove),
		},
		Empty: func(d Data) (kit.Empty, bool) { return p.empty(p.take(d)) },
		Show: func(Data) {
			p.list.Table = p.view.table()
			p.listed()
			p.wall.offer()
			p.strip.offer()
			p.looked()
			p.arrived()
		}, Line: func(Data) string { return p.view.Summary() },
		Keys: p.wall.Focus, OnShown: func() { p.arrived() }, OnHidden: p.cache.Rest,
		OnClosed: func() {
			stop()
			p.cache.Close()
			p.strip.close()
		},
	})
	return p
}

// Look implements page.Page.
func (p *Page) Look(s page.Subject) {
	other := s != p.wanted
	if p.wanted = s; other {
		p.Changed()
	}
}

// followVerdicts reads verdicts anew when they were taken back, perhaps, until the function that it
// returns is called.
func (p *Page) followVerdicts() (stop func()) {
	return p.Changes(func(c store.Change) {
		if c.Kind == store.SettingChanged {
			p.Work.Post(func() {
				if c.ID == settingVerdicts+p.view.Record.Hash && len(p.pending) == 0 && !p.keeping {
					p.recall()
				}
			})
		}
	})
}

// empty says why there is nothing to show, and what to do; is is false when there is a selection.
func (p *Page) empty(d Data) (e kit.Empty, is bool) {
	o := d.Offer
	opens := func(text string, k page.Kind) kit.Help {
		return kit.Help{Text: text, Icon: theme.NavigateBackIcon(), Do: func() { p.site.Open(k, p.wanted) }}
	}
	imports := []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.Import}}
	keywords := []kit.Help{opens("Open Keywords", page.Keywords)}
	const two = "two: targets with labels and masks of their foregrounds, and backgrounds without any " +
		"foreground object."
	switch {
	case d.Record.Hash != "":
		return e, false
	case len(o.Suites) == 0:
		e = kit.Empty{
			Help: imports,
			Text: "Testing scenes need images: a suite of targets with labels and masks of their foregrounds, " +
				"and a suite of backgrounds without any foreground object. Import both.",
		}
	case len(o.Suites) == 1:
		e = kit.Empty{Help: imports, Text: fmt.Sprintf("There is one suite, %s. Testing scenes need %s",
			o.Suites[0].Name, two)}
	case len(o.Masks) == 0:
		e = kit.Empty{
			Help: keywords,
			Text: "No suite has masks yet, so that nothing says what its foregrounds are. Bring them, " +
				"or make them with a segmentation network, on the page Keywords.",
		}
	case len(o.Tables) == 0:
		e = kit.Empty{
			Help: keywords,
			Text: "Scenes are chosen by what images contain, and there are no keywords yet. Find them " +
				"with two networks, or bring a table, on the page Keywords.",
		}
	default:
		e = kit.Empty{
			Text: "No testing scenes were chosen yet: for every target a number of backgrounds that are plausible " +
				"for it, on which its foreground is pasted.",
			Help: []kit.Help{{Text: "Choose scenes…", Icon: theme.ContentAddIcon(), Do: p.askNew}},
		}
		if len(o.Ontologies) == 0 {
			e.Help = append(e.Help, opens("Open Ontology", page.Ontology))
		}
	}
	return e, true
}

// take takes in what was read. Verdicts that are on their way to the workspace count already.
func (p *Page) take(d Data) Data {
	for _, j := range p.pending {
		if j.selection == d.Record.Hash {
			d.Verdicts = d.Verdicts.With(j.target, j.image, j.verdict)
		}
	}
	if p.keeping && d.Record.Hash == p.view.Record.Hash {
		d.Verdicts = p.view.Verdicts
	}
	name := ""
	if d.Record.Hash != "" {
		name = fmt.Sprint(d.Record.Hash, d.Targets.Root, d.Backgrounds.Root)
	}
	p.cache.Use(name, composing(p.site.Workspace, d.Record.Hash))
	if p.cache.Problem() != nil {
		p.cache.Rest() // what was missing may be there by now
	}
	p.view.Take(d)
	return d
}

// listed brings the list up to date.
func (p *Page) listed() {
	p.list.Select("") // the page follows its own choice
	p.list.Set(p.view.rows())
	p.list.Select(fmt.Sprint(p.view.Target()))
}

// looked shows the target that is looked at.
func (p *Page) looked() {
	p.wall.show(true)
	p.detail.show()
	p.strip.show()
}

// judged shows verdicts.
func (p *Page) judged() {
	p.listed()
	p.wall.show(false)
	p.detail.show()
}

// arrived puts pictures where they are waited for.
func (p *Page) arrived() {
	p.wall.Arrived(p.cache.Problem(), "")
	p.detail.picture()
}

// typed are the keys of verdicts, wherever the keyboard is.
func (p *Page) typed(r rune) {
	switch r {
	case 'a', 'A':
		p.judge(Approved)
	case 'v', 'V':
		p.judge(Vetoed)
	}
}

// look looks at another target.
func (p *Page) look(target int) {
	if target >= 0 && target != p.view.Target() {
		p.view.Look(target)
		p.looked()
	}
}

// step looks at the target so many rows further down.
func (p *Page) step(by int) {
	shown := p.list.Shown()
	at := slices.IndexFunc(shown, func(t measure.TargetScenes) bool { return t.Target == p.view.Target() })
	if at = min(max(at+by, 0), len(shown)-1); at >= 0 {
		p.list.Select(fmt.Sprint(shown[at].Target))
		p.look(shown[at].Target)
	}
}

// recall reads the verdicts again, after one was taken back.
func (p *Page) recall() {
	ws, hash := p.site.Workspace, p.view.Record.Hash
	var v Verdicts
	p.Work.Quiet("read verdicts on scenes", func(context.Context) (err error) {
		v, err = recall(ws, hash)
		return err
	}, func(err error) {
		if err != nil || hash != p.view.Record.Hash || len(p.pending) > 0 || p.keeping ||
			reflect.DeepEqual(v, p.view.Verdicts) {
			return // a failure is told where it is next read
		}
		p.view.Verdicts = v
		p.judged()
	})
}

// judge notes a verdict on the scene that is looked at.
func (p *Page) judge(verdict Verdict) {
	j, before, ok := p.view.Judge(verdict)
	if !ok {
		p.Say("Choose one of the scenes first: the target itself has no verdict.")
		return
	}
	p.judged()
	p.pending = append(p.pending, j)
	p.keep()
	back, ws := j, p.site.Workspace
	back.verdict = before
	p.did("verdict on a testing scene", func(context.Context) error { return keep(ws, j) },
		func(context.Context) error { return keep(ws, back) })
}

// keep writes the verdicts that wait, in their order and one bundle at a time.
func (p *Page) keep() {
	if p.keeping || len(p.pending) == 0 {
		return
	}
	list := p.pending
	p.pending, p.keeping = nil, true
	ws := p.site.Workspace
	p.Work.Quiet("keep verdicts on scenes", func(context.Context) error { return keep(ws, list...) }, func(err error) {
		p.keeping = false
		if err != nil && !errors.Is(err, jobs.ErrClosed) {
			p.Fail(err)
			p.recall()
		}
		p.keep()
	})
}

// askRemove asks before the selection that is looked at is removed.
func (p *Page) askRemove() {
	r := p.view.Record
	if r.Hash == "" {
		return
	}
	p.Confirm("Remove selection",
		fmt.Sprintf("Remove the selection %s? Undo brings it back. One that models have run in, "+
			"or that a round has, stays until these are removed.", r.Name), "Remove",
		fynewidget.WarningImportance, p.remove)
}

// remove removes the selection that is looked at; what it was is kept for Undo, and the verdicts
// on it stay.
func (p *Page) remove() {
	r, ws := p.view.Record, p.site.Workspace
	p.Work.Quiet("remove selection", func(context.Context) error { return ws.RemoveSelection(r.Hash) },
		func(err error) {
			switch {
			case errors.Is(err, jobs.ErrClosed):
			case err != nil:
				p.Fail(err)
			default:
				p.Say(fmt.Sprintf("The selection %s was removed.", r.Name))
				p.did(fmt.Sprintf("removal of the selection %s", r.Name), p.removes(r.Hash),
					p.keeps(r.Name, r.Selection))
			}
		})
}

// table is that of the list: without classes where all names begin with theirs.
func (v *View) table() result.Table[measure.TargetScenes] {
	for t := range v.Record.Selection.Chosen {
		if !strings.HasPrefix(v.Name(t), v.Class(t)) {
			return measure.TargetTable
		}
	}
	return measure.TargetTable.Place(result.Offered, "class")
}

// rows are the targets of the list.
func (v *View) rows() []measure.TargetScenes {
	list := make([]measure.TargetScenes, len(v.Record.Selection.Chosen))
	for t := range list {
		n := v.counts(t)
		list[t] = measure.TargetScenes{
			Target: t, Name: v.Name(t), Class: v.Class(t), Mean: v.Mean(t), Approved: n[Approved], Vetoed: n[Vetoed],
			Keywords: v.words(v.own(t)),
		}
	}
	return list
}
