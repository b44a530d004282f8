// Package panetest makes for the tests of panes what the inspect screen hands them: subjects read from a workspace as it
// is on disk, and a host that notes what it is asked for.
package panetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Subject reads what there is about a model under the workspace's current suite and family, with all its signals, for a
// choice of images. A choice that leaves none makes a subject without chosen images.
func Subject(tb testing.TB, ws *store.Workspace, model string, images variance.Images) pane.Subject {
	tb.Helper()
	must := func(err error) {
		if err != nil {
			tb.Helper()
			tb.Fatal(err)
		}
	}
	current, err := ws.Current()
	must(err)
	s := pane.Subject{Family: current.Family, Images: images, View: evidence.View{Map: evidence.DefaultMap}}
	s.Model, err = ws.Model(model)
	must(err)
	s.Suite, err = ws.Suite(current.Suite)
	must(err)
	family, err := transform.Parse(current.Family)
	must(err)
	s.Last = family.N() - 1
	s.Evidence, err = evidence.Load(context.Background(), ws, evidence.Request{
		Model: model, Suite: current.Suite, Family: current.Family, Modalities: evidence.DefaultModalities(), Images: images,
	})
	if err != nil {
		s.Evidence = s.Evidence.Without(evidence.DefaultModalities(), err.Error())
	}
	summary, ok, err := ws.Summary(s.Model, current.Suite, current.Family)
	must(err)
	if !ok {
		return s
	}
	s.Set, err = ws.LoadSet(context.Background(), summary.Key, store.Want{Everything: true})
	must(err)
	s.Mapping = summary.Classes
	s.Chosen = choose(s)
	return s
}

// choose is nil where no image is left.
func choose(s pane.Subject) []int {
	identity := (s.Set.Transformations - 1) / 2
	chosen, err := s.Images.Choose(s.Suite.Labels, s.Set.Predictions()[identity], s.Mapping)
	if err != nil {
		return nil
	}
	return chosen
}

// Focused is the subject with another focus.
func Focused(s pane.Subject, modality string, i, j int) pane.Subject {
	s.Focus = pane.Focus{Modality: modality, I: i, J: j}
	return s
}

// WithSignal is the subject with one signal of image k, under transformation i, changed: an extreme image.
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

// Within is the subject for the sub-interval first..last, with the whole matrix of the confidence in focus.
func Within(s pane.Subject, first, last int) pane.Subject {
	s.First, s.Last, s.Focus = first, last, pane.Whole("max@CONF")
	s.Evidence.Tiles = slices.Clone(s.Evidence.Tiles)
	for k, t := range s.Evidence.Tiles {
		s.Evidence.Tiles[k].Matrix = cut(t.Matrix, first, last)
	}
	s.Evidence.Values = slices.Clone(s.Evidence.Values[first : last+1])
	if e := &s.Evidence; s.Set != nil && len(e.Accuracy) > 0 {
		e.Accuracy, e.Robust = variance.Accuracy(s.Set.Predictions()[first:last+1], s.Suite.Labels, s.Mapping, s.Chosen)
	}
	return s
}

func cut(m variance.Matrix, first, last int) variance.Matrix {
	if m.N == 0 {
		return m
	}
	out := variance.Matrix{N: last - first + 1}
	for i := first; i <= last; i++ {
		out.Data = append(out.Data, m.Data[i*m.N+first:][:out.N]...)
	}
	return out
}

// Host notes what panes ask for.
type Host struct {
	Excluded, Included [][]int
	Focuses            []pane.Focus
	Opened, Positions  []string
	Said               []string
	Errors             []error
	// OnFocus and OnOpen are called after the note was made; they may be nil.
	OnFocus func(f pane.Focus)
	OnOpen  func(model string)
}

var _ pane.Screen = (*Host)(nil)

// Exclude implements pane.Screen.
func (h *Host) Exclude(images []int) { h.Excluded = append(h.Excluded, images) }

// Include implements pane.Screen.
func (h *Host) Include(images []int) { h.Included = append(h.Included, images) }

// Focus implements pane.Screen.
func (h *Host) Focus(f pane.Focus) {
	h.Focuses = append(h.Focuses, f)
	if h.OnFocus != nil {
		h.OnFocus(f)
	}
}

// Open implements pane.Screen.
func (h *Host) Open(model string) {
	h.Opened = append(h.Opened, model)
	if h.OnOpen != nil {
		h.OnOpen(model)
	}
}

// ShowPosition implements pane.Screen.
func (h *Host) ShowPosition(position string) { h.Positions = append(h.Positions, position) }

// Site is where panes stand that ask this host; keys get what they do not use.
func (h *Host) Site(window fyne.Window, work *background.Group, keys widget.Keys) pane.Site {
	return pane.Site{Screen: h, Keys: keys, Host: &kit.Host{
		Window: window, Work: work, Status: func(text string) { h.Said = append(h.Said, text) },
		ShowError: func(err error) { h.Errors = append(h.Errors, err) },
	}}
}

// Large is a subject of many images with made-up signals of the confidence alone, for benchmarks.
func Large(images, transformations int) pane.Subject {
	random := rand.New(rand.NewPCG(1, 2))
	set := &signal.Set{
		Spec:            signal.Spec{Positions: []signal.Position{{Name: "CONF"}}, Images: images},
		Transformations: transformations, Images: images, Classes: 10,
		Prediction: make([]int32, images*transformations), Confidence: make([]float32, images*transformations),
	}
	s := pane.Subject{Family: "rotation:-15:15:1", Images: variance.AllImages(), Last: transformations - 1, Set: set}
	s.Focus = pane.Whole("max@CONF")
	for k := range images {
		s.Chosen, s.Suite.Labels = append(s.Chosen, k), append(s.Suite.Labels, k%10)
		slope := random.NormFloat64() / 10
		for i := range transformations {
			set.Confidence[i*images+k] = float32(0.9 + slope*float64(i)/float64(transformations) + 0.01*random.NormFloat64())
			set.Prediction[i*images+k] = int32((k + random.IntN(20)/19) % 10)
		}
	}
	set.Reduced = make([][signal.Reducers][]float32, 1)
	set.Reduced[0][signal.Max] = set.Confidence
	return s
}
