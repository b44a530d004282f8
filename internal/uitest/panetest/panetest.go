// Package panetest makes for the tests of Inspect's tabs what the screen gives them: subjects read
// from a workspace as it is on disk, and a screen that notes what it is asked for.
package panetest

import (
	"context"
	"slices"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Subject reads what there is about a model under the workspace's current suite and family, with
// all its signals, for a choice of images. A choice that leaves none makes a subject without chosen
// images.
func Subject(tb testing.TB, ws *store.Workspace, model string, images variance.Images) pane.Subject {
	tb.Helper()
	current := testdata.Must(ws.Current())(tb)
	family := testdata.Must(transform.Parse(current.Family))(tb)
	s := pane.Subject{
		Family: current.Family, Images: images, View: evidence.View{Map: evidence.DefaultMap}, Last: family.N() - 1,
		Model: testdata.Must(ws.Model(model))(tb), Suite: testdata.Must(ws.Suite(current.Suite))(tb),
	}
	var err error
	s.Evidence, err = evidence.Load(context.Background(), ws, evidence.Request{
		Model: model, Suite: current.Suite, Family: current.Family, Modalities: evidence.DefaultModalities(),
		Images: images,
	})
	if err != nil {
		s.Evidence = s.Evidence.Without(evidence.DefaultModalities(), err.Error())
	}
	summary, ok, err := ws.Summary(s.Model, current.Suite, current.Family)
	testdata.OK(tb, err)
	if !ok {
		return s
	}
	s.Set = testdata.Must(ws.LoadSet(context.Background(), summary.Key, store.Want{Everything: true}))(tb)
	s.Mapping = summary.Classes
	s.Chosen, _ = images.Choose(s.Suite.Labels, s.Set.Predictions()[s.Last/2], s.Mapping) // nil where no image is left
	return s
}

// Focused is the subject with another focus.
func Focused(s pane.Subject, modality string, i, j int) pane.Subject {
	s.Focus = pane.Focus{Modality: modality, I: i, J: j}
	return s
}

// WithSignal is the subject with one signal of image k, under transformation i, changed: an extreme
// image.
func WithSignal(s pane.Subject, modality string, i, k int, value float32) pane.Subject {
	m, err := signal.ParseModality(modality)
	if err != nil {
		panic(err)
	}
	set := *s.Set
	set.Reduced = slices.Clone(set.Reduced)
	p := set.Spec.Position(m.Position)
	changed := slices.Clone(set.Reduced[p][m.Reducer])
	changed[i*set.Images+k] = value
	set.Reduced[p][m.Reducer] = changed
	s.Set = &set
	return s
}

// Within is the subject for the sub-interval first..last around the identity, with the whole matrix
// of the confidence in focus.
func Within(s pane.Subject, first, last int) pane.Subject {
	s.First, s.Last, s.Focus = first, last, pane.Whole("max@CONF")
	s.Evidence.Tiles = slices.Clone(s.Evidence.Tiles)
	for k, t := range s.Evidence.Tiles {
		if !t.Absent() {
			s.Evidence.Tiles[k].Matrix = t.Matrix.Centre((last - first) / 2)
		}
	}
	s.Evidence.Values = slices.Clone(s.Evidence.Values[first : last+1])
	if e := &s.Evidence; s.Set != nil && len(e.Accuracy) > 0 {
		e.Accuracy, e.Robust = variance.Accuracy(s.Set.Predictions()[first:last+1], s.Suite.Labels, s.Mapping, s.Chosen)
	}
	return s
}

// Screen shows a tab in a window, as the inspect screen does, and notes what it is asked for.
type Screen struct {
	Stage              *stage.Stage
	Window             fyne.Window
	Work               *jobs.Group
	Now                pane.Subject
	Excluded, Included [][]int
	Marked             []pane.Focus
	Opened, Positions  []string
	Started            []kit.Run
	Said, Passed       []string // at the foot of the window, and keys that the tab left
	Errors             []error
	// OnOpen is called after the note was made; it may be nil.
	OnOpen func(model string)

	tab     pane.Tab
	surface *widget.Surface
}

var _ pane.Screen = (*Screen)(nil)

// New makes a screen in a window of a size, which ends with the test.
func New(tb testing.TB, size fyne.Size) *Screen {
	s := &Screen{Stage: stage.New(tb), Work: jobs.New(fyne.Do)}
	s.Window = s.Stage.Window(container.NewStack(), size)
	tb.Cleanup(func() {
		if s.tab.Page != nil {
			s.tab.Page.Close()
		}
		s.Work.Stop()
		s.Work.Wait()
	})
	return s
}

// Site is where the tab stands.
func (s *Screen) Site() pane.Site {
	return pane.Site{Screen: s, Spend: func() bool { return s.surface.Spend() }, Keys: s.keys(), Host: &kit.Host{
		Window: s.Window, Work: s.Work, Status: func(text string) { s.Said = append(s.Said, text) },
		Start:     func(runs ...kit.Run) { s.Started = append(s.Started, runs...) },
		ShowError: func(err error) { s.Errors = append(s.Errors, err) },
		Refocus:   func() { s.surface.TakeIn(s.Window.Canvas()) },
	}}
}

func (s *Screen) keys() widget.Keys {
	return widget.Keys{OnRune: func(r rune) {
		if s.tab.OnRune == nil || !s.tab.OnRune(unicode.ToLower(r)) {
			s.Passed = append(s.Passed, string(r))
		}
	}, OnKey: func(ev *fyne.KeyEvent) bool {
		if s.tab.OnKey == nil || !s.tab.OnKey(ev.Name) {
			s.Passed = append(s.Passed, string(ev.Name))
		}
		return true
	}}
}

// Stand brings a tab to the front, about a subject.
func (s *Screen) Stand(tab pane.Tab, about pane.Subject) {
	s.tab, s.Now = tab, about
	s.surface = widget.NewSurface(tab.Page.Object())
	s.surface.Keys = s.keys()
	s.Window.SetContent(s.surface)
	tab.Page.Shown()
}

// Show looks at another subject.
func (s *Screen) Show(about pane.Subject) {
	s.Now = about
	s.tab.Page.Changed()
}

// Type types characters and named keys on whatever has the keyboard; the screen has it where
// nothing does, as in the window.
func (s *Screen) Type(text string, keys ...fyne.KeyName) {
	c := s.Window.Canvas()
	if c.Focused() == nil {
		s.surface.TakeIn(c)
	}
	for _, r := range text {
		c.Focused().TypedRune(r)
	}
	for _, k := range keys {
		c.Focused().TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// Subject implements pane.Screen.
func (s *Screen) Subject() pane.Subject { return s.Now }

// Exclude implements pane.Screen.
func (s *Screen) Exclude(images []int) { s.Excluded = append(s.Excluded, images) }

// Include implements pane.Screen.
func (s *Screen) Include(images []int) { s.Included = append(s.Included, images) }

// Mark implements pane.Screen.
func (s *Screen) Mark(f pane.Focus) {
	s.Marked = append(s.Marked, f)
	s.Now.Focus = f
	s.tab.Page.Changed()
}

// Open implements pane.Screen.
func (s *Screen) Open(model string) {
	s.Opened = append(s.Opened, model)
	if s.OnOpen != nil {
		s.OnOpen(model)
	}
}

// ShowPosition implements pane.Screen.
func (s *Screen) ShowPosition(position string) { s.Positions = append(s.Positions, position) }
