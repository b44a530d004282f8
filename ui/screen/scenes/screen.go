// Package scenes is the Background screen: background invariance (spec/background.md) from the
// keywords of images over the ontology and the testing scenes to interpolated variance matrices
// and what they say about models. Each step has a page.
package scenes

import (
	"context"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
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

// titles are those of the pages, by page.Kind.
var titles = [page.Kinds]string{"Keywords", "Ontology", "Scenes", "Matrices", "Findings"}

// Screen is the Background screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, offered]
	site    page.Site
	view    View
	recall  bool // what the workspace remembers was read
	memory  *jobs.Memory[page.Subject]
	pages   [page.Kinds]page.Page
	tabs    *kit.Tabs
	pickers [3]*widget.Picker
}

// offered is what can be looked at, and what the workspace remembers to have been looked at.
type offered struct {
	page.Choices
	remembered page.Subject
}

// New makes the screen; it reads when it is shown. Choose and Open of site are the screen's own.
func New(site page.Site) *Screen {
	s := &Screen{site: site}
	s.site.Choose, s.site.Open = s.choose, s.open
	s.memory = page.Remember(site, settingSubject, func() page.Subject { return s.view.Subject })
	s.pages = [page.Kinds]page.Page{
		keywords.New(s.site), graph.New(s.site), choose.New(s.site), clouds.New(s.site), findings.New(s.site),
	}
	var tabs []kit.Tab
	for k, p := range s.pages {
		tabs = append(tabs, kit.Tab{Key: titles[k], Title: titles[k], Page: p})
	}
	s.tabs = kit.NewTabs(site.Host, "scenes", tabs...)
	head := container.NewGridWithColumns(3)
	for k, change := range []func(u *page.Subject, key string){
		func(u *page.Subject, key string) { u.Table = key },
		func(u *page.Subject, key string) { u.Ontology = key },
		func(u *page.Subject, key string) { u.Selection = key },
	} {
		s.pickers[k] = widget.NewPicker(func(key string) {
			subject := s.view.Subject
			change(&subject, key)
			s.choose(subject)
		})
		s.pickers[k].PlaceHolder = "none yet"
		head.Add(evidence.Named([]string{"keywords", "ontology", "scenes"}[k], s.pickers[k].Select))
	}
	s.Screen = kit.New(kit.Screen[struct{}, offered]{
		Host: site.Host, Name: "Read what there is of scenes", Doing: "Reading…", Key: "scenes", Quiet: true,
		About: &answers,
		Load: func(struct{}) kit.Work[offered] {
			return func(context.Context, engine.Progress) (o offered, err error) {
				if _, err := site.Workspace.Setting(settingSubject, &o.remembered); err != nil {
					o.remembered = page.Subject{} // of another version of the program
				}
				o.Choices, err = page.ReadChoices(site.Workspace)
				return o, err
			}
		},
		On:   []store.ChangeKind{store.BackgroundChanged},
		Body: container.NewBorder(head, nil, nil, nil, s.tabs.Object()), Tabs: s.tabs, Apart: true, Margin: true,
		Show: func(o offered) {
			if !s.recall {
				s.view.Subject, s.recall = o.remembered, true
			}
			s.view.Take(o.Choices)
			s.look()
		},
	})
	return s
}

// look brings the menus and the pages up to date.
func (s *Screen) look() {
	subject := s.view.Subject
	for k, key := range []string{subject.Table, subject.Ontology, subject.Selection} {
		list := s.view.options(k)
		s.pickers[k].Offer(list, key)
		widget.Enable(s.pickers[k].Select, len(list) > 0)
	}
	for _, p := range s.pages {
		p.Look(subject)
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
	s.look()
}

// ShowMatrices shows what models do in the scenes of a selection (hash).
func (s *Screen) ShowMatrices(selection string) {
	subject := s.view.Subject
	subject.Selection = selection
	s.open(page.Matrices, subject)
}

// open looks at something else on another page.
func (s *Screen) open(k page.Kind, subject page.Subject) {
	s.choose(subject)
	s.tabs.Select(titles[k])
}
