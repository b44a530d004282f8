// Package clouds is the page Matrices of the Background screen: signals over semantic distance and
// the variance matrices that are interpolated from them.
package clouds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Page is the page: the list of models with what belongs to the selected one on the left, the
// matrices on the right. All methods are called on Fyne's main goroutine.
type Page struct {
	*kit.Screen[struct{}, Data]
	site     page.Site
	subject  page.Subject
	settings Settings
	recall   bool // the settings were read
	memory   *jobs.Memory[Settings]
	selected string // hash of the model that is looked at
	vault    *vault
	renewer  *renewer

	list   *kit.Records[Row]
	run    *kit.RunButton
	resume *fynewidget.Button
	images *imagesPane
	notes  *fynewidget.Label
	tabs   *kit.Tabs
	bar    *controls
	tiles  *tileGrid
	shares *shares
	foot   *fynewidget.Label
}

var _ page.Page = (*Page)(nil)

// The shares of the width and height that the list takes.
const leftShare, listShare = 0.3, 0.5

// New makes the page; it reads when it is shown.
func New(site page.Site) *Page {
	p := &Page{site: site, settings: usual(), vault: newVault()}
	p.renewer = &renewer{p: p}
	p.memory = page.Remember(site, keySettings, func() Settings { return p.settings })
	host := site.Kit(func() { p.Focus() })
	p.Screen = &kit.Screen[struct{}, Data]{Host: host} // the parts are made from it
	body := p.body()
	p.Screen = kit.New(kit.Screen[struct{}, Data]{
		Host: host, Name: "Read what models did in scenes", Doing: "Reading what models did in scenes…",
		Key: "scenes.matrices", Load: func(struct{}) kit.Work[Data] { return p.load() },
		On: []store.ChangeKind{store.SuiteChanged, store.BackgroundChanged, store.ModelChanged, store.SignalsChanged},
		OnChange: func(kind store.ChangeKind) {
			// Images and masks may be where they were not.
			if kind == store.SuiteChanged || kind == store.BackgroundChanged {
				p.images.wall.Doubt()
			}
		},
		Body: body, Tabs: p.tabs, Parts: []kit.Page{p.shares}, Empty: p.empty, Show: p.show,
		OnClosed: func() {
			p.renewer.closed = true
			p.renewer.halt()
		},
	})
	return p
}

func (p *Page) body() fyne.CanvasObject {
	p.foot, p.notes = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	p.images, p.shares, p.bar = newImagesPane(p), newShares(p), newControls(p)
	grid := container.NewGridWithColumns(1)
	p.tiles = &tileGrid{p: p, more: p.shares.Object(), grid: grid, object: grid}
	p.notes.Wrapping = fyne.TextWrapWord
	p.notes.Selectable = true
	keys := func() { p.list.Focus() }
	p.tabs = kit.NewTabs(p.Host, "scenes.matrices",
		kit.Tab{Key: "free", Title: "Free", Page: &kit.Panel{Body: p.bar.tab, Keys: keys}},
		kit.Tab{Key: "images", Title: "Images", Page: p.images},
		kit.Tab{Key: "notes", Title: "Notes", Page: &kit.Panel{Body: container.NewVScroll(p.notes), Keys: keys}})
	left := container.NewVSplit(p.models(), p.tabs.Object())
	left.Offset = listShare
	p.foot.Truncation = fyne.TextTruncateEllipsis
	p.resume = fynewidget.NewButtonWithIcon("Compute again", theme.ViewRefreshIcon(), p.renewer.resume)
	p.resume.Hide()
	foot := container.NewBorder(nil, nil, nil, p.resume, p.foot)
	split := container.NewHSplit(left, container.NewBorder(p.bar.above, foot, nil, nil, p.tiles.object))
	split.Offset = leftShare
	return split
}

// models is the list of models, with what can be done with them.
func (p *Page) models() fyne.CanvasObject {
	open := func(r Row) {
		if p.Inspect != nil {
			p.Inspect(r.Model.Hash)
		}
	}
	p.list = &kit.Records[Row]{
		Host: p.Host, OnOpen: open,
		Table: measure.Outcomes.Place(result.FileOnly, "selection", "targets").Place(result.Offered, "changed_share"),
		OnSelect: func(r Row, ok bool) {
			if ok {
				p.Say(r.Detail())
				p.Select(r.Model.Hash)
			}
		},
	}
	p.run = p.NewRunButton(func() { p.AskMissing(p.data().missing()) })
	inspect := fynewidget.NewButton("Inspect", func() {
		if r, ok := p.data().of(p.selected); ok {
			open(r)
		}
	})
	label := fynewidget.NewButton("Label…", func() {
		if p.site.NewRound != nil {
			p.site.NewRound(p.data().Selection.Hash)
		}
	})
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(inspect, label), p.run.Button)
	return container.NewBorder(nil, foot, nil, nil, p.list.Object())
}

// Look implements page.Page.
func (p *Page) Look(s page.Subject) {
	other := s.Selection != p.subject.Selection
	p.subject = s
	if other {
		p.vault = newVault()
		p.renewer.clear()
		p.Changed()
	}
}

// data are those that were read last.
func (p *Page) data() Data {
	d, _ := p.Data()
	return d
}

