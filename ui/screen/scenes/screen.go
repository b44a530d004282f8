// Package scenes is the Background screen: background invariance (spec/background.md) from the
// keywords of images over the ontology and the testing scenes to interpolated variance matrices
// and what they say about models. Each step has a page.
package scenes

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/scenes/choose"
	"github.com/variscope/variscope/ui/screen/scenes/clouds"
	"github.com/variscope/variscope/ui/screen/scenes/findings"
	"github.com/variscope/variscope/ui/screen/scenes/graph"
	"github.com/variscope/variscope/ui/screen/scenes/keywords"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// settingSubject is where the workspace remembers what was looked at.
const settingSubject = "scenes.subject"

// Screen is the Background screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	site    page.Site
	view    View
	recall  bool // what the workspace remembers was read
	renewal *background.Renewal
	memory  *background.Memory[page.Subject]
	pages   [page.Kinds]page.Page
	tabs    *container.AppTabs
	pickers [3]*widget.Picker
	root    fyne.CanvasObject
	cancel  func()
}

// New makes the screen and listens to the workspace until Close; it reads when it is shown. Choose
// and Open of site are the screen's own.
func New(site page.Site) *Screen {
	s := &Screen{site: site}
	s.site.Choose, s.site.Open = s.choose, s.open
	s.memory = page.Remember(site, settingSubject, func() page.Subject { return s.view.Subject })
	s.renewal = background.NewRenewal(site.Host.Work, "refresh what the Background screen offers", s.Refresh)
	s.pages = [page.Kinds]page.Page{keywords.New(s.site), graph.New(s.site), choose.New(s.site), clouds.New(s.site), findings.New(s.site)}
	s.root = s.widgets()
	s.cancel = site.Workspace.Subscribe(func(c store.Change) { site.Host.Work.Post(func() { s.changed(c) }) })
	return s
}

func (s *Screen) widgets() fyne.CanvasObject {
	picked := func(change func(subject *page.Subject, key string)) func(string) {
		return func(key string) {
			subject := s.view.Subject
			change(&subject, key)
			s.choose(subject)
		}
	}
	s.pickers = [3]*widget.Picker{
		widget.NewPicker(picked(func(u *page.Subject, key string) { u.Table = key })),
		widget.NewPicker(picked(func(u *page.Subject, key string) { u.Ontology = key })),
		widget.NewPicker(picked(func(u *page.Subject, key string) { u.Selection = key })),
	}
	head := container.NewGridWithColumns(3)
	for k, word := range []string{"keywords", "ontology", "scenes"} {
		s.pickers[k].PlaceHolder = " " // nobody knows yet what there is
		head.Add(evidence.Named(word, s.pickers[k].Select))
	}
	s.tabs = container.NewAppTabs()
	for _, p := range s.pages {
		s.tabs.Append(widget.NewTab(p.Title(), p.Object()))
	}
	s.tabs.OnUnselected = func(tab *container.TabItem) { s.pages[slices.Index(s.tabs.Items, tab)].Hide() }
	s.tabs.OnSelected = func(*container.TabItem) {
		s.site.Host.Say("")
		if s.renewal.Shown() {
			s.front().Show(s.view.Subject)
			s.Focus()
		}
	}
	return evidence.Margin(container.NewBorder(head, nil, nil, nil, s.tabs))
}

// front is the page whose tab is open.
func (s *Screen) front() page.Page { return s.pages[s.tabs.SelectedIndex()] }

func (s *Screen) changed(c store.Change) {
	if c.Kind == store.BackgroundChanged {
		s.renewal.Changed()
	}
	for _, p := range s.pages {
		p.Changed(c)
	}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Close ends listening to the workspace and what is under way.
func (s *Screen) Close() {
	s.cancel()
	for _, p := range s.pages {
		p.Close()
	}
}

// Shown is called when the screen comes to the front.
func (s *Screen) Shown() {
	if !s.renewal.Show() && s.recall {
		s.front().Show(s.view.Subject)
	}
	s.Focus()
}

// Hidden is called when the screen leaves the front.
func (s *Screen) Hidden() {
	s.renewal.Hide()
	s.front().Hide()
	s.site.Host.Say("")
}

// Focus gives the open page the keyboard, unless a dialog lies over the window.
func (s *Screen) Focus() {
	if s.renewal.Shown() && s.site.Host.Window.Canvas().Overlays().Top() == nil {
		s.front().Focus()
	}
}

// Refresh reads what can be chosen.
func (s *Screen) Refresh() {
	s.renewal.Begin()
	var read Offer
	remembered, recall := s.view.Subject, s.recall
	ws := s.site.Workspace
	s.site.Host.Work.Quiet("what the Background screen offers", func(context.Context) (err error) {
		if !recall {
			if _, err := ws.Setting(settingSubject, &remembered); err != nil {
				remembered = page.Subject{} // of another version of the program
			}
		}
		read, err = offer(ws)
		return err
	}, func(err error) {
		s.renewal.End()
		switch {
		case errors.Is(err, background.ErrClosed):
			return
		case err != nil:
			s.renewal.Spoil()
			s.site.Host.Fail(err)
			return
		}
		if !s.recall {
			s.view.Subject, s.recall = remembered, true
		}
		s.view.Take(read)
		s.show()
	})
}

// show brings the menus and the open page up to date.
func (s *Screen) show() {
	subject := s.view.Subject
	for k, key := range []string{subject.Table, subject.Ontology, subject.Selection} {
		list := s.view.options(k)
		s.pickers[k].PlaceHolder = "none yet"
		s.pickers[k].Offer(list, key)
		if len(list) == 0 {
			s.pickers[k].Disable()
		} else {
			s.pickers[k].Enable()
		}
	}
	if s.renewal.Shown() {
		s.front().Show(subject)
	}
}

// choose looks at something else and remembers it. What is not offered yet is there after the next
// reading.
func (s *Screen) choose(subject page.Subject) {
	subject = s.view.joined(subject)
	if subject == s.view.Subject {
		return
	}
	s.view.Subject, s.recall = subject, true
	s.memory.Keep()
	s.show()
}

// open looks at something else on another page.
func (s *Screen) open(k page.Kind, subject page.Subject) {
	s.choose(subject)
	s.tabs.SelectIndex(int(k))
}