// load reads what the models did in the scenes, and the settings once.
func (p *Page) load() kit.Work[Data] {
	ws, selection, known, settings, recalled := p.site.Workspace, p.subject.Selection, p.data(), p.settings, p.recall
	if known.Selection.Hash != selection {
		known = Data{}
	}
	return func(ctx context.Context, progress engine.Progress) (Data, error) {
		if !recalled {
			if _, err := ws.Setting(keySettings, &settings); err != nil {
				settings = usual() // of another version of the program
			}
		}
		d, err := read(ctx, ws, selection, known, progress)
		d.settings = settings.valid()
		return d, err
	}
}

// empty says why there is nothing to look at, and what helps.
func (p *Page) empty(d Data) (e kit.Empty, is bool) {
	switch left := d.without(); {
	case d.Selection.Hash == "":
		return kit.Empty{Text: "There are no testing scenes yet: choose some on the page Scenes.", Help: []kit.Help{
			{Text: "Choose scenes", Icon: theme.NavigateNextIcon(), Do: func() { p.site.Open(page.Scenes, p.subject) }},
		}}, true
	case len(d.Rows) == 0:
		return kit.Empty{Text: "This workspace has no models yet. Import some.", Help: []kit.Help{
			{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.Import},
		}}, true
	case len(left) == len(d.Rows):
		e.Text = fmt.Sprintf("No model ran in the scenes of %s yet. A run puts every target into its scenes and "+
			"keeps what the models say.", d.Selection.Name)
		e.Missing = d.missing()
		return e, true
	}
	return e, false
}

// show shows what was read.
func (p *Page) show(d Data) {
	if !p.recall {
		p.settings, p.recall = d.settings, true
	}
	p.selected = d.choose(p.selected, p.settings.Model)
	p.run.Hidden = p.Start == nil
	if missing := d.missing(); len(missing) > 0 {
		p.run.Offer(missing[0].Text, true, missing[0].Runs...)
	} else {
		p.run.Offer("All ran", false)
	}
	p.list.Select("") // the page follows its own choice
	p.list.Set(d.Rows)
	p.mark()
	p.bar.show()
	p.images.wall.Retry()
	p.look()
}

// mark marks in the list which model is looked at.
func (p *Page) mark() {
	if r, ok := p.list.Selected(); ok && r.Model.Hash == p.selected {
		return
	}
	r, _ := p.data().of(p.selected)
	p.list.Select(p.list.Table.ID(r))
}

// showSheet shows matrices.
func (p *Page) showSheet(s *sheet) {
	p.tiles.show(s)
	p.resume.Hide()
	p.foot.SetText(s.foot())
	var parts []string
	for _, e := range s.ask.evidence {
		notes := strings.Join(e.Notes(), "\n")
		if s.ask.settings.Mode == Several {
			notes = s.ask.selection(e) + "\n" + notes
		}
		parts = append(parts, notes)
	}
	if len(s.ask.left) > 0 {
		parts = append(parts, "Left out\n"+strings.Join(s.ask.left, "\n"))
	}
	p.notes.SetText(strings.Join(slices.Compact(parts), "\n\n"))
	p.images.follow(s.ask.evidence)
	if s.ask.settings.Mode == One {
		p.shares.show(s.ask)
	}
}

// stopped says why what is shown is not what was asked for.
func (p *Page) stopped(why string) {
	p.foot.SetText(why)
	p.resume.Hidden = p.renewer.sheet == nil || p.renewer.sheet.exact
	p.Object().Refresh()
}

// hovered says what is under the pointer, or what is shown.
func (p *Page) hovered(text string) {
	if s := p.renewer.sheet; text == "" && s != nil {
		text = s.foot()
	}
	if p.foot.Text != text {
		p.foot.SetText(text)
	}
}

// chosen are the models that are looked at: one, or two side by side.
func (p *Page) chosen() []Row {
	r, ok := p.data().of(p.selected)
	if !ok || !r.Ran() {
		return nil
	}
	list := []Row{r}
	if p.settings.Mode != Two {
		return list
	}
	if other, ok := p.data().second(p.selected, p.settings.Second); ok {
		list = append(list, other)
	}
	return list
}

// look shows the chosen models.
func (p *Page) look() {
	rows, settings := p.chosen(), p.settings
	switch {
	case len(rows) == 0:
		p.renewer.clear()
		p.tiles.clear("choose a model that ran")
		p.foot.SetText("")
		p.notes.SetText("")
		if r, ok := p.data().of(p.selected); ok {
			p.foot.SetText(r.Detail())
		}
		return
	case len(rows) < 2 && settings.Mode == Two:
		settings.Mode = One // there is nothing to compare with
	}
	p.renewer.want(rows, settings)
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
	p.bar.show()
	p.look()
}

// Select looks at a model.
func (p *Page) Select(hash string) {
	r, ok := p.data().of(hash)
	if !ok {
		return
	}
	p.selected = hash
	p.mark()
	if r.Ran() {
		p.choose(func(s *Settings) { s.Model = hash })
	}
	p.look()
}

// askRange asks for one's own colour range.
func (p *Page) askRange() {
	before, _ := p.settings.colours()
	evidence.AskRange(p.Host, before, func(r label.Range) { p.choose(func(s *Settings) { s.Range = r }) }, p.Focus)
}
